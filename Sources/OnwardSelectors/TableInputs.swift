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
struct TableMemory<ID: Hashable & Sendable, Parameter: Sendable>: Sendable {
    @usableFromInline let log: ChangeLog<ID>
    @usableFromInline let parameter: InputMemory<Parameter>

    @inlinable
    init(log: ChangeLog<ID>, parameter: InputMemory<Parameter>) {
        self.log = log
        self.parameter = parameter
    }
}
