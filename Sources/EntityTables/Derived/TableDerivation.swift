// SPDX-License-Identifier: MIT

/// How something is derived from a table and updated from one state of the table to the next: a
/// pure machine.
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

    /// Brings what was computed from one state of the source to another one, older or newer.
    ///
    /// Of the former only the log is kept, so that the source can be changed in place meanwhile.
    ///
    /// - Returns: False, with nothing done, if starting over is just as good.
    func follow(
        _ kept: inout Kept, since old: ChangeLog<Row.ID>, in source: EntityTable<Row>
    ) -> Bool

    /// Takes over the result of another derivation of the same type, with another parameter, for a
    /// state of the source.
    ///
    /// - Parameters:
    ///   - kept: What the other derivation made.
    ///   - other: The other derivation; nil if its parameter is no longer known.
    ///   - old: The log of that state.
    ///   - source: The source in its present state.
    /// - Returns: False, with nothing done, if starting over is just as good.
    func adopt(
        _ kept: inout Kept, of other: Self?, since old: ChangeLog<Row.ID>,
        in source: EntityTable<Row>
    ) -> Bool

    /// What is shown of what is kept.
    ///
    /// - Complexity: O(1).
    func value(of kept: Kept) -> Value
}

extension TableDerivation {
    @inlinable
    package func adopt(
        _ kept: inout Kept, of other: Self?, since old: ChangeLog<Row.ID>,
        in source: EntityTable<Row>
    ) -> Bool { false }
}

extension TableDerivation where Kept == Value {
    @inlinable
    package func value(of kept: Kept) -> Value { kept }
}
