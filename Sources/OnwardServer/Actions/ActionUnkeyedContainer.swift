// SPDX-License-Identifier: MIT
#if Server

import OnwardJournal

/// The elements of a list as an ``ActionDecoder`` presents them.
struct ActionUnkeyedContainer: UnkeyedDecodingContainer {
    let elements: [DataValue]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(elements: [DataValue], codingPath: [any CodingKey]) {
        self.elements = elements
        self.codingPath = codingPath
    }

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, elements[currentIndex] == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try T(from: decoder())
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
        let decoder = try decoder()
        currentIndex += 1
        return decoder
    }

    private func decoder() throws -> ActionDecoder {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                DataValue.self, .init(codingPath: codingPath, debugDescription: "one more element"))
        }
        return ActionDecoder(elements[currentIndex], at: codingPath)
    }
}
#endif
