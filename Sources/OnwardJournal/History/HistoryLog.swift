// SPDX-License-Identifier: MIT

public import Onward

/// A log with a cursor: what was dispatched, which entries count, and which moment is shown.
///
/// The log is a value without a store: ``History`` connects it with one. It follows the rules of
/// the Redux DevTools instrument.
///
/// The moments of a log have indices: 0 is the base state, *n* the state after the *n*-th staged
/// entry. States are not kept for every moment. They are computed on demand, by running the entries
/// since the nearest kept state. Changing a log never runs entries: those to be folded into the
/// base are run when the base is needed, or a few at a time as the log grows.
public struct HistoryLog<State: Sendable>: Sendable {
    /// Runs entries on a state, such as `StoreLog.replay(_:from:)`.
    public typealias Replay = @Sendable (_ entries: [LogEntry], _ state: State) -> State

    /// The state in which the store began, for ``reset()``.
    public var initial: State { beginning }
    @OnHeap private var beginning: State
    /// The entries in the order in which they run.
    public var staged: HistoryEntries { entries.dropping(overdue) }
    /// The ids of the entries that don't run, including entries that are still to come.
    public private(set) var skipped: Set<Int> = []
    /// The index of the moment that is shown.
    public private(set) var cursor = 0
    /// The id of the next entry.
    public private(set) var nextID = 1
    /// Whether actions are ignored.
    public private(set) var isLocked = false
    /// Whether actions run without being recorded.
    public private(set) var isPaused = false
    /// The maximum number of entries; older ones are folded into the base.
    public let limit: Int

    package private(set) var replay: Replay
    /// All entries, including those that are to be folded into the base.
    private var entries = HistoryEntries()
    /// How many entries at the beginning are to be folded into the base.
    private var overdue = 0
    /// Which of them don't run.
    private var skippedOverdue: Set<Int> = []
    /// The state before the first entry.
    @OnHeap private var start: State
    /// How many entries were folded into it.
    private var folded = 0
    private var states: KeptStates<State>
    private var installed = InstalledMoments<State>()
    /// The version at which the store showed the base; nil where it never did.
    private var baseVersion: CommitVersion?
    /// The versions at which the store has since shown moments, for entries without a version.
    private var shownVersions: [Int: CommitVersion] = [:]
    /// The positions of entries whose versions no longer match what the log leads to.
    private var changed = 0..<0
    /// Counts the changes that invalidate kept states.
    package private(set) var revision = 0

    /// An empty log.
    ///
    /// - Parameters:
    ///   - state: The state before the first entry.
    ///   - limit: The maximum number of entries, at least 1; older ones are folded into the base.
    ///   - spacing: The minimum number of entries between two kept states, at least 1. A long log
    ///     keeps only a few states, which lie farther apart.
    ///   - stateBytes: About how many bytes the kept states may use; see ``keptBytes``.
    ///   - replay: Runs entries on a state; pure.
    public init(
        from state: State, limit: Int = 100_000, spacing: Int = 1_024,
        stateBytes: Int = 64 << 20, replay: @escaping Replay
    ) {
        beginning = state
        start = state
        self.limit = max(limit, 1)
        states = KeptStates(spacing: max(spacing, 1), byteLimit: stateBytes)
        self.replay = replay
    }
}

// MARK: - Reading

extension HistoryLog {
    /// The state before the first staged entry.
    ///
    /// - Complexity: O(entries that are still to be folded into it), usually a few.
    public var base: State { compute(at: 0, keeping: { _, _ in }).wrappedValue }

    /// Whether the newest moment is shown, so that new entries are shown as well.
    public var isAtEnd: Bool { cursor == stagedCount }

    /// Whether the store continues from what is shown.
    var isLive: Bool { isAtEnd && !isLocked }

    private var stagedCount: Int { entries.count - overdue }

    /// How many entries have been recorded since the log began, including those in the base.
    package var takenCount: Int { folded + entries.count }

    /// The index of the moment right after an entry, or nil if there is no such entry.
    ///
    /// - Complexity: O(entries).
    public func index(of id: Int) -> Int? {
        if id == 0 { return 0 }
        return staged.firstIndex { $0.id == id }.map { $0 + 1 }
    }

