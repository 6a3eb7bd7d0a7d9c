// SPDX-License-Identifier: MIT

/// A state together with the version it belongs to, read at one moment.
public struct Snapshot<State: Sendable>: Sendable {
    /// The state after the commit numbered ``version``.
    public let state: State
    /// The newest commit that ``state`` includes; 0 before any.
    public let version: Version

    @usableFromInline
    init(state: State, version: Version) {
        self.state = state
        self.version = version
    }
}

extension Snapshot: Equatable where State: Equatable {}
