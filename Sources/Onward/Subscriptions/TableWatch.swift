// SPDX-License-Identifier: MIT

/// The watched rows of one table, without its type.
///
/// `advance` and `forget` are closures that were made where the type of the rows was known, so that
/// the work per commit is compiled for it; a generic class's own methods would look up metadata at
/// every step.
@usableFromInline
class AnyTableWatch: @unchecked Sendable {  // As `TableWatch` says.
    @usableFromInline
    typealias Advance = @Sendable (UnsafeRawPointer, Version, borrowing Lock) -> [WatchedRow]

    /// The rows that differ in a newer table, with their new values put.
    @usableFromInline final let advance: Advance
    /// Stops watching a row.
    ///
    /// Under the lock.
    @usableFromInline final let forget: @Sendable (WatchedRow) -> Void

    @usableFromInline
    init(advance: @escaping Advance, forget: @escaping @Sendable (WatchedRow) -> Void) {
        self.advance = advance
        self.forget = forget
    }

    /// All watched rows.
    ///
    /// Under the lock.
    var rows: [WatchedRow] { [] }
}

/// The closures over a table's watched rows, made where the type of the rows is known.
@usableFromInline
final class TypedTableWatch<Element: Identifiable & Sendable>: AnyTableWatch, @unchecked Sendable
where Element.ID: Sendable {  // As `TableWatch` says.
    @usableFromInline let watch: TableWatch<Element>

    @inlinable @inline(__always)
    init(_ watch: TableWatch<Element>) {
        self.watch = watch
        super.init(
            advance: { table, version, lock in
                watch.advance(
                    to: table.assumingMemoryBound(to: EntityTable<Element>.self).pointee, version,
                    lock)
            },
            forget: { row in
                watch.watched[unsafeDowncast(row, to: TableWatch<Element>.Row.self).id] = nil
            })
    }

    override var rows: [WatchedRow] { Array(watch.watched.values) }
}

/// The watched rows of a table with rows of type `Element`.
///
/// The dictionary belongs to the engine's lock, as the members of every group do; so the ids of
/// rows are hashed under it. The mark belongs to whoever delivers.
@usableFromInline
final class TableWatch<Element: Identifiable & Sendable>: @unchecked Sendable
where Element.ID: Sendable {
    /// One row and its subscribers.
    @usableFromInline
    final class Row: WatchedRow, @unchecked Sendable {  // As `WatchedRow`; `id` never changes.
        @usableFromInline let id: Element.ID

        @usableFromInline
        init(_ id: Element.ID, since: Version, first: ValueCopy) {
            self.id = id
            super.init(since: since, first: first)
        }
    }

    @usableFromInline @exclusivity(unchecked) var watched: [Element.ID: Row] = [:]
    /// What the subscribers know of the table.
    @usableFromInline @exclusivity(unchecked) var mark: EntityMark
    @usableFromInline let rowType = TypedValue<Element?>()
    @usableFromInline let isSame: (@Sendable (Element?, Element?) -> Bool)?

    @usableFromInline
    init(_ mark: EntityMark, isSame: (@Sendable (Element?, Element?) -> Bool)?) {
        self.mark = mark
        self.isSame = isSame
    }

    /// The row with an id, watched from `version` on if it was not before.
    ///
    /// Under the lock.
    @inlinable
    func row(_ id: Element.ID, in table: EntityTable<Element>, since version: Version) -> Row {
        if let row = watched[id] { return row }
        let row = Row(id, since: version, first: copy(table[id: id]))
        watched[id] = row
        return row
    }

    /// The rows that differ in a newer table, with their new values put.
    ///
    /// - Complexity: O(changes since the last table); where its log does not reach back (a new table
    ///   was assigned, time was travelled), O(watched rows).
    @inlinable
    func advance(
        to table: EntityTable<Element>, _ version: Version, _ lock: borrowing Lock
    ) -> [WatchedRow] {
        let changes = table.changes(since: mark)
        mark = table.mark
        var candidates: [Row] = []
        lock.acquireHere()
        if let changes {
            for id in changes.updated { if let row = watched[id] { candidates.append(row) } }
            for id in changes.inserted { if let row = watched[id] { candidates.append(row) } }
            for id in changes.removed { if let row = watched[id] { candidates.append(row) } }
        } else {
            candidates.append(contentsOf: watched.values)
        }
        lock.releaseHere()
        var changed: [WatchedRow] = []
        for row in candidates where row.since < version {
            let new = table[id: row.id]
            if let isSame, isSame(last(of: row), new) { continue }
            row.put(copy(new))
            changed.append(row)
        }
        return changed
    }

    @inlinable
    func last(of row: Row) -> Element? {
        row.new.flatMap { $0.pointer.assumingMemoryBound(to: Element?.self).pointee }
    }

    @inlinable
    func copy(_ row: Element?) -> ValueCopy {
        withUnsafePointer(to: row) { ValueCopy(of: UnsafeRawPointer($0), rowType) }
    }
}
