// SPDX-License-Identifier: MIT

/// The difference of two versions of a file, in the form read by programs that apply patches.
struct Difference {
    private let path: String
    private let old: [Substring]
    private let new: [Substring]

    /// Lines around what is different.
    private static let context = 3

    init(from old: String, to new: String, path: String) {
        self.path = path
        // By scalars, as a line that ends in "\r\n" has no character "\n".
        self.old = Self.lines(of: old)
        self.new = Self.lines(of: new)
    }

    private static func lines(of text: String) -> [Substring] {
        var lines: [Substring] = []
        var rest = Substring(text)
        while let end = rest.utf8.firstIndex(of: UInt8(ascii: "\n")) {
            let next = rest.utf8.index(after: end)
            lines.append(rest[..<next])
            rest = rest[next...]
        }
        if !rest.isEmpty { lines.append(rest) }
        return lines
    }

    /// The unified form; empty where nothing differs.
    var text: String {
        let hunks = hunks
        if hunks.isEmpty { return "" }
        return "--- a/\(path)\n+++ b/\(path)\n" + hunks.map(text).joined()
    }

    private enum Line { case same(Int, Int), removed(Int), inserted(Int) }

    private var hunks: [ArraySlice<Line>] {
        let script = script
        let changes = script.indices.filter { if case .same = script[$0] { false } else { true } }
        var hunks: [Range<Int>] = []
        for change in changes {
            let lower = max(0, change - Self.context)
            let upper = min(script.count, change + Self.context + 1)
            if let last = hunks.last, last.upperBound >= lower {
                hunks[hunks.count - 1] = last.lowerBound..<upper
            } else {
                hunks.append(lower..<upper)
            }
        }
        return hunks.map { script[$0] }
    }

    private var script: [Line] {
        let changes = new.difference(from: old) { $0.utf8.elementsEqual($1.utf8) }
        var (removed, inserted) = (Set<Int>(), Set<Int>())
        for change in changes {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var lines: [Line] = []
        var (before, after) = (0, 0)
        while before < old.count || after < new.count {
            if removed.contains(before) {
                lines.append(.removed(before))
                before += 1
            } else if inserted.contains(after) {
                lines.append(.inserted(after))
                after += 1
            } else {
                lines.append(.same(before, after))
                before += 1
                after += 1
            }
        }
        return lines
    }

    private func text(_ hunk: ArraySlice<Line>) -> String {
        var text = ""
        var (olds, news) = ([Int](), [Int]())
        for line in hunk {
            switch line {
            case .same(let before, let after):
                olds.append(before)
                news.append(after)
                text += marked(" ", old[before])
            case .removed(let before):
                olds.append(before)
                text += marked("-", old[before])
            case .inserted(let after):
                news.append(after)
                text += marked("+", new[after])
            }
        }
        return "@@ -\(range(olds)) +\(range(news)) @@\n" + text
    }

    private func marked(_ mark: String, _ line: Substring) -> String {
        line.utf8.last == UInt8(ascii: "\n")
            ? mark + line : mark + line + "\n\\ No newline at end of file\n"
    }

    private func range(_ lines: [Int]) -> String {
        lines.first.map { "\($0 + 1),\(lines.count)" } ?? "0,0"
    }
}
