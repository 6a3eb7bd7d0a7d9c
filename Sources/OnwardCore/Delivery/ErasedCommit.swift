// SPDX-License-Identifier: MIT

/// A commit without the state's type.
final class ErasedCommit: Sendable {
    let entry: Entry
    let before: ValueCopy?
    let after: ValueCopy?

    init(_ entry: Entry, before: ValueCopy?, after: ValueCopy?) {
        self.entry = entry
        self.before = before
        self.after = after
    }
}
