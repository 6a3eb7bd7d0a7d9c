// SPDX-License-Identifier: MIT

public import Onward

/// An operating error of a journal, or of what is read from it.
public struct JournalError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case conflict, truncated, closed, unreadable, invalid, storage, overflow, diverged
        }
        private let kind: Kind

        /// The name of the code.
        public var description: String { kind.rawValue }

        /// Another writer has appended: the expected version is not the true one.
        public static let conflict = Code(kind: .conflict)
        /// The entries that were asked for are no longer kept.
        public static let truncated = Code(kind: .truncated)
        /// The journal was closed.
        public static let closed = Code(kind: .closed)
        /// An entry or a snapshot cannot be decoded.
        public static let unreadable = Code(kind: .unreadable)
        /// The call does not fit the journal, such as a snapshot of a version that is not there.
        public static let invalid = Code(kind: .invalid)
        /// The place where the journal is stored failed, such as a full disk.
        public static let storage = Code(kind: .storage)
        /// More entries come than the journal takes.
        public static let overflow = Code(kind: .overflow)
        /// The log that is recorded no longer leads to what the store shows.
        public static let diverged = Code(kind: .diverged)
    }

    /// What went wrong.
    public let code: Code
    /// The version it is about: for ``Code/conflict`` the journal's true last version, for
    /// ``Code/truncated`` the first one that can still be read, for ``Code/unreadable`` the entry's, for
    /// ``Code/diverged`` the store's.
    public let version: Version?
    /// A sentence about it that says what to do.
    public let description: String

    /// An error, for journals of your own.
    public init(_ code: Code, version: Version? = nil, _ description: String) {
        self.code = code
        self.version = version
        self.description = description
    }
}

extension JournalError {
    static func conflict(expected: Version, true version: Version) -> JournalError {
        let reason =
            expected < version
            ? """
            somebody has appended, perhaps an earlier run of this program. Read the entries after \
            \(expected), then append to version \(version).
            """
            : "it is another journal, or an older one. Begin with the state that it leads to."
        return JournalError(
            .conflict, version: version,
            """
            The entries were to follow version \(expected), but the journal's last version is \
            \(version): \(reason)
            """)
    }

    static func truncated(_ version: Version, first: Version) -> JournalError {
        JournalError(
            .truncated, version: first,
            """
            The entries from version \(version) on were asked for, but the journal begins at version \
            \(first): what stood before was truncated. Begin with the latest snapshot.
            """)
    }

    static func closed(_ call: String) -> JournalError {
        JournalError(.closed, "\(call) was called after the journal was closed.")
    }
}
