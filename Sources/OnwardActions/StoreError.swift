// SPDX-License-Identifier: MIT

/// An operating error of a store.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    ///
    /// There is one code so far; others may come, such as for a wait that took too long.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String { case ended }
        private let kind: Kind

        /// The name of the code.
        public var description: String { kind.rawValue }

        /// The store ended before the awaited event happened.
        public static let ended = Code(kind: .ended)
    }

    /// What went wrong.
    public let code: Code
    /// A sentence about it.
    public let description: String

    package static let ended = StoreError(
        code: .ended, description: "The store ended before the state fulfilled the condition.")
}
