// SPDX-License-Identifier: MIT

public import EntityTables

extension EntityTable: RowCollection {
    /// The row with an id; nil where there is none.
    ///
    /// - Complexity: O(log *n*).
    public func row(id: ID) -> Element? { self[id: id] }

    /// Changes the row with an id in place; returns false where there is none.
    ///
    /// - Complexity: O(log *n*).
    public mutating func updateRow(id: ID, _ body: (inout Element) -> Void) -> Bool {
        update(id: id, body) != nil
    }
}
