// SPDX-License-Identifier: MIT

/// How a text looks before it is parsed.
///
/// The parser calls itself for what is nested, and does not count everywhere how deep it is: text nested
/// more deeply than people write would overflow the stack.
struct Shape {
    /// How many brackets are open at once.
    private(set) var depth = 0
    /// The longest line, in bytes, of those without a quote.
    private(set) var longestLine = 0

    /// Beyond these a file is not parsed.
    static let depthLimit = 256
    static let lineLimit = 5_000

    init(of text: String) {
        countConditions(in: text)
        var (open, line, isQuoted) = (0, 0, false)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                open += 1
                depth = max(depth, open)
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                open = max(0, open - 1)
            case UInt8(ascii: "\n"):
                if !isQuoted { longestLine = max(longestLine, line) }
                (line, isQuoted) = (-1, false)
            case UInt8(ascii: "\""): isQuoted = true
            default: break
            }
            line += 1
        }
        if !isQuoted { longestLine = max(longestLine, line) }
    }

    /// Counts how deep `#if` is nested, which needs no brackets.
    private mutating func countConditions(in text: String) {
        var open = 0
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let line = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            if line.starts(with: "#if".utf8) { open += 1 }
            if line.starts(with: "#endif".utf8) { open = max(0, open - 1) }
            depth = max(depth, open)
        }
    }

    /// Whether a person may have written it.
    var canBeParsed: Bool { depth <= Self.depthLimit && longestLine <= Self.lineLimit }
}
