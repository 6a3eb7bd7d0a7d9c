// SPDX-License-Identifier: MIT

/// A few states of a log, from which others are computed.
///
/// As many as a state that shares nothing with the next may be kept of: when there are too many, the one goes whose
/// neighbours lie nearest to each other.
struct KeptStates<State: Sendable>: Sendable {
    typealias Kept = (position: Int, state: State)

    private static var limit: Int { 16 }

    /// The least distance of two of them.
    let spacing: Int
    /// In the order of their positions.
    private var kept: [Kept] = []
    /// The state that was computed last, wherever it is.
    var last: Kept?

    init(spacing: Int) {
        self.spacing = spacing
    }

    var count: Int { kept.count }

    /// The position of the one that is farthest behind.
    var newest: Int? { kept.last?.position }

    /// The last one at a position or before it.
    func nearest(to position: Int) -> Kept? {
        let found = kept.last { $0.position <= position }
        guard let last, last.position <= position, last.position > found?.position ?? -1 else {
            return found
        }
        return last
    }

    /// Keeps a state at a position of a log that begins after another one.
    mutating func keep(_ state: State, at position: Int, after start: Int) {
        // From the back, where a log that grows has it.
        let before = kept.lastIndex { $0.position <= position }
        if let before, kept[before].position == position { return }
        let index = before.map { $0 + 1 } ?? 0
        kept.insert((position, state), at: index)
        guard kept.count > Self.limit else { return }
        func gap(_ index: Int) -> Int {
            let end = index + 1 < kept.count ? kept[index + 1].position : kept[index].position
            return end - (index > 0 ? kept[index - 1].position : start)
        }
        let crowded = kept.indices.filter { $0 != index }.min { gap($0) < gap($1) }
        if let crowded { kept.remove(at: crowded) }
    }

    /// Takes over states that were computed for the same log.
    mutating func adopt(_ others: KeptStates, after start: Int) {
        for other in others.kept where other.position > start {
            keep(other.state, at: other.position, after: start)
        }
        if let computed = others.last, computed.position > start { last = computed }
    }

    /// Forgets the states behind a position.
    mutating func forget(after position: Int) {
        kept.removeAll { $0.position > position }
        if let last, last.position > position { self.last = nil }
    }

    /// Forgets the states up to a position.
    mutating func forget(upTo position: Int) {
        kept.removeAll { $0.position <= position }
        if let last, last.position <= position { self.last = nil }
    }
}