    /// Returns the state at an index.
    ///
    /// - Parameter index: An index from 0 to the number of staged entries; others mean the nearest.
    /// - Returns: The base state after the entries before the index have run.
    /// - Complexity: O(entries since the last state kept before it); O(entries) the first time.
    public mutating func state(at index: Int) -> State {
        var computed: [(position: Int, state: OnHeap<State>)] = []
        let state = compute(at: index) { computed.append(($0, $1)) }
        for (position, state) in computed {
            states.keep(state.wrappedValue, at: position, after: folded)
        }
        states.noteLast(state, at: position(at: index))
        return state.wrappedValue
    }

    /// Returns the state at the cursor.
    public mutating func shownState() -> State { state(at: cursor) }

    /// How many states the log keeps besides the base, each sharing unchanged parts with the next.
    public var snapshotCount: Int { states.count }

    /// About how many bytes these states use; what each shares with the one before counts once.
    ///
    /// Arrays, texts, dictionaries and tables are measured. Memory that two states refer to at the
    /// same address is shared. If states share little and use a lot, fewer of them or none are
    /// kept: then entries are run instead.
    public var keptBytes: Int { states.bytes }

    /// How many entries since the beginning, including folded ones, lead to the moment at an index.
    private func position(at index: Int) -> Int {
        folded + overdue + min(max(index, 0), stagedCount)
    }

    private func compute(
        at index: Int, keeping keep: (Int, OnHeap<State>) -> Void
    ) -> OnHeap<State> {
        let target = position(at: index)
        var (position, state) = nearest(to: target) ?? (folded, _start)
        while position < target {
            let next = min(target, (position / states.spacing + 1) * states.spacing)
            state.wrappedValue = replay(runs(from: position, to: next), state.wrappedValue)
            position = next
            if position % states.spacing == 0 { keep(position, state) }
        }
        return state
    }

    /// The last state up to a position that needn't be computed; nil if only the base is one.
    private func nearest(to position: Int) -> (position: Int, state: OnHeap<State>)? {
        let kept = states.nearest(to: position)
        guard let moment = installed.last(upTo: position), moment.position >= kept?.position ?? 0
        else { return kept }
        return moment
    }

    private func runs(from start: Int, to end: Int) -> [LogEntry] {
        var runs: [LogEntry] = []
        runs.reserveCapacity(end - start)
        for place in start - folded..<end - folded {
            let entry = entries[place]
            let isSkipped =
                place < overdue ? skippedOverdue.contains(entry.id) : skipped.contains(entry.id)
            if !isSkipped { runs.append(entry.replayed) }
        }
        return runs
    }

    /// The version at which the store showed the state at an index; nil if none is known.
    func version(at index: Int) -> CommitVersion? {
        if index == 0, overdue == 0 { return baseVersion }
        let position = position(at: index)
        if let version = shownVersions[position] { return version }
        guard position > folded, !changed.contains(position) else { return nil }
        return entries[position - folded - 1].version
    }
}

// MARK: - Computing states elsewhere

extension HistoryLog {
    /// The log with another way to run its entries, such as one that gives up after some time.
    package func replaying(by replay: @escaping Replay) -> HistoryLog {
        var copy = self
        copy.replay = replay
        return copy
    }

    /// Adopts the states that a copy of this log has computed, if they are still valid.
    ///
    /// - Returns: What is no longer needed, to be released where its `deinit` may use the log.
    mutating func adopt(_ copy: HistoryLog) -> KeptStates<State>? {
        guard copy.revision == revision, copy.folded + copy.entries.count >= folded else {
            return nil
        }
        defer { states.adopt(copy.states, after: folded) }
        return states
    }

    /// Whether the state at the end is needed, since none is kept near it.
    var wantsState: Bool {
        folded + entries.count - (states.newest ?? folded) >= states.spacing
    }

    /// The newest of the kept states.
    var newestState: State? {
        installed.positions.isEmpty ? states.newestState : nearest(to: .max)?.state.wrappedValue
    }

    /// About how many bytes the kept states may take.
    var stateBytes: Int { states.byteLimit }

    /// Keeps a state that is known to be the one at the end.
    ///
    /// - Returns: What exceeds the limits, to be released where its `deinit` may use the log.
    mutating func keepLast(_ state: MeasuredState<State>) -> [State] {
        states.keep(state, at: folded + entries.count, after: folded)
    }

