// SPDX-License-Identifier: MIT

internal import Onward

/// Decides what a history does with actions and when the store has to be shown another state: a pure
/// machine around the log.
///
/// Problem: what the store shows is what the log leads to, while threads dispatch and change the log, and no action
/// that the store accepts may be missing in what is shown later.
///
/// Strategy: the log takes what is accepted in the order of the commits. Before it is changed, or another state is
/// shown, the gate closes at a version; what the store has accepted up to it is read, and what comes after it is
/// withheld and recorded behind that and behind the change. Then the state is computed and replaces exactly that version. A store that
/// has come to another version, through another gate, is shown the state once more.
struct HistoryMachine<State: Sendable>: Sendable {
    private enum Gate {
        /// Every action is accepted.
        case open
        /// Opens with the commit that replaces a version.
        case opening(replacing: Version)
        /// No action is accepted.
        case closed
    }

    private(set) var log: HistoryLog<State>
    /// The newest commit that was read.
    private var read: Version = 0
    private var gate = Gate.open
    /// The version after which nothing is accepted while the gate is closed; nil until it is known.
    private var closedAt: Version?
    /// What was withheld while accepted actions were still to be read, or the log to be changed.
    private var withheld: [HistoryEntry] = []
    /// How many callers are about to change the log.
    private var changers = 0
    /// Whether the store has to be shown what the cursor points at.
    private var isDue = false
    /// Whether a caller is doing that.
    private var isShowing = false
    /// The delivery that wanted it while a caller was doing that, so that a chain of answers is seen.
    private var cause: DeliveryMark?
    /// The newest state that was installed by anyone, and by this history.
    private var newestTravel: Version = 0
    private var newestInstall: Version = 0
    private var isFolding = false

    init(_ log: HistoryLog<State>) {
        self.log = log
    }

    /// Begins with the state of a version; what is committed after it is read.
    mutating func begin(with state: State, at version: Version) {
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
    mutating func closed(at version: Version) {
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

    /// Takes the right to show the store what the cursor points at, for a caller within a delivery or none.
    mutating func beginShowing(within delivery: DeliveryMark?) -> Bool {
        guard isDue, !isShowing, changers == 0 else {
            cause = delivery ?? cause
            return false
        }
        isShowing = true
        return true
    }

    /// The log whose cursor is shown next, and the delivery that this answers.
    mutating func nextToShow() -> (log: HistoryLog<State>, cause: DeliveryMark?) {
        isDue = false
        defer { cause = nil }
        return (log, cause)
    }

    /// Lets actions in again with the commit that shows a log and replaces a version, if nothing has changed.
    mutating func open(with shown: HistoryLog<State>, replacing version: Version) {
        if !isDue, changers == 0, shown.isLive { gate = .opening(replacing: version) }
    }

    /// Notes what became of a log that was to be shown; true when the store has to be shown another state.
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
        // The one who changes the log goes on, or the next action.
        close()
        isShowing = false
        return false
    }

    // MARK: States

    /// Takes over what was computed from a copy of the log; returns what is of no use any more.
    mutating func adopt(_ copy: HistoryLog<State>) -> KeptStates<State>? { log.adopt(copy) }

    /// Whether the store shows what another gate has installed.
    private var isForeign: Bool { newestTravel > newestInstall }

    /// Whether the state of the store is of use: so jumps find one near.
    private var wantsState: Bool {
        guard case .open = gate else { return false }
        return log.wantsState && !isDue && !isForeign
    }

    /// Takes the state of the store, if it is that after the last recorded entry.
    ///
    /// - Returns: What is of no use any more, to be released outside the lock; nil where the state was not taken.
    mutating func offer(_ state: MeasuredState<State>, at version: Version) -> [State]? {
        guard wantsState, version == read else { return nil }
        return log.keepLast(state)
    }

    /// What is to be folded into the base; nil where that is little, or another caller is doing it.
    mutating func nextFold() -> HistoryLog<State>.Fold? {
        guard !isFolding, let fold = log.nextFold() else { return nil }
        isFolding = true
        return fold
    }

    /// Takes a folded state; returns what is of no use any more.
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

    /// Decides about an action that is on its way, in a store that has come at least to `version`; what is withheld is
    /// recorded.
    ///
    /// The store may have come further: then an action that comes as it opens counts as one that came before.
    mutating func decide(_ entry: HistoryEntry?, at version: Version?) -> Decision {
        if log.isLocked { return .withhold }
        guard let isOpen = isOpen(at: version) else { return .needsVersion }
        if isOpen { return log.skipsNext ? .recordAsChange : .accept }
        guard let entry else { return .needsEntry }
        withheld.append(entry)
        takeWithheld()
        return isDue ? .show : .withhold
    }

    /// Whether actions are accepted; nil where that depends on the version of the store.
    private func isOpen(at version: Version?) -> Bool? {
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

    /// Records what was withheld, behind what was accepted and behind the changes that are under way.
    private mutating func takeWithheld() {
        guard let closedAt, read >= closedAt, changers == 0, !withheld.isEmpty else { return }
        for entry in withheld { take(entry) }
        withheld = []
    }

    /// Records what was committed; says whether the state of the store is of use, and whether to fold.
    mutating func record(
        _ entry: HistoryEntry, at version: Version
    ) -> (wantsState: Bool, isFoldDue: Bool) {
        read = version
        _ = log.record(entry)
        // Accepted upon a state that lacks what was withheld meanwhile, and is to be shown.
        if isForeign || isDue { log.noteForeignState() }
        takeWithheld()
        return (wantsState, log.isFoldDue)
    }

    /// Notes that a state was installed, by this history or by another gate.
    mutating func noteTravel(at version: Version) {
        read = version
        newestTravel = version
        takeWithheld()
    }
}
