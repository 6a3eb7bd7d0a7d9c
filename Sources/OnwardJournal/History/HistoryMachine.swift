// SPDX-License-Identifier: MIT

internal import Onward

/// Decides what a history does with actions and when the store has to be shown another state: a pure
/// machine around the log.
struct HistoryMachine<State: Sendable>: Sendable {
    private(set) var log: HistoryLog<State>
    /// The newest commit that the log's base includes.
    private var start: Version = 0
    /// The version at which a state was installed last.
    private var installed: Version = 0
    /// Whether the store has to be shown what the cursor points at.
    private var mustInstall = false
    /// Whether a caller is doing that.
    private var isInstalling = false
    /// The delivery that wanted it while a caller was doing that, so that a chain of answers is seen.
    private var cause: DeliveryMark?
    /// The newest commit that was recorded.
    private var last: Version = 0

    init(_ log: HistoryLog<State>) {
        self.log = log
    }

    /// Begins with a state; entries up to its version are in it.
    mutating func begin(with state: State, at version: Version) {
        log.load(base: state, staged: [], cursor: 0)
        start = version
    }

    /// Changes the log; the store is shown its cursor afterwards.
    mutating func change<Result>(_ change: (inout HistoryLog<State>) -> Result) -> Result {
        mustInstall = true
        return change(&log)
    }

    mutating func state(at index: Int) -> State { log.state(at: index) }

    // MARK: Installing

    /// What to show the store.
    struct Install {
        let state: State
        /// Whether the store goes live from it.
        let isLive: Bool
        /// The delivery that it answers; nil for the one that the caller is in.
        let cause: DeliveryMark?
    }

    /// The state to install next, for a caller within a delivery or none; nil where there is nothing to do,
    /// or another caller is doing it.
    mutating func nextInstall(within delivery: DeliveryMark?) -> Install? {
        guard mustInstall else { return nil }
        if isInstalling {
            cause = delivery ?? cause
            return nil
        }
        mustInstall = false
        isInstalling = true
        defer { cause = nil }
        return Install(
            state: log.shownState(), isLive: log.isAtEnd && !log.isLocked, cause: cause)
    }

    /// Notes that a state was installed; nil where the store did not take it, so that it is still due.
    mutating func finishInstall(at version: Version?) {
        isInstalling = false
        if let version { installed = version } else { mustInstall = true }
    }

    // MARK: States

    /// Whether the state of the store is of use: so jumps find one near.
    var wantsState: Bool { log.wantsState && log.isAtEnd && !log.isPaused && !mustInstall }

    /// Takes the state of the store, if it is that after the last recorded entry.
    mutating func offer(_ state: State, at version: Version) {
        guard wantsState, !isInstalling, version == last, version > installed else { return }
        log.keepLast(state)
    }

    // MARK: Actions

    /// Decides about an action that is on its way; what is withheld is recorded at once.
    ///
    /// - Returns: The decision, and whether a state has to be installed because of it.
    mutating func decide(
        _ pending: PendingCommit, at time: Timestamp
    ) -> (decision: CommitGateDecision, mustInstall: Bool) {
        if log.isLocked { return (.withhold, false) }
        if log.isAtEnd, !mustInstall, !isInstalling { return (.accept, false) }
        let position = log.position
        let outcome = log.perform(
            HistoryEntry(
                id: 0, action: pending.action, address: pending.address,
                origin: pending.origin, time: time))
        // At the end, but its state is not shown yet: this action belongs to what will be.
        if outcome == .shown || outcome == .unrecorded { mustInstall = true }
        // What was shown is folded into the base, which is shown from now on.
        if outcome == .recorded, log.position != position { mustInstall = true }
        return (.withhold, mustInstall)
    }

    /// Records what was committed; true when a state has to be installed, since one that does not
    /// include the commit was installed meanwhile.
    mutating func record(_ entry: Entry, at time: Timestamp) -> Bool {
        guard entry.version > start else { return false }
        last = entry.version
        let outcome = log.perform(
            HistoryEntry(
                id: 0, action: entry.action, address: entry.address, origin: entry.origin,
                time: entry.time ?? time, version: entry.version))
        guard outcome == .shown || outcome == .unrecorded, entry.version < installed else {
            return false
        }
        mustInstall = true
        return true
    }
}
