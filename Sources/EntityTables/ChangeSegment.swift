// SPDX-License-Identifier: MIT

/// A piece of a change log: the changes that one table made in one lineage.
@usableFromInline
final class ChangeSegment<ID> {
    @usableFromInline let lineage = EntityMark.Lineage()
    @usableFromInline let previous: ChangeSegment?
    /// The revision before the first change, and after the last one of `previous`.
    @usableFromInline let start: UInt64
    // Uniqueness is checked before each change, so a check of exclusive access is not needed; every
    // change of a row would feel it.
    @usableFromInline @exclusivity(unchecked) private(set) var changes: [RecordedChange<ID>] = []

    @inlinable
    init(previous: ChangeSegment?, start: UInt64) {
        self.previous = previous
        self.start = start
    }

    @inlinable
    func append(_ change: RecordedChange<ID>) {
        changes.append(change)
    }
}

// Invariant: `append` is called only by the mutation of a table that `isKnownUniquelyReferenced`
// found to be the only holder; everything else only reads. A segment that two threads can see is
// therefore never changed.
extension ChangeSegment: @unchecked Sendable where ID: Sendable {}
