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
        let known = app.list.known
        isLoading = isEmpty && (known.isLoading || known.isIdle)
        problem = isEmpty ? known.failure?.reason : nil
        emptiness =
            if isEmpty && known.isLoaded {
                "There is nothing to do."
            } else if !isEmpty && list.total == 0 { "No task is like that." } else { nil }
    }
}
