// SPDX-License-Identifier: MIT

import ToDoSync

/// What couldn't be sent, and the way to send it again; empty when there is nothing.
struct UnsentView: Equatable, Sendable {
    let text: String?

    init(_ outbox: Outbox) {
        let count = outbox.changes.count
        text =
            outbox.isResting && count > 0
            ? "\(count) \(count == 1 ? "change isn't" : "changes aren't") on the server yet." : nil
    }
}
