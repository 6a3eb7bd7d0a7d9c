// SPDX-License-Identifier: MIT

/// Which rows of a table belong to which rows of another one.
struct RowsByOwner<Owner: Hashable & Sendable, Row: Hashable & Sendable>: Sendable {
    private var rows: [Owner: Set<Row>] = [:]

    /// - Complexity: O(rows).
    init(_ pairs: some Sequence<(Row, Owner?)>) {
        for (row, owner) in pairs {
            if let owner { rows[owner, default: []].insert(row) }
        }
    }

    /// The rows of an owner, in no order.
    subscript(owner: Owner) -> Set<Row> { rows[owner] ?? [] }

    mutating func move(_ row: Row, from old: Owner?, to new: Owner?) {
        if old == new { return }
        if let old {
            rows[old]?.remove(row)
            if rows[old]?.isEmpty == true { rows[old] = nil }
        }
        if let new { rows[new, default: []].insert(row) }
    }
}
