// SPDX-License-Identifier: MIT

internal import Foundation
internal import Onward

/// Reads anything `Decodable` from a ``DataValue``.
struct DataDecoder: Decoder {
    let value: DataValue
    let path: CodingPath?
    /// Has dictionaries and sets of a second copy get another order than those of the first one.
    let reordering: Reordering?

    /// How the dictionaries and sets of a first copy lie; only the decoding thread knows it.
    final class Reordering {
        /// The elements of each, in the turn in which they are decoded.
        private var orders: [Any] = []
        /// Whose turn it is in the second copy; nil in the first one.
        private var next: Int?

        /// Whether there is anything to be reordered.
        var isOfUse: Bool { !orders.isEmpty }

        /// The first copy is decoded; the second one follows.
        func beginSecond() { next = 0 }

        fileprivate func place<Unordered: Reorderable>(_ value: Unordered) -> Unordered {
            guard let index = next else {
                orders.append(value.order)
                return value
            }
            next = index + 1
            guard index < orders.count, let first = orders[index] as? [Unordered.Item] else {
                return value
            }
            return value.reordered(from: first)
        }
    }
    var codingPath: [any CodingKey] { CodingPath.keys(to: path) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ value: DataValue, at path: CodingPath? = nil, reordering: Reordering? = nil) {
        self.value = value
        self.path = path
        self.reordering = reordering
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let fields) = value else { throw mismatch(type, "an object") }
        return KeyedDecodingContainer(
            FieldsOf<Key>(fields: fields, path: path, reordering: reordering))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        switch value {
        case .list(let values):
            return ElementsOf(values: values, path: path, reordering: reordering)
        case .bytes(let bytes):
            let values = bytes.map { DataValue.integer(Int64($0)) }
            return ElementsOf(values: values, path: path, reordering: reordering)
        default: throw mismatch([DataValue].self, "a list")
        }
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    private func mismatch(_ type: any Any.Type, _ expected: String) -> DecodingError {
        .typeMismatch(
            type,
            .init(
                codingPath: codingPath,
                debugDescription: "expected \(expected), found \(value.kind)"
            ))
    }

    /// The value as a type.
    func read<T: Decodable>(_ type: T.Type) throws -> T {
        if type == [UInt8].self, let bytes, let bytes = bytes as? T { return bytes }
        if type == Data.self, let bytes, let data = Data(bytes) as? T { return data }
        let value = try T(from: self)
        guard let reordering, let unordered = value as? any Reorderable, unordered.count > 1 else {
            return value
        }
        return reordering.place(unordered) as? T ?? value
    }

    /// The bytes that were encoded, even where JSON made a text of them.
    private var bytes: [UInt8]? {
        switch value {
        case .bytes(let bytes): bytes
        case .text(let text): Data(base64Encoded: text).map(Array.init)
        default: nil
        }
    }
}

// Each kind of plain value has its own function everywhere, so that none goes the long way.

extension DataDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .bool(let bool) = value else { throw mismatch(type, "a truth value") }
        return bool
    }

    func decode(_ type: String.Type) throws -> String {
        guard case .text(let text) = value else { throw mismatch(type, "a text") }
        return text
    }

    func decode(_ type: Double.Type) throws -> Double {
        switch value {
        case .number(let number): return number
        case .integer(let integer): return Double(integer)
        case .unsigned(let integer): return Double(integer)
        case .null: return .nan  // what scripts make of it in JSON
        case .text("NaN"): return .nan
        case .text("Infinity"): return .infinity
        case .text("-Infinity"): return -.infinity
        default: throw mismatch(type, "a number")
        }
    }

    func decode(_ type: Float.Type) throws -> Float {
        let number = try decode(Double.self)
        guard number.isInfinite || Float(number).isFinite || number.isNaN else {
            throw mismatch(type, "a number in its range")
        }
        return Float(number)
    }
    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try read(type) }

    private func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        if case .integer(let integer) = value, let number = Number(exactly: integer) {
            return number
        }
        // Files for scripts have texts where a script's number would lose digits.
        let number = value.integer(as: type) ?? value.text.flatMap { Number($0) }
        guard let number else {
            throw mismatch(type, "a whole number between \(Number.min) and \(Number.max)")
        }
        return number
    }
}

