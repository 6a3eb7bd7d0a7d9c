// SPDX-License-Identifier: MIT

/// The screens of the tests.
enum Screen: Hashable, Sendable, Codable {
    case menu, categories, game, notFound
    case album(Int, side: String?)
    case search(String)
    case tag(String, [String])
}

extension SeededGenerator {
    /// A text that is often difficult: empty, dots, signs that URLs are made of, any Unicode.
    mutating func text() -> String {
        let pieces: [Unicode.Scalar] = [
            "/", "?", "#", "%", "&", "=", "+", ":", ";", "~", ".", " ", "\\", "\"", "<", "'", "\0",
            "\n", "\u{7F}", "a", "Z", "0", "é", "e", "\u{301}", "√", "🎲", "\u{200D}", "\u{FFFD}",
            "\u{10FFFF}", "\u{202E}",
        ]
        switch Int.random(in: 0..<8, using: &self) {
        case 0: return ""
        case 1:
            return String(repeating: "~", count: .random(in: 0..<3, using: &self))
                + String(repeating: ".", count: .random(in: 0..<4, using: &self))
        default:
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1..<8, using: &self) {
                text.append(pieces[Int.random(in: pieces.indices, using: &self)])
            }
            return String(text)
        }
    }

    /// A screen that has a URL.
    mutating func screen() -> Screen {
        switch Int.random(in: 0..<6, using: &self) {
        case 0: .menu
        case 1: .categories
        case 2: .game
        case 3:
            .album(
                .random(in: .min ... .max, using: &self),
                side: Bool.random(using: &self) ? text() : nil)
        case 4: .search(text())
        default: .tag(text(), (0..<Int.random(in: 0..<4, using: &self)).map { _ in text() })
        }
    }
}
