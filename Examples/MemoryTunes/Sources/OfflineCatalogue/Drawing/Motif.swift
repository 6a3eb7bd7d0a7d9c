// SPDX-License-Identifier: MIT

import Foundation

/// What a cover shows: a colour for every point of the square from -1 to 1.
enum Motif: Int, CaseIterable, Sendable {
    case sunset, rings, flower, waves, peaks, bars, tiles, rays, dots, chevrons

    /// The colour at a point; `y` grows downwards.
    func colour(x: Double, y: Double, _ palette: Palette) -> Colour {
        switch self {
        case .sunset: sunset(x, y, palette)
        case .rings: rings(x, y, palette)
        case .flower: flower(x, y, palette)
        case .waves: waves(x, y, palette)
        case .peaks: peaks(x, y, palette)
        case .bars: bars(x, y, palette)
        case .tiles: tiles(x, y, palette)
        case .rays: rays(x, y, palette)
        case .dots: dots(x, y, palette)
        case .chevrons: chevrons(x, y, palette)
        }
    }

    /// A sun that sinks into stripes.
    private func sunset(_ x: Double, _ y: Double, _ palette: Palette) -> Colour {
        let sky = palette.shade.mixed(with: palette.ground, (y + 1) / 2)
        guard x * x + (y + 0.05) * (y + 0.05) < 0.46 else { return sky }
        let depth = (y + 0.1) * 6
        let isCut = y > -0.1 && depth - floor(depth) < 0.18 + y * 0.5
        return isCut ? sky : palette.accent.mixed(with: palette.main, (y + 0.7) / 1.3)
    }

    /// A record with its label.
    private func rings(_ x: Double, _ y: Double, _ palette: Palette) -> Colour {
        let radius = (x * x + y * y).squareRoot()
        if radius > 0.86 { return palette.shade.mixed(with: palette.ground, (x + 1) / 2) }
        if radius < 0.07 { return palette.ground }
        if radius < 0.3 { return palette.accent }
        let groove = radius * 9 - floor(radius * 9)
        let shine = abs(atan2(y, x) - 0.8) < 0.28 || abs(atan2(y, x) + 2.34) < 0.28
        let vinyl = groove < 0.22 ? palette.shade : palette.main
        return shine ? vinyl.mixed(with: palette.accent, 0.28) : vinyl
    }

    /// Petals around a heart.
    private func flower(_ x: Double, _ y: Double, _ palette: Palette) -> Colour {
        let radius = (x * x + y * y).squareRoot()
        let angle = atan2(y, x)
        if radius < 0.2 { return palette.accent }
        if radius < 0.42 + 0.36 * abs(cos(angle * 4)) {
            return palette.main.mixed(with: palette.accent, max(0, 0.5 - radius))
        }
        return radius < 0.6 + 0.4 * abs(cos(angle * 4 + 0.8)) ? palette.shade : palette.ground
    }

    /// The sea, in layers.
    private func waves(_ x: Double, _ y: Double, _ palette: Palette) -> Colour {
        if y > 0.52 + 0.12 * sin(x * 5 + 2) { return palette.main.mixed(with: palette.shade, 0.15) }
        if y > 0.2 + 0.12 * sin(x * 5 - 1) { return palette.main.mixed(with: palette.shade, 0.5) }
        if y > -0.1 + 0.12 * sin(x * 5 + 1) { return palette.shade }
        let (moonX, moonY) = (x - 0.38, y + 0.52)
        return moonX * moonX + moonY * moonY < 0.065 ? palette.accent : palette.ground
    }

    /// Mountains under a moon.
    private func peaks(_ x: Double, _ y: Double, _ palette: Palette) -> Colour {
        let near = abs(x - 0.35) * 1.35 - 0.12
        if y > near { return y < near + 0.2 && y < 0.35 ? palette.accent : palette.main }
        let far = abs(x + 0.42) * 1.1 - 0.42
        if y > far { return palette.main.mixed(with: palette.shade, 0.62) }
        let (moonX, moonY) = (x - 0.42, y + 0.56)
        if moonX * moonX + moonY * moonY < 0.06 { return palette.accent }
        return palette.ground.mixed(with: palette.shade, (y + 1) / 2.2)
    }

    /// A level meter.
    private func bars(_ x: Double, _ y: Double, _ palette: Palette) -> Colour {
        let column = floor((x + 0.9) / 0.3)
        let inside = (x + 0.9) / 0.3 - column
        guard column >= 0, column < 6, inside > 0.14, inside < 0.86, abs(y) < 0.82 else {
            return palette.ground
        }
        let row = floor((0.82 - y) / 0.164)
        let height = 3 + floor(3.4 + 3.4 * sin(column * 1.9 + 0.6))
        let step = (0.82 - y) / 0.164 - row
        guard step > 0.16 else { return palette.ground }
        if row >= height { return palette.ground.mixed(with: palette.shade, 0.7) }
        return row >= height - 1
            ? palette.accent : palette.main.mixed(with: palette.shade, row / 14)
    }

    /// Quarter circles on a grid.
    private func tiles(_ x: Double, _ y: Double, _ palette: Palette) -> Colour {
        let (column, row) = (floor((x + 1) * 1.5), floor((y + 1) * 1.5))
        let (across, down) = ((x + 1) * 1.5 - column, (y + 1) * 1.5 - row)
        let kind = Int(column * 2 + row * 3) % 4
        let cornerX = kind % 2 == 0 ? across : 1 - across
        let cornerY = kind < 2 ? down : 1 - down
        let radius = (cornerX * cornerX + cornerY * cornerY).squareRoot()
        let isOdd = Int(column + row) % 2 == 1
        if radius < 0.42 { return isOdd ? palette.ground : palette.accent }
        if radius < 0.95 { return isOdd ? palette.main : palette.shade }
        return isOdd ? palette.accent.mixed(with: palette.ground, 0.35) : palette.ground
    }

    /// A burst of light behind a disc.
    private func rays(_ x: Double, _ y: Double, _ palette: Palette) -> Colour {
        let down = y - 0.25
        let radius = (x * x + down * down).squareRoot()
        if radius < 0.36 { return palette.main }
        if radius < 0.44 { return palette.ground }
        let turn = (atan2(down, x) / .pi + 1) * 9
        return turn - floor(turn) < 0.5 ? palette.accent : palette.shade
    }

    /// A raster that grows from corner to corner.
    private func dots(_ x: Double, _ y: Double, _ palette: Palette) -> Colour {
        let (column, row) = (floor((x + 1) * 3.5), floor((y + 1) * 3.5))
        let (across, down) = ((x + 1) * 3.5 - column - 0.5, (y + 1) * 3.5 - row - 0.5)
        let size = 0.12 + 0.36 * (column + row) / 12
        guard across * across + down * down < size * size else {
            return palette.ground.mixed(with: palette.shade, (x + y + 2) / 6)
        }
        return column == 4 && row == 2 || column == 2 && row == 5 ? palette.accent : palette.main
    }

    /// Arrows that point upwards.
    private func chevrons(_ x: Double, _ y: Double, _ palette: Palette) -> Colour {
        let band = floor((y - abs(x) * 0.8 + 2) / 0.34)
        switch Int(band) % 4 {
        case 0: return palette.main
        case 1: return palette.shade
        case 2: return palette.accent
        default: return palette.ground
        }
    }
}
