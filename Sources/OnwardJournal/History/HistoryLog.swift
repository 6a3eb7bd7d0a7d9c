// SPDX-License-Identifier: MIT

public import Onward

/// A log with a cursor: what was dispatched, which of it counts, and which moment is shown.
///
/// A value without a store: ``History`` connects one with a store. Its rules are those of the
/// instrument of Redux DevTools.
///
/// The moments of a log have indices: 0 is the base state, *n* the state after the *n*-th staged
/// entry. States are not kept for each of them. They are computed on demand, from the nearest of a few
/// snapshots, by running the entries in between.
public struct HistoryLog<State: Sendable>: Sendable {
    /// Runs entries on a state, such as `StoreLog.replay(_:from:)`.
    public typealias Replay = @Sendable (_ entries: [Entry], _ state: State) -> State

    /// A state that was computed, and the position after which it is right.
    private struct Snapshot: Sendable {
        /// How many entries since the beginning of the log lead to it, folded ones included.
        let position: Int
        let state: State
    }

    /// The state in which the store began, for ``reset()``.
    public let initial: State
    /// The state before the first staged entry.
    public private(set) var base: State
    /// The entries in the order in which they run.
    public private(set) var staged: ArraySlice<HistoryEntry> = []
    /// The ids of the entries that don't run.
    public private(set) var skipped: Set<Int> = []
    /// The index of the moment that is shown.
    public private(set) var cursor = 0
    /// The id of the next entry.
    public private(set) var nextID = 1
    /// Whether actions are ignored.
    public private(set) var isLocked = false
    /// Whether actions run without being recorded.
    public private(set) var isPaused = false
    /// The most entries; older ones are folded into the base.
    public let limit: Int

    private let replay: Replay
    private let spacing: Int
    /// In the order of their positions; none is the base.
    private var snapshots: [Snapshot] = []
    /// How many entries were folded into the base.
    private var folded = 0
    /// The last state while paused.
    private var paused: State?

    /// An empty log.
    ///
    /// - Parameters:
    ///   - state: The state before the first entry.
    ///   - limit: The most entries, at least 1; older ones are folded into the base.
    ///   - spacing: How many entries lie between two snapshots, at least 1. More of them make jumps
    ///     faster and cost memory for what changed in between.
    ///   - replay: Runs entries on a state; pure.
    public init(
        from state: State, limit: Int = 100_000, spacing: Int = 1_024, replay: @escaping Replay
    ) {
        initial = state
        base = state
        self.limit = max(limit, 1)
        self.spacing = max(spacing, 1)
        self.replay = replay
    }
}

// MARK: - Selection

extension HistoryLog {
    /// Whether the newest moment is shown, so that new entries are shown too.
    public var isAtEnd: Bool { cursor == staged.count }

    /// The index of the moment right after an entry; nil where there is no such entry.
    ///
    /// - Complexity: O(entries).
    public func index(of id: Int) -> Int? {
        if id == 0 { return 0 }
        return staged.firstIndex { $0.id == id }.map { $0 - staged.startIndex + 1 }
    }

    /// The state at an index.
    ///
    /// - Parameter index: An index from 0 to the number of staged entries; others mean the nearest.
    /// - Returns: What the entries before it make from the base.
    /// - Complexity: O(spacing) replayed entries where a snapshot is near, O(entries) the first time.
    public mutating func state(at index: Int) -> State {
        let index = min(max(index, 0), staged.count)
        if index == staged.count, let paused { return paused }
        let target = folded + index
        let nearest = snapshots.last { $0.position <= target }
        var position = nearest?.position ?? folded
        var state = nearest?.state ?? base
        while position < target {
            let next = min(target, (position / spacing + 1) * spacing)
            state = replay(runs(from: position, to: next), state)
            position = next
            if position % spacing == 0 { keep(Snapshot(position: position, state: state)) }
        }
        return state
    }

    /// The state at the cursor.
    public mutating func shownState() -> State { state(at: cursor) }

