// SPDX-License-Identifier: MIT

import EntityTables

/// A row that the tests of tables know how to change.
protocol CardRow: Identifiable, Hashable, Codable, Sendable where ID == Int {
    var id: Int { get }
    var title: String { get set }
    var isFaceUp: Bool { get set }
    init(id: Int, title: String, isFaceUp: Bool)
}

/// A row as the tests of tables use it.
struct Card: CardRow {
    var id: Int
    var title = ""
    var isFaceUp = false
}

/// An order in which many cards are equal.
func byTitle(_ first: some CardRow, _ second: some CardRow) -> Bool {
    first.title < second.title
}

/// A row whose tables are sorted by a comparison.
struct TitledCard: CardRow, SortedRow {
    var id: Int
    var title = ""
    var isFaceUp = false

    static let order = RowOrder<TitledCard> { byTitle($0, $1) }
}

/// A row whose tables are sorted by a number that is sometimes NaN.
struct WeighedCard: CardRow, SortedRow {
    var id: Int
    var title = ""
    var isFaceUp = false

    var weight: Double { title.hasSuffix("7") ? .nan : Double(title) ?? -1 }
    static let order = RowOrder<WeighedCard>(\.weight)
}

/// A row whose tables are sorted by two properties.
struct RankedCard: CardRow, SortedRow {
    var id: Int
    var title = ""
    var isFaceUp = false

    static let order = RowOrder<RankedCard> {
        ($0.title.count, $0.isFaceUp ? 0 : 1) < ($1.title.count, $1.isFaceUp ? 0 : 1)
    }
}
