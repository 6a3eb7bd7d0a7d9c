// SPDX-License-Identifier: MIT

/// What a player fights with.
public enum Weapon: String, CaseIterable, Codable, Sendable {
    case rock, paper, scissors

    /// The weapon's name as players read it: "Rock", "Paper" or "Scissors".
    public var name: String {
        switch self {
        case .rock: "Rock"
        case .paper: "Paper"
        case .scissors: "Scissors"
        }
    }

    /// The one weapon that this one beats; a weapon meeting itself is a draw.
    public var prey: Weapon {
        switch self {
        case .rock: .scissors
        case .scissors: .paper
        case .paper: .rock
        }
    }

    /// Whether this weapon wins against `other`.
    public func beats(_ other: Weapon) -> Bool {
        prey == other
    }
}
