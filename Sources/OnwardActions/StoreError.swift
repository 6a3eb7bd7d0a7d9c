// SPDX-License-Identifier: MIT

/// An operating error of a store.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    public enum Code: Sendable, Hashable {
        /// The store ended before the awaited event happened.
        case ended
    }

    /// What went wrong.
    public let code: Code
    /// A sentence about it.
    public let description: String

    package static let ended = StoreError(
        code: .ended, description: "The store ended before the state fulfilled the condition.")
}
