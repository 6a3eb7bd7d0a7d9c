// SPDX-License-Identifier: MIT

internal import Onward

/// Decides what is written into a journal, and when: a pure machine.
///
/// Its versions are those of the store, unless they are said to be the journal's.
struct RecordingMachine<State: Sendable>: Sendable {
    /// A task that waits until what was committed is written.
    struct Waiter: Sendable {
        let target: Version
        /// Whether it also waits for what the writer does behind the entries.
        let wantsRest: Bool
        let continuation: CheckedContinuation<JournalError?, Never>
    }

    /// What the caller does about a commit that was taken.
    struct Step {
        /// There is no writer.
        var startsWriting = false
        /// The store's state is of use.
        var wantsState = false
        /// The recording ends with this entry.
        var failure: JournalError?
        /// From this entry on the journal leads elsewhere, and the recording continues.
        var divergence: JournalError?
        /// What is of no use any more, for the caller to drop outside its lock.
        var dropped: State?
    }

    private let queueLimit: Int
    private let spacing: Int?
    private var queue: [Entry] = []
    private var isBegun = false
    private var isWriting = false
    /// The last commit that is in the first state.
    private var start: Version = 0
    /// The last commit that was notified.
    private(set) var observed: Version = 0
    /// The last commit up to which all is written.
    private var written: Version = 0
    /// The journal's version of the last entry that was written.
    private(set) var position: Version = 0
    private(set) var failure: JournalError?
    private var waiters: [UInt64: Waiter] = [:]
    private var cancelled: Set<UInt64> = []
    private var lastWaiter: UInt64 = 0

    /// How many entries came since the last state that was taken for a snapshot.
    private var sinceState = 0
    /// Whether the store's state is what the journal leads to.
    private var followsJournal = true
    private var state: (state: State, version: Version)?

    init(queueLimit: Int, spacing: Int?) {
        self.queueLimit = max(queueLimit, 1)
        self.spacing = spacing.map { max($0, 1) }
    }

    var status: RecordingStatus {
        RecordingStatus(version: position, waiting: queue.count, failure: failure)
    }

    // MARK: Commits

    /// Begins with a state that includes the commits up to a version; some behind it may have been notified.
    ///
    /// - Returns: Whether there is something to write.
    mutating func begin(after version: Version, at position: Version) -> Bool {
        isBegun = true
        start = version
        self.position = position
        queue.removeAll { $0.version <= version }
        observed = max(observed, version)
        isWriting = !queue.isEmpty
        if queue.isEmpty { written = observed }
        return isWriting
    }

    /// Takes a commit.
    mutating func take(_ entry: Entry) -> Step {
        var step = Step()
        guard failure == nil, entry.version > start else { return step }
        guard entry.kind == .action else {
            observed = entry.version
            // The journal has no travels, so from here on it leads elsewhere.
            if followsJournal { step.divergence = Self.divergence(at: entry.version) }
            step.dropped = noteOthers()
            if queue.isEmpty, !isWriting { written = observed }
            return step
        }
        guard queue.count < queueLimit else {
            let error = Self.overflow(queueLimit, entry)
            failure = error
            step.failure = error
            return step
        }
        observed = entry.version
        queue.append(entry)
        sinceState += 1
        step.startsWriting = isBegun && !isWriting
        if isBegun { isWriting = true }
        step.wantsState = isBegun && wantsState
        return step
    }

    private static func divergence(at version: Version) -> JournalError {
        JournalError(
            .diverged, version: version,
            """
            A history has installed a state, commit \(version), which no journal holds: from here on what \
            is recorded leads to another state than the store shows, and no snapshot is stored. To record \
            what the store shows, stop the recorder and begin with a new journal, or let nobody travel in \
            a store whose log is kept.
            """)
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

    /// Takes the store's state at a version, which may not have been notified yet.
    mutating func offer(_ state: State, at version: Version) {
        guard wantsState, version >= observed else { return }
        self.state = (state, version)
        sinceState = 0
    }

    /// The state for a snapshot once all up to it is written.
    mutating func takeState() -> (state: State, version: Version)? {
        guard let next = state, next.version <= written, followsJournal else { return nil }
        state = nil
        return next
    }

    /// Another writer has appended: the store is no longer what the journal leads to.
    ///
    /// - Returns: A state that is of no use any more, for the caller to drop outside its lock.
    mutating func noteOthers() -> State? {
        defer { state = nil }
        followsJournal = false
        return state?.state
    }

    // MARK: Writing

    /// What is written next; nil, and the writer ends, where there is nothing.
    mutating func nextBatch(_ limit: Int) -> [Entry]? {
        guard !queue.isEmpty else {
            isWriting = false
            written = observed
            return nil
        }
        let batch = Array(queue.prefix(limit))
        queue.removeFirst(batch.count)
        return batch
    }

    /// Notes that everything up to a version is written, which may be the end of what there is.
    mutating func finish(_ version: Version, at position: Version, isEnd: Bool) {
        self.position = position
        written = isEnd && queue.isEmpty && failure == nil ? observed : version
    }

    /// Ends the recording.
    ///
    /// - Returns: What is of no use any more, for the caller to drop outside its lock.
    mutating func fail(_ error: JournalError) -> (entries: [Entry], state: State?) {
        defer { (queue, state) = ([], nil) }
        failure = failure ?? error
        isWriting = false
        return (queue, state?.state)
    }

    // MARK: Waiting

    mutating func nextWaiter() -> UInt64 {
        lastWaiter += 1
        return lastWaiter
    }

    /// Whether a wait has ended before it began, and how.
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

    /// The tasks that need no longer wait, and what they are notified.
    mutating func takeWaiters() -> [(waiter: Waiter, outcome: JournalError?)] {
        var ready: [(waiter: Waiter, outcome: JournalError?)] = []
        for (id, waiter) in waiters {
            guard let outcome = outcome(for: waiter) else { continue }
            ready.append((waiter, outcome))
            waiters[id] = nil
        }
        return ready
    }

    /// How a wait ends; nil as long as it does not.
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
