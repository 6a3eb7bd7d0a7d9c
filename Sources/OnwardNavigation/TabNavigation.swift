// SPDX-License-Identifier: MIT

internal import EntityTables
public import OnwardCore

/// The feature of ``RouteTabs``: opens and closes tabs and lets each go where its actions say.
///
/// Each tab is an instance with an ``Address``: a ``NavigationAction`` for one tab is dispatched by
/// ``Store/dispatch(_:toTab:file:line:isolation:)``, and one without address moves all tabs.
public struct TabNavigation<Route: Equatable & Sendable>: Part {
    /// What it works on.
    public typealias State = RouteTabs<Route>

    private let navigation: Navigation<Route>

    /// The feature of tabs.
    ///
    /// - Parameter depthLimit: The largest number of screens in one tab; beyond it the oldest ones
    ///   upon the root are forgotten.
    public init(depthLimit: Int = 100) {
        navigation = Navigation(depthLimit: depthLimit)
    }

    /// Registers the reducers.
    public func register(in registration: inout Registration<RouteTabs<Route>>) {
        registration.reduce(TabAction<Route>.self) { tabs, action in
            switch action {
            case .open(let id, let routes): tabs.admit(id, at: routes)
            case .close(let id): tabs.open.remove(id: id)
            }
        }
        let tab = Feature { Scope(\RouteTab<Route>.routes, name: "routes", navigation) }
        Scope(each: \RouteTabs<Route>.open, name: "open", tab).register(in: &registration)
    }
}

extension Store {
    /// Lets one tab go where an action says.
    ///
    /// - Returns: What became of the action; refused as absent when the tab isn't open.
    @discardableResult
    public func dispatch<Route>(
        _ action: NavigationAction<Route>, toTab id: String, file: String = #fileID,
        line: Int = #line, isolation: (any Actor)? = #isolation
    ) -> DispatchResult where State == RouteTabs<Route> {
        let address = Address([.slice("open"), .row(RowKey(id)), .slice("routes")])
        return dispatch(action, to: address, file: file, line: line, isolation: isolation)
    }
}
