// SPDX-License-Identifier: MIT

import MemoryTunesCore
import TunesService

/// A card as it lies on the table.
///
/// What isn't here can't be in the page: the cover is present only while it may be seen, and while it
/// fades away.
struct CardView: Equatable, Sendable {
    let id: Int
    /// The class of the style sheet: closed, open, guessed, or closing while the cover fades.
    let look: String
    /// Where the picture of the cover is.
    let picture: String?
    /// What a screen reader says.
    let label: String

    /// The cards of a game.
    ///
    /// Covers are distinguished by letters, too: albums may have the same name or none.
    static func all(of game: Game) -> [CardView] {
        var letters: [String: Character] = [:]
        for card in game.cards where letters[card.cover.address] == nil {
            letters[card.cover.address] = letter(letters.count)
        }
        return game.cards.map { card in
            CardView(
                card, isClosing: card.face == .closed && game.closing.contains(card.id),
                letter: letters[card.cover.address] ?? "?")
        }
    }

    private init(_ card: Card, isClosing: Bool, letter: Character) {
        id = card.id
        look = isClosing ? "closing" : card.face.rawValue
        picture = card.face == .closed && !isClosing ? nil : CoverFolderPath.url(of: card.cover)
        let place = "Row \(card.id / 4 + 1), column \(card.id % 4 + 1)"
        let title = card.cover.title.isEmpty ? "" : ", \(card.cover.title)"
        label =
            switch card.face {
            case .closed: "\(place): closed"
            case .open: "\(place): cover \(letter)\(title)"
            case .guessed: "\(place): found, cover \(letter)\(title)"
            }
    }

    private static func letter(_ index: Int) -> Character {
        let letters = Array("ABCDEFGH")
        return letters[min(index, letters.count - 1)]
    }
}
