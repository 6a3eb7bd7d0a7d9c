// SPDX-License-Identifier: MIT

internal import Onward

/// Decides what is written to a journal, and when: a pure machine.
///
/// Its versions are those of the store, unless noted as the journal's. It knows no types of states:
/// generic code would look types up for each commit.
struct RecordingMachine: Sendable {
    /// A state, as an object of the recorder's.
    typealias KeptState = any AnyObject & Sendable

    /// A task that waits until what was committed is written.
    struct Waiter: Sendable {
        let target: Version
        /// Whether it also waits for what the writer does after the entries.
        let wantsRest: Bool
        let continuation: CheckedContinuation<JournalError?, Never>
    }

    /// A commit that waits to be written.
    struct Item: Sendable {
        let entry: Entry
        /// The state that was installed, unless the journal has it at an earlier version.
        var installed: KeptState?
        /// The journal may discard what led to this version, of which it has a snapshot.
        var floor: Version = 0
    }

    /// What the caller does about a commit that was added.
    struct Step {
        /// Start a writer, since there is none.
        var startsWriting = false
        /// The store's state is needed.
        var wantsState = false
        /// The recording ends with this entry.
        var failure: JournalError?
    }

    /// An installed state counts as this many entries, so that a few of them fill the queue.
    private static var weight: Int { 100 }

    private let queueLimit: Int
    private let spacing: Int?
    /// Whether another writer may append, or not all actions are recorded, so that versions of the
    /// journal don't correspond to what the store showed.
    private let isPartial: Bool
    private var queue = RecordingQueue()
    /// How many installed states are in the queue.
    private var waitingStates = 0
    private var isBegun = false
    private var isWriting = false
    /// The last commit that is in the first state.
    private(set) var start: Version = 0
    /// The journal's version of that state.
    private(set) var startPosition: Version = 0
    /// The last commit that is in a snapshot.
    private var floor: Version = 0
    /// The last commit that was observed.
    private(set) var observed: Version = 0
    /// The last commit up to which everything is written.
    private var written: Version = 0
    /// The journal's version of the last entry that was written.
    private(set) var position: Version = 0
    private(set) var failure: JournalError?
    private var waiters: [UInt64: Waiter] = [:]
    private var cancelled: Set<UInt64> = []
    private var lastWaiter: UInt64 = 0

    /// How many entries have come since the last state that was used for a snapshot.
    private var sinceState = 0
    /// Whether the store's state is what the journal leads to.
    private var followsJournal = true
    private var state: (state: KeptState, version: Version)?

    init(queueLimit: Int, spacing: Int?, isPartial: Bool) {
        self.queueLimit = max(queueLimit, 1)
        self.isPartial = isPartial
        self.spacing = spacing.map { max($0, 1) }
    }

    var status: RecordingStatus {
        RecordingStatus(version: position, waiting: queue.count, failure: failure)
    }

    // MARK: Commits

    /// Starts with a state that includes the commits up to a version; later ones may be observed.
    ///
    /// - Returns: Whether there is something to write, and what the caller can drop outside its
    ///   lock.
    mutating func begin(
        after version: Version, at position: Version
    ) -> (mustWrite: Bool, dropped: [Item]) {
        isBegun = true
        start = version
        startPosition = position
        self.position = position
        floor = version
        let dropped = queue.takeAll(upTo: version)
        waitingStates -= dropped.count(where: { $0.installed != nil })
        observed = max(observed, version)
        isWriting = !queue.isEmpty
        if queue.isEmpty { written = observed }
        return (isWriting, dropped)
    }

    /// Adds a commit and, for a travel, the state that was installed.
    mutating func take(_ entry: Entry, installed: KeptState?) -> Step {
        var step = Step()
        guard failure == nil, entry.version > start else { return step }
        var item = Item(entry: entry, floor: floor(of: entry.version))
        if entry.kind == .travel, !isKept((entry.action as? Travel)?.shown, for: item) {
            item.installed = installed
        }
        guard queue.count + waitingStates * Self.weight < queueLimit else {
            let error = Self.overflow(queueLimit, entry)
            failure = error
            step.failure = error
            return step
        }
        observed = entry.version
        if item.installed != nil { waitingStates += 1 }
        queue.append(item)
        sinceState += 1
        step.startsWriting = isBegun && !isWriting
        if isBegun { isWriting = true }
        step.wantsState = isBegun && wantsState
        return step
    }

    /// Skips a commit that isn't recorded: whoever waits for it waits only for earlier ones.
    mutating func skip(_ version: Version) {
        guard failure == nil, version > start else { return }
        observed = version
        if isBegun, !isWriting, queue.isEmpty { written = version }
    }