    /// How many states the log holds besides the base, each sharing with the next what did not change.
    public var snapshotCount: Int { snapshots.count }

    /// Whether the last computed state lies so far behind the end that the next one is due.
    var wantsState: Bool {
        folded + staged.count - (snapshots.last?.position ?? folded) >= spacing
    }

    /// Keeps a state that is known to be the one at the end.
    mutating func keepLast(_ state: State) {
        keep(Snapshot(position: folded + staged.count, state: state))
    }

    private func runs(from start: Int, to end: Int) -> [Entry] {
        let first = staged.startIndex - folded
        return staged[first + start..<first + end].compactMap {
            skipped.contains($0.id) ? nil : $0.replayed
        }
    }

    private mutating func keep(_ snapshot: Snapshot) {
        // From the back, where a log that grows has it.
        let before = snapshots.lastIndex { $0.position <= snapshot.position }
        if let before, snapshots[before].position == snapshot.position { return }
        snapshots.insert(snapshot, at: before.map { $0 + 1 } ?? snapshots.startIndex)
    }

    /// Forgets the states behind the moment with an index.
    private mutating func forgetStates(after index: Int) {
        snapshots.removeAll { $0.position > folded + index }
    }
}

// MARK: - Recording

extension HistoryLog {
    /// What became of an action.
    public enum Outcome: Sendable, Hashable {
        /// It was recorded, and is shown.
        case shown
        /// It was recorded behind the moment that is shown.
        case recorded
        /// The history is paused: it ran, and took the place of the last entry.
        case unrecorded
        /// The history is locked: nothing happened.
        case ignored
    }

    /// Takes an action: behind the last entry; the cursor goes along if it is there.
    @discardableResult
    public mutating func perform(_ entry: HistoryEntry) -> Outcome {
        if isLocked { return .ignored }
        if isPaused {
            guard isAtEnd else { return .ignored }
            paused = replay([entry.replayed], state(at: cursor))
            return .unrecorded
        }
        let isShown = isAtEnd
        staged.append(entry.numbered(nextID))
        nextID += 1
        if isShown { cursor += 1 }
        fold()
        return isShown ? .shown : .recorded
    }

    /// Whether the next entry takes the place of something.
    var dropsOldest: Bool { isPaused || staged.count >= limit }

    /// How many entries, folded ones included, lead to what is shown.
    var position: Int { folded + cursor }

    /// Folds the oldest entries into the base when there are too many.
    ///
    /// Some at a time, so that a long log is not moved for each entry.
    private mutating func fold() {
        guard staged.count > limit else { return }
        let count = staged.count - limit + limit / 64
        base = state(at: count)
        skipped.subtract(staged.prefix(count).map(\.id))
        staged = ArraySlice(Array(staged.dropFirst(count)))
        folded += count
        cursor = max(cursor - count, 0)
        snapshots.removeAll { $0.position <= folded }
    }

    /// Ignores actions, or takes them again.
    public mutating func lock(_ isLocked: Bool = true) {
        self.isLocked = isLocked
    }

    /// Has actions run without recording them, or records again.
    ///
    /// When a pause ends, the log is committed: what happened during the pause is in the base. An action
    /// that comes while the log is paused and an older moment is shown is ignored: it neither runs nor is it
    /// recorded.
    public mutating func pause(_ isPaused: Bool = true) {
        guard isPaused != self.isPaused else { return }
        if !isPaused { commit() }
        self.isPaused = isPaused
    }

    /// Continues a pause that has led to a state; nil where nothing has happened in it.
    mutating func pause(showing state: State?) {
        pause()
        paused = state
    }
}

// MARK: - Travelling

extension HistoryLog {
    /// Shows the moment with an index; false, and nothing done, where there is none.
    @discardableResult
    public mutating func jump(to index: Int) -> Bool {
        guard index >= 0, index <= staged.count else { return false }
        cursor = index
        return true
    }

    /// Shows the moment after an entry; false, and nothing done, where there is none.
    @discardableResult
    public mutating func jump(toEntry id: Int) -> Bool {
        index(of: id).map { jump(to: $0) } ?? false
    }
}

