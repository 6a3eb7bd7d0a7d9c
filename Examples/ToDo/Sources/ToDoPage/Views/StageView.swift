// SPDX-License-Identifier: MIT

import Onward
import ToDoCore
import ToDoSync

/// What there is instead of tasks; empty when there are some.
struct StageView: Equatable, Sendable {
    let isLoading: Bool
    let problem: String?
    let emptiness: String?

    init(_ app: ToDo, _ list: ListView) {
        let isEmpty = app.list.tasks.isEmpty
        isLoading = isEmpty && app.list.isLoading
        problem = isEmpty ? app.list.problem?.reason : nil
        emptiness =
            if isEmpty && app.list.isLoaded {
                "There is nothing to do."
            } else if !isEmpty && list.total == 0 { "No task is like that." } else { nil }
    }
}
