// SPDX-License-Identifier: MIT

import ReSwift
import ReSwiftRouter
import Testing

@Suite("NavigationState")
struct NavigationStateTests {
    private struct Other: Action {}

    @Test func `A route is set, with or without animation`() {
        let state = NavigationReducer.handleAction(
            SetRouteAction(["a", "b"], animated: false), state: nil)
        #expect(state.route == ["a", "b"])
        #expect(!state.changeRouteAnimated)
        let next = NavigationReducer.handleAction(SetRouteAction(["c"]), state: state)
        #expect(next.route == ["c"])
        #expect(next.changeRouteAnimated)
    }

    @Test func `Other actions change nothing, and without a state there is an empty one`() {
        #expect(NavigationReducer.handleAction(Other(), state: nil).route == [])
        var state = NavigationState()
        state.route = ["a"]
        #expect(NavigationReducer.handleAction(Other(), state: state).route == ["a"])
    }

    @Test func `The data of a route is found under that route and as its own type`() {
        let state = NavigationReducer.handleAction(
            SetRouteSpecificData(route: ["a", "b"], data: 7), state: nil)
        let number: Int? = state.getRouteSpecificState(["a", "b"])
        let text: String? = state.getRouteSpecificState(["a", "b"])
        let other: Int? = state.getRouteSpecificState(["a"])
        #expect(number == 7)
        #expect(text == nil)
        #expect(other == nil)
        #expect(state.route == [])
    }

    @Test func `A route's key is that of equal routes only`() {
        #expect(RouteHash(route: ["a", "b"]) == RouteHash(route: ["a", "b"]))
        #expect(RouteHash(route: ["a", "b"]) != RouteHash(route: ["ab"]))
        #expect(RouteHash(route: ["a/b"]) != RouteHash(route: ["a", "b"]))
    }
}
