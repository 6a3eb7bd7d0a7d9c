// SPDX-License-Identifier: MIT

/// The name of one state of an ``EntityTable``: cheap to keep, since it holds no rows.
///
/// Two equal marks stand for the same rows in the same order. Different marks may too: a change
/// that is taken back gives a new mark.
@usableFromInline
package struct EntityMark: Sendable, Equatable {
    /// A line of changes that only one table followed.
    ///
    /// Only its identity matters. Marks keep it alive, so no later lineage can be taken for it.
    @usableFromInline
    final class Lineage: Sendable {
        @inlinable
        init() {}
    }

    @usableFromInline let lineage: Lineage
    @usableFromInline let revision: UInt64

    @inlinable
    init(lineage: Lineage, revision: UInt64) {
        self.lineage = lineage
        self.revision = revision
    }

    /// Whether both marks name the same state of the same table, or of copies not changed since.
    @inlinable
    package static func == (left: Self, right: Self) -> Bool {
        left.lineage === right.lineage && left.revision == right.revision
    }
}
