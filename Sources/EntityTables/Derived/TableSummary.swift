// SPDX-License-Identifier: MIT

/// What a closure makes from a whole table, anew with each change of it.
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