    /// Makes a state that came from elsewhere the one at the end, from which the log goes on.
    ///
    /// - Returns: What is no longer needed, to be released where its `deinit` may use the log.
    mutating func install(_ state: MeasuredState<State>, at version: CommitVersion) -> Dropped {
        let dropped = Dropped(start: _start, states: states, entries: entries)
        let position = folded + entries.count
        states.forget(after: position - 1)
        revision += 1
        guard position > folded else {
            (start, baseVersion) = (state.state, version)
            return dropped
        }
        installed.add(state, at: position)
        noteShown(at: position, version)
        if let base = installed.nextBase(withinBytes: states.byteLimit) {
            dropFirst(base - folded - overdue)
        }
        return dropped
    }

    /// Notes the version at which the store shows the cursor of an earlier copy of this log.
    mutating func noteShown(_ copy: HistoryLog, at version: CommitVersion) {
        let position = copy.position
        guard copy.revision == revision, position >= folded else { return }
        if position == folded {
            baseVersion = version
        } else if copy.version(at: copy.cursor) == nil {
            noteShown(at: position, version)
        }
    }

    private mutating func noteShown(at position: Int, _ version: CommitVersion) {
        if shownVersions.count >= Self.mostShownVersions { shownVersions = [:] }
        shownVersions[position] = version
    }

    private static var mostShownVersions: Int { 4_096 }

    /// Notes that the store doesn't show what the last entry leads to, despite its version.
    mutating func noteForeignState() { changedVersions(from: folded + entries.count) }

    private mutating func changedVersions(from position: Int) {
        let end = folded + entries.count + 1
        if !shownVersions.isEmpty { shownVersions = shownVersions.filter { $0.key < position } }
        guard position < end else { return }
        changed = changed.isEmpty ? position..<end : min(position, changed.lowerBound)..<end
    }

    /// Some of the entries that are to be folded into the base.
    struct Fold: Sendable {
        let entries: [LogEntry]
        fileprivate let state: OnHeap<State>
        fileprivate let start: Int
        fileprivate let end: Int
        fileprivate let revision: Int
        fileprivate let replay: Replay

        /// The state after them; runs reducers.
        func result() -> State {
            entries.isEmpty ? state.wrappedValue : replay(entries, state.wrappedValue)
        }
    }

    /// Whether enough entries are waiting to be folded that it is done now.
    var isFoldDue: Bool { overdue >= Self.foldSize }

    /// How many entries are folded at a time, so that no action has to wait for many.
    private static var foldSize: Int { 32 }

    /// What to fold next; nil while it is little and would have to be run.
    func nextFold() -> Fold? {
        guard overdue > 0 else { return nil }
        let known = nearest(to: folded + overdue)
        guard isFoldDue || known?.position == folded + overdue else { return nil }
        let end = known?.position ?? folded + Self.foldSize
        return Fold(
            entries: known == nil ? runs(from: folded, to: end) : [], state: known?.state ?? _start,
            start: folded, end: end, revision: revision,
            replay: replay)
    }

    /// Makes a state the one before the first entry.
    ///
    /// - Returns: What is no longer needed, to be released where its `deinit` may use the log.
    mutating func finish(_ fold: Fold, with state: State) -> Dropped? {
        guard fold.revision == revision, fold.start == folded else { return nil }
        let dropped = Dropped(start: _start, states: states, entries: entries)
        let count = fold.end - fold.start
        baseVersion =
            shownVersions[fold.end]
            ?? (changed.contains(fold.end) ? nil : entries[count - 1].version)
        for place in 0..<count where !skippedOverdue.isEmpty {
            skippedOverdue.remove(entries[place].id)
        }
        entries.removeFirst(count)
        overdue -= count
        folded += count
        start = state
        states.forget(upTo: folded)
        installed.forget(upTo: folded)
        return dropped
    }

    /// What a fold leaves to be released.
    struct Dropped: Sendable {
        fileprivate let start: OnHeap<State>
        let states: KeptStates<State>
        let entries: HistoryEntries
    }

    private mutating func foldWhatIsDue() {
        while let fold = nextFold() { _ = finish(fold, with: fold.result()) }
    }
}

// MARK: - Recording

extension HistoryLog {
    /// What became of an action.
    public enum Outcome: Sendable, Hashable {
        /// It was recorded and is shown.
        case shown
        /// It was recorded after the moment that is shown.
        case recorded
        /// The history is paused: the action ran and is part of the base.
        case unrecorded
        /// The history is locked: nothing happened.
        case ignored
    }

