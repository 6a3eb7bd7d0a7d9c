// SPDX-License-Identifier: MIT

import ToDoCore
import ToDoTasks

/// The way to more rows; empty when all are shown.
struct MoreView: Equatable, Sendable {
    let count: Int?
    let url: String
    /// Whether as many are shown as may be.
    let isFull: Bool

    init(_ list: ListView) {
        count = list.total > list.rows.count ? list.total - list.rows.count : nil
        isFull = list.query.rows == Query.mostRows
        url = Screen.list(list.query.withMoreRows).url
    }
}
