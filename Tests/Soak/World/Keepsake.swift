// SPDX-License-Identifier: MIT

/// An object in the state; it dies inside a reducer, or wherever a copy of the state goes last.
final class Keepsake: Sendable {
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
