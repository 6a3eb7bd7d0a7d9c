// SPDX-License-Identifier: MIT

/// A few states of a log, from which others are computed.
///
/// As many as a state that shares nothing with the next may be kept of: when there are too many, the one goes whose
/// neighbours lie nearest to each other.
struct KeptStates<State: Sendable>: Sendable {
    private static var limit: Int { 16 }

    /// The least distance of two of them.
    let spacing: Int
    /// Where they are, in order; apart from the states, as each dispatch asks.
    private var positions: [Int] = []
    private var states: [State] = []
    /// The state that was computed last, wherever it is.
    private var last: State?
    private var lastPosition = -1

    init(spacing: Int) {
        self.spacing = spacing
    }

    var count: Int { positions.count }

    /// The position of the one that is farthest behind.
    var newest: Int? { positions.last }

    /// The last one at a position or before it.
    func nearest(to position: Int) -> (position: Int, state: State)? {
        let found = positions.lastIndex { $0 <= position }
        if let last, lastPosition <= position, lastPosition > found.map({ positions[$0] }) ?? -1 {
            return (lastPosition, last)
        }
        return found.map { (positions[$0], states[$0]) }
    }

    /// Notes the state that was computed last.
    mutating func noteLast(_ state: State, at position: Int) {
        (last, lastPosition) = (state, position)
    }

    /// Keeps a state at a position of a log that begins after another one.
    mutating func keep(_ state: State, at position: Int, after start: Int) {
        // From the back, where a log that grows has it.
        let before = positions.lastIndex { $0 <= position }
        if let before, positions[before] == position { return }
        let index = before.map { $0 + 1 } ?? 0
        positions.insert(position, at: index)
        states.insert(state, at: index)
        guard count > Self.limit else { return }
        func gap(_ index: Int) -> Int {
            let end = index + 1 < count ? positions[index + 1] : positions[index]
            return end - (index > 0 ? positions[index - 1] : start)
        }
        let crowded = positions.indices.filter { $0 != index }.min { gap($0) < gap($1) }
        if let crowded { remove(crowded..<crowded + 1) }
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
    }

    /// Forgets the states up to a position.
    mutating func forget(upTo position: Int) {
        remove(0..<(positions.firstIndex { $0 > position } ?? count))
        if lastPosition <= position { last = nil }
    }

    private mutating func remove(_ range: Range<Int>) {
        positions.removeSubrange(range)
        states.removeSubrange(range)
    }
}
