// SPDX-License-Identifier: MIT
#if Server

/// Makes the name that a browser gives a file harmless to show and to store.
enum UploadName {
    /// The longest name, in bytes.
    static let limit = 200

    /// The last part of a name, without what could deceive.
    ///
    /// It has no control characters, no marks of text direction, no dots and spaces at either end,
    /// and at most ``limit`` bytes, of which the extension stays. Without anything left it is
    /// `file`.
    static func clean(_ name: String) -> String {
        let last = name.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last ?? []
        let scalars = last.filter(isHarmless)
        var text = Substring(String(String.UnicodeScalarView(scalars)))
        while let first = text.first, first == "." || first.isWhitespace { text.removeFirst() }
        trimEnd(of: &text)
        text = shortened(text)
        return text.isEmpty ? "file" : String(text)
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        // Of the invisible ones, writing needs the joiners: in Persian, and in emoji.
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
        case .control, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
            false
        default: true
        }
    }

    private static func trimEnd(of text: inout Substring) {
        while let last = text.last, last == "." || last.isWhitespace { text.removeLast() }
    }

    private static func shortened(_ text: Substring) -> Substring {
        guard text.utf8.count > limit else { return text }
        let dot = text.lastIndex(of: ".") ?? text.endIndex
        let ending = text[dot...].utf8.count <= 20 ? text[dot...] : ""
        var stem = text[..<(ending.isEmpty ? text.endIndex : dot)]
        // A character with very many marks goes as a whole.
        while stem.utf8.count + ending.utf8.count > limit { stem.removeLast() }
        trimEnd(of: &stem)
        return stem.isEmpty ? Substring(ending.drop { $0 == "." }) : stem + ending
    }
}
#endif
