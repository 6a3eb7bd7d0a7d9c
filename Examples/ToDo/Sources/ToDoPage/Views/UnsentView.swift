// SPDX-License-Identifier: MIT

import ToDoSync

/// What couldn't be sent, and the way to send it again; empty when there is nothing.
struct UnsentView: Equatable, Sendable {
    let text: String?

    init(_ list: TaskList) {
        let count = list.changes.count
        text =
            list.isResting && count > 0
            ? "\(count) \(count == 1 ? "change isn't" : "changes aren't") on the server yet." : nil
    }
}
