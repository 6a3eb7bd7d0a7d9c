// SPDX-License-Identifier: MIT

/// Why there are no covers to play with.
public enum Problem: Error, Codable, Equatable, Sendable {
    case unreachable, timedOut, unreadable, tooLarge, sentElsewhere
    case tooManySearches
    case status(Int)
    case tooFewCovers(found: Int)

    /// The reason in one sentence.
    public var reason: String {
        switch self {
        case .unreachable: "The catalogue can't be reached."
        case .timedOut: "The catalogue took too long to answer."
        case .unreadable: "The catalogue's answer makes no sense."
        case .tooLarge: "The catalogue's answer is too large."
        case .sentElsewhere: "The catalogue sent us where we don't go."
        case .tooManySearches: "That were very many games. Please wait a minute."
        case .status(let code): "The catalogue answered with status \(code)."
        case .tooFewCovers(let found):
            "A game needs \(Game.pairCount) different covers, the catalogue has \(found)."
        }
    }
}
