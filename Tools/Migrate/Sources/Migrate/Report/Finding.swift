// SPDX-License-Identifier: MIT

/// A place in a code base about which a rule says something.
struct Finding: Equatable, Comparable, Encodable {
    let path: String
    let line: Int
    let column: Int
    /// The name of the rule.
    let rule: String
    let certainty: Certainty
    let what: String
    let why: String
    let write: String
    let example: String
    /// Whether `--fix` fixes it.
    let isFixable: Bool

    /// How sure it is that something is different.
    enum Certainty: String, Encodable {
        /// It will behave differently, or will not compile.
        case differs
        /// It may; only someone who knows the code can tell.
        case look = "look here"
    }

    enum CodingKeys: String, CodingKey {
        case path, line, column, rule, certainty, what, why, write, example
        case isFixable = "fixable"
    }

    init(_ place: Place, of rule: Rule, in file: SourceFile) {
        path = file.path
        (line, column) = file.location(of: place.node)
        self.rule = rule.name
        certainty = rule.certainty
        what = rule.what + (place.detail.map { ", \($0)" } ?? "")
        why = rule.why
        write = rule.write
        example = rule.example
        isFixable = !place.edits.isEmpty
    }

    /// A line of a file that isn't Swift.
    init(_ line: BuildFile.Line, of rule: Rule, in file: BuildFile) {
        path = file.path
        (self.line, column) = (line.number, line.column)
        self.rule = rule.name
        certainty = rule.certainty
        what = rule.what + ", by \(line.text)"
        why = rule.why
        write = rule.write
        example = rule.example
        isFixable = false
    }

    /// The first line in the form in which compilers report, so that editors lead there; then the
    /// reason, and what to do.
    var lines: [String] {
        [
            "\(path):\(line):\(column): \(certainty.rawValue): \(what) [\(rule)]",
            "    why: \(why)",
            "    write: \(write)\(isFixable ? " (--fix does it)" : "")",
        ]
    }

    static func < (left: Finding, right: Finding) -> Bool {
        (left.path, left.line, left.column, left.rule)
            < (right.path, right.line, right.column, right.rule)
    }
}
