// SPDX-License-Identifier: MIT

/// A row as the tests of tables use it.
struct Card: Identifiable, Hashable, Codable, Sendable {
    var id: Int
    var title = ""
    var isFaceUp = false
}

/// An order in which many cards are equal.
func byTitle(_ first: Card, _ second: Card) -> Bool {
    first.title < second.title
}
