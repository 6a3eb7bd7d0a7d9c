// SPDX-License-Identifier: MIT

/// The states that came from elsewhere, such as a server, at the positions in a log at which they did.
///
/// No entries lead to such a state, so it is kept as long as the entries after it are. If that takes too
/// much, the log is to be folded up to a later one, which then is the base.
struct InstalledMoments<State: Sendable>: Sendable {
    fileprivate static var most: Int { 1_024 }

    /// In order, and none twice.
    private(set) var positions: [Int] = []
    private var states: [MeasuredState<State>] = []
    private var bytes = 0

    /// The last of them up to a position.
    func last(upTo position: Int) -> (position: Int, state: OnHeap<State>)? {
        // From the back, where a log that grows asks.
        positions.lastIndex { $0 <= position }.map { (positions[$0], states[$0].kept) }
    }

    /// Adds a state at a position that is no lower than that of any other.
    mutating func add(_ state: MeasuredState<State>, at position: Int) {
        forget(after: position - 1)
        positions.append(position)
        states.append(state)
        bytes += state.unshared
    }

    /// The position of the one that is to be the base, if those before it take too much.
    func nextBase(withinBytes limit: Int) -> Int? {
        positions.count > Self.most || bytes > limit ? positions[positions.count / 2] : nil
    }

    /// Gives each another position, in the same order; of several at one position the last counts.
    mutating func move(_ newPosition: (Int) -> Int) {
        let old = self
        self = InstalledMoments()
        for (position, state) in zip(old.positions, old.states) {
            add(state, at: newPosition(position))
        }
    }

    /// Forgets those behind a position.
    mutating func forget(after position: Int) {
        remove((positions.firstIndex { $0 > position } ?? positions.count)..<positions.count)
    }

    /// Forgets those up to a position.
    mutating func forget(upTo position: Int) {
        remove(0..<(positions.firstIndex { $0 > position } ?? positions.count))
    }

    private mutating func remove(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        bytes -= states[range].reduce(0) { $0 + $1.unshared }
        positions.removeSubrange(range)
        states.removeSubrange(range)
    }
}
