// SPDX-License-Identifier: MIT
#if Server

import Onward
import OnwardJournal

/// The fields of an object as an ``ActionDecoder`` presents them.
struct ActionKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let fields: [String: DataValue]
    let codingPath: [any CodingKey]
    let files: ReceivedFiles

    var allKeys: [Key] {
        fields.keys.sorted().compactMap { FieldNames.key(named: $0, as: Key.self) }
    }

    func contains(_ key: Key) -> Bool { fields[FieldNames.written(key)] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(for: key).decodeNil() }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        // A form in which no box is checked doesn't mention the boxes.
        if !contains(key), type is any ExpressibleByArrayLiteral.Type {
            return try T(from: ActionDecoder(.list([]), at: codingPath + [key], files))
        }
        if !contains(key), type is Bool.Type {
            return try T(from: ActionDecoder(.bool(false), at: codingPath + [key], files))
        }
        if !contains(key), type is UploadedFile.Type {
            throw MissingFile(codingPath: codingPath + [key], kind: .noFile)
        }
        return try decoder(for: key).make(type)
    }

    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try decoder(for: key).decode(type)
    }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try decoder(for: key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(for: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(for: key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder {
        ActionDecoder(fields["super"] ?? .null, at: codingPath + [SuperKey.super], files)
    }

    func superDecoder(forKey key: Key) -> any Decoder {
        ActionDecoder(fields[FieldNames.written(key)] ?? .null, at: codingPath + [key], files)
    }

    private func decoder(for key: Key) throws -> ActionDecoder {
        guard let value = fields[FieldNames.written(key)] else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath, debugDescription: "missing"))
        }
        return ActionDecoder(value, at: codingPath + [key], files)
    }
}

/// The key of what a class inherits.
private enum SuperKey: String, CodingKey { case `super` }
#endif
