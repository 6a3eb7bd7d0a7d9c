// SPDX-License-Identifier: MIT

extension DataValue {
    /// Encodes a value.
    ///
    /// Integers stay exact, `[UInt8]` and `Data` become bytes, and the unlabelled payloads of an
    /// enum's case are named `value`, `value1` and so on, unless a label already has one of those
    /// names.
    ///
    /// What is encoded can be decoded, and is what it was. What would be lost is refused, unlike in
    /// Foundation's encoders: an optional with a value that is encoded as null, such as
    /// `.some(nil)`; a single value beside fields or elements; two fields of one name, unless the
    /// value comes back from the last one.
    ///
    /// - Throws: What the value's own `encode(to:)` throws; `EncodingError` with the path of what
    ///   would be lost; ``DataError`` for anything nested deeper than ``DataLimits/deepest``.
    /// - Complexity: O(size of the value).
    public init(encoding value: some Encodable) throws {
        self = try DataEncoder.encode(value) { $0.value() }
    }

    /// Encodes a value including anything marked as `Redacted`: for files of this device alone.
    ///
    /// - Throws: What ``init(encoding:)`` throws.
    /// - Complexity: O(size of the value).
    package init(revealing value: some Encodable) throws {
        self = try DataEncoder.encode(value, revealing: true) { $0.value() }
    }

    /// Decodes the value.
    ///
    /// - Parameter type: The type to decode.
    /// - Returns: A value of that type.
    /// - Throws: `DecodingError` that names the place, or what the type's own `init(from:)` throws.
    /// - Complexity: O(size of the value).
    public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try decoded(as: type, texts: .json)
    }

    /// Decodes the value, whose texts have a meaning that depends on where it was read.
    func decoded<Value: Decodable>(
        as type: Value.Type = Value.self, texts: TextMeaning
    ) throws -> Value {
        try DataDecoder(FlatValue(self, texts: texts)).read(type)
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
        let flat = FlatValue(self, texts: .text)
        flat.reordering = reordering
        let one = try DataDecoder(flat).read(type)
        guard reordering.isOfUse else { return (one, nil) }
        reordering.beginSecond()
        return (one, try DataDecoder(flat).read(type))
    }
}
