// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import Foundation
import ReSwift
import ReSwiftRouter

final class ShelfScreen: StoreSubscriber {
    private let table = UITableView() // difficulty: missing-import

    func appear() {
        store.subscribe(self) { state in // difficulty: older-subscribe
            let long = state.books.filter { $0.pages > 100 }
            return long.count
        }
    }

    func newState(state: Int) { print(table, state) }
}

final class Root: Routable {
    func pushRouteSegment( // difficulty: older-router
        routeElementIdentifier: RouteElementIdentifier, completionHandler: RoutingCompletionHandler
    ) -> Routable {
        completionHandler()
        return self
    }

    func popRouteSegment( // difficulty: older-router
        routeElementIdentifier: RouteElementIdentifier, completionHandler: RoutingCompletionHandler
    ) {}
}
