// SPDX-License-Identifier: MIT

internal import DequeModule
internal import OnwardJournal

/// What is to be sent to one node, as a pure machine: while something is on its way, the rest gathers.
struct Outbox: Sendable {
    /// So many messages wait; of more, the oldest are lost.
    private let limit: Int
    private var waiting: Deque<DataValue> = []
    private var isSending = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds a message.
    ///
    /// - Returns: Whether somebody has to begin to send.
    mutating func add(_ message: DataValue) -> Bool {
        if waiting.count >= limit { waiting.removeFirst() }
        waiting.append(message)
        defer { isSending = true }
        return !isSending
    }

    /// What is to be sent next; nil where nothing is left, and sending ends.
    mutating func next() -> [DataValue]? {
        guard !waiting.isEmpty else {
            isSending = false
            return nil
        }
        defer { waiting = [] }
        return Array(waiting)
    }
}
