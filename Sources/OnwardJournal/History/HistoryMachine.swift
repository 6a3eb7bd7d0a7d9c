// SPDX-License-Identifier: MIT

internal import Onward

/// Decides what a history does with actions, and when the store must be shown another state: a pure
/// machine around the log.
///
/// Problem: the store shows what the log leads to while threads dispatch actions and change the
/// log, and no action that the store accepts may be missing from what is shown later.
///
/// Strategy: the log records accepted actions in the order of their commits. Before it is changed,
/// or another state is shown, the gate closes at a version. What the store has accepted up to it is
/// read; what comes later is withheld, and recorded after that and after the change. Then the state
/// is computed and replaces exactly that version. A store that has reached another version, through
/// another gate, is shown the state once more. A state that comes from elsewhere while the store is live
/// becomes the one at the end of the log.
struct HistoryMachine<State: Sendable>: Sendable {
    private enum Gate {
        /// Every action is accepted.
        case open
        /// Opens with the commit that replaces a version.
        case opening(replacing: CommitVersion)
        /// No action is accepted.
        case closed
    }

    private(set) var log: HistoryLog<State>
    /// The newest commit that was read.
    private var read: CommitVersion = 0
    private var gate = Gate.open
    /// The version after which nothing is accepted while the gate is closed; nil until it is known.
    private var closedAt: CommitVersion?
    /// What was withheld while accepted actions still had to be read, or the log to be changed.
    private var withheld: [HistoryEntry] = []
    /// How many callers are about to change the log.
    private var changers = 0
    /// Whether the store has to be shown what the cursor points at.
    private var isDue = false
    /// Whether a caller is doing that.
    private var isShowing = false
    /// The delivery that asked for it meanwhile, so that a chain of responses is noticed.
    private var cause: DeliveryMark?
    /// The newest state that was installed by anyone, and by this history.
    private var newestTravel: CommitVersion = 0
    private var newestInstall: CommitVersion = 0
    /// The newest state that came from elsewhere.
    private var newestArrival: CommitVersion = 0
    private var isFolding = false

    init(_ log: HistoryLog<State>) {
        self.log = log
    }

    /// Begins with the state of a version; what is committed after it is read.
    mutating func begin(with state: State, at version: CommitVersion) {
        log.begin(with: state, at: version)
        read = version
    }

    // MARK: Changing the log

    /// Closes the gate, to change the log or to show it.
    mutating func close() {
        if case .closed = gate { return }
        gate = .closed
        closedAt = nil
    }

    /// Closes the gate for a change, which ``change(_:)`` makes.
    mutating func beginChange() {
        changers += 1
        close()
    }

    /// Notes that nothing is accepted after a version.
    mutating func closed(at version: CommitVersion) {
        closedAt = closedAt ?? version
        takeWithheld()
    }

    /// Changes the log when what was accepted before has been read.
    mutating func change<Result>(_ change: (inout HistoryLog<State>) -> Result) -> Result {
        changers -= 1
        isDue = true
        defer { takeWithheld() }
        return change(&log)
    }

    // MARK: Showing

    /// Claims the right to show the store what the cursor points at, within a delivery or none.
    mutating func beginShowing(within delivery: DeliveryMark?) -> Bool {
        guard isDue, !isShowing, changers == 0 else {
            cause = delivery ?? cause
            return false
        }
        isShowing = true
        return true
    }

    /// The log whose cursor is shown next, and the delivery that this responds to.
    mutating func nextToShow() -> (log: HistoryLog<State>, cause: DeliveryMark?) {
        isDue = false
        defer { cause = nil }
        return (log, cause)
    }

    /// Accepts actions again with the commit that shows a log, if nothing has changed since.
    mutating func open(with shown: HistoryLog<State>, replacing version: CommitVersion) {
        if !isDue, changers == 0, shown.isLive { gate = .opening(replacing: version) }
    }

    /// Notes what became of a log to be shown; true if the store must be shown another state.
    mutating func finishShowing(_ shown: HistoryLog<State>, _ result: DispatchResult) -> Bool {
        switch result {
        case .accepted(let version):
            newestInstall = max(newestInstall, version)
            if !isDue, changers == 0 {
                log.noteShown(shown, at: version)
                isShowing = false
                if case .opening = gate { gate = .open }
                return false
            }
            isDue = true
            if changers == 0 { return true }
        case .refused(.outdated):
            isDue = true
            if changers == 0 { return true }
        case .refused, .withheld:
            isDue = true
        }
        // Whoever changes the log goes on, or the next action does.
        close()
        isShowing = false
        return false
    }

