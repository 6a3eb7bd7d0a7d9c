// SPDX-License-Identifier: MIT

internal import Foundation
internal import Onward

/// Reads anything `Decodable` from a part of a ``FlatValue``.
struct DataDecoder: Decoder {
    let flat: FlatValue
    let place: FlatValue.Place

    /// The order of dictionaries and sets in a first copy; only the decoding thread has access.
    final class Reordering {
        /// The elements of each, in the order in which they are decoded.
        private var orders: [Any] = []
        /// Which one is next in the second copy; nil in the first one.
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

    var codingPath: [any CodingKey] { flat.path(to: place) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ flat: FlatValue, at place: FlatValue.Place = FlatValue.root) {
        self.flat = flat
        self.place = place
    }

    fileprivate var value: DataValue { flat.leaf(at: place) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard flat.kind(of: place) == .object else { throw mismatch(type, "an object") }
        return KeyedDecodingContainer(FieldsOf<Key>(flat, place))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        if case .bytes(let bytes) = value {
            // As numbers, for a type that isn't made of bytes.
            flat.set(.list(bytes.map { .integer(Int64($0)) }), at: place)
        }
        guard flat.kind(of: place) == .list else { throw mismatch([DataValue].self, "a list") }
        return ElementsOf(flat, place)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    private func mismatch(_ type: any Any.Type, _ expected: String) -> DecodingError {
        value.mismatch(type, expected, codingPath)
    }

    /// The value as a type.
    func read<T: Decodable>(_ type: T.Type) throws -> T {
        if type == [UInt8].self, let bytes, let bytes = bytes as? T { return bytes }
        if type == Data.self, let bytes, let data = Data(bytes) as? T { return data }
        let value = try T(from: self)
        guard let reordering = flat.reordering, let unordered = value as? any Reorderable,
            unordered.count > 1
        else { return value }
        return reordering.place(unordered) as? T ?? value
    }

    /// The bytes that were encoded, even if JSON turned them into a text.
    private var bytes: [UInt8]? {
        switch value {
        case .bytes(let bytes): bytes
        case .text(let text) where flat.texts != .text: Data(base64Encoded: text).map(Array.init)
        default: nil
        }
    }
}

// Each kind of plain value has its own function everywhere, so that none takes the slow path.

extension DataDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value.isNull }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try read(type) }
    func decode(_ type: Bool.Type) throws -> Bool { try value.read(type, at: codingPath) }
    func decode(_ type: String.Type) throws -> String { try value.read(type, at: codingPath) }
    func decode(_ type: Double.Type) throws -> Double { try number(type) }
    func decode(_ type: Float.Type) throws -> Float { try number(type) }
    func decode(_ type: Int.Type) throws -> Int { try number(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try number(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try number(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try number(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try number(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try number(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try number(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try number(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try number(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try number(type) }
    func decode(_ type: Int128.Type) throws -> Int128 { try number(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try number(type) }

    private func number(_ type: Double.Type) throws -> Double {
        try value.read(type, flat.texts, at: codingPath)
    }
    private func number(_ type: Float.Type) throws -> Float {
        try value.read(type, flat.texts, at: codingPath)
    }
    private func number<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        try value.read(type, flat.texts, at: codingPath)
    }
}

extension DataValue {
    fileprivate var isNull: Bool {
        if case .null = self { true } else { false }
    }

    fileprivate func mismatch(
        _ type: any Any.Type, _ expected: String, _ path: [any CodingKey]
    ) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: path, debugDescription: "expected \(expected), found \(kind)")
        return isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    fileprivate func read(
        _ type: Bool.Type, at path: @autoclosure () -> [any CodingKey]
    ) throws -> Bool {
        guard case .bool(let bool) = self else { throw mismatch(type, "a truth value", path()) }
        return bool
    }

    fileprivate func read(
        _ type: String.Type, at path: @autoclosure () -> [any CodingKey]
    ) throws -> String {
        guard case .text(let text) = self else { throw mismatch(type, "a text", path()) }
        return text
    }

    fileprivate func read(
        _ type: Double.Type, _ texts: TextMeaning, at path: @autoclosure () -> [any CodingKey]
    ) throws -> Double {
        switch self {
        case .number(let number): return number
        case .integer(let integer): return Double(integer)
        case .unsigned(let integer): return Double(integer)
        case .text("NaN") where texts != .text: return .nan
        case .text("Infinity") where texts != .text: return .infinity
        case .text("-Infinity") where texts != .text: return -.infinity
        default: throw mismatch(type, "a number", path())
        }
    }

    fileprivate func read(
        _ type: Float.Type, _ texts: TextMeaning, at path: @autoclosure () -> [any CodingKey]
    ) throws -> Float {
        let number = try read(Double.self, texts, at: path())
        guard number.isInfinite || Float(number).isFinite || number.isNaN else {
            throw mismatch(type, "a number in its range", path())
        }
        return Float(number)
    }

    fileprivate func read<Number: FixedWidthInteger>(
        _ type: Number.Type, _ texts: TextMeaning, at path: @autoclosure () -> [any CodingKey]
    ) throws -> Number {
        if case .integer(let integer) = self, let number = Number(exactly: integer) {
            return number
        }
        if let number = integer(as: type) { return number }
        // What is wider than any number of the formats is a text everywhere.
        if texts == .anything || Number.bitWidth > 64, let number = text.flatMap({ Number($0) }) {
            return number
        }
        throw mismatch(type, "a whole number between \(Number.min) and \(Number.max)", path())
    }
}

/// The fields of an object.
private struct FieldsOf<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let flat: FlatValue
    private let place: FlatValue.Place
    /// Where fields are, of an object that has many.
    private let index: [String: FlatValue.Place]?

    init(_ flat: FlatValue, _ place: FlatValue.Place) {
        self.flat = flat
        self.place = place
        index = flat.index(of: place)
    }

    var codingPath: [any CodingKey] { flat.path(to: place) }

    var allKeys: [Key] {
        // An enum has just one, its case; code that is generic in the keys is slow.
        if let field = flat.first(in: place), flat.next(after: field) == nil {
            return FieldNames.key(named: flat.name(of: field), as: Key.self).map { [$0] } ?? []
        }
        let names = flat.children(of: place).map(flat.name)
        return names.sorted().compactMap { FieldNames.key(named: $0, as: Key.self) }
    }

    func contains(_ key: Key) -> Bool { find(FieldNames.written(key)) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try flat.leaf(at: field(key)).isNull }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try decoder(key).read(type)
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try decoder(key).decode(type)
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try decoder(key).decode(type)
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try decoder(key).decode(type)
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try decoder(key).decode(type)
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try decoder(key).decode(type)
    }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
        try decoder(key).decode(type)
    }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try decoder(key).decode(type)
    }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try decoder(key).decode(type)
    }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try decoder(key).decode(type)
    }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
        try decoder(key).decode(type)
    }
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
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try decoder(key).decode(type)
    }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
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

    func superDecoder() -> any Decoder { superDecoder(named: PlainKey.super.stringValue) }

    func superDecoder(forKey key: Key) -> any Decoder {
        superDecoder(named: FieldNames.written(key))
    }

    /// A decoder of a field, or of null if it is missing.
    private func superDecoder(named name: String) -> DataDecoder {
        DataDecoder(flat, at: find(name) ?? flat.appendLoose(name, to: place))
    }

    private func find(_ name: String) -> FlatValue.Place? {
        if let index { index[name] } else { flat.field(name, in: place) }
    }

    private func field(_ key: Key) throws -> FlatValue.Place {
        let name = FieldNames.written(key)
        guard let field = find(name) else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath, debugDescription: "there is no \"\(name)\""))
        }
        return field
    }

    private func decoder(_ key: Key) throws -> DataDecoder {
        DataDecoder(flat, at: try field(key))
    }
}

