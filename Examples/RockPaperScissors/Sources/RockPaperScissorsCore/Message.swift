// SPDX-License-Identifier: MIT

/// The line on top of the screen; there are five.
public enum Message: String, CaseIterable, Codable, Sendable {
    case player1Chooses = "PLAYER 1 - Choose your weapon:"
    case player2Chooses = "PLAYER 2 - Choose your weapon:"
    case player1Wins = "PLAYER 1 WINS!"
    case player2Wins = "PLAYER 2 WINS!"
    case draw = "DRAW!"
}
