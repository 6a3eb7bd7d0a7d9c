// SPDX-License-Identifier: MIT
#if Server

import OnwardJournal

/// The elements of a list as an ``ActionDecoder`` presents them.
struct ActionUnkeyedContainer: UnkeyedDecodingContainer {
    let elements: [DataValue]
    let codingPath: [any CodingKey]
    let files: ReceivedFiles
    private(set) var currentIndex = 0

    init(elements: [DataValue], codingPath: [any CodingKey], _ files: ReceivedFiles) {
        self.files = files
        self.elements = elements
        self.codingPath = codingPath
    }

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
        guard try decoder().decodeNil() else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try decoder().make(type)
        currentIndex += 1
        return value
    }

    mutating func decode(_ type: Int128.Type) throws -> Int128 {
        let value = try decoder().decode(type)
        currentIndex += 1
        return value
    }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
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
        let decoder = try decoder()
        currentIndex += 1
        return decoder
    }

    private func decoder() throws -> ActionDecoder {
        let path = codingPath + [ElementKey(index: currentIndex)]
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                DataValue.self, .init(codingPath: path, debugDescription: "one more element"))
        }
        return ActionDecoder(elements[currentIndex], at: path, files)
    }
}

/// The position of an element in a list.
struct ElementKey: CodingKey {
    private let index: Int

    init(index: Int) { self.index = index }
    init?(stringValue: String) { nil }
    init?(intValue: Int) { index = intValue }

    var intValue: Int? { index }
    var stringValue: String { "\(index)" }
}
#endif
