// SPDX-License-Identifier: MIT

/// Several changes of several rows, combined into one change for each row.
///
/// Only the first and the last state of a row count: inserted and then removed is nothing, removed
/// and then inserted is another row, elsewhere.
@usableFromInline
struct MergedChanges<ID: Hashable> {
    @usableFromInline
    struct Fate {
        @usableFromInline var wasThere: Bool
        @usableFromInline var isThere = true
        @usableFromInline var isUpdated = false
        @usableFromInline var isMoved = false

        @inlinable
        init(before first: RecordedChange<ID>.Kind) {
            wasThere = first != .inserted && first != .tookID
        }
    }

    @usableFromInline var ids: [ID] = []
    @usableFromInline var fates: [ID: Fate] = [:]

    @inlinable
    init() {}

    @inlinable
    mutating func add(_ change: RecordedChange<ID>) {
        if fates[change.id] == nil {
            ids.append(change.id)
            fates[change.id] = Fate(before: change.kind)
        }
        fates[change.id]?.add(change.kind)
    }

    /// The merged changes, in the order in which the rows were first touched.
    @inlinable
    var changes: EntityChanges<ID> {
        var changes = EntityChanges<ID>()
        for id in ids { fates[id]?.list(id, in: &changes) }
        return changes
    }
}

extension MergedChanges.Fate {
    /// What became of one row by changes of that row alone.
    @inlinable
    init?(of changes: ArraySlice<RecordedChange<ID>>) {
        guard let first = changes.first else { return nil }
        self.init(before: first.kind)
        for change in changes { add(change.kind) }
    }

    @inlinable
    func list(_ id: ID, in changes: inout EntityChanges<ID>) {
        switch (wasThere, isThere) {
        case (false, true):
            changes.inserted.append(id)
        case (true, false):
            changes.removed.append(id)
        case (true, true):
            if isUpdated { changes.updated.append(id) }
            if isMoved { changes.moved.append(id) }
        case (false, false):
            break
        }
    }

    @inlinable
    mutating func add(_ kind: RecordedChange<ID>.Kind) {
        switch kind {
        case .inserted, .tookID:
            isThere = true
            isUpdated = true
            isMoved = true
        case .removed, .leftID:
            isThere = false
        case .updated:
            isUpdated = true
        case .moved:
            isMoved = true
        }
    }
}
