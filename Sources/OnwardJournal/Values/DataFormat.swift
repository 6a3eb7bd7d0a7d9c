// SPDX-License-Identifier: MIT

/// How a ``DataValue`` is written as bytes.
public enum DataFormat: String, Sendable, Hashable, CaseIterable, Codable {
    /// CBOR (RFC 8949) in its core deterministic encoding: compact, and equal values have equal
    /// bytes.
    case cbor
    /// JSON (RFC 8259) with sorted names, for people and other programs to read.
    ///
    /// Bytes become a base-64 text; numbers that JSON lacks become the texts "NaN", "Infinity" and
    /// "-Infinity", which are decoded as numbers again if a number is expected.
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

    /// Writes a value that can be read again within limits.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - limits: The limits within which it will be read.
    /// - Returns: The bytes.
    /// - Throws: ``DataError`` for a value that ``value(of:limits:)`` would refuse.
    /// - Complexity: O(size of the value).
    public func bytes(of value: DataValue, within limits: DataLimits) throws(DataError) -> [UInt8] {
        try limits.check(value)
        let bytes = bytes(of: value)
        try limits.check(bytes)
        return bytes
    }

    /// Writes a part of a value the way ``bytes(of:within:)`` writes a whole one.
    func bytes(
        of flat: FlatValue, at place: FlatValue.Place, within limits: DataLimits
    ) throws(DataError) -> [UInt8] {
        guard self == .cbor else { return try bytes(of: flat.value(at: place), within: limits) }
        guard flat.elements(from: place) <= limits.elements else {
            throw .tooManyValues(limit: limits.elements)
        }
        var writer = CBORWriter()
        try writer.write(flat, at: place, levels: limits.levels)
        try limits.check(writer.bytes)
        return writer.bytes
    }

    /// Reads a value.
    ///
    /// - Parameters:
    ///   - bytes: Bytes written by ``bytes(of:)`` or by another program; anything else is refused.
    ///   - limits: How much of the input is read.
    /// - Returns: The value.
    /// - Throws: ``DataError``, saying what is wrong and where.
    /// - Complexity: O(bytes), in time and in memory, whatever the bytes contain.
    public func value(
        of bytes: [UInt8], limits: DataLimits = DataLimits()
    ) throws(DataError) -> DataValue {
        guard self == .cbor else { return try json(bytes, limits) }
        let flat = FlatValue()
        try read(bytes, into: flat, at: FlatValue.root, limits)
        return flat.value()
    }

    /// Reads a value for decoding.
    func read(
        _ bytes: [UInt8], into flat: FlatValue, at place: FlatValue.Place, _ limits: DataLimits
    ) throws(DataError) {
        flat.texts = texts
        guard self == .cbor else { return flat.set(try json(bytes, limits), at: place) }
        try limits.check(bytes)
        var reader = CBORReader(bytes, limits, flat)
        try reader.readAll(into: place)
    }

    private func json(_ bytes: [UInt8], _ limits: DataLimits) throws(DataError) -> DataValue {
        try limits.check(bytes)
        var reader = JSONReader(bytes, limits)
        return try reader.readAll()
    }
}

/// What a text may stand for where a value of another kind is expected.
enum TextMeaning {
    /// A text, and nothing else: the format has all kinds of values.
    case text
    /// Bytes and numbers that JSON lacks.
    case json
    /// Whole numbers too: in the files of scripts, which would round large ones.
    case anything
}

extension DataFormat {
    /// What texts may stand for in what this library wrote.
    var texts: TextMeaning { self == .cbor ? .text : .json }
}
