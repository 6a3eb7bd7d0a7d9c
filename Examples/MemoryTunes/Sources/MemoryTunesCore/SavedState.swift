// SPDX-License-Identifier: MIT

/// What lasts from launch to launch.
public struct SavedState: Codable, Equatable, Sendable {
    /// The name of the current category.
    public let currentCategoryKey: String?
    /// The game as it stood.
    public let game: Game?
    /// The requests that were answered, so that one that is sent again plays once.
    public var requests: [String]?

    /// Creates what one launch tells the next.
    public init(currentCategoryKey: String?, game: Game?, requests: [String]? = nil) {
        (self.currentCategoryKey, self.game, self.requests) = (currentCategoryKey, game, requests)
    }
}
