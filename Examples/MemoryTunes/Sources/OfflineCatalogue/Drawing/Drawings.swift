// SPDX-License-Identifier: MIT

/// Draws each cover once.
actor Drawings {
    private var finished: [Album: [UInt8]] = [:]

    /// The cover of an album as a PNG file.
    func png(of album: Album) -> [UInt8] {
        if let png = finished[album] { return png }
        let png = CoverArt(album).png()
        finished[album] = png
        return png
    }
}
