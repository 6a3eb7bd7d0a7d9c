// SPDX-License-Identifier: MIT

/// A place in a code base of which a rule says something.
struct Finding: Equatable, Comparable {
    let path: String
    let line: Int
    let rule: Rule.Name
    let certainty: Certainty
    /// What is different there, and what to do.
    let advice: String

    /// How sure it is that something is different.
    enum Certainty: String {
        /// It will behave differently, or will not compile.
        case differs
        /// It may; only who knows the code can tell.
        case look = "look here"
    }

    /// One line, in the form in which compilers report, so that editors lead there.
    var text: String { "\(path):\(line): \(certainty.rawValue): \(advice) [\(rule.rawValue)]" }

    static func < (left: Finding, right: Finding) -> Bool {
        (left.path, left.line, left.rule.rawValue) < (right.path, right.line, right.rule.rawValue)
    }
}
