// SPDX-License-Identifier: MIT

internal import DequeModule
internal import OnwardJournal

/// What to send to one node, as a pure machine: while something is in transit, the rest gathers.
struct Outbox: Sendable {
    /// The number of messages that may wait; beyond it, the oldest are dropped.
    private let limit: Int
    private var waiting: Deque<DataValue> = []
    private var isSending = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds a message.
    ///
    /// - Returns: Whether someone has to start sending.
    mutating func add(_ message: DataValue) -> Bool {
        if waiting.count >= limit { waiting.removeFirst() }
        waiting.append(message)
        defer { isSending = true }
        return !isSending
    }

    /// What to send next; nil if nothing is left, and sending ends.
    mutating func next() -> [DataValue]? {
        guard !waiting.isEmpty else {
            isSending = false
            return nil
        }
        defer { waiting = [] }
        return Array(waiting)
    }
}
