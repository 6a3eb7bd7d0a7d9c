// SPDX-License-Identifier: MIT

/// An error in bytes or text to be read as a ``DataValue``, or a value beyond the write limits.
public struct DataError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String { case malformed, unsupported, tooLarge, tooDeep }
        private let kind: Kind

        /// The name of the code.
        public var description: String { kind.rawValue }

        /// The bytes are not a well-formed value of their format.
        public static let malformed = Code(kind: .malformed)
        /// The bytes are well formed, but contain something that no payload of this library has.
        public static let unsupported = Code(kind: .unsupported)
        /// It is larger than the limits allow.
        public static let tooLarge = Code(kind: .tooLarge)
        /// It is nested deeper than the limits allow.
        public static let tooDeep = Code(kind: .tooDeep)
    }

    /// What is wrong.
    public let code: Code
    /// The number of bytes before the error; 0 for a value that is being written.
    public let offset: Int
    /// A sentence that describes the error.
    public let description: String

    /// Creates an error in bytes that are being read.
    init(_ code: Code, at offset: Int, _ description: String) {
        self.code = code
        self.offset = offset
        self.description = "\(description) (byte \(offset))"
    }

    /// Creates an error of a whole value to be written, or of a whole input.
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

    static func tooDeep(_ levels: Int, at offset: Int) -> DataError {
        DataError(.tooDeep, at: offset, "The value is nested deeper than \(levels) levels")
    }

    static func sameName(at path: [any CodingKey]) -> DataError {
        DataError(
            .unsupported,
            """
            Two names differ only in how Unicode composes their characters, and one would be lost, at \
            \(DataPath(path.map(\.stringValue)))
            """)
    }

    /// An error of a value to be written, with the first steps to what is too deep.
    static func tooDeep(_ levels: Int, at path: [any CodingKey]) -> DataError {
        tooDeep(levels, at: DataPath(path.map(\.stringValue)))
    }

    static func tooDeep(_ levels: Int, at path: DataPath) -> DataError {
        let shown = DataPath(Array(path.steps.prefix(8)))
        let place = path.isEmpty ? "" : ", at \(shown)\(path.steps.count > 8 ? "…" : "")"
        return DataError(
            .tooDeep, "The value is nested deeper than \(levels) levels\(place)")
    }
}
