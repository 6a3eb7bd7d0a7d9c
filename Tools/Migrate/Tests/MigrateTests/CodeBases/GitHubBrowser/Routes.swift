// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import ReSwift
import ReSwiftRouter
import UIKit

let loginRoute: RouteElementIdentifier = "Login"
let repositoryRoute: RouteElementIdentifier = "Repository"

class RootRoutable: Routable {
    let window: UIWindow

    init(window: UIWindow) { self.window = window }

    func pushRouteSegment(
        _ routeElementIdentifier: RouteElementIdentifier, animated: Bool,
        completionHandler: @escaping RoutingCompletionHandler
    ) -> Routable {
        completionHandler()
        return MainViewRoutable(UINavigationController())
    }

    func popRouteSegment( // difficulty: missing-completion
        _ routeElementIdentifier: RouteElementIdentifier, animated: Bool,
        completionHandler: @escaping RoutingCompletionHandler
    ) {
        // completionHandler is of no use here
    }
}

class MainViewRoutable: Routable {
    let controller: UINavigationController

    init(_ controller: UINavigationController) { self.controller = controller }

    func changeRouteSegment( // difficulty: missing-completion
        _ from: RouteElementIdentifier, to: RouteElementIdentifier, animated: Bool,
        completionHandler: @escaping RoutingCompletionHandler
    ) -> Routable {
        if animated {
            controller.setViewControllers([UIViewController()], animated: true)
        }
        return RepositoryRoutable()
    }

    func popRouteSegment(
        _ identifier: RouteElementIdentifier, animated: Bool,
        completionHandler done: @escaping RoutingCompletionHandler
    ) {
        controller.dismiss(animated: animated, completion: done)
    }
}

// Not a routable: the method's name alone means nothing.
class Stack<Element> {
    var elements: [Element] = []
    func push(_ element: Element, completion: () -> Void) { elements.append(element) }
}
