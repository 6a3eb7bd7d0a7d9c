// SPDX-License-Identifier: MIT

/// What a table of cards promises, done in the plain and slow way.
struct CardModel {
    var rows: [Card] = []
    let isSorted: Bool

    init(isSorted: Bool) {
        self.isSorted = isSorted
    }

    var byID: [Int: Card] {
        Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
    }

    subscript(id: Int) -> Card? { rows.first { $0.id == id } }

    @discardableResult
    mutating func append(_ card: Card) -> Bool {
        insert(card, at: isSorted ? place(for: card) : rows.count)
    }

    mutating func insert(_ card: Card, at position: Int) -> Bool {
        guard self[card.id] == nil else { return false }
        rows.insert(card, at: position)
        return true
    }

    mutating func remove(_ id: Int) -> Card? {
        rows.firstIndex { $0.id == id }.map { rows.remove(at: $0) }
    }

    mutating func move(_ id: Int, to position: Int) -> Bool {
        guard let card = remove(id) else { return false }
        rows.insert(card, at: position)
        return true
    }

    @discardableResult
    mutating func update(_ id: Int, _ body: (inout Card) -> Void) -> Bool {
        guard let position = rows.firstIndex(where: { $0.id == id }) else { return false }
        body(&rows[position])
        if isSorted && !zip(rows, rows.dropFirst()).allSatisfy({ !byTitle($1, $0) }) {
            let card = rows.remove(at: position)
            rows.insert(card, at: place(for: card))
        }
        return true
    }

    private func place(for card: Card) -> Int {
        rows.firstIndex { byTitle(card, $0) } ?? rows.count
    }
}
