// SPDX-License-Identifier: MIT

/// One screen on a ``ScreenStack``, or something presented over the screens, with its state.
public struct StackedScreen<State: ScreenState>: Identifiable, Sendable {
    /// Identifies the screen as long as it is on the stack; no other screen gets this id later.
    public let id: Int
    /// The route that led there, and the slot in which the screen is presented.
    public let level: RouteLevel<State.Route>
    /// The state of the screen.
    public var state: State

    /// The route that led there.
    public var route: State.Route { level.route }
}

extension StackedScreen: Equatable where State: Equatable {}
extension StackedScreen: Hashable where State: Hashable, State.Route: Hashable {}
extension StackedScreen: Encodable where State: Encodable, State.Route: Encodable {}
extension StackedScreen: Decodable where State: Decodable, State.Route: Decodable {}
