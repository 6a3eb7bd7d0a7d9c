// SPDX-License-Identifier: MIT

/// Rows with ids, in order: the building block of normalised state.
///
/// ```swift
/// struct Game: Sendable, Equatable { var cards: EntityTable<Card> = [] }
///
/// game.cards[id: 7]?.isFaceUp.toggle()      // changes the row in place
/// game.cards.append(card)                   // false if its id is there already
/// game.cards.move(id: 7, to: 0)
/// for card in game.cards { … }              // in order
/// ```
///
/// Rows stay where they were put, or in the order of their type if it is a ``SortedRow``. Each id
/// occurs only once in a table. Finding, adding, changing, moving and removing a row takes O(log *n*), by
/// id or by position.
///
/// A table is a value. Copies share all rows until one of them changes, and then all but the few
/// nodes on the path to the change, so that keeping an old version costs memory only for what has
/// changed since. A table that is not held elsewhere is changed in place. Each table remembers its
/// latest changes: see <doc:EntityTables>.
///
/// - Note: An id must be a part of the row's value. A row that is a reference to an object whose
///   id changes behind the table's back is a programmer error.
public struct EntityTable<Element: Identifiable> {
    /// The type of the rows' ids.
    public typealias ID = Element.ID

    @usableFromInline var tree = RowTree<Element>()
    @usableFromInline package var log = ChangeLog<ID>()
    @usableFromInline var sorting: Sorting

    /// Makes an empty table.
    @inlinable
    public init() {
        self.init(sorting: Self.declaredSorting)
    }

    @inlinable
    init(sorting: Sorting) {
        self.sorting = sorting
    }
}

// MARK: - Single rows

extension EntityTable {
    /// The row with an id; nil if there is none.
    ///
    /// Changes are made in place. Setting nil removes the row; setting a row that is not there
    /// appends it, or puts it in its place if the table is sorted.
    ///
    /// - Precondition: A row is only set under its own id, and its id does not change.
    /// - Complexity: O(log *n*).
    @inlinable
    public subscript(id id: ID) -> Element? {
        get {
            tree.row(of: id)
        }
        _modify {
            let ties = tiesBeforeChange(of: id)
            let place = tree.place(of: id)
            // The row is taken out of the table and put back, so that the closure that changes it
            // is its only holder.
            var row = place.map { tree.take($0) }
            defer { finishChange(of: id, at: place, with: row, ties) }
            yield &row
        }
    }

    /// Changes a row in place.
    ///
    /// - Returns: What `body` returns; nil if there is no such row.
    /// - Throws: What `body` throws. The row keeps what `body` did to it until then.
    /// - Precondition: `body` does not change the row's id.
    /// - Complexity: O(log *n*).
    @inlinable
    @discardableResult
    public mutating func update<R, E: Error>(
        id: ID, _ body: (inout Element) throws(E) -> R
    ) throws(E) -> R? {
        let ties = tiesBeforeChange(of: id)
        let outcome = tree.update(id) { row in
            let outcome = Result { () throws(E) in try body(&row) }
            Self.check(row.id, is: id)
            return outcome
        }
        guard let outcome else { return nil }
        recordUpdate(of: id, ties)
        return try outcome.get()
    }

    /// Adds a row at the end, or at its place if the table is sorted, behind its equals.
    ///
    /// - Returns: Whether the row was added; if its id is already present, nothing changes.
    /// - Complexity: O(log *n*).
    @inlinable
    @discardableResult
    public mutating func append(_ row: Element) -> Bool {
        leaveDerivation()
        guard !tree.contains(row.id) else { return false }
        insertNew(row, at: place(for: row))
        return true
    }

