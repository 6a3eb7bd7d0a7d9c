// SPDX-License-Identifier: MIT

public import Onward

/// Why an erasure was refused, or failed.
public struct ErasureError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// Two ids of rows, or two names of fields, would become one.
        ///
        /// Nothing was changed.
        public static let collision = Code(description: "collision")
        /// What is left could not be read any more.
        ///
        /// Nothing was changed.
        public static let unreadable = Code(description: "unreadable")
        /// An entry would no longer reach the row that its address names.
        ///
        /// Nothing was changed.
        public static let missedRow = Code(description: "missedRow")
        /// What is to be erased would be, or is, still there.
        public static let remains = Code(description: "remains")
        /// The journal failed; see ``ErasureError/journalError``.
        public static let journal = Code(description: "journal")
    }

    /// What went wrong.
    public let code: Code
    /// The version of the entry or the snapshot that the error is about.
    public let version: CommitVersion?
    /// A sentence that describes the error and says what to do.
    public let description: String
    /// What the journal threw.
    public let journalError: JournalError?

    init(_ code: Code, version: CommitVersion? = nil, _ description: String) {
        self.code = code
        self.version = version
        self.description = description
        journalError = nil
    }

    init(_ error: JournalError) {
        code = .journal
        version = error.version
        description = error.description
        journalError = error
    }

    /// Runs a call of a journal.
    static func calling<Value>(
        _ body: () async throws(JournalError) -> Value
    ) async throws(ErasureError) -> Value {
        do {
            return try await body()
        } catch {
            throw ErasureError(error)
        }
    }

    /// This error as one of an entry or a snapshot.
    func at(_ version: CommitVersion) -> ErasureError {
        journalError == nil && self.version == nil
            ? ErasureError(code, version: version, "At version \(version): \(description)") : self
    }
}
