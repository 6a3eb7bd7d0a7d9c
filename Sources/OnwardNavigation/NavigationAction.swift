// SPDX-License-Identifier: MIT

public import OnwardCore

/// Where to go in an app.
///
/// Handled by ``Navigation``. On the wire, its name is `Navigation.`, the name of the route's type
/// and the case: `Navigation.Screen/push`.
public enum NavigationAction<Route: Equatable & Sendable>: Action, Equatable {
    /// Pushes a screen on top of the current one.
    case push(Route)
    /// Leaves what lies on top.
    case pop
    /// Goes back to what is shown further down; does nothing if it isn't shown.
    case popTo(Route)
    /// Goes back to the first screen.
    case popToRoot
    /// Shows a screen in place of the current one.
    case replace(Route)
    /// Presents something over the screens.
    case present(Route, in: ModalSlot = .sheet)
    /// Dismisses what a slot holds; without a slot, the topmost thing presented.
    case dismiss(ModalSlot? = nil)
    /// Shows another stack, as when a link from outside is opened.
    case show(RouteStack<Route>)

    /// `Navigation.` and the name of the route's type, without its module.
    public static var actionName: String { "Navigation." + TypeName.withoutModule(Route.self) }
}

extension NavigationAction: Encodable where Route: Encodable {}
extension NavigationAction: Decodable where Route: Decodable {}

extension RouteStack {
    /// Goes where an action says.
    public mutating func apply(_ action: NavigationAction<Route>) {
        switch action {
        case .push(let route): push(route)
        case .pop: pop()
        case .popTo(let route): popTo(route)
        case .popToRoot: popToRoot()
        case .replace(let route): replace(with: route)
        case .present(let route, let slot): present(route, in: slot)
        case .dismiss(let slot): dismiss(slot)
        case .show(let stack): self = stack
        }
    }
}
