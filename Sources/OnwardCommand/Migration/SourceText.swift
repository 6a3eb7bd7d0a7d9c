// SPDX-License-Identifier: MIT

/// The text of a Swift file in which comments and string literals are blanked out, so that what is
/// found in it is code.
///
/// Lines keep their numbers and characters their places. It is no parser: it knows quotes, comments
/// and braces, and nothing of types.
struct SourceText {
    /// Relative to the folder that is checked.
    let path: String
    /// The code.
    let code: String

    init(_ text: String, path: String) {
        self.path = path
        code = Self.blank(text)
    }

    /// The number of the line in which something stands, from 1.
    func line(of place: String.Index) -> Int {
        code[..<place].utf8.count { $0 == UInt8(ascii: "\n") } + 1
    }

    /// Where a pattern is found, in the whole code or in a part of it.
    ///
    /// A word ends where programmers think it does: in "store.dispatch" there are two.
    func matches<Output>(
        of pattern: Regex<Output>, in range: Range<String.Index>? = nil
    ) -> [Regex<Output>.Match] {
        code[range ?? code.startIndex..<code.endIndex]
            .matches(of: pattern.wordBoundaryKind(.simple))
    }

    /// The first block in braces that begins behind a place, if one begins before the next blank line
    /// or end of a statement.
    func block(after place: String.Index) -> Range<String.Index>? {
        guard let open = code[place...].firstIndex(where: { $0 == "{" || $0 == "}" }),
            code[open] == "{"
        else { return nil }
        var depth = 0
        var index = open
        while index < code.endIndex {
            switch code[index] {
            case "{": depth += 1
            case "}":
                depth -= 1
                if depth == 0 { return open..<code.index(after: index) }
            default: break
            }
            index = code.index(after: index)
        }
        return open..<code.endIndex
    }

    private static func blank(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        var state = Literal.none
        var rest = Substring(text)
        while !rest.isEmpty {
            let (length, next, isCode) = state.step(rest)
            if isCode {
                result += rest.prefix(length)
            } else {
                for hidden in rest.prefix(length) { result.append(hidden.isNewline ? "\n" : " ") }
            }
            rest = rest.dropFirst(length)
            state = next
        }
        return result
    }
}

/// What a place in a Swift file is inside of.
private enum Literal {
    case none
    case lineComment
    case blockComment(depth: Int)
    case string(end: String)

    /// How many characters belong together, what comes behind them, and whether they are code.
    func step(_ rest: Substring) -> (length: Int, next: Literal, isCode: Bool) {
        switch self {
        case .none:
            if rest.hasPrefix("//") { return (2, .lineComment, false) }
            if rest.hasPrefix("/*") { return (2, .blockComment(depth: 1), false) }
            let hashes = rest.prefix { $0 == "#" }
            let quoted = rest.dropFirst(hashes.count)
            if quoted.first == "\"" {
                let quotes = quoted.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
                return (hashes.count + quotes.count, .string(end: quotes + hashes), false)
            }
            return (max(1, hashes.count), .none, true)
        case .lineComment:
            return (1, rest.first?.isNewline == true ? .none : .lineComment, false)
        case .blockComment(let depth):
            if rest.hasPrefix("/*") { return (2, .blockComment(depth: depth + 1), false) }
            if rest.hasPrefix("*/") {
                return (2, depth == 1 ? .none : .blockComment(depth: depth - 1), false)
            }
            return (1, self, false)
        case .string(let end):
            if rest.hasPrefix(end) { return (end.count, .none, false) }
            // An escaped quote does not end a plain literal; in a raw one a backslash is plain.
            if !end.hasSuffix("#"), rest.first == "\\" { return (min(2, rest.count), self, false) }
            // A literal on one line ends with that line, whatever was meant.
            if end.first == "\"", !end.hasPrefix("\"\"\""), rest.first?.isNewline == true {
                return (1, .none, false)
            }
            return (1, self, false)
        }
    }
}
