// SPDX-License-Identifier: MIT

/// An operating error of saving a value or of reading it again.
public struct SavingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String { case unreadable, broken, unwritable }
        private let kind: Kind

        /// The name of the code.
        public var description: String { kind.rawValue }

        /// What is there cannot be read now, or not by this program; it is left as it is.
        public static let unreadable = Code(kind: .unreadable)
        /// What is there is not the value and never will be; it was set aside, if that was possible.
        public static let broken = Code(kind: .broken)
        /// The value cannot be written.
        public static let unwritable = Code(kind: .unwritable)
    }

    /// What went wrong.
    public let code: Code
    /// A sentence about it.
    public let description: String

    /// An error, for a storage of your own.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
