// SPDX-License-Identifier: MIT

import Onward
import OnwardSync

/// The app of these figures: a table whose rows get numbers.
struct Table: Codable, Equatable, Sendable {
    struct Row: Codable, Equatable, Identifiable, Sendable {
        let id: Int
        var number = 0
    }

    var rows: EntityTable<Row> = []

    init(rows count: Int) {
        rows = EntityTable((0..<count).map { Row(id: $0) }) { first, _ in first }
    }
}

enum TableAction: Action, Codable, Equatable {
    case set(id: Int, number: Int)
}

enum TableRefusal: RefusalReason { case absent }

let table = Feature<Table> {
    Check { (table: Table, action: TableAction) throws(TableRefusal) in
        guard case .set(let id, _) = action, table.rows[id: id] != nil else { throw .absent }
    }
    Reduce { (table: inout Table, action: TableAction) in
        switch action {
        case .set(let id, let number): table.rows.update(id: id) { $0.number = number }
        }
    }
}
