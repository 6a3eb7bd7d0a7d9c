// SPDX-License-Identifier: MIT

public import OnwardNavigation

/// The places a player can be at.
public enum Screen: String, CaseIterable, Codable, Sendable {
    case menu, categories, game, notFound

    /// The URLs of the places.
    public static let codec = RouteCodec<Screen>(
        notFound: .notFound,
        [
            RoutePattern("/", .menu), RoutePattern("/categories", .categories),
            RoutePattern("/game", .game),
        ])
}
