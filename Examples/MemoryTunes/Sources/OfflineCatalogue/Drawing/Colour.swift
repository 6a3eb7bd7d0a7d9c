// SPDX-License-Identifier: MIT

/// A colour as light: red, green and blue from 0 to 1.
struct Colour: Hashable, Sendable {
    var red, green, blue: Double

    /// The colour of six hexadecimal digits, as in a style sheet.
    init(_ hex: UInt32) {
        red = Double(hex >> 16 & 0xFF) / 255
        green = Double(hex >> 8 & 0xFF) / 255
        blue = Double(hex & 0xFF) / 255
    }

    /// The way from this colour to another one, from 0 to 1.
    func mixed(with other: Colour, _ amount: Double) -> Colour {
        var result = self
        result.red += (other.red - red) * amount
        result.green += (other.green - green) * amount
        result.blue += (other.blue - blue) * amount
        return result
    }
}
