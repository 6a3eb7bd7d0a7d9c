// SPDX-License-Identifier: MIT

import MemoryTunesCore

/// The colours of one cover.
struct Palette: Hashable, Sendable {
    let ground, shade, main, accent: Colour

    init(_ ground: UInt32, _ shade: UInt32, _ main: UInt32, _ accent: UInt32) {
        self.ground = Colour(ground)
        self.shade = Colour(shade)
        self.main = Colour(main)
        self.accent = Colour(accent)
    }

    /// The palettes of a category, which give it its mood.
    static func all(of category: Category) -> [Palette] {
        switch category {
        case .pop:
            [
                Palette(0xFFE3EC, 0xFFB3CB, 0xFF4F8B, 0xFFD23F),
                Palette(0xFFF3C4, 0xFFD98A, 0xFF7B54, 0x3BCEAC),
                Palette(0xDDF6FF, 0xA9E4F7, 0x2E9CCA, 0xFF6F91),
                Palette(0xEFE3FF, 0xCFB6FF, 0x7B4DFF, 0xFFB400),
                Palette(0xE4FBE7, 0xB4EFC0, 0x2BA84A, 0xFF5D8F),
            ]
        case .electronic:
            [
                Palette(0x0B1030, 0x1B2A6B, 0x00E5FF, 0xFF2BD6),
                Palette(0x14052B, 0x3A0F6B, 0xB14CFF, 0x3CFFB0),
                Palette(0x04231F, 0x0A5A4E, 0x2BFFC6, 0xF4FF61),
                Palette(0x1A0A1F, 0x57164F, 0xFF3D81, 0x53D8FB),
                Palette(0x071B2E, 0x0F4C81, 0x4DA8FF, 0xFFB03A),
            ]
        case .rock:
            [
                Palette(0xF2E6CF, 0xDDC49A, 0xB3261E, 0x1F1B16),
                Palette(0x2B1D16, 0x5A3A28, 0xE07A2F, 0xF6E7CB),
                Palette(0xE9D8A6, 0xC9A74E, 0x005F73, 0x9B2226),
                Palette(0x23303A, 0x41566A, 0xD8B25C, 0xEDE6DA),
                Palette(0xF7F0E3, 0xE6B89C, 0x3D405B, 0xE07A5F),
            ]
        case .metal:
            [
                Palette(0x111214, 0x2B2E34, 0xA8B0BA, 0xC1121F),
                Palette(0x1C0B0B, 0x4A1414, 0xD6452B, 0xE8D9C5),
                Palette(0x0D1B1E, 0x23434A, 0x7FB7BE, 0xD9E5D6),
                Palette(0x17141F, 0x3A3352, 0x8E7DBE, 0xF1C453),
                Palette(0x101A12, 0x2C4A31, 0x8FB996, 0xE4572E),
            ]
        case .rap:
            [
                Palette(0x1B1035, 0x452A7C, 0xFFC83D, 0xFF5E5B),
                Palette(0x062A30, 0x0B6E75, 0xF9A826, 0xFDF0D5),
                Palette(0xF7C948, 0xF29E38, 0x22223B, 0xC9184A),
                Palette(0x2D1E2F, 0x6A3E5D, 0xF08A5D, 0xF9ED69),
                Palette(0xE8E3D9, 0xC4B8A5, 0x3A5A40, 0xD62828),
            ]
        }
    }
}
