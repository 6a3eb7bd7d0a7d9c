// SPDX-License-Identifier: MIT

public import EntityTables

extension Selection {
    /// One row of a table, nil while there is none: its values, its removal and its return.
    ///
    /// - Parameters:
    ///   - path: The table.
    ///   - id: The row; it need not be there yet.
    /// - Returns: The selection.
    /// - Complexity: a commit costs what it changed in the table, whatever the number of rows and of
    ///   row subscribers. Ids are hashed and compared under the store's lock, so what does that must not use
    ///   the store.
    @inlinable
    public static func row<Row: Identifiable & Equatable & Sendable>(
        _ path: any KeyPath<State, EntityTable<Row>> & Sendable, id: Row.ID
    ) -> Selection where Value == Row?, Row.ID: Sendable {
        Selection(
            isSame: Store<State>.equal(Row?.self), key: { $0.key(path, id: id) },
            read: { $0.read(path, id: id) }
        ) { store, options, body in
            store.subscribe(
                toRowOf: path, options, TypedRowSubscriber<Row, Row?>(id, body.call))
        }
    }
}
