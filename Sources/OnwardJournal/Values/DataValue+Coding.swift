// SPDX-License-Identifier: MIT

extension DataValue {
    /// Encodes a value.
    ///
    /// Integers stay exact, `[UInt8]` and `Data` become bytes, and the unlabelled payloads of an
    /// enum's case are named `value`, `value1` and so on, unless a label already has one of those
    /// names.
    ///
    /// - Throws: What the value's own `encode(to:)` throws; ``DataError`` for anything nested
    ///   deeper than ``DataLimits/deepest``.
    /// - Complexity: O(size of the value).
    public init(encoding value: some Encodable) throws {
        self = try DataEncoder.encode(value).value()
    }

    /// Encodes a value including anything marked as `Redacted`: for files of this device alone.
    ///
    /// - Throws: What ``init(encoding:)`` throws.
    /// - Complexity: O(size of the value).
    package init(revealing value: some Encodable) throws {
        self = try DataEncoder.encode(value, revealing: true).value()
    }

    /// Decodes the value.
    ///
    /// - Parameter type: The type to decode.
    /// - Returns: A value of that type.
    /// - Throws: `DecodingError` that names the place, or what the type's own `init(from:)` throws.
    /// - Complexity: O(size of the value).
    public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try DataDecoder(FlatValue(self)).read(type)
    }

    /// Decodes two equal values, the second with its dictionaries and sets in another order.
    ///
    /// It is nil if none of them has at least two elements.
    ///
    /// - Throws: What ``decoded(as:)`` throws.
    func decodedInTwoOrders<Value: Decodable>(
        as type: Value.Type = Value.self
    ) throws -> (one: Value, other: Value?) {
        let reordering = DataDecoder.Reordering()
        let flat = FlatValue(self)
        flat.reordering = reordering
        let one = try DataDecoder(flat).read(type)
        guard reordering.isOfUse else { return (one, nil) }
        reordering.beginSecond()
        return (one, try DataDecoder(flat).read(type))
    }
}
