// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import ToDoCore
import ToDoSync

/// The line on top: what is under way, and what can be undone and redone.
struct TopView: Equatable, Sendable {
    let activity: String?
    /// The steps that the buttons name; nil where there is none.
    let undo: Int?
    let redo: Int?

    init(_ app: ToDo) {
        let list = app.list
        activity =
            if !list.changes.isEmpty && !list.isResting {
                "Saving…"
            } else if list.isLoading && !list.tasks.isEmpty {
                "Loading…"
            } else if list.problem != nil && !list.tasks.isEmpty {
                "Not up to date"
            } else { nil }
        undo = if case .undo(let step, _) = app.steps.undo { step } else { nil }
        redo = if case .redo(let step, _) = app.steps.redo { step } else { nil }
    }
}
