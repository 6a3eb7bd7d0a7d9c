// SPDX-License-Identifier: MIT

public import ReSwift

/// The reducer of the navigation state, to be called by the app's own.
public struct NavigationReducer {
    /// The next navigation state; unchanged by actions that are not about navigation.
    public static func handleAction(
        _ action: any Action, state: NavigationState?
    ) -> NavigationState {
        var state = state ?? NavigationState()
        switch action {
        case let action as SetRouteAction:
            state.route = action.route
            state.changeRouteAnimated = action.animated
        case let action as SetRouteSpecificData:
            state.routeSpecificState[RouteHash(route: action.route)] = action.data
        default: break
        }
        return state
    }
}
