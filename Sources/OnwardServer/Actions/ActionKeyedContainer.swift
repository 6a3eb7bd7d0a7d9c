// SPDX-License-Identifier: MIT
#if Server

import Onward
import OnwardJournal

/// The fields of an object as an ``ActionDecoder`` presents them.
struct ActionKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let fields: [String: DataValue]
    let codingPath: [any CodingKey]

    var allKeys: [Key] { fields.keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { fields[FieldNames.written(key)] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(for: key).decodeNil() }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        // A form in which no box is checked doesn't mention the boxes.
        if !contains(key), type is any ExpressibleByArrayLiteral.Type {
            return try T(from: ActionDecoder(.list([]), at: codingPath + [key]))
        }
        // Asked for a standard type, T's own init(from:) comes back through singleValueContainer().
        return try T(from: decoder(for: key))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(for: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(for: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { ActionDecoder(.object(fields), at: codingPath) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(for: key) }

    private func decoder(for key: Key) throws -> ActionDecoder {
        guard let value = fields[FieldNames.written(key)] else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath, debugDescription: "missing"))
        }
        return ActionDecoder(value, at: codingPath + [key])
    }
}
#endif
