// SPDX-License-Identifier: MIT

/// A row as the tests of selectors use it.
struct Card: Identifiable, Hashable, Codable, Sendable {
    var id: Int
    var title = ""
    var isFaceUp = false
}