    // MARK: States

    /// Adopts what was computed from a copy of the log; returns what is no longer needed.
    mutating func adopt(_ copy: HistoryLog<State>) -> KeptStates<State>? { log.adopt(copy) }

    /// Whether the store shows what another gate has installed.
    private var isForeign: Bool { newestTravel > newestInstall }

    /// Whether the state of the store is needed: so that jumps find one nearby, or since it came from
    /// elsewhere, so that no entries lead to it.
    private var wantsState: Bool {
        guard case .open = gate, !isDue else { return false }
        return isForeign ? log.isLive && newestArrival == newestTravel : log.wantsState
    }

    /// What the log needs no more, to be released outside the lock.
    enum Dropped {
        case states([State])
        case parts(HistoryLog<State>.Dropped)
    }

    /// Adopts the state of the store if it is the state after the last recorded entry.
    ///
    /// - Returns: What is no longer needed; nil if the state was not adopted.
    mutating func offer(_ state: MeasuredState<State>, at version: CommitVersion) -> Dropped? {
        guard wantsState, version == read else { return nil }
        guard isForeign else { return .states(log.keepLast(state)) }
        newestInstall = newestTravel
        return .parts(log.install(state, at: version))
    }

    /// What to fold into the base; nil if there is little, or another caller is doing it.
    mutating func nextFold() -> HistoryLog<State>.Fold? {
        guard !isFolding, let fold = log.nextFold() else { return nil }
        isFolding = true
        return fold
    }

    /// Adopts a folded state; returns what is no longer needed.
    mutating func finish(
        _ fold: HistoryLog<State>.Fold, with state: State
    ) -> HistoryLog<State>.Dropped? {
        isFolding = false
        return log.finish(fold, with: state)
    }

    // MARK: Actions

    enum Decision {
        case accept
        case withhold
        /// Withheld and recorded, and the store has to be shown another state.
        case show
        /// Its number is skipped: the caller records it as a change.
        case recordAsChange
        /// To be asked again with the entry, which is dated outside the lock.
        case needsEntry
        /// To be asked again with the version of the store, which is read outside the lock.
        case needsVersion
    }

    /// Decides about an action on its way, in a store that has reached at least `version`; withheld
    /// actions are recorded.
    ///
    /// The store may be further: then an action that arrives as the gate opens counts as one that
    /// came before.
    mutating func decide(_ entry: HistoryEntry?, at version: CommitVersion?) -> Decision {
        if log.isLocked { return .withhold }
        guard let isOpen = isOpen(at: version) else { return .needsVersion }
        if isOpen { return log.skipsNext ? .recordAsChange : .accept }
        guard let entry else { return .needsEntry }
        withheld.append(entry)
        takeWithheld()
        return isDue ? .show : .withhold
    }

    /// Whether actions are accepted; nil where that depends on the version of the store.
    private func isOpen(at version: CommitVersion?) -> Bool? {
        switch gate {
        case .open: true
        case .opening(let replaced): version.map { $0 > replaced }
        case .closed: false
        }
    }

    /// Records an action that was withheld.
    private mutating func take(_ entry: HistoryEntry) {
        let position = log.position
        let outcome = log.record(entry)
        // At the end, but its state is not shown yet: this action belongs to what will be.
        if outcome == .shown || outcome == .unrecorded { isDue = true }
        // What was shown is folded into the base, which is shown from now on.
        if outcome == .recorded, log.position != position { isDue = true }
    }

    /// Records what was withheld, after what was accepted and the changes in progress.
    private mutating func takeWithheld() {
        guard let closedAt, read >= closedAt, changers == 0, !withheld.isEmpty else { return }
        for entry in withheld { take(entry) }
        withheld = []
    }

    /// Records what was committed; returns whether a state is needed, and whether to fold.
    mutating func record(
        _ entry: HistoryEntry, at version: CommitVersion
    ) -> (wantsState: Bool, isFoldDue: Bool) {
        read = version
        _ = log.record(entry)
        // It was accepted on a state that lacks what was withheld, which is still to be shown.
        if isForeign || isDue { log.noteForeignState() }
        takeWithheld()
        return (wantsState, log.isFoldDue)
    }

    /// Notes that a state was installed, by this history or by another gate; returns whether it is
    /// needed.
    mutating func noteTravel(at version: CommitVersion, isArrival: Bool = false) -> Bool {
        read = version
        newestTravel = version
        if isArrival { newestArrival = version }
        takeWithheld()
        return wantsState
    }
}
