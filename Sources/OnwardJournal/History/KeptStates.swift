// SPDX-License-Identifier: MIT

/// A state with an estimate of how much memory it takes.
struct MeasuredState<State: Sendable>: Sendable {
    let kept: OnHeap<State>
    var state: State { kept.wrappedValue }
    /// How many bytes it takes if it shares none.
    let bytes: Int
    /// How many bytes it takes beyond those of the state that is kept before it.
    fileprivate(set) var unshared: Int

    /// Measures a state; this may reflect the app's types, so don't call it under a lock.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - older: The state that is kept before it.
    ///   - limit: If this many bytes are enough for all of it, shared memory is not looked for.
    init(_ state: State, since older: State?, limit: Int) {
        kept = OnHeap(wrappedValue: state)
        bytes = MemoryEstimate.bytes(of: state, since: nil)
        guard let older, bytes > limit / KeptStates<State>.mostStates else {
            unshared = bytes
            return
        }
        unshared = min(bytes, MemoryEstimate.bytes(of: state, since: older))
    }
}

/// A few states of a log, from which others are computed.
///
/// As many are kept as fit in the byte limit, where what each shares with the one before it counts
/// once. When there are too many, the one whose neighbours are closest together is dropped. A state
/// that exceeds the limit alone isn't kept: it is computed from the entries.
struct KeptStates<State: Sendable>: Sendable {
    fileprivate static var mostStates: Int { 16 }

    /// The least distance of two of them.
    let spacing: Int
    /// About how many bytes they may take.
    let byteLimit: Int
    /// Where they are, in order; apart from the states, as each dispatch asks.
    private var positions: [Int] = []
    private var states: [MeasuredState<State>] = []
    /// About how many bytes they take.
    private(set) var bytes = 0
    /// The farthest position for which a state was offered, whether it is kept or takes too much.
    private(set) var newest: Int?
    /// The state that was computed last, wherever it is.
    private var last: OnHeap<State>?
    private var lastPosition = -1

    init(spacing: Int, byteLimit: Int) {
        self.spacing = spacing
        self.byteLimit = byteLimit
    }

    var count: Int { positions.count }

    /// The state that is kept farthest behind.
    var newestState: State? { states.last?.state }

    /// The last one at a position or before it.
    func nearest(to position: Int) -> (position: Int, state: OnHeap<State>)? {
        let found = positions.lastIndex { $0 <= position }
        if let last, lastPosition <= position, lastPosition > found.map({ positions[$0] }) ?? -1 {
            return (lastPosition, last)
        }
        return found.map { (positions[$0], states[$0].kept) }
    }

    /// Notes the state that was computed last.
    mutating func noteLast(_ state: OnHeap<State>, at position: Int) {
        (last, lastPosition) = (state, position)
    }

    /// Measures a state and keeps it at a position of a log that begins after another one.
    mutating func keep(_ state: State, at position: Int, after start: Int) {
        let older = positions.lastIndex { $0 <= position }.map { states[$0].state }
        keep(MeasuredState(state, since: older, limit: byteLimit), at: position, after: start)
    }

    /// Keeps a state at a position of a log that begins after another one.
    ///
    /// - Returns: What exceeds the limit, to be released where its `deinit` may use the log.
    @discardableResult
    mutating func keep(
        _ state: MeasuredState<State>, at position: Int, after start: Int
    ) -> [State] {
        newest = max(newest ?? position, position)
        // From the back, where a log that grows has it.
        let before = positions.lastIndex { $0 <= position }
        if let before, positions[before] == position { return [] }
        let index = before.map { $0 + 1 } ?? 0
        positions.insert(position, at: index)
        states.insert(state, at: index)
        bytes += state.unshared
        var dropped: [State] = []
        while count > Self.mostStates || (bytes > byteLimit && count > 0) {
            let crowded = crowded(besides: position, after: start) ?? 0
            dropped.append(states[crowded].state)
            remove(crowded..<crowded + 1)
        }
        return dropped
    }

    /// The state whose neighbours are closest together; nil if only the one that must stay is left.
    private func crowded(besides position: Int, after start: Int) -> Int? {
        func gap(_ index: Int) -> Int {
            let end = index + 1 < count ? positions[index + 1] : positions[index]
            return end - (index > 0 ? positions[index - 1] : start)
        }
        return positions.indices.filter { positions[$0] != position }.min { gap($0) < gap($1) }
    }

    /// Takes over states that were computed for the same log.
    mutating func adopt(_ others: KeptStates, after start: Int) {
        for (position, state) in zip(others.positions, others.states) where position > start {
            keep(state, at: position, after: start)
        }
        if let computed = others.last, others.lastPosition > start {
            noteLast(computed, at: others.lastPosition)
        }
    }

    /// Forgets the states behind a position.
    mutating func forget(after position: Int) {
        remove((positions.firstIndex { $0 > position } ?? count)..<count)
        if lastPosition > position { last = nil }
        if let newest, newest > position { self.newest = positions.last }
    }

    /// Forgets the states up to a position.
    mutating func forget(upTo position: Int) {
        remove(0..<(positions.firstIndex { $0 > position } ?? count))
        if lastPosition <= position { last = nil }
    }

    /// Removes states; what the next state shared with them counts as its own from now on.
    private mutating func remove(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        let freed = states[range].reduce(0) { $0 + $1.unshared }
        bytes -= freed
        if range.upperBound < count {
            let next = states[range.upperBound]
            let unshared = min(next.bytes, next.unshared + freed)
            bytes += unshared - next.unshared
            states[range.upperBound].unshared = unshared
        }
        positions.removeSubrange(range)
        states.removeSubrange(range)
    }
}
