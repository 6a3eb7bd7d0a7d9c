// SPDX-License-Identifier: MIT

/// One level of a ``RouteStack``: a screen, or something presented over the screens.
public struct RouteLevel<Route> {
    /// The route that is shown there.
    public let route: Route
    /// The slot in which it is presented; nil for a screen.
    public let slot: ModalSlot?

    /// Creates a level for a screen, or for something presented in a slot.
    public init(_ route: Route, in slot: ModalSlot? = nil) {
        self.route = route
        self.slot = slot
    }

    /// Whether it is presented over the screens.
    public var isModal: Bool { slot != nil }
}

extension RouteLevel: Sendable where Route: Sendable {}
extension RouteLevel: Equatable where Route: Equatable {}
extension RouteLevel: Hashable where Route: Hashable {}
extension RouteLevel: Encodable where Route: Encodable {}
extension RouteLevel: Decodable where Route: Decodable {}
