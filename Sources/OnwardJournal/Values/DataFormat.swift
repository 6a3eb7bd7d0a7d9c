// SPDX-License-Identifier: MIT

/// How a ``DataValue`` is written as bytes.
public enum DataFormat: String, Sendable, Hashable, CaseIterable, Codable {
    /// CBOR (RFC 8949) in its core deterministic encoding: compact, and equal values have equal
    /// bytes.
    case cbor
    /// JSON (RFC 8259) with sorted names, to be read by people and other programs.
    ///
    /// Bytes become a base-64 text, and numbers that JSON does not know become null.
    case json

    /// Writes a value.
    ///
    /// - Complexity: O(size of the value).
    public func bytes(of value: DataValue) -> [UInt8] {
        switch self {
        case .cbor:
            var writer = CBORWriter()
            writer.write(value)
            return writer.bytes
        case .json:
            var writer = JSONWriter()
            writer.write(value)
            return writer.bytes
        }
    }

    /// Reads a value.
    ///
    /// - Parameters:
    ///   - bytes: What ``bytes(of:)`` or another program wrote; anything else is refused.
    ///   - limits: How much of it is read.
    /// - Returns: The value.
    /// - Throws: ``DataError`` that says what is wrong, and where.
    /// - Complexity: O(bytes), in time and in memory, whatever the bytes say.
    public func value(
        of bytes: [UInt8], limits: DataLimits = DataLimits()
    ) throws(DataError) -> DataValue {
        guard bytes.count <= limits.bytes else {
            throw DataError(
                .tooLarge, at: 0, "\(bytes.count) bytes are more than the limit of \(limits.bytes)")
        }
        switch self {
        case .cbor:
            var reader = CBORReader(bytes, limits)
            return try reader.readAll()
        case .json:
            var reader = JSONReader(bytes, limits)
            return try reader.readAll()
        }
    }
}
