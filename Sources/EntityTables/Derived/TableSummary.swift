// SPDX-License-Identifier: MIT

/// The result of a closure over a whole table, computed anew with each change of the table.
@usableFromInline
package struct TableSummary<Row: Identifiable & Sendable, Value: Sendable>: TableDerivation
where Row.ID: Sendable {
    @usableFromInline let transform: @Sendable (EntityTable<Row>) -> Value

    @inlinable
    package init(_ transform: @escaping @Sendable (EntityTable<Row>) -> Value) {
        self.transform = transform
    }

    @inlinable
    package func compute(_ source: EntityTable<Row>) -> Value { transform(source) }

    @inlinable
    package func follow(
        _ value: inout Value, since old: ChangeLog<Row.ID>, in source: EntityTable<Row>
    ) -> Bool {
        if old.mark != source.mark { value = transform(source) }
        return true
    }
}
