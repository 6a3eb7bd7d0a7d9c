// SPDX-License-Identifier: MIT

internal import EntityTables
public import OnwardCore

/// The feature of ``RouteTabs``, which opens and closes tabs and moves each as its actions say.
///
/// Each tab is an instance with an `Address`: a ``NavigationAction`` for one tab is dispatched to
/// ``RouteTabs/address(ofTab:)``, and one without an address moves all tabs.
public struct TabNavigation<Route: Equatable & Sendable>: Part {
    /// The state that it works on.
    public typealias State = RouteTabs<Route>

    private let navigation: Navigation<Route>

    /// Creates the feature of tabs.
    ///
    /// - Parameter depthLimit: The maximum number of screens in one tab; beyond it, the oldest ones
    ///   above the root are forgotten, and with 1 the root as well.
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

extension RouteTabs {
    /// The address of a tab, seen from the store of the tabs:
    /// `tabs.dispatch(NavigationAction.push(Screen.album), to: RouteTabs<Screen>.address(ofTab:
    /// "left"))`.
    ///
    /// An action dispatched to a tab that isn't open is refused as absent.
    public static func address(ofTab id: String) -> Address {
        Address([.slice("open"), .row(RowKey(id)), .slice("routes")])
    }
}
