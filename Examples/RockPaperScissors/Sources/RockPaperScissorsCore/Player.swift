// SPDX-License-Identifier: MIT

/// One of the two people at the screen; player one chooses first.
public enum Player: CaseIterable, Codable, Sendable {
    case one, two

    /// The player's name as both read it: "Player 1" or "Player 2".
    public var name: String {
        switch self {
        case .one: "Player 1"
        case .two: "Player 2"
        }
    }
}
