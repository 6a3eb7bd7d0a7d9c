// SPDX-License-Identifier: MIT

/// The last changes of a table, and the names of the states between them.
///
/// A log is a chain of segments. A table that changes and is the only holder of the newest segment
/// adds to it; any other table leaves it as it is forever, and begins a new segment after it:
///
/// ```
/// a: ─ L, 1…5 ─┬─ L′, 6…7      b = a, and then both change: neither adds to L, which the other
/// b:           └─ L″, 6…9      can see
/// ```
///
/// So each segment, and with it each lineage, is continued by only one table, and a pair of lineage
/// and revision names one state forever. Both tables know the marks (L, 1…5); neither knows the
/// other's marks from then on. But the segment that both have shows the way from one to the other:
/// back to where they parted, and from there on. After an undo, that is only back; after a redo,
/// only on.
///
/// The chain is bounded: once `limit` changes are on it, it becomes `older`, and what was `older`
/// is forgotten.
@usableFromInline
package struct ChangeLog<ID: Hashable> {
    @usableFromInline var newest = ChangeSegment<ID>(previous: nil, start: 0)
    @usableFromInline var older: ChangeSegment<ID>?
    /// How many changes were ever made on the way to this state.
    @usableFromInline var revision: UInt64 = 0
    /// How many changes the newest segment and those before it on its chain hold.
    @usableFromInline var length = 0
    /// Whether the log reaches back to a moment at which all rows were taken out.
    @usableFromInline var beginsEmpty = false

    /// A log reaches back at least this many changes, and at most twice as many.
    @inlinable
    static var limit: Int { 512 }

    @inlinable
    init() {}

    @inlinable
    package var mark: EntityMark { EntityMark(lineage: newest.lineage, revision: revision) }

    @inlinable
    mutating func record(_ kind: RecordedChange<ID>.Kind, _ id: ID) {
        makeRoom()
        append(kind, id)
    }

    /// Records that a row has another id: two records that no state stands between.
    @inlinable
    mutating func recordRename(from old: ID, to new: ID) {
        makeRoom()
        append(.leftID, old)
        append(.tookID, new)
    }

    @inlinable
    mutating func append(_ kind: RecordedChange<ID>.Kind, _ id: ID) {
        newest.append(RecordedChange(id: id, kind: kind))
        revision += 1
        length += 1
    }

    /// Begins a new segment if no more can be added to the newest one.
    @inlinable
    mutating func makeRoom() {
        if length >= Self.limit {
            beginsEmpty = beginsEmpty && older == nil
            older = newest
            newest = ChangeSegment(previous: nil, start: revision)
            length = 0
        } else if !isKnownUniquelyReferenced(&newest) {
            newest = ChangeSegment(previous: newest, start: revision)
        }
    }

    /// Forgets all changes: for changes that touch every row, or take all out.
    @inlinable
    mutating func cut(isEmpty: Bool) {
        beginsEmpty = isEmpty
        revision += 1
        older = nil
        length = 0
        newest = ChangeSegment(previous: nil, start: revision)
    }

    /// The changes since a mark, oldest first; nil if the log does not know.
    @inlinable
    func changes(since mark: EntityMark) -> ArraySlice<RecordedChange<ID>>? {
        guard mark.revision <= revision else { return nil }
        // What most ask for: the changes since a copy that is still held.
        if newest.start == mark.revision, newest.previous?.lineage === mark.lineage {
            return newest.changes[...]
        }
        var later: [ArraySlice<RecordedChange<ID>>] = []
        var current: ChangeSegment? = newest
        var next = older
        while let segment = current {
            if segment.lineage === mark.lineage {
                let wanted = segment.changes[Int(mark.revision - segment.start)...]
                return later.isEmpty ? wanted : wanted + later.reversed().joined()
            }
            // Segments behind the one of the mark begin at its revision, or later.
            guard segment.start >= mark.revision else { return nil }
            later.append(segment.changes[...])
            current = segment.previous
            if current == nil {
                current = next
                next = nil
            }
        }
        return nil
    }
}

// MARK: - From any state to another

extension ChangeLog {
    /// The changes on the way from another state to this one, in order; nil if the logs do not know
    /// any.
    ///
    /// - Complexity: O(*c*) for *c* changes; O(segments) more where neither state came from the
    ///   other.
    @inlinable
    func changes(from other: Self) -> ArraySlice<RecordedChange<ID>>? {
        if let on = changes(since: other.mark) { return on }
        if let back = other.changes(since: mark) { return Self.undoing(back)[...] }
        guard let parting = parting(from: other), let back = other.changes(since: parting),
            let on = changes(since: parting)
        else { return nil }
        return (Self.undoing(back) + on)[...]
    }

    @inlinable
    static func undoing(_ changes: ArraySlice<RecordedChange<ID>>) -> [RecordedChange<ID>] {
        changes.reversed().map(\.undone)
    }

    /// The last state on the way to both this state and another one: the end of the newest segment
    /// that both share, to which no table adds any more.
    @inlinable
    func parting(from other: Self) -> EntityMark? {
        let others = Set(other.segments.map { ObjectIdentifier($0) })
        return segments.first { others.contains(ObjectIdentifier($0)) }.map {
            EntityMark(lineage: $0.lineage, revision: $0.start + UInt64($0.changes.count))
        }
    }

    /// The segments that led to this state, newest first.
    @inlinable
    var segments: [ChangeSegment<ID>] {
        var segments: [ChangeSegment<ID>] = []
        for first in [newest, older] {
            var next = first
            while let segment = next {
                segments.append(segment)
                next = segment.previous
            }
        }
        return segments
    }
}

/// One change of one row, as the log keeps it.
@usableFromInline
struct RecordedChange<ID> {
    @usableFromInline
    enum Kind: Sendable {
        case inserted, removed, updated, moved
        /// Its row has the id of the next record, the ``tookID``, from here on.
        case leftID
        case tookID
    }

    @usableFromInline var id: ID
    @usableFromInline var kind: Kind

    @inlinable
    init(id: ID, kind: Kind) {
        self.id = id
        self.kind = kind
    }

    /// The change that takes this one back.
    @inlinable
    var undone: Self {
        switch kind {
        case .inserted: Self(id: id, kind: .removed)
        case .removed: Self(id: id, kind: .inserted)
        case .updated, .moved: self
        case .leftID: Self(id: id, kind: .tookID)
        case .tookID: Self(id: id, kind: .leftID)
        }
    }
}

extension ChangeLog: Sendable where ID: Sendable {}
extension RecordedChange: Sendable where ID: Sendable {}
