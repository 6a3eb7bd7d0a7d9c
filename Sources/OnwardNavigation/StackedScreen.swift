// SPDX-License-Identifier: MIT

/// One screen on a ``ScreenStack``, or what is presented over the screens, with its state.
public struct StackedScreen<State: ScreenState>: Identifiable, Sendable {
    /// Names the screen as long as it is on the stack; no other screen gets this name later.
    public let id: Int
    /// What led there, and the slot in which it is presented.
    public let level: RouteLevel<State.Route>
    /// What it keeps.
    public var state: State

    /// What led there.
    public var route: State.Route { level.route }
}

extension StackedScreen: Equatable where State: Equatable {}
extension StackedScreen: Hashable where State: Hashable, State.Route: Hashable {}
extension StackedScreen: Encodable where State: Encodable, State.Route: Encodable {}
extension StackedScreen: Decodable where State: Decodable, State.Route: Decodable {}