// MARK: - Changing the past

extension HistoryLog {
    /// Skips an entry, or has it run again; false where there is no such entry.
    ///
    /// A skipped entry repeats the state before it.
    @discardableResult
    public mutating func toggle(_ id: Int) -> Bool {
        setActive(skipped.contains(id), id...id)
    }

    /// Has the entries with some ids run, or skips them; false where there is none of them.
    ///
    /// The state before the first entry (id 0) can't be skipped.
    @discardableResult
    public mutating func setActive(_ isActive: Bool, _ ids: ClosedRange<Int>) -> Bool {
        let concerned = staged.indices.filter { ids.contains(staged[$0].id) }
        guard let first = concerned.first else { return false }
        for index in concerned {
            if isActive {
                skipped.remove(staged[index].id)
            } else {
                skipped.insert(staged[index].id)
            }
        }
        forgetStates(after: first - staged.startIndex)
        return true
    }

    /// Moves an entry before another one; false, and nothing done, where one of them is not there.
    ///
    /// Nothing is moved before the state that the log begins with (id 0).
    ///
    /// - Complexity: O(entries).
    @discardableResult
    public mutating func move(_ id: Int, before other: Int) -> Bool {
        guard id != other, let from = staged.firstIndex(where: { $0.id == id }),
            let to = staged.firstIndex(where: { $0.id == other })
        else { return false }
        let entry = staged.remove(at: from)
        staged.insert(entry, at: from < to ? to - 1 : to)
        forgetStates(after: min(from, to) - staged.startIndex)
        return true
    }

    /// Drops the skipped entries.
    public mutating func sweep() {
        guard let first = staged.firstIndex(where: { skipped.contains($0.id) }) else { return }
        forgetStates(after: first - staged.startIndex)
        staged = ArraySlice(staged.filter { !skipped.contains($0.id) })
        skipped = []
        cursor = min(cursor, staged.count)
    }
}

// MARK: - Beginning anew

extension HistoryLog {
    /// Makes the state that is shown the base, and empties the log.
    public mutating func commit() { begin(with: shownState()) }

    /// Goes back to the base, and empties the log.
    public mutating func rollback() { begin(with: base) }

    /// Goes back to the state in which the store began, and empties the log.
    public mutating func reset() { begin(with: initial) }

    private mutating func begin(with state: State) {
        base = state
        staged = []
        skipped = []
        cursor = 0
        nextID = 1
        snapshots = []
        folded = 0
        paused = nil
    }

    /// Replaces the contents by those of a file.
    ///
    /// - Parameters:
    ///   - base: The state before the first entry.
    ///   - staged: The entries in their order, each with an id of its own that is not 0.
    ///   - skipped: The ids of those that don't run; others are left out.
    ///   - cursor: The index of the moment that is shown.
    ///   - nextID: The id of the next entry; one that is not above all others means the next number that
    ///     is. Ids are below 2^53, as a script's numbers are.
    ///   - isLocked: Whether actions are ignored.
    /// - Returns: false, and nothing done, where ids are doubled or out of range, or the cursor lies outside.
    @discardableResult
    public mutating func load(
        base: State, staged: [HistoryEntry], skipped: Set<Int> = [], cursor: Int,
        nextID: Int = 1, isLocked: Bool = false
    ) -> Bool {
        let ids = Set(staged.map(\.id))
        guard ids.count == staged.count, ids.allSatisfy({ 1..<1 << 53 ~= $0 }),
            nextID <= 1 << 53, (0...staged.count).contains(cursor)
        else { return false }
        begin(with: base)
        isPaused = false
        self.isLocked = isLocked
        self.staged = staged[...]
        self.skipped = skipped.intersection(ids)
        self.cursor = cursor
        self.nextID = max(nextID, (ids.max() ?? 0) + 1)
        fold()
        return true
    }

    /// Forgets all computed states, since other reducers run from now on.
    public mutating func recompute() { snapshots = [] }
}
