// SPDX-License-Identifier: MIT

public import EntityTables
internal import OnwardCore

/// A table and a parameter, from which a selector is computed.
@usableFromInline
struct TableInputs<Row: Identifiable & Sendable, Parameter: Sendable>: Sendable
where Row.ID: Sendable {
    @usableFromInline let table: EntityTable<Row>
    @usableFromInline let parameter: SelectorResult<Parameter>

    @inlinable
    init(table: EntityTable<Row>, parameter: SelectorResult<Parameter>) {
        self.table = table
        self.parameter = parameter
    }
}

/// What is kept of them.
@usableFromInline
struct TableMemory<Parameter: Sendable>: Sendable {
    @usableFromInline let mark: EntityMark
    @usableFromInline let parameter: InputMemory<Parameter>

    @inlinable
    init(mark: EntityMark, parameter: InputMemory<Parameter>) {
        self.mark = mark
        self.parameter = parameter
    }
}
