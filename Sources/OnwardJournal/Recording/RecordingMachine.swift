// SPDX-License-Identifier: MIT

internal import Onward

/// Decides what is written to a journal, and when: a pure machine.
///
/// What follows from calls that fail is up to its ``RecordingCourse``.
///
/// Its versions are those of the store, unless noted as the journal's. It knows no types of states:
/// generic code would look types up for each commit.
struct RecordingMachine: Sendable {
    /// A state, as an object of the recorder's.
    typealias KeptState = any AnyObject & Sendable

    /// A task that waits until what was committed is written.
    struct Waiter: Sendable {
        let target: CommitVersion
        /// Whether it also waits for what the writer does after the entries.
        let wantsRest: Bool
        /// How many attempts to resume had begun when it came.
        var asked: UInt64 = 0
        let continuation: CheckedContinuation<JournalError?, Never>
    }

    /// A commit that waits to be written.
    struct Item: Sendable {
        let entry: LogEntry
        /// The state that was installed, unless the journal has it at an earlier version.
        var installed: KeptState?
        /// The commits that the state stands for, if these have no entries.
        var missing: MissingCommits?
        /// About how much memory it takes besides the entry.
        var bytes = 0
        /// The journal may discard what led to this version, of which it has a snapshot.
        var floor: CommitVersion = 0
    }

    /// What the caller does about a commit that was added.
    struct Step {
        /// Start a writer, since there is none.
        var startsWriting = false
        /// The store's state is needed.
        var wantsState = false
        /// With this commit a gap begins.
        var overflow: JournalError?
        /// What the caller can drop outside its lock.
        var dropped: KeptState?
    }

    /// What the writer does next.
    enum Next {
        /// Encode the batch.
        case batch
        /// Call the journal, or wait.
        case step(RecordingCourse.Step)
        /// Get the store's state, for commits that have no entries.
        case state
        /// End.
        case nothing
    }

    private let limit: Int
    private let spacing: Int?
    /// Whether another writer may append, or not all actions are recorded, so that versions of the
    /// journal don't correspond to what the store showed.
    private let isPartial: Bool
    private var queue: RecordingQueue
    /// The commits that found the queue full.
    private var gap: RecordingGap?
    /// The last commit that is in no entry of its own.
    private var gapEnd: CommitVersion = 0
    /// Whether no more commits are observed.
    private var isLast = false
    private var course: RecordingCourse
    /// The last commit that is in the first state.
    private(set) var start: CommitVersion = 0
    /// The journal's version of that state.
    private(set) var startPosition: CommitVersion = 0
    /// The last commit that is in a snapshot.
    private var floor: CommitVersion = 0
    /// The last commit that was observed.
    private(set) var observed: CommitVersion = 0
    /// The last commit up to which everything is written.
    private var written: CommitVersion = 0
    /// The journal's version of the last entry that was written.
    private(set) var position: CommitVersion = 0
    private var waiters: [UInt64: Waiter] = [:]
    private var cancelled: Set<UInt64> = []
    private var lastWaiter: UInt64 = 0

    /// How many entries have come since the last state that was used for a snapshot.
    private var sinceState = 0
    /// Whether the store's state is what the journal leads to.
    private var followsJournal = true
    private var state: (state: KeptState, version: CommitVersion)?

    init(limit: Int, spacing: Int?, isPartial: Bool, course: RecordingCourse) {
        self.limit = limit
        self.course = course
        queue = RecordingQueue(limit: limit)
        self.isPartial = isPartial
        self.spacing = spacing.map { max($0, 1) }
    }

    var status: RecordingStatus {
        RecordingStatus(version: position, waiting: queue.count, failure: course.error)
    }

    // MARK: Commits

    /// Starts with a state that includes the commits up to a version; later ones may be observed.
    ///
    /// - Returns: Whether to start a writer, and what the caller can drop outside its lock.
    mutating func begin(
        after version: CommitVersion, at position: CommitVersion
    ) -> (mustWrite: Bool, dropped: [Item]) {
        start = version
        startPosition = position
        self.position = position
        floor = version
        followsJournal = true
        let dropped = queue.takeAll(upTo: version)
        gap = gap?.after(version)
        observed = max(observed, version)
        let hasMore = !queue.isEmpty || gap != nil
        written = hasMore ? max(written, version) : observed
        guard !course.isBegun else { return (false, dropped) }
        course.begin(hasMore: hasMore)
        return (hasMore, dropped)
    }