    /// Appends an action, moving the cursor along if it is at the end.
    @discardableResult
    public mutating func perform(_ entry: HistoryEntry) -> Outcome {
        let outcome = record(entry)
        foldWhatIsDue()
        return outcome
    }

    /// Records an action without running it, even in a locked log if the store accepted it.
    mutating func record(_ entry: HistoryEntry) -> Outcome {
        if isLocked, entry.version == nil { return .ignored }
        if isPaused {
            collapse()
            entries.append(entry.numbered(0))
            overdue += 1
            return .unrecorded
        }
        let isShown = isAtEnd
        entries.append(entry.numbered(nextID))
        nextID += 1
        if isShown { cursor += 1 }
        dropFirst(stagedCount - limit)
        return isShown ? .shown : .recorded
    }

    /// Has the first staged entries folded into the base; nothing where their number isn't positive.
    private mutating func dropFirst(_ count: Int) {
        guard count > 0 else { return }
        for place in overdue..<overdue + count { skipInBase(entries[place].id) }
        overdue += count
        cursor = max(cursor - count, 0)
    }

    /// An entry that is folded into the base no longer counts as a skipped entry.
    private mutating func skipInBase(_ id: Int) {
        if skipped.remove(id) != nil { skippedOverdue.insert(id) }
    }

    /// How many entries, folded ones included, lead to what is shown.
    var position: Int { position(at: cursor) }

    /// Whether the next action will not run because its number is already skipped.
    var skipsNext: Bool { !isPaused && skipped.contains(nextID) }

    /// Ignores actions from now on, or accepts them again.
    public mutating func lock(_ isLocked: Bool = true) {
        self.isLocked = isLocked
    }

    /// Runs actions without recording them, or starts recording again.
    ///
    /// A pause begins and ends with a commit: meanwhile the log is empty, and the base has what
    /// happens.
    public mutating func pause(_ isPaused: Bool = true) {
        if isPaused != self.isPaused { commit() }
        self.isPaused = isPaused
    }
}

// MARK: - Travelling

extension HistoryLog {
    /// Shows the moment at an index; returns false, with no effect, if there is none.
    @discardableResult
    public mutating func jump(to index: Int) -> Bool {
        guard index >= 0, index <= stagedCount else { return false }
        cursor = index
        return true
    }

    /// Shows the moment after an entry; returns false, with no effect, if there is no such entry.
    @discardableResult
    public mutating func jump(toEntry id: Int) -> Bool {
        index(of: id).map { jump(to: $0) } ?? false
    }
}

// MARK: - Changing the past

extension HistoryLog {
    /// Skips an entry, or runs it again if it was skipped.
    ///
    /// A skipped entry repeats the state before it. The number of an entry that is still to come is
    /// remembered, and that entry will be skipped. The base (0) can't be skipped.
    ///
    /// - Returns: false if there is no such entry.
    @discardableResult
    public mutating func toggle(_ id: Int) -> Bool {
        if setActive(skipped.contains(id), id...id) { return true }
        if skipped.remove(id) == nil, id > 0 { skipped.insert(id) }
        return false
    }

    /// Runs or skips the entries whose ids are in a range; returns false if there are none.
    ///
    /// The base (0) can't be skipped, and neither can entries that are still to come: a range
    /// covers only what is visible of the log.
    @discardableResult
    public mutating func setActive(_ isActive: Bool, _ ids: ClosedRange<Int>) -> Bool {
        let staged = staged
        let concerned = staged.indices.filter { ids.contains(staged[$0].id) }
        guard let first = concerned.first else { return false }
        for index in concerned {
            if isActive {
                skipped.remove(staged[index].id)
            } else {
                skipped.insert(staged[index].id)
            }
        }
        forgetStates(after: first)
        return true
    }

    /// Moves an entry before another; returns false, with no effect, if it is missing or that one.
    ///
    /// If the other entry doesn't exist, a number above that of the last entry means the end, any
    /// other the beginning. Nothing is moved before the base (0).
    ///
    /// - Complexity: O(entries).
    @discardableResult
    public mutating func move(_ id: Int, before other: Int) -> Bool {
        var list = Array(staged)
        guard id != other, let from = list.firstIndex(where: { $0.id == id }) else { return false }
        let to =
            list.firstIndex { $0.id == other }
            ?? (other > list[list.count - 1].id ? list.count : 0)
        let entry = list.remove(at: from)
        list.insert(entry, at: from < to ? to - 1 : to)
        replaceStaged(by: list, from: min(from, to))
        return true
    }

