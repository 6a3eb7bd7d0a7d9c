// SPDX-License-Identifier: MIT

public import Onward

/// What to remove from a log, such as everything that concerns one person.
public struct Erasure: Sendable {
    let action: @Sendable (ActionRecord) throws(ErasureError) -> ActionRecord?
    let state: @Sendable (DataValue) throws(ErasureError) -> DataValue
    let row: @Sendable (String) throws(ErasureError) -> String
    /// The text that is replaced; nil for a rule of the app.
    let replacement: TextReplacement?

    /// Which texts a replacement changes.
    public enum Scope: Sendable, Hashable {
        /// Values that are the text: not a word in a sentence, nor the "ann" of "channel".
        case wholeValues
        /// The text wherever it occurs in others, too.
        case parts
    }

    /// A rule of your own.
    ///
    /// When an erasure is repeated, the functions are called again with what they have already
    /// returned, and must leave it unchanged.
    ///
    /// - Parameters:
    ///   - action: Returns what remains of an action, or nil to take it out of the log, so that
    ///     reducers no longer see it.
    ///   - state: Returns what remains of a state: of each installed one, and of each snapshot that
    ///     is kept.
    ///   - row: Returns what remains of the id of a row in an address, a text as `Address.rowID`
    ///     has it. It must agree with the other two, or entries no longer reach their rows.
    public init(
        action: @escaping @Sendable (ActionRecord) -> ActionRecord?,
        state: @escaping @Sendable (DataValue) -> DataValue,
        row: @escaping @Sendable (String) -> String = { $0 }
    ) {
        self.action = { (record) throws(ErasureError) in action(record) }
        self.state = { (value) throws(ErasureError) in state(value) }
        self.row = { (id) throws(ErasureError) in row(id) }
        replacement = nil
    }

    private init(_ replacement: TextReplacement) {
        action = { (record) throws(ErasureError) in
            var record = record
            record.payload = try replacement.value(record.payload)
            return record
        }
        state = { (value) throws(ErasureError) in try replacement.value(value) }
        row = { (id) throws(ErasureError) in try replacement.rowID(id) }
        self.replacement = replacement
    }

    /// Replaces a text everywhere: values, names of fields, bytes that are the text in UTF-8 (as
    /// base 64, too), steps of URLs, percent-encoded or not, and ids of rows in addresses.
    ///
    /// A URL is a text without spaces that has a scheme, begins with a slash, or has an escaped
    /// byte; its steps are those of the path, user, host, fragment, and the names and values of the
    /// query. So "/people/ann" loses "ann", and "/people/ann@example.com" and "?who=ann,bob" only
    /// where parts are replaced.
    ///
    /// Two persons need two replacements: rows of equal ids would be one row, so that is refused.
    ///
    /// - Parameters:
    ///   - text: What to remove; not empty.
    ///   - replacement: What takes its place.
    ///   - scope: Whether parts of texts are replaced, too.
    /// - Returns: The erasure.
    public static func replacing(
        _ text: String, with replacement: String = "", in scope: Scope = .wholeValues
    ) -> Erasure {
        Erasure(TextReplacement(of: text, with: replacement, inParts: scope == .parts))
    }
}

/// What an erasure has done.
public struct ErasureReport: Sendable, Hashable {
    /// The versions of the entries that lost something.
    public let versions: [CommitVersion]
    /// The versions of entries and snapshots that still have the text within other texts, which
    /// only ``Erasure/Scope/parts`` changes.
    public let partial: [CommitVersion]
    /// Where the restored state differs from the one before in more than what was erased, such as
    /// sums and orders that depended on it; up to 100 places, none if no features were given.
    public let differences: [DataPath]
}
