// SPDX-License-Identifier: MIT

import Foundation
public import MemoryTunesCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Apple's catalogue of music, and covers of the app's own for when it can't be reached.
public enum Catalogue {
    /// Covers of a category; the app's own where the catalogue has none or doesn't answer.
    @Sendable public static func covers(
        for category: MemoryTunesCore.Category
    ) async throws -> (covers: [Cover], isOwn: Bool) {
        let found = try? await search(category)
        try Task.checkCancellation()
        guard let found, Game.choice(of: found).count == Game.pairCount else { return (own, true) }
        return (found, false)
    }

    private static func search(_ category: MemoryTunesCore.Category) async throws -> [Cover] {
        let address = "https://itunes.apple.com/search?media=music&term=\(category.rawValue)"
        guard let url = URL(string: address) else { return [] }
        let (data, _) = try await URLSession.shared.data(from: url)
        return try JSONDecoder().decode(Answer.self, from: data).results.compactMap(\.cover)
    }

    /// What the catalogue answers.
    private struct Answer: Decodable {
        let results: [Result]

        struct Result: Decodable {
            let artworkUrl100: String?
            let collectionName: String?

            var cover: Cover? {
                artworkUrl100.map { address in
                    // The catalogue names a picture of 100 pixels; the same is there in other sizes.
                    let larger = address.replacing("100x100", with: "300x300")
                    return Cover(address: larger, title: collectionName ?? "")
                }
            }
        }
    }

    /// Covers that the app draws itself.
    static let own = [
        "Lemonade Weather", "Night Bus 9", "Gasoline Lullaby", "Winter's Furnace",
        "Corner Store Sonnets", "Phase Garden", "Paper Moons", "Slow Comets",
    ].enumerated().map { Cover(address: "own:\($0.offset)", title: $0.element) }
}