    /// Removes the skipped entries.
    public mutating func sweep() {
        let list = staged.filter { !skipped.contains($0.id) }
        if let first = staged.firstIndex(where: { skipped.contains($0.id) }) {
            let before = folded + overdue
            let isSwept = staged.map { skipped.contains($0.id) }
            installed.move { position in
                position - isSwept.prefix(max(position - before, 0)).count { $0 }
            }
            replaceStaged(by: list, from: first)
        }
        skipped = []
        cursor = min(cursor, list.count)
    }

    private mutating func replaceStaged(by list: [HistoryEntry], from index: Int) {
        forgetStates(after: index)
        var all = HistoryEntries()
        for place in 0..<overdue { all.append(entries[place]) }
        for entry in list { all.append(entry) }
        entries = all
    }

    /// Forgets the states after the moment at an index.
    private mutating func forgetStates(after index: Int) {
        changedVersions(from: position(at: index) + 1)
        states.forget(after: position(at: index))
        revision += 1
    }
}

// MARK: - Beginning anew

extension HistoryLog {
    /// Makes the state that is shown the new base, and empties the log.
    public mutating func commit() {
        collapse()
        nextID = 1
        skipped = []
    }

    /// Returns to the base, and empties the log.
    public mutating func rollback() {
        cursor = 0
        commit()
    }

    /// Returns to the state in which the store began, and empties the log.
    public mutating func reset() { begin(with: initial) }

    /// Makes everything that is shown part of the base, and drops the rest.
    private mutating func collapse() {
        guard stagedCount > 0 else { return }
        let shown = overdue + cursor
        for place in overdue..<shown { skipInBase(entries[place].id) }
        if shown < entries.count {
            states.forget(after: folded + shown)
            installed.forget(after: folded + shown)
            entries = HistoryEntries(entries.prefix(shown))
            revision += 1
            changed = changed.clamped(to: 0..<folded + shown + 1)
            shownVersions = shownVersions.filter { $0.key <= folded + shown }
        }
        overdue = shown
        cursor = 0
    }

    private mutating func begin(with state: State) {
        start = state
        entries = HistoryEntries()
        overdue = 0
        skippedOverdue = []
        skipped = []
        cursor = 0
        nextID = 1
        states.forget(after: -1)
        installed = InstalledMoments()
        folded = 0
        baseVersion = nil
        shownVersions = [:]
        changed = 0..<0
        revision += 1
    }

    /// Begins with a state that the store shows at a version.
    mutating func begin(with state: State, at version: CommitVersion) {
        begin(with: state)
        baseVersion = version
    }

    /// Replaces the contents with those of a file; the log stays locked or paused as it was.
    ///
    /// A log beyond the limit is folded with the next action.
    ///
    /// - Parameters:
    ///   - base: The state before the first entry.
    ///   - staged: The entries in order, each with a unique id that is not 0.
    ///   - skipped: The ids of the entries that don't run, even of entries that are still to come.
    ///   - cursor: The index of the moment that is shown.
    ///   - nextID: The id of the next entry; if it is not above all others, the lowest number that
    ///     is gets used instead. Ids must be below 2^53, as in a script's numbers.
    /// - Returns: false, with no effect, if an id is repeated or out of range, or the cursor
    ///   outside.
    @discardableResult
    public mutating func load(
        base: State, staged: [HistoryEntry], skipped: Set<Int> = [], cursor: Int, nextID: Int = 1
    ) -> Bool {
        let ids = Set(staged.map(\.id))
        guard ids.count == staged.count, ids.allSatisfy({ 1..<1 << 53 ~= $0 }),
            nextID <= 1 << 53, (0...staged.count).contains(cursor)
        else { return false }
        begin(with: base)
        for entry in staged { entries.append(entry) }
        self.skipped = skipped.filter { $0 > 0 }
        self.cursor = cursor
        self.nextID = max(nextID, (ids.max() ?? 0) + 1)
        return true
    }

    /// Discards all computed states, because other reducers run from now on.
    public mutating func recompute() {
        states.forget(after: folded)
        changedVersions(from: folded)
        revision += 1
    }
}
