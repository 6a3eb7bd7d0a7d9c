// SPDX-License-Identifier: MIT

import Onward

@testable import MemoryTunesCore

/// Different covers of numbered albums.
func covers(_ count: Int) -> [Cover] {
    (0..<count).map { Cover(address: "https://a.example/\($0).jpg", title: "Album \($0)") }
}

/// A store with the game alone, and the words of a player.
struct Play {
    let store = Store(Game()) { rules }

    var game: Game { store.state }
    var faces: [Card.Face] { game.cards.map(\.face) }

    func start(_ category: Category = .pop) { store.dispatch(GameAction.start(category: category)) }

    func deal(_ covers: [Cover] = covers(8), seed: UInt64 = 1) {
        store.dispatch(
            GameEvent.dealt(game: game.number, covers: covers, isOwn: false, seed: seed))
    }

    func flip(_ card: Card.ID) { store.dispatch(GameAction.flip(card: card)) }

    /// A game whose cards are dealt.
    static func dealt(seed: UInt64 = 1) -> Play {
        let play = Play()
        play.start()
        play.deal(seed: seed)
        return play
    }

    /// The places of the two cards with a card's cover, the card's own first.
    func pair(of card: Card.ID) -> (Card.ID, Card.ID) {
        let other = game.cards.first { $0.id != card && $0.cover == game.cards[card].cover }
        return (card, other?.id ?? card)
    }

    /// A card with another cover.
    func stranger(to card: Card.ID) -> Card.ID {
        game.cards.first { $0.cover != game.cards[card].cover }?.id ?? card
    }

    /// Plays all that is left, without a mistake.
    func finish() {
        for card in game.cards where game.cards[card.id].face != .guessed {
            let (first, second) = pair(of: card.id)
            for id in [first, second] { flip(id) }
        }
    }
}
