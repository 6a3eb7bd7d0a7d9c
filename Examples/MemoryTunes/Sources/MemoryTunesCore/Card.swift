// SPDX-License-Identifier: MIT

/// A card of the game, known by its place.
public struct Card: Codable, Equatable, Identifiable, Sendable {
    /// The sides a card can show.
    public enum Face: String, Codable, Sendable { case closed, open, guessed }

    /// The card's place, counted from 0.
    public let id: Int
    /// What is on it; nobody may see it while the card is closed.
    public let cover: Cover
    /// What can be seen of it.
    public internal(set) var face = Face.closed
}
