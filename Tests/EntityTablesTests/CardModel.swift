// SPDX-License-Identifier: MIT

@testable import EntityTables

/// What a table of cards promises, done in the plain and slow way.
struct CardModel<Row: CardRow> {
    var rows: [Row] = []
    let order: RowOrder<Row>?
    /// Which row of all that there ever were has an id.
    private(set) var births: [Int: Int] = [:]
    private let counter = Counter()

    /// Counts rows, of all versions together.
    private final class Counter {
        var count = 0
    }

    init(order: RowOrder<Row>?) {
        self.order = order
    }

    var byID: [Int: Row] {
        Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
    }

    subscript(id: Int) -> Row? { rows.first { $0.id == id } }

    @discardableResult
    mutating func append(_ card: Row) -> Bool {
        insert(card, at: place(for: card))
    }

    mutating func insert(_ card: Row, at position: Int) -> Bool {
        guard self[card.id] == nil else { return false }
        rows.insert(card, at: position)
        counter.count += 1
        births[card.id] = counter.count
        return true
    }

    mutating func remove(_ id: Int) -> Row? {
        births[id] = nil
        return takeOut(id)
    }

    private mutating func takeOut(_ id: Int) -> Row? {
        rows.firstIndex { $0.id == id }.map { rows.remove(at: $0) }
    }

    mutating func rename(_ id: Int, to card: Row) -> Bool {
        guard id == card.id || self[card.id] == nil else { return false }
        guard update(id, { $0 = card }) else { return false }
        births[card.id] = births.removeValue(forKey: id)
        return true
    }

    mutating func move(_ id: Int, to position: Int) -> Bool {
        guard let card = takeOut(id) else { return false }
        rows.insert(card, at: position)
        return true
    }

    /// Changes a row, which goes behind its equals if it is another one in the order.
    @discardableResult
    mutating func update(_ id: Int, _ body: (inout Row) -> Void) -> Bool {
        guard let position = rows.firstIndex(where: { $0.id == id }) else { return false }
        let old = rows[position]
        body(&rows[position])
        let new = rows[position]
        if let order, order.areInOrder(old, new) || order.areInOrder(new, old) {
            rows.remove(at: position)
            rows.insert(new, at: place(for: new))
        }
        return true
    }

    /// Reads rows in any order: each goes behind its equals.
    mutating func reload(_ new: [Row]) {
        rows = []
        births = [:]
        for row in new { append(row) }
    }

    private func place(for card: Row) -> Int {
        guard let order else { return rows.count }
        return rows.firstIndex { order.areInOrder(card, $0) } ?? rows.count
    }
}
