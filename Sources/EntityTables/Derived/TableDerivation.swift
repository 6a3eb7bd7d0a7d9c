// SPDX-License-Identifier: MIT

/// How something is derived from a table, and taken from one state of the table to the next: a pure
/// machine.
///
/// What is kept between two states may be more than what is shown: a sum keeps what each row added.
@usableFromInline
package protocol TableDerivation<Row, Value>: Sendable {
    associatedtype Row: Identifiable & Sendable where Row.ID: Sendable
    /// What is made.
    associatedtype Value: Sendable
    /// What is kept to follow the table; copies share, as there may be several.
    associatedtype Kept: Sendable = Value

    /// What is made from the table alone.
    func compute(_ source: EntityTable<Row>) -> Kept

    /// Brings what was computed from the source's state of a mark to the present one.
    ///
    /// - Returns: False, and nothing done, where the source does not know what changed since.
    func follow(_ kept: inout Kept, since mark: EntityMark, in source: EntityTable<Row>) -> Bool

    /// Takes over what another derivation of the same type, with another parameter, made from the
    /// source's state of a mark.
    ///
    /// - Parameters:
    ///   - kept: What the other derivation made.
    ///   - other: The other derivation; nil where its parameter is no longer known.
    ///   - mark: The state of the source.
    ///   - source: The source in its present state.
    /// - Returns: False, and nothing done, where starting over is just as good.
    func adopt(
        _ kept: inout Kept, of other: Self?, since mark: EntityMark, in source: EntityTable<Row>
    ) -> Bool

    /// What is shown of what is kept.
    ///
    /// - Complexity: O(1).
    func value(of kept: Kept) -> Value
}

extension TableDerivation {
    @inlinable
    package func adopt(
        _ kept: inout Kept, of other: Self?, since mark: EntityMark, in source: EntityTable<Row>
    ) -> Bool { false }
}

extension TableDerivation where Kept == Value {
    @inlinable
    package func value(of kept: Kept) -> Value { kept }
}
