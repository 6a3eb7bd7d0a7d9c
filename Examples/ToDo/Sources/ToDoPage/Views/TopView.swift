// SPDX-License-Identifier: MIT

import ToDoCore

/// The line on top, with what is under way.
struct TopView: Equatable, Sendable {
    let activity: String?

    init(_ app: ToDo) {
        activity =
            if !app.outbox.changes.isEmpty && !app.outbox.isResting {
                "Saving…"
            } else if app.phase == .loading && !app.tasks.isEmpty { "Loading…" } else { nil }
    }
}
