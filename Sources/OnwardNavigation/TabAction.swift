// SPDX-License-Identifier: MIT

public import OnwardCore

/// Reports that a window or a browser tab was opened or closed.
///
/// Handled by ``TabNavigation``. On the wire, its name is `Tabs.`, the name of the route's type and
/// the case: `Tabs.Screen/open`.
public enum TabAction<Route: Equatable & Sendable>: Action, Equatable {
    /// A tab was opened at a stack; one that is already open stays where it is.
    case open(String, at: RouteStack<Route>)
    /// A tab was closed.
    case close(String)

    /// `Tabs.` and the name of the route's type, without its module.
    public static var actionName: String { "Tabs." + TypeName.withoutModule(Route.self) }
}

extension TabAction: Encodable where Route: Encodable {}
extension TabAction: Decodable where Route: Decodable {}
