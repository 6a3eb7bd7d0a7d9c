// SPDX-License-Identifier: MIT

/// A runtime error of a store.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    public enum Code: Sendable, Hashable {
        /// The store ended before the awaited event happened.
        case ended
    }

    /// What went wrong.
    public let code: Code
    /// A one-sentence description.
    public let description: String

    package static let ended = StoreError(
        code: .ended, description: "The store ended before the state fulfilled the condition.")
}
