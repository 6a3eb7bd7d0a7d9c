// SPDX-License-Identifier: MIT

import ReSwift
import ReSwiftRouter
import Testing

private struct AppState {
    var navigation = NavigationState()
    var count = 0
}

private struct Count: Action {}

private func reduce(action: any Action, state: AppState?) -> AppState {
    AppState(
        navigation: NavigationReducer.handleAction(action, state: state?.navigation),
        count: (state?.count ?? 0) + (action is Count ? 1 : 0))
}

@MainActor
@Suite("Router")
struct RouterTests {
    private let stage = Stage()
    private let store = Store<AppState>(reducer: reduce, state: nil)

    private func makeRouter() -> Router<AppState> {
        Router(store: store, rootRoutable: Player(name: "root", stage: stage)) {
            $0.select(\.navigation)
        }
    }

    private struct Journey: Sendable {
        let from: Route
        let to: Route
        let steps: [String]
    }

    @Test(
        arguments: [
            (["a"], ["a", "b"], ["a push b"]),
            (["a", "b"], ["a"], ["a pop b"]),
            (["a", "b"], ["a", "c"], ["a change b to c"]),
            (["a"], ["b"], ["root change a to b"]),
            (["a", "b", "c"], ["a", "d", "e"], ["b pop c", "a change b to d", "d push e"]),
            (["a", "b", "c"], ["a"], ["b pop c", "a pop b"]),
            (["a"], ["a", "b", "c"], ["a push b", "b push c"]),
            (["a", "b", "c"], ["d"], ["b pop c", "a pop b", "root change a to d"]),
            (["a"], ["d", "e"], ["root change a to d", "d push e"]),
            (["a", "b"], [], ["a pop b", "root pop a"]),
            (["a", "a"], ["a", "a", "a"], ["a push a"]),
        ] as [(Route, Route, [String])])
    func `The difference of two routes becomes steps of what shows the segments`(
        _ from: Route, _ to: Route, _ steps: [String]
    ) async {
        store.dispatch(SetRouteAction(from))
        let router = makeRouter()
        _ = await stage.next(from.count)
        store.dispatch(SetRouteAction(to))
        #expect(await stage.next(steps.count) == steps)
        store.dispatch(SetRouteAction(to + ["end"]))
        #expect(await stage.next(1) == ["\(to.last ?? "root") push end"])
        withExtendedLifetime(router) {}
    }

    @Test func `The route that a store begins with is shown`() async {
        store.dispatch(SetRouteAction(["a", "b"]))
        let router = makeRouter()
        #expect(await stage.next(2) == ["root push a", "a push b"])
        withExtendedLifetime(router) {}
    }

    @Test func `An action that sets the same route, or none, takes no step`() async {
        let router = makeRouter()
        store.dispatch(SetRouteAction(["a"]))
        store.dispatch(SetRouteAction(["a"]))
        store.dispatch(Count())
        store.dispatch(SetRouteAction(["b"]))
        #expect(await stage.next(2) == ["root push a", "root change a to b"])
        withExtendedLifetime(router) {}
    }

    @Test func `Steps without animation say so`() async {
        let router = makeRouter()
        store.dispatch(SetRouteAction(["a"], animated: false))
        store.dispatch(SetRouteAction(["a", "b"]))
        #expect(await stage.next(2) == ["root push a at once", "a push b"])
        withExtendedLifetime(router) {}
    }

    @Test func `A step waits until the one before is complete`() async {
        stage.isPrompt = false
        let router = makeRouter()
        store.dispatch(SetRouteAction(["a", "b"]))
        #expect(await stage.next(1) == ["root push a"])
        store.dispatch(SetRouteAction(["c"]))
        #expect(stage.held.count == 1)
        for steps in ["a push b", "a pop b", "root change a to c"] {
            stage.complete()
            #expect(await stage.next(1) == [steps])
            #expect(stage.held.count == 1)
        }
        withExtendedLifetime(router) {}
    }

    @Test func `A completion handler counts once, and one that is released counts as called`()
        async
    {
        stage.isPrompt = false
        let router = makeRouter()
        store.dispatch(SetRouteAction(["a", "b", "c"]))
        #expect(await stage.next(1) == ["root push a"])
        let first = stage.held[0]
        stage.complete()
        first()
        #expect(await stage.next(1) == ["a push b"])
        #expect(stage.held.count == 1)
        stage.forget()
        #expect(await stage.next(1) == ["b push c"])
        withExtendedLifetime(router) {}
    }

    @Test func `A subclass is notified of each state, and goes on as the router does`() async {
        final class Counting: Router<AppState>, @unchecked Sendable {
            nonisolated(unsafe) var count = 0  // The store of this test delivers on one thread.
            override func newState(state: NavigationState) {
                count += 1
                super.newState(state: state)
            }
        }
        let router = Counting(store: store, rootRoutable: Player(name: "root", stage: stage)) {
            $0.select(\.navigation)
        }
        let before = router.count
        store.dispatch(SetRouteAction(["a"]))
        #expect(await stage.next(1) == ["root push a"])
        #expect(router.count == before + 1)
    }

    @Test func `The names between are called where they are implemented`() async {
        struct Between: Routable, @unchecked Sendable {
            let stage: Stage
            func push(
                _ element: RouteElement, animated: Bool,
                completionHandler: @escaping RoutingCompletion
            ) -> any Routable {
                Player(name: "between", stage: stage).pushRouteSegment(
                    element, animated: animated, completionHandler: completionHandler)
            }
        }
        let router = Router(store: store, rootRoutable: Between(stage: stage)) {
            $0.select(\.navigation)
        }
        store.dispatch(SetRouteAction(["a"]))
        #expect(await stage.next(1) == ["between push a"])
        withExtendedLifetime(router) {}
    }

    @Test func `A state says where its route is, and the action has its name`() {
        struct Named: HasNavigationState { var navigationState = NavigationState() }
        var state = Named()
        state.navigationState.route = ["a"]
        #expect((state as any HasNavigationState).navigationState.route == ["a"])
        #expect(SetRouteAction.type == "RE_SWIFT_ROUTER_SET_ROUTE")
    }

    @Test func `The newer names of the methods are called where they are implemented`() async {
        struct New: Routable, @unchecked Sendable {
            let stage: Stage
            func push(
                _ element: RouteElementIdentifier, animated: Bool,
                completion: @escaping RoutingCompletionHandler
            ) -> any Routable {
                Player(name: "new", stage: stage).pushRouteSegment(
                    element, animated: animated, completionHandler: completion)
            }
        }
        let router = Router(store: store, rootRoutable: New(stage: stage)) {
            $0.select(\.navigation)
        }
        store.dispatch(SetRouteAction(["a"]))
        #expect(await stage.next(1) == ["new push a"])
        withExtendedLifetime(router) {}
    }

    @Test func `A router that nothing holds goes, and takes no further step`() {
        weak var gone: Router<AppState>?
        do {
            let router = makeRouter()
            gone = router
        }
        #expect(gone == nil)
        store.dispatch(SetRouteAction(["a"]))
        #expect(store.state.navigation.route == ["a"])
    }
}