    /// The newest commit before a version that the journal may begin with after its snapshot.
    private func floor(of version: Version) -> Version {
        guard let state, state.version < version else { return floor }
        return state.version
    }

    /// Whether the journal keeps the state of a version for as long as it has an entry.
    private func isKept(_ shown: Version?, for item: Item) -> Bool {
        guard let shown, isBegun, !isPartial else { return false }
        return shown >= item.floor && shown < item.entry.version
    }

    private static func overflow(_ limit: Int, _ entry: Entry) -> JournalError {
        JournalError(
            .overflow, version: entry.version,
            """
            The journal is too slow: \(limit) entries wait for it, and \(entry.action.wireName), commit \
            \(entry.version), is one too many. What waits is still written, nothing after it. Begin anew \
            with a new recorder; raise queueLimit, or have the one who dispatches so much await flush().
            """)
    }

    // MARK: States

    private var wantsState: Bool {
        guard let spacing else { return false }
        return sinceState >= spacing && followsJournal && state == nil && failure == nil
    }

    /// Adopts the store's state at a version, which may not have been observed yet.
    mutating func offer(_ state: KeptState, at version: Version) {
        guard wantsState, version >= observed else { return }
        self.state = (state, version)
        sinceState = 0
    }

    /// The state for a snapshot once everything up to it is written.
    mutating func takeState() -> (state: KeptState, version: Version)? {
        guard let next = state, next.version <= written, followsJournal else { return nil }
        state = nil
        floor = next.version
        return next
    }

    /// Notes that another writer has appended: the journal no longer leads to the store's state.
    ///
    /// - Returns: A state that is no longer needed, for the caller to drop outside its lock.
    mutating func noteOthers() -> KeptState? {
        defer { state = nil }
        followsJournal = false
        return state?.state
    }

    // MARK: Writing

    /// Gives the writer the next batch; the writer ends if there is none.
    ///
    /// - Parameter batch: The writer's previous batch, emptied so that its memory is reused.
    /// - Returns: Whether there is something.
    mutating func nextBatch(_ batch: inout [Item]) -> Bool {
        guard queue.takeBatch(&batch) else {
            isWriting = false
            written = observed
            return false
        }
        if waitingStates > 0 {
            waitingStates -= batch.count(where: { $0.installed != nil })
        }
        return true
    }

    /// Notes that everything up to a version is written, which may be all there is.
    mutating func finish(_ version: Version, at position: Version, isEnd: Bool) {
        self.position = position
        written = isEnd && queue.isEmpty && failure == nil ? observed : version
    }

    /// Ends the recording.
    ///
    /// - Returns: What is no longer needed, for the caller to drop outside its lock.
    mutating func fail(_ error: JournalError) -> (queue: RecordingQueue, state: KeptState?) {
        defer { (queue, waitingStates, state) = (RecordingQueue(), 0, nil) }
        failure = failure ?? error
        isWriting = false
        return (queue, state?.state)
    }

    // MARK: Waiting

    mutating func nextWaiter() -> UInt64 {
        lastWaiter += 1
        return lastWaiter
    }

    /// Whether a wait ended before it began, and how.
    mutating func wait(_ waiter: Waiter, _ id: UInt64) -> JournalError?? {
        if cancelled.remove(id) != nil { return .some(Self.wasCancelled) }
        if let outcome = outcome(for: waiter) { return outcome }
        waiters[id] = waiter
        return nil
    }

    mutating func cancelWaiter(_ id: UInt64) -> Waiter? {
        if let waiter = waiters.removeValue(forKey: id) { return waiter }
        cancelled.insert(id)
        return nil
    }

    mutating func forgetWaiter(_ id: UInt64) {
        cancelled.remove(id)
    }

    /// The tasks that no longer have to wait, and their outcomes.
    mutating func takeWaiters() -> [(waiter: Waiter, outcome: JournalError?)] {
        var ready: [(waiter: Waiter, outcome: JournalError?)] = []
        for (id, waiter) in waiters {
            guard let outcome = outcome(for: waiter) else { continue }
            ready.append((waiter, outcome))
            waiters[id] = nil
        }
        return ready
    }

    /// How a wait ends; nil until it does.
    private func outcome(for waiter: Waiter) -> JournalError?? {
        if waiter.wantsRest, isWriting { return nil }
        if written >= waiter.target { return .some(nil) }
        guard let failure, queue.isEmpty, !isWriting else { return nil }
        return .some(failure)
    }

    static var wasCancelled: JournalError {
        JournalError(.closed, "The task that waited for the journal was cancelled.")
    }
}