/// The elements of a list.
private struct ElementsOf: UnkeyedDecodingContainer {
    private let flat: FlatValue
    private let place: FlatValue.Place
    /// The one that is read next.
    private var next: FlatValue.Place?
    private(set) var currentIndex = 0

    init(_ flat: FlatValue, _ place: FlatValue.Place) {
        self.flat = flat
        self.place = place
        next = flat.first(in: place)
    }

    var codingPath: [any CodingKey] { flat.path(to: place) }
    var count: Int? { flat.count(in: place) }
    var isAtEnd: Bool { next == nil }

    mutating func decodeNil() throws -> Bool {
        guard try decoder().value.isNull else { return false }
        advance()
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let element = try decoder().read(type)
        advance()
        return element
    }

    mutating func decode(_ type: Int128.Type) throws -> Int128 {
        let element = try decoder().decode(type)
        advance()
        return element
    }

    mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
        let element = try decoder().decode(type)
        advance()
        return element
    }

    mutating func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type
    ) throws -> KeyedDecodingContainer<Inner> {
        let container = try decoder().container(keyedBy: type)
        advance()
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try decoder().unkeyedContainer()
        advance()
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try decoder()
        advance()
        return decoder
    }

    private func decoder() throws -> DataDecoder {
        guard let next else {
            throw DecodingError.valueNotFound(
                DataValue.self,
                .init(
                    codingPath: codingPath + [PlainKey(intValue: currentIndex)],
                    debugDescription: "the list has ended"))
        }
        return DataDecoder(flat, at: next)
    }

    private mutating func advance() {
        next = next.flatMap { flat.next(after: $0) }
        currentIndex += 1
    }
}

/// A collection whose elements have no defined order, though each copy has one.
private protocol Reorderable: Collection {
    associatedtype Item: Equatable
    /// What is in it, as it lies.
    var order: [Item] { get }
    /// An equal one with room for more.
    func copy(capacity: Int) -> Self
}

extension Reorderable {
    /// An equal one whose first and last elements differ from those of an order.
    ///
    /// Tries more and more capacity, since the order depends on it and on the address; the attempts
    /// are kept alive meanwhile.
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
