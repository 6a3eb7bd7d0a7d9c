// SPDX-License-Identifier: MIT

/// Rounds won per player since the game began; a draw counts for nobody.
public struct Score: Codable, Equatable, Sendable {
    /// Rounds won by player one.
    public var player1 = 0
    /// Rounds won by player two.
    public var player2 = 0

    /// Creates the score of a new game: nothing to nothing.
    public init() {}

    /// The rounds won by `player`.
    public subscript(player: Player) -> Int {
        get { player == .one ? player1 : player2 }
        set {
            switch player {
            case .one: player1 = newValue
            case .two: player2 = newValue
            }
        }
    }
}
