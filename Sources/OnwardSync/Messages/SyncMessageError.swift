// SPDX-License-Identifier: MIT

/// What is wrong with a message from the other side.
public struct SyncMessageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Code: String, Sendable, Hashable {
        /// It is no message of this library.
        case malformed
        /// It is larger than ``SyncLimits`` allow, or has more parts.
        case tooLarge
        /// It says something that can't be, such as a number of 0.
        case invalid
    }

    /// What is wrong.
    public let code: Code
    /// A sentence that describes the error.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
