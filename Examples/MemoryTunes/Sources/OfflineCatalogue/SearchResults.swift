// SPDX-License-Identifier: MIT

import MemoryTunesCore

/// The answer to a search, in the shape in which a music store's catalogue gives it.
struct SearchResults: Encodable {
    struct Track: Encodable {
        let wrapperType = "track"
        let kind = "song"
        let artistName: String
        let collectionName: String
        let trackName: String
        let artworkUrl100: String
    }

    let resultCount: Int
    let results: [Track]

    /// The tracks of a category, with covers at an origin such as `http://127.0.0.1:9000`.
    ///
    /// Some albums have two tracks here, as in any catalogue: covers come repeatedly.
    init(_ category: Category?, origin: String) {
        results =
            category.map(Album.all)?.flatMap { album in
                (0...album.number % 2).map { side in
                    Track(
                        artistName: album.artist, collectionName: album.title,
                        trackName: "\(album.title), side \(side == 0 ? "A" : "B")",
                        artworkUrl100: origin + album.path)
                }
            } ?? []
        resultCount = results.count
    }
}
