// SPDX-License-Identifier: MIT

extension String {
    /// The text with its control characters spelled out, also those that turn the direction of
    /// writing: otherwise a text could be shown in another order than it has, or as none.
    ///
    /// They are spelled as in JSON, `\\u202e`.
    package var visible: String {
        guard unicodeScalars.contains(where: \.isInvisible) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.isInvisible {
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character, or changes the direction of writing.
    fileprivate var isInvisible: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
