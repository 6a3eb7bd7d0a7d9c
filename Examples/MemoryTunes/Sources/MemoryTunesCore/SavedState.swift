// SPDX-License-Identifier: MIT

import Onward

/// What lasts from launch to launch.
public struct SavedState: Codable, Equatable, Sendable {
    /// The name of the current category.
    public let currentCategoryKey: String?
    /// The game as it stood.
    public let game: Game?
    /// The requests that were answered, so that one that is sent again plays once.
    public var requests: [String]?

    /// Creates what one launch leaves to the next.
    public init(currentCategoryKey: String?, game: Game?, requests: [String]? = nil) {
        (self.currentCategoryKey, self.game, self.requests) = (currentCategoryKey, game, requests)
    }

    /// The same without a game if its cards are not those of one.
    public var sound: SavedState {
        guard let game, !game.isSound else { return self }
        return SavedState(currentCategoryKey: currentCategoryKey, game: nil, requests: requests)
    }
}

extension Game {
    /// Whether the cards are those of a game: none, or eight pairs in their places.
    fileprivate var isSound: Bool {
        guard let cards = deal.value else { return true }
        let pairs = Dictionary(grouping: cards, by: \.cover)
        return pairs.count == Self.pairCount && pairs.values.allSatisfy { $0.count == 2 }
            && cards.indices.allSatisfy { cards[$0].id == $0 }
    }
}