    /// The commits that a state includes and that have no entries.
    ///
    /// - Parameters:
    ///   - version: The version of the state.
    ///   - stored: The last commit in an entry that was stored without its being known.
    /// - Returns: nil if there are none, or if not each commit has an entry.
    func missing(upTo version: CommitVersion, stored: CommitVersion) -> MissingCommits? {
        let last = max(written, stored)
        guard !isPartial, version > last else { return nil }
        return MissingCommits(
            count: Int(clamping: version - last), first: last + 1, last: version)
    }

    /// Adds a commit and, for a travel, the state that was installed.
    ///
    /// - Parameters:
    ///   - entry: The commit.
    ///   - installed: The state.
    ///   - bytes: About how much memory the action or the state takes.
    /// - Returns: What to do about it.
    mutating func take(_ entry: LogEntry, installed: KeptState?, bytes: Int) -> Step {
        var step = Step()
        guard course.takesCommits, entry.version > start else { return step }
        observed = entry.version
        if gap != nil {
            gap?.add(entry)
            endGap()
        } else {
            var item = Item(entry: entry, bytes: bytes, floor: floor(of: entry.version))
            if entry.kind == .travel {
                if isKept((entry.action as? Travel)?.shown, for: item) {
                    item.bytes = 0
                } else {
                    item.installed = installed
                }
            }
            if queue.hasRoom(for: item) {
                queue.append(item)
                sinceState += 1
                step.wantsState = course.isBegun && wantsState
            } else {
                beginGap(entry, &step)
            }
        }
        step.startsWriting = mustStartWriting()
        return step
    }

    /// Skips a commit that isn't recorded: whoever waits for it waits only for earlier ones.
    ///
    /// - Returns: Whether to start a writer.
    mutating func skip(_ version: CommitVersion) -> Bool {
        guard course.takesCommits, version > start else { return false }
        observed = version
        endGap()
        if course.state == .resting, queue.isEmpty, gap == nil { written = version }
        return mustStartWriting()
    }

    /// Whether there is something to write, and nobody who does.
    private mutating func mustStartWriting() -> Bool {
        guard !queue.isEmpty || gap?.wantsState == true else { return false }
        return course.commit()
    }

    /// The newest commit before a version that the journal may begin with after its snapshot.
    private func floor(of version: CommitVersion) -> CommitVersion {
        guard let state, state.version < version else { return floor }
        return state.version
    }

    /// Whether the journal keeps the state of a version for as long as it has an entry.
    private func isKept(_ shown: CommitVersion?, for item: Item) -> Bool {
        guard let shown, course.isBegun, !isPartial else { return false }
        return shown >= max(item.floor, gapEnd) && shown < item.entry.version
    }

    // MARK: Gaps

    private mutating func beginGap(_ entry: LogEntry, _ step: inout Step) {
        gap = RecordingGap(entry.version, entry.time)
        step.overflow = Self.overflow(limit, entry)
        // A state that includes some of what is missing belongs to no entry.
        guard let taken = state, taken.version >= entry.version else { return }
        step.dropped = taken.state
        state = nil
    }

    /// Puts the entry that stands for the gap into the queue, if all that it stands for is counted.
    private mutating func endGap() {
        guard let item = gap?.item(after: observed, isLast: isLast) else { return }
        gap = nil
        gapEnd = item.entry.version
        observed = max(observed, gapEnd)
        queue.append(item)
    }

    /// Adopts the store's state for the gap.
    ///
    /// - Returns: false where more commits were counted since the state was taken, and a newer one is
    ///   needed.
    mutating func offerForGap(_ state: KeptState, at version: CommitVersion) -> Bool {
        if gap?.adopt(state, at: version) == false { return false }
        endGap()
        return true
    }

    /// Notes that no more commits are observed.
    ///
    /// - Returns: Whether to start a writer.
    mutating func endObserving() -> Bool {
        isLast = true
        endGap()
        return mustStartWriting()
    }

