// SPDX-License-Identifier: MIT

extension Store {
    /// The store as the log of what was committed, for code that builds on it: observers,
    /// gates, journals, replay.
    @inlinable
    public var log: StoreLog<State> { StoreLog(of: self) }
}
