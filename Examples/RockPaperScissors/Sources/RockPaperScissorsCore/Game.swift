// SPDX-License-Identifier: MIT

/// The whole state of the game: one round in play, and the score of those before it.
public struct Game: Codable, Equatable, Sendable {
    /// The round in play, counted from 1.
    public private(set) var round = 1

    /// Whose choice is awaited; once the round is over, whose choice ended it.
    public private(set) var turn = Player.one

    /// What player one has done in this round.
    public private(set) var player1Play = Play()

    /// What player two has done in this round.
    public private(set) var player2Play = Play()

    /// How the round ended, or nil while it is played.
    public private(set) var result: Outcome?

    /// The line on top of the screen.
    public private(set) var message = Message.player1Chooses

    /// The rounds won so far.
    public private(set) var score = Score()

    /// Creates a new game: round 1, player one to choose.
    public init() {}

    /// What `player` has done in this round.
    public func play(of player: Player) -> Play {
        player == .one ? player1Play : player2Play
    }
}

extension Game {
    /// Records the choice of the player whose turn it is; the second choice ends the round.
    ///
    /// Once the round is over, nothing is recorded: the weapons rest until ``playAgain()``.
    mutating func choose(_ weapon: Weapon) {
        guard result == nil else { return }
        switch turn {
        case .one:
            player1Play.weapon = weapon
            turn = .two
            message = .player2Chooses
        case .two:
            player2Play.weapon = weapon
            end()
        }
    }

    /// Starts the next round and keeps the score; does nothing while a round is played.
    mutating func playAgain() {
        guard result != nil else { return }
        round += 1
        turn = .one
        player1Play = Play()
        player2Play = Play()
        result = nil
        message = .player1Chooses
    }

    private mutating func end() {
        guard let first = player1Play.weapon, let second = player2Play.weapon else { return }
        let outcome = Outcome(player1: first, player2: second)
        result = outcome
        switch outcome {
        case .draw:
            message = .draw
        case .win(.one):
            message = .player1Wins
            score.player1 += 1
        case .win(.two):
            message = .player2Wins
            score.player2 += 1
        }
    }
}