/// The fields of an object.
private struct FieldsOf<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let fields: [String: DataValue]
    let path: CodingPath?
    let reordering: DataDecoder.Reordering?
    var codingPath: [any CodingKey] { CodingPath.keys(to: path) }

    var allKeys: [Key] {
        let names = fields.count > 1 ? fields.keys.sorted() : Array(fields.keys)
        return names.compactMap(Key.init(stringValue:))
    }

    func contains(_ key: Key) -> Bool { fields[FieldNames.written(key)] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try value(key) == .null }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try decoder(key).read(type)
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try decoder(key).decode(type)
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try decoder(key).decode(type)
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try decoder(key).decode(type)
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder(key).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try decoder(key).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try decoder(key).decode(type)
    }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try decoder(key).decode(type)
    }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try decoder(key).decode(type)
    }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try decoder(key).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        try decoder(key).decode(type)
    }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try decoder(key).decode(type)
    }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try decoder(key).decode(type)
    }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
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
        DataDecoder(
            fields["super"] ?? .null, at: .of(PlainKey.super, in: path), reordering: reordering)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func value(_ key: Key) throws -> DataValue {
        let name = FieldNames.written(key)
        guard let value = fields[name] else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath, debugDescription: "there is no \"\(name)\""))
        }
        return value
    }

    private func decoder(_ key: Key) throws -> DataDecoder {
        DataDecoder(try value(key), at: .of(key, in: path), reordering: reordering)
    }
}

/// The elements of a list.
private struct ElementsOf: UnkeyedDecodingContainer {
    let values: [DataValue]
    let path: CodingPath?
    let reordering: DataDecoder.Reordering?
    private(set) var currentIndex = 0

    init(values: [DataValue], path: CodingPath?, reordering: DataDecoder.Reordering?) {
        self.values = values
        self.path = path
        self.reordering = reordering
    }

    var codingPath: [any CodingKey] { CodingPath.keys(to: path) }
    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex >= values.count }

    mutating func decodeNil() throws -> Bool {
        guard try next().value == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let element = try next().read(type)
        currentIndex += 1
        return element
    }

    mutating func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type
    ) throws -> KeyedDecodingContainer<Inner> {
        let container = try next().container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try next().unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try next()
        currentIndex += 1
        return decoder
    }

    private func next() throws -> DataDecoder {
        let path = CodingPath.of(PlainKey(intValue: currentIndex), in: path)
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                DataValue.self,
                .init(
                    codingPath: CodingPath.keys(to: path), debugDescription: "the list has ended"
                ))
        }
        return DataDecoder(values[currentIndex], at: path, reordering: reordering)
    }
}

/// A collection whose elements are in no order, though each copy has one.
private protocol Reorderable: Collection {
    associatedtype Item: Equatable
    /// What is in it, as it lies.
    var order: [Item] { get }
    /// An equal one with room for more.
    func copy(capacity: Int) -> Self
}

extension Reorderable {
    /// An equal one whose both ends are others than those of an order.
    ///
    /// Tries room for more and more elements, by which the order is decided, and by the address: so those that were
    /// tried are kept.
    fileprivate func reordered(from first: [Item]) -> Self {
        var tried = [self]
        var found = self
        for factor in 2...64 {
            guard let order = tried.last?.order else { break }
            if order.first != first.first, let last = tried.last {
                found = last
                if order.last != first.last { break }
            }
            tried.append(copy(capacity: count * factor))
        }
        return found
    }
}

extension Dictionary: Reorderable {
    fileprivate var order: [Key] { Array(keys) }

    fileprivate func copy(capacity: Int) -> Self {
        var copy = Self(minimumCapacity: capacity)
        for (key, value) in self { copy[key] = value }
        return copy
    }
}

extension Set: Reorderable {
    fileprivate var order: [Element] { Array(self) }

    fileprivate func copy(capacity: Int) -> Self {
        var copy = Self(minimumCapacity: capacity)
        for element in self { copy.insert(element) }
        return copy
    }
}
