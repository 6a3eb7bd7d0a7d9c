// SPDX-License-Identifier: MIT

/// What a table says when it is used in a way that cannot be intended.
///
/// By `fatalError`, which writes the text in release builds, too.
@usableFromInline
enum EntityTableMistake {
    @usableFromInline
    static func changedID(from old: some Any, to new: some Any, of rowType: Any.Type) -> String {
        """
        An update of the row with the id \(String(reflecting: old)) in an \
        EntityTable<\(rowType)> gave it the id \(String(reflecting: new)). A row keeps its id, \
        since all who know the row know it by that. To fix this, use rename(id:to:), or remove the \
        row and add one with the new id.
        """
    }

    @usableFromInline
    static func unkeptID(_ old: some Any, _ new: some Any, of rowType: Any.Type) -> String {
        """
        The closure of a selector's map or join made a \(rowType) with the id \
        \(String(reflecting: new)) of the row with the id \(String(reflecting: old)). A new row has \
        the id of the old one, since changes of the table are followed by it. To fix this, give it \
        that id.
        """
    }

    @usableFromInline
    static func sumOutOfRange(_ type: Any.Type) -> String {
        """
        The sum that a selector was asked for is out of the range of \(type). There is no value to \
        go on with. To fix this, sum up a wider type: `Int64(row.number)`, `Int128(row.number)` or \
        `Double(row.number)`.
        """
    }

    @usableFromInline
    static func unstableID(_ id: some Any, of rowType: Any.Type) -> String {
        """
        The row which an EntityTable<\(rowType)> keeps under the id \(String(reflecting: id)) now \
        says that its id is another. An id must be a part of the row's value. To fix this, make \
        the row a struct, or its id a constant.
        """
    }

    @usableFromInline
    static func placingInSorted(_ call: String, of rowType: Any.Type) -> String {
        """
        \(call) was called on a sorted EntityTable<\(rowType)>, which finds the places of its rows \
        itself. To fix this, use append(_:), and give the rows a property that their order compares.
        """
    }

    @usableFromInline
    static func outOfBounds(
        _ position: Int, _ bounds: ClosedRange<Int>, _ call: String, of rowType: Any.Type
    ) -> String {
        """
        \(call) was called with the position \(position) on an EntityTable<\(rowType)>, where only \
        \(bounds.lowerBound) to \(bounds.upperBound) make sense. To fix this, look at the \
        table's count first.
        """
    }

    @usableFromInline
    static func duplicateInLiteral(_ error: EntityTableError) -> String {
        """
        An array literal of \(error.rowType) cannot be an EntityTable: row \(error.position) has \
        the id \(error.id), as a row before it has. To fix this, give each row an id of its own, \
        or use init(_:uniquing:) for rows whose ids may not be unique.
        """
    }

    @usableFromInline
    static func strangeChanges(_ id: some Any, of rowType: Any.Type) -> String {
        """
        applying(_:from:) cannot put the row with the id \(String(reflecting: id)) of an \
        EntityTable<\(rowType)> in its place: the changes do not lead from this table to the newer \
        one. To fix this, pass what newer.changes(since: older) returned for these two tables.
        """
    }
}

extension EntityTable {
    @inlinable
    static func check(_ id: ID, is expected: ID) {
        if id != expected { reportChangedID(from: expected, to: id) }
    }

    @inlinable
    func check(_ position: Int, isIn bounds: ClosedRange<Int>, for call: String) {
        guard case .unsorted = sorting else {
            fatalError(EntityTableMistake.placingInSorted(call, of: Element.self))
        }
        if !bounds.contains(position) {
            fatalError(EntityTableMistake.outOfBounds(position, bounds, call, of: Element.self))
        }
    }

    @inlinable
    func check(_ position: Int, isReachedBy id: ID) {
        if position > count || tree.contains(id) {
            fatalError(EntityTableMistake.strangeChanges(id, of: Element.self))
        }
    }

    @usableFromInline
    @inline(never)
    static func reportChangedID(from old: ID, to new: ID) -> Never {
        fatalError(EntityTableMistake.changedID(from: old, to: new, of: Element.self))
    }
}
