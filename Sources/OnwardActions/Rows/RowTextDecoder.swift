// SPDX-License-Identifier: MIT

/// Decodes an id from a ``RowTextValue``.
struct RowTextDecoder: Decoder {
    let value: RowTextValue

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let fields) = value.parts else { throw Self.mismatch(type) }
        return KeyedDecodingContainer(FieldsOf(fields: fields))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .list(let values) = value.parts else { throw Self.mismatch([Any].self) }
        return ElementsOf(values: values)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    fileprivate static func mismatch(_ type: any Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: [], debugDescription: "The text is no \(type)."))
    }
}

extension RowTextDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool {
        switch value {
        case .null: true
        case .plain(let text): text == "null"
        default: false
        }
    }

    func decode(_ type: Bool.Type) throws -> Bool {
        switch value {
        case .bool(let bool): bool
        case .plain("true"): true
        case .plain("false"): false
        default: throw Self.mismatch(type)
        }
    }

    func decode(_ type: String.Type) throws -> String {
        switch value {
        case .text(let text), .plain(let text): text
        default: throw Self.mismatch(type)
        }
    }

    func decode(_ type: Double.Type) throws -> Double { try number() }
    func decode(_ type: Float.Type) throws -> Float { try number() }
    func decode(_ type: Int.Type) throws -> Int { try number() }
    func decode(_ type: Int8.Type) throws -> Int8 { try number() }
    func decode(_ type: Int16.Type) throws -> Int16 { try number() }
    func decode(_ type: Int32.Type) throws -> Int32 { try number() }
    func decode(_ type: Int64.Type) throws -> Int64 { try number() }
    func decode(_ type: UInt.Type) throws -> UInt { try number() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try number() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try number() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try number() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try number() }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }

    private func number<Number: LosslessStringConvertible>() throws -> Number {
        switch value {
        case .number(let text), .plain(let text):
            guard let number = Number(text) else { throw Self.mismatch(Number.self) }
            return number
        default: throw Self.mismatch(Number.self)
        }
    }
}

private struct ElementsOf: UnkeyedDecodingContainer {
    let values: [RowTextValue]
    private(set) var currentIndex = 0

    init(values: [RowTextValue]) { self.values = values }

    var codingPath: [any CodingKey] { [] }
    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex == values.count }

    mutating func decodeNil() throws -> Bool {
        guard try decoder().decodeNil() else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try decoder().decode(type)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        let container = try decoder().container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try decoder().unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        defer { currentIndex += 1 }
        return try decoder()
    }

    private func decoder() throws -> RowTextDecoder {
        guard currentIndex < values.count else {
            throw DecodingError.valueNotFound(
                Any.self, .init(codingPath: [], debugDescription: "The list has ended."))
        }
        return RowTextDecoder(value: values[currentIndex])
    }
}

private struct FieldsOf<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let fields: [String: RowTextValue]
    var codingPath: [any CodingKey] { [] }

    /// Those that are written under another name, as the payloads of an enum's case are, are found too.
    var allKeys: [Key] {
        let keys = fields.keys.sorted().compactMap { Key(stringValue: $0) }
        let positions = (0..<fields.count).compactMap { Key(stringValue: "_\($0)") }
        return keys
            + positions.filter { fields[FieldNames.written($0)] != nil }
            .filter { key in !keys.contains { $0.stringValue == key.stringValue } }
    }

    func contains(_ key: Key) -> Bool { fields[FieldNames.written(key)] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder(key).decode(type)
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        RowTextDecoder(value: fields["super"] ?? .object([:]))
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: Key) throws -> RowTextDecoder {
        guard let value = fields[FieldNames.written(key)] else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: [], debugDescription: "There is no \(key.stringValue)."))
        }
        return RowTextDecoder(value: value)
    }
}