    /// Adds a row before the one that is now at `position`.
    ///
    /// - Returns: Whether the row was added; if its id is already present, nothing changes.
    /// - Precondition: `position` is in `0...count`, and the table is not sorted.
    /// - Complexity: O(log *n*).
    @inlinable
    @discardableResult
    public mutating func insert(_ row: Element, at position: Int) -> Bool {
        check(position, isIn: 0...count, for: "insert(_:at:)")
        guard !tree.contains(row.id) else { return false }
        insertNew(row, at: position)
        return true
    }

    /// Removes a row.
    ///
    /// - Returns: The row; nil if there was none.
    /// - Complexity: O(log *n*).
    @inlinable
    @discardableResult
    public mutating func remove(id: ID) -> Element? {
        guard let row = tree.remove(id) else { return nil }
        log.record(.removed, id)
        return row
    }

    /// Moves a row.
    ///
    /// - Parameters:
    ///   - id: The row's id.
    ///   - position: The position of the row after the move.
    /// - Returns: Whether there is such a row.
    /// - Precondition: `position` is in `0..<count`, and the table is not sorted.
    /// - Complexity: O(log *n*).
    @inlinable
    @discardableResult
    public mutating func move(id: ID, to position: Int) -> Bool {
        guard let place = tree.place(of: id) else { return false }
        check(position, isIn: 0...(count - 1), for: "move(id:to:)")
        guard tree.position(of: place) != position, let row = tree.remove(id) else { return true }
        reinsert(row, at: position)
        return true
    }

    /// Gives a row another id, such as that of the server in place of a temporary one.
    ///
    /// ```swift
    /// case .saved(let card, let temporaryID):
    ///     board.cards.rename(id: temporaryID, to: card)
    /// ```
    ///
    /// The row stays the same row: it keeps its place, or gets the one of its new values if the
    /// table is sorted, and what belongs to the row goes on under the new id. A row that
    /// is removed and added with another id is another row.
    ///
    /// - Parameters:
    ///   - id: The id that the row has.
    ///   - row: The row with its new id and values.
    /// - Returns: Whether the row was changed; if there is no such row, or another one has the
    ///   new id, nothing changes.
    /// - Complexity: O(log *n*).
    @inlinable
    @discardableResult
    public mutating func rename(id: ID, to row: Element) -> Bool {
        let new = row.id
        guard new != id else { return update(id: id) { $0 = row } != nil }
        guard tree.contains(id), !tree.contains(new) else { return false }
        let ties = tiesBeforeChange(of: id)
        tree.rename(id, to: row)
        log.recordRename(from: id, to: new)
        if let ties { restoreOrder(around: new, ties) }
        return true
    }

    /// Removes all rows.
    ///
    /// The table keeps its order, but no memory of its content.
    @inlinable
    public mutating func removeAll() {
        tree = RowTree()
        log.cut(isEmpty: true)
    }
}

// MARK: - The one way in, out and elsewhere

extension EntityTable {
    @inlinable
    mutating func insertNew(_ row: Element, at position: Int) {
        tree.insert(row, at: position)
        log.record(.inserted, row.id)
    }

    @inlinable
    mutating func reinsert(_ row: Element, at position: Int) {
        tree.insert(row, at: position)
        log.record(.moved, row.id)
    }

    @inlinable
    mutating func recordUpdate(of id: ID, _ before: Ties?) {
        log.record(.updated, id)
        if let before { restoreOrder(around: id, before) }
    }

    /// Puts back a row that was taken out for a change, or handles its removal.
    @inlinable
    mutating func finishChange(
        of id: ID, at place: RowTree<Element>.Place?, with row: Element?, _ before: Ties?
    ) {
        if let row { Self.check(row.id, is: id) }
        switch (place, row) {
        case (let place?, let row?):
            tree.put(row, back: place)
            recordUpdate(of: id, before)
        case (let place?, nil):
            tree.forget(id, takenFrom: place)
            log.record(.removed, id)
        case (nil, let row?):
            append(row)
        case (nil, nil):
            break
        }
    }
}

extension EntityTable: Sendable where Element: Sendable, Element.ID: Sendable {}
