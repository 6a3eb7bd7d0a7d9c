// SPDX-License-Identifier: MIT

/// What lasts from launch to launch.
public struct SavedState: Codable, Equatable, Sendable {
    /// The name of the current category.
    public let currentCategoryKey: String?
    /// The game as it stood.
    public let game: Game?

    /// Creates what one launch tells the next.
    public init(currentCategoryKey: String?, game: Game?) {
        (self.currentCategoryKey, self.game) = (currentCategoryKey, game)
    }
}