    private static func overflow(_ limit: Int, _ entry: LogEntry) -> JournalError {
        JournalError(
            .overflow, version: entry.version,
            """
            The journal is too slow: what waits for it takes some \(limit) bytes, and \
            \(entry.action.wireName), commit \(entry.version), has no room. From it on, commits have no \
            entries of their own until the rest is written; then one entry says how many are missing, \
            with the state after them. To have an entry for each, let whoever dispatches so much await \
            flush() now and then, or raise waitingBytes.
            """)
    }

    // MARK: States

    private var wantsState: Bool {
        guard let spacing else { return false }
        return sinceState >= spacing && followsJournal && state == nil && gap == nil
            && course.takesCommits
    }

    /// Adopts the store's state at a version, which may not have been observed yet.
    mutating func offer(_ state: KeptState, at version: CommitVersion) {
        guard wantsState, version >= observed else { return }
        self.state = (state, version)
        sinceState = 0
    }

    /// The state for a snapshot once everything up to it is written.
    mutating func takeState() -> (state: KeptState, version: CommitVersion)? {
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

    /// What the writer does next; it ends if there is nothing.
    ///
    /// - Parameter batch: The writer's previous batch, emptied so that its memory is reused; receives
    ///   the next one.
    /// - Returns: What to do.
    mutating func next(_ batch: inout [Item]) -> Next {
        guard course.wantsBatch else {
            if let step = course.step { return .step(step) }
            course.leave()
            return .nothing
        }
        if queue.takeBatch(&batch) {
            course.tookBatch()
            return .batch
        }
        if gap?.wantsState == true { return .state }
        course.drained()
        course.leave()
        // The last commits may still have to be counted.
        if gap == nil { written = observed }
        return .nothing
    }

    /// Notes that everything up to a version is written, which may be all there is.
    mutating func finish(_ version: CommitVersion, at position: CommitVersion, isEnd: Bool) {
        self.position = position
        written = isEnd && queue.isEmpty && gap == nil ? observed : version
    }

    /// What no longer waits, for the caller to drop outside its lock.
    typealias Dropped = (queue: RecordingQueue, gap: RecordingGap?, state: KeptState?)

    /// Goes on after a step of the writer.
    ///
    /// - Returns: Why the recording fails, if it does with this step, and what the caller can drop.
    mutating func handle(
        _ event: RecordingCourse.Event
    ) -> (failure: JournalError?, dropped: Dropped?) {
        let (state, error) = (course.state, course.error)
        let isAwaited = waiters.values.contains { $0.asked >= course.attempts }
        course.handle(event, isAwaited: isAwaited)
        let hasFailed = course.error != nil && course.error?.code != error?.code
        let startsOver = course.state == .resuming && state != .resuming
        return (
            hasFailed ? course.error : nil, startsOver || !course.takesCommits ? dropAll() : nil
        )
    }

    /// Begins to end: what fails from now on is tried only for those who wait.
    ///
    /// - Returns: false where the recording has ended.
    mutating func stop() -> Bool {
        course.stop()
        return course.state != .ended
    }

    /// Ends the recording.
    mutating func end() -> Dropped {
        course.end()
        return dropAll()
    }

    private mutating func dropAll() -> Dropped {
        defer { (queue, gap, state, sinceState) = (RecordingQueue(limit: limit), nil, nil, 0) }
        return (queue, gap, state?.state)
    }

    // MARK: Waiting

    mutating func nextWaiter() -> UInt64 {
        lastWaiter += 1
        return lastWaiter
    }

    /// Begins a wait.
    ///
    /// - Returns: How it ends, if it ends before it began, and what to do for it.
    mutating func wait(
        _ waiter: Waiter, _ id: UInt64
    ) -> (outcome: JournalError??, demand: RecordingCourse.Demand) {
        if cancelled.remove(id) != nil { return (.some(Self.wasCancelled), .nothing) }
        var waiter = waiter
        waiter.asked = course.attempts
        let demand = written >= waiter.target ? .nothing : course.demand()
        if let outcome = outcome(for: waiter) { return (outcome, demand) }
        waiters[id] = waiter
        return (nil, demand)
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
        if waiter.wantsRest, course.isWorking { return nil }
        if written >= waiter.target { return .some(nil) }
        return course.refusal(asked: waiter.asked).map { .some($0) }
    }

    static var wasCancelled: JournalError {
        JournalError(.closed, "The task that waited for the journal was cancelled.")
    }
}
