// SPDX-License-Identifier: MIT

/// How a ``DataValue`` is written as bytes.
public enum DataFormat: String, Sendable, Hashable, CaseIterable, Codable {
    /// CBOR (RFC 8949) in its core deterministic encoding: compact, and equal values have equal
    /// bytes.
    case cbor
    /// JSON (RFC 8259) with sorted names, to be read by people and other programs.
    ///
    /// Bytes become a base-64 text; numbers that JSON does not know become the texts "NaN", "Infinity"
    /// and "-Infinity", which are numbers again where a number is decoded.
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

    /// Writes a value that is to be read again within limits.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - limits: The limits within which it is going to be read.
    /// - Returns: The bytes.
    /// - Throws: ``DataError`` for a value that ``value(of:limits:)`` would refuse.
    /// - Complexity: O(size of the value).
    public func bytes(of value: DataValue, within limits: DataLimits) throws(DataError) -> [UInt8] {
        try limits.check(value)
        let bytes = bytes(of: value)
        try limits.check(bytes)
        return bytes
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
        try limits.check(bytes)
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
