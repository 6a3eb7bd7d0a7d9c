// SPDX-License-Identifier: MIT

public import EntityTables

/// The way from a state to one row of a collection in it: `.row(\.tasks, id: 7)`.
public struct RowPath<State: Sendable, Row: Sendable>: Sendable {
    let path: any AnyKeyPath & Sendable
    let key: RowKey
    let read: @Sendable (State) -> Row?
    let getter: @Sendable (Getter<State>) -> Getter<Row?>
    /// What reports the row in a store; nil where only a commit notifies.
    let source: (@Sendable (Store<State>) -> RowSource<Row?>)?

    private init<Rows: RowCollection & Sendable>(
        _ path: any WritableKeyPath<State, Rows> & Sendable, _ id: Rows.Element.ID,
        source: (@Sendable (Store<State>) -> RowSource<Row?>)?
    ) where Rows.Element == Row, Rows.Element.ID: Sendable {
        self.path = path
        self.source = source
        key = RowKey(id)
        read = { $0[keyPath: path][id: id] }
        getter = { whole in
            whole.appending(path).selecting(as: whole.source(of: path, id: id)) { $0[id: id] }
        }
    }

    /// The row with an id; it need not be there yet.
    ///
    /// - Complexity: a commit inside the slice costs each subscriber a search for the row.
    public static func row<Rows: RowCollection & Sendable>(
        _ path: any WritableKeyPath<State, Rows> & Sendable, id: Rows.Element.ID
    ) -> RowPath where Rows.Element == Row, Rows.Element.ID: Sendable {
        RowPath(path, id, source: nil)
    }

    /// The row of a table with an id; it need not be there yet.
    ///
    /// - Complexity: a commit costs subscribers only what it changed in the table, whatever the number of
    ///   rows and of their stores.
    public static func row(
        _ path: any WritableKeyPath<State, EntityTable<Row>> & Sendable, id: Row.ID
    ) -> RowPath where Row: Identifiable & Equatable, Row.ID: Sendable {
        RowPath(path, id, source: { RowSource(of: $0, path, id: id) })
    }
}
