// SPDX-License-Identifier: MIT

import Onward

/// Rows that can be counted up, renamed, put in, taken out and moved.
struct RowList: Codable, Sendable {
    private(set) var rows: EntityTable<Row> = []
    private var nextID = 0

    init(count: Int) {
        for _ in 0..<count { rows.append(makeRow()) }
    }

    mutating func apply(_ action: RowAction) {
        switch action {
        case .count(let id): rows[id: id]?.count += 1
        case .rename(let id, let title): rows[id: id]?.title = title
        case .insert(let id):
            if let position = rows.index(id: id) { rows.insert(makeRow(), at: position) }
        case .remove(let id): rows.remove(id: id)
        case .raise(let id): rows.move(id: id, to: 0)
        }
    }

    private mutating func makeRow() -> Row {
        defer { nextID += 1 }
        return Row(id: nextID, title: "Row \(nextID)")
    }
}

/// A row, which is its own view model as well.
struct Row: Codable, Identifiable, Equatable, Sendable {
    let id: Int
    var title: String
    var count = 0
}

/// What the buttons of a row do.
enum RowAction: Action, Codable {
    case count(id: Int)
    case rename(id: Int, title: String)
    /// Puts a new row before this one.
    case insert(id: Int)
    case remove(id: Int)
    /// Moves the row to the top.
    case raise(id: Int)
}
