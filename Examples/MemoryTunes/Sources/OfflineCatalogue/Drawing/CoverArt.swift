// SPDX-License-Identifier: MIT

import MemoryTunesCore

/// The drawing on an album's cover: a motif in a palette, so that no two of a category look alike.
struct CoverArt: Hashable, Sendable {
    /// The side of the square in pixels: 80 points on a fine screen.
    static let side = 160

    let motif: Motif
    let palette: Palette

    init(_ album: Album) {
        let motifs = Motif.allCases
        let palettes = Palette.all(of: album.category)
        // Categories begin with different motifs, so that they look different as a whole.
        let offset = album.category.rawValue.utf8.reduce(0) { $0 + Int($1) }
        motif = motifs[(album.number * 3 + offset) % motifs.count]
        palette = palettes[(album.number + album.number / palettes.count) % palettes.count]
    }

    /// The drawing as a PNG file.
    func png() -> [UInt8] {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(Self.side * Self.side * 3)
        for row in 0..<Self.side {
            for column in 0..<Self.side {
                let colour = smoothColour(column, row)
                pixels.append(UInt8(colour.red * 255 + 0.5))
                pixels.append(UInt8(colour.green * 255 + 0.5))
                pixels.append(UInt8(colour.blue * 255 + 0.5))
            }
        }
        return PNG.encode(pixels, width: Self.side, height: Self.side)
    }

    /// The mean of four points within a pixel, so that edges are smooth.
    private func smoothColour(_ column: Int, _ row: Int) -> Colour {
        let scale = 2 / Double(Self.side)
        let (left, top) = (Double(column) * scale - 1, Double(row) * scale - 1)
        let (near, far) = (0.25 * scale, 0.75 * scale)
        let upper = motif.colour(x: left + near, y: top + near, palette)
            .mixed(with: motif.colour(x: left + far, y: top + near, palette), 0.5)
        let lower = motif.colour(x: left + near, y: top + far, palette)
            .mixed(with: motif.colour(x: left + far, y: top + far, palette), 0.5)
        return upper.mixed(with: lower, 0.5)
    }
}
