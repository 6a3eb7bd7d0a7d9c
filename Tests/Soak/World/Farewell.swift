// SPDX-License-Identifier: MIT

/// An object in the state; it is released inside a reducer, or with the last copy of the state.
final class Farewell: Sendable {
    /// What it does with the store as it goes.
    enum Farewell: Sendable, Hashable, CaseIterable {
        case nothing
        case cancel
        case dispatch
    }

    let farewell: Farewell

    init(_ farewell: Farewell) {
        self.farewell = farewell
    }

    deinit { Stage.current?.say(farewell) }
}
