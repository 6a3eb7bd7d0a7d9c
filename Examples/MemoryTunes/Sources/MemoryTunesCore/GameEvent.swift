// SPDX-License-Identifier: MIT

public import Onward

/// What happens to a game from elsewhere; players can't send it.
public enum GameEvent: Action, Codable, Equatable {
    /// Covers came for the game of this number; the seed decides where they lie.
    case dealt(game: Int, covers: [Cover], isOwn: Bool, seed: UInt64)
    /// No covers came.
    case failed(game: Int, problem: Problem)
    /// A second of play went by.
    case tick
}
