// SPDX-License-Identifier: MIT

/// A file that is not a Redux DevTools log, or one that this store cannot load.
public struct DevToolsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String { case unreadable, invalid, unknownAction, otherState }
        private let kind: Kind

        /// The name of the code.
        public var description: String { kind.rawValue }

        /// The file is not JSON, or is larger or deeper than the limits allow.
        public static let unreadable = Code(kind: .unreadable)
        /// Fields are missing or contradict one another.
        public static let invalid = Code(kind: .invalid)
        /// An action cannot be decoded.
        public static let unknownAction = Code(kind: .unknownAction)
        /// The state is not of the store's type.
        public static let otherState = Code(kind: .otherState)
    }

    /// What is wrong.
    public let code: Code
    /// A sentence that names the place of the problem.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
