// SPDX-License-Identifier: MIT

/// Bytes or a text that cannot be read as a ``DataValue``, or a value beyond the limits of what is written.
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
    /// How many bytes stand before the place; 0 for a value that is written.
    public let offset: Int
    /// A sentence about it.
    public let description: String

    /// An error in bytes that are read.
    init(_ code: Code, at offset: Int, _ description: String) {
        self.code = code
        self.offset = offset
        self.description = "\(description) (byte \(offset))"
    }

    /// An error of a whole: of a value that is going to be written, or of an input.
    private init(_ code: Code, _ description: String) {
        self.code = code
        offset = 0
        self.description = description
    }

    static func tooManyBytes(_ count: Int, limit: Int) -> DataError {
        DataError(.tooLarge, "\(count) bytes are more than the limit of \(limit)")
    }

    static func tooManyValues(limit: Int, at offset: Int? = nil) -> DataError {
        let text = "There are more than \(limit) values"
        return offset.map { DataError(.tooLarge, at: $0, text) } ?? DataError(.tooLarge, text)
    }

    static func tooDeep(_ levels: Int, at offset: Int? = nil) -> DataError {
        let text = "The value is nested deeper than \(levels) levels"
        return offset.map { DataError(.tooDeep, at: $0, text) } ?? DataError(.tooDeep, text)
    }
}
