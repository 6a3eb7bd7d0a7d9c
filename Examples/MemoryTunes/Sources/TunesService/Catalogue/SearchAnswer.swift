// SPDX-License-Identifier: MIT

import Foundation
import MemoryTunesCore

/// What a catalogue answers; results without a cover are left out.
struct SearchAnswer: Decodable {
    let covers: [Cover]

    /// Reads an answer; nil if it is none.
    init?(json bytes: [UInt8]) {
        guard let answer = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else {
            return nil
        }
        self = answer
    }

    init(from decoder: any Decoder) throws {
        let answer = try decoder.container(keyedBy: Key.self)
        covers = try answer.decode([Result].self, forKey: .results).compactMap(\.cover)
    }

    private enum Key: CodingKey { case results, artworkUrl100, collectionName, trackName }

    /// One result; whatever doesn't fit makes it one without a cover.
    private struct Result: Decodable {
        let cover: Cover?

        init(from decoder: any Decoder) {
            let result = try? decoder.container(keyedBy: Key.self)
            func text(_ key: Key) -> String? { try? result?.decode(String.self, forKey: key) }
            let title = text(.collectionName) ?? text(.trackName) ?? ""
            cover = text(.artworkUrl100).map {
                Cover(address: $0, title: String(title.unicodeScalars.prefix(120)))
            }
        }
    }
}
