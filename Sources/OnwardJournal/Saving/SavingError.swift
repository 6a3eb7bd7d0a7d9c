// SPDX-License-Identifier: MIT

/// An operational error of saving a value or of reading it back.
public struct SavingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String { case unreadable, broken, unwritable, replaced }
        private let kind: Kind

        /// The name of the code.
        public var description: String { kind.rawValue }

        /// The contents cannot be read now, or not by this program; they are left as they are.
        public static let unreadable = Code(kind: .unreadable)
        /// The contents are not the value and never will be; they were set aside if possible.
        public static let broken = Code(kind: .broken)
        /// The value cannot be written.
        public static let unwritable = Code(kind: .unwritable)
        /// Another program had replaced what was saved; the value was saved, and the other
        /// program's contents are kept beside it.
        public static let replaced = Code(kind: .replaced)
    }

    /// What went wrong.
    public let code: Code
    /// A sentence that describes the error.
    public let description: String

    /// Creates an error, for your own storage.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
