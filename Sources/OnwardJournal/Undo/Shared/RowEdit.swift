// SPDX-License-Identifier: MIT

internal import Onward

/// What an action changed in one row.
struct RowEdit<Row: Identifiable & Equatable & Sendable>: Sendable, Equatable
where Row.ID: Sendable {
    let id: Row.ID
    /// The row before; nil if it was added.
    var before: Row?
    /// The row after; nil if it was removed.
    var after: Row?
    /// Where a row was that is gone: beside which others, the nearest first.
    var place = RowPlace<Row.ID>()

    var reversed: RowEdit { RowEdit(id: id, before: after, after: before, place: place) }
}

extension RowEdit: Codable where Row: Codable, Row.ID: Codable {}

/// Beside which rows a row stood, the nearest first.
///
/// Others may be gone by the time at which it comes back, so several are kept.
struct RowPlace<ID: Hashable & Sendable>: Sendable, Equatable {
    private static var most: Int { 16 }

    var above: [ID] = []
    var below: [ID] = []

    init() {}

    /// The places of rows that go together, in the order in which they stand.
    ///
    /// They come back from the first to the last: a row finds those above it, but not those that
    /// went with it below, which don't count.
    static func places<Row: Identifiable>(
        of ids: [ID], in rows: EntityTable<Row>
    ) -> [RowPlace] where Row.ID == ID {
        var places: [RowPlace] = []
        var (lastIndex, lastBelow) = (-1, [ID]())
        for id in ids.reversed() {
            var place = RowPlace()
            guard let index = rows.index(id: id) else {
                places.append(place)
                continue
            }
            place.above = rows[max(index - most, 0)..<index].reversed().map(\.id)
            let end = lastIndex < 0 ? rows.count : lastIndex
            let stay = rows[(index + 1)..<min(index + 1 + most, end)].map(\.id)
            place.below = Array((stay + lastBelow).prefix(most))
            (lastIndex, lastBelow) = (index, place.below)
            places.append(place)
        }
        return places.reversed()
    }

    /// Where it would stand in a table: below the nearest neighbour that is still there, else above
    /// one, else at the end.
    func index<Row: Identifiable>(in rows: EntityTable<Row>) -> Int where Row.ID == ID {
        for id in above { if let index = rows.index(id: id) { return index + 1 } }
        for id in below { if let index = rows.index(id: id) { return index } }
        return rows.count
    }
}

extension RowPlace: Codable where ID: Codable {}

/// The properties of rows that are undone.
struct RowFields<Row: Identifiable & Equatable & Sendable>: Sendable where Row.ID: Sendable {
    private struct Field: Sendable {
        let isSame: @Sendable (Row, Row) -> Bool
        let copy: @Sendable (Row, inout Row) -> Void
    }

    private let fields: [Field]

    init<each Value: Equatable & Sendable>(
        _ paths: repeat any WritableKeyPath<Row, each Value> & Sendable
    ) {
        var fields: [Field] = []
        for path in repeat each paths { fields.append(Self.field(path)) }
        self.fields = fields
    }

    private static func field<Value: Equatable & Sendable>(
        _ path: any WritableKeyPath<Row, Value> & Sendable
    ) -> Field {
        Field(
            isSame: { isUnchanged($0[keyPath: path], $1[keyPath: path]) },
            copy: { $1[keyPath: path] = $0[keyPath: path] })
    }

    /// Whether an edit changes anything that can be undone.
    func counts(_ edit: RowEdit<Row>) -> Bool {
        guard let before = edit.before, let after = edit.after else {
            return edit.before != nil || edit.after != nil
        }
        return !isSame(before, after)
    }

    /// Copies what is undone.
    func copy(_ source: Row, to row: inout Row) { for field in fields { field.copy(source, &row) } }

    func isSame(_ first: Row, _ second: Row) -> Bool {
        fields.allSatisfy { $0.isSame(first, second) }
    }

    /// Why a table can't be brought from what an edit led to back to what it began with.
    func obstacle(
        to edit: RowEdit<Row>, in rows: EntityTable<Row>
    ) -> UndoRefusal.Reason? {
        let current = rows[id: edit.id]
        switch (edit.before, edit.after, current) {
        case (_, nil, nil): return nil
        case (_, nil, _?): return .added
        case (_, _?, nil): return .removed
        case (nil, let after?, let current?): return isUnchanged(after, current) ? nil : .changed
        case (let before?, let after?, let current?):
            let isFree = fields.allSatisfy { field in
                field.isSame(before, after) || field.isSame(after, current)
            }
            return isFree ? nil : .changed
        }
    }

    /// Brings a row back to what an edit began with.
    func revert(_ edit: RowEdit<Row>, in rows: inout EntityTable<Row>) {
        switch (edit.before, edit.after) {
        case (nil, _): rows.remove(id: edit.id)
        case (let before?, nil):
            rows.insert(before, at: edit.place.index(in: rows))
        case (let before?, let after?):
            for field in fields where !field.isSame(before, after) {
                rows.update(id: edit.id) { field.copy(before, &$0) }
            }
        }
    }
}
