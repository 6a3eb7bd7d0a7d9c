// SPDX-License-Identifier: MIT

internal import DequeModule

/// The values that wait for the reader of a sequence: a pure machine.
struct ValueBuffer<Value: Sendable>: Sendable {
    /// A value to be read.
    struct Item: Sendable {
        let value: Value
        /// Whether values right before it were lost, so that it may equal the one that was read last.
        var isAfterGap: Bool
    }

    private var waiting = Deque<Item>()
    private let limit: Int
    private let overflow: Buffering.Overflow
    /// Whether the values that came last were lost.
    private var endsInGap = false
    /// How many values were lost because the reader was slow.
    private(set) var lost = 0

    init(_ buffering: Buffering) {
        switch buffering {
        case .latest: (limit, overflow) = (1, .dropOldest)
        case .every(let limit, let overflow):
            (self.limit, self.overflow) = (max(limit, 1), overflow)
        }
    }

    /// Adds a value; returns the one that is lost, to be released outside any lock.
    mutating func offer(_ value: Value) -> Value? {
        guard waiting.count == limit else {
            waiting.append(Item(value: value, isAfterGap: endsInGap))
            endsInGap = false
            return nil
        }
        lost += 1
        switch overflow {
        case .dropNewest:
            endsInGap = true
            return value
        case .dropOldest:
            let oldest = waiting.removeFirst()
            waiting.append(Item(value: value, isAfterGap: false))
            waiting[0].isAfterGap = true
            return oldest.value
        }
    }

    /// Takes the oldest value.
    mutating func take() -> Item? { waiting.popFirst() }

    /// Gives away what waits, to be released outside any lock.
    mutating func takeContents() -> [Item] {
        defer { waiting = [] }
        return Array(waiting)
    }
}
