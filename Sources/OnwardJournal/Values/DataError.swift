// SPDX-License-Identifier: MIT

/// Bytes or a text that cannot be read as a ``DataValue``.
public struct DataError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String { case malformed, unsupported, tooLarge, tooDeep }
        private let kind: Kind

        /// The name of the code.
        public var description: String { kind.rawValue }

        /// The bytes are not a well-formed value of their format.
        public static let malformed = Code(kind: .malformed)
        /// The bytes are well formed, but hold something that no payload of ours contains.
        public static let unsupported = Code(kind: .unsupported)
        /// There is more of it than the limits allow.
        public static let tooLarge = Code(kind: .tooLarge)
        /// It is nested deeper than the limits allow.
        public static let tooDeep = Code(kind: .tooDeep)
    }

    /// What is wrong.
    public let code: Code
    /// How many bytes stand before the place.
    public let offset: Int
    /// A sentence about it.
    public let description: String

    init(_ code: Code, at offset: Int, _ description: String) {
        self.code = code
        self.offset = offset
        self.description = "\(description) (byte \(offset))"
    }
}
