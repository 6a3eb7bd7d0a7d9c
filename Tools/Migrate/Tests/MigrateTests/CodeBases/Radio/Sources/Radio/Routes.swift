// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import Dispatch
import ReSwiftRouter

final class Dial: Routable {
    let queue = DispatchQueue(label: "dial")

    func pushRouteSegment(
        _ element: RouteElementIdentifier, animated: Bool,
        completionHandler: @escaping RoutingCompletionHandler
    ) -> Routable {
        completionHandler()
        return self
    }

    // No step: it is never called by a router.
    func push(_ element: RouteElement, completion: RoutingCompletion) {}

    func changeRouteSegment(
        _ from: RouteElementIdentifier, to: RouteElementIdentifier, animated: Bool,
        completionHandler: @escaping RoutingCompletionHandler
    ) -> Routable {
        print("not here")
        fatalError("There is one dial only.")
    }
}
