// SPDX-License-Identifier: MIT

internal import Foundation
internal import Onward

/// Writes anything `Encodable` into a part of a ``FlatValue``.
struct DataEncoder: Encoder {
    let flat: FlatValue
    let place: FlatValue.Place
    /// How many keys lead here.
    let depth: Int32

    var codingPath: [any CodingKey] { flat.path(to: place) }
    var userInfo: [CodingUserInfoKey: Any] {
        flat.revealsRedacted ? [.revealsRedacted: true] : [:]
    }

    /// What a value is encoded as.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - revealsRedacted: Whether redacted values are encoded as they are.
    ///   - scope: Which part is encoded; nil for all of it.
    ///   - isForJournal: Whether it has to be readable without what is redacted.
    ///   - read: Takes the form that is wanted from the parts.
    /// - Returns: That form.
    /// - Throws: What the value's `encode(to:)` throws; `EncodingError` with the path of anything
    ///   that would not be read as it is; what `read` throws.
    static func encode<Value: Encodable, Form>(
        _ value: Value, revealing revealsRedacted: Bool = false, within scope: DataScope? = nil,
        forJournal isForJournal: Bool = false, as read: (FlatValue) throws -> Form
    ) throws -> Form {
        let flat = FlatValue(
            revealsRedacted: revealsRedacted, within: scope,
            checks: scope != nil ? .none : isForJournal ? .journal : .values)
        try encode(value, into: flat, at: FlatValue.root, depth: 0)
        let form = try read(flat)
        if flat.hasRepeatedNames, flat.hasChecks { try check(value) }
        return form
    }

    /// Writes a value into a part; on failure, nothing of it remains.
    static func encode<T: Encodable>(
        _ value: T, into flat: FlatValue, at place: FlatValue.Place, depth: Int32
    ) throws {
        if depth > DataLimits.deepest {
            throw DataError.tooDeep(DataLimits.deepest, at: flat.path(to: place))
        }
        if flat.isScoped {
            if let overflow = flat.overflow { throw overflow }
            guard flat.isInScope(place) else { return flat.set(.null, at: place) }
            // It is sorted by its complete elements.
            if let value = value as? any Unordered, value.isList { flat.widenScope(of: place) }
        }
        // By type: an empty array of anything would pass for one of bytes.
        if T.self == [UInt8].self, let bytes = value as? [UInt8] {
            return flat.set(.bytes(bytes), at: place)
        }
        if T.self == Data.self, let data = value as? Data {
            return flat.set(.bytes(Array(data)), at: place)
        }
        let doubts = flat.doubts
        do {
            try value.encode(to: DataEncoder(flat: flat, place: place, depth: depth))
            try settle(value, in: flat, at: place, doubts)
        } catch {
            flat.clear(place)
            (flat.doubts, flat.misuse) = (doubts, nil)
            throw error
        }
        guard flat.kind(of: place) == .list, let unordered = value as? any Unordered else {
            return
        }
        flat.sort(place, by: unordered.stride)
    }

    /// Writes a field or an element; on failure, none is added.
    fileprivate static func encode(
        _ value: some Encodable, into flat: FlatValue, atNew place: FlatValue.Place, depth: Int32,
        isOptional: Bool = false
    ) throws {
        if flat.isScoped { flat.enterScope(place) }
        do {
            try encode(value, into: flat, at: place, depth: depth)
            if isOptional, flat.isNull(place), flat.hasChecks {
                throw looksLikeNil(value, flat.path(to: place))
            }
        } catch {
            flat.remove(place)
            throw error
        }
    }

    /// Returns an encoder for a field or an element.
    fileprivate static func encoder(
        _ flat: FlatValue, atNew place: FlatValue.Place, depth: Int32
    ) -> DataEncoder {
        if flat.isScoped { flat.enterScope(place) }
        return DataEncoder(flat: flat, place: place, depth: depth)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        let place = placeOfContainer(.object)
        flat.becomeObject(place)
        return KeyedEncodingContainer(Fields<Key>(flat: flat, place: place, depth: depth))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        let place = placeOfContainer(.list)
        flat.becomeList(place)
        return Elements(flat: flat, place: place, depth: depth)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

// Each kind of plain value has its own function everywhere, so that none takes the slow path.

extension DataEncoder: SingleValueEncodingContainer {
    func encodeNil() throws { try set(.null) }
    func encode<T: Encodable>(_ value: T) throws {
        try expectNothing()
        try Self.encode(value, into: flat, at: place, depth: depth)
        noteNil(value)
    }
    func encode(_ value: Bool) throws { try set(.bool(value)) }
    func encode(_ value: String) throws { try set(.text(value)) }
    func encode(_ value: Double) throws { try set(.number(value)) }
    func encode(_ value: Float) throws { try set(.number(Double(value))) }
    func encode(_ value: Int) throws { try set(DataValue(value)) }
    func encode(_ value: Int8) throws { try set(DataValue(value)) }
    func encode(_ value: Int16) throws { try set(DataValue(value)) }
    func encode(_ value: Int32) throws { try set(DataValue(value)) }
    func encode(_ value: Int64) throws { try set(DataValue(value)) }
    func encode(_ value: UInt) throws { try set(DataValue(value)) }
    func encode(_ value: UInt8) throws { try set(DataValue(value)) }
    func encode(_ value: UInt16) throws { try set(DataValue(value)) }
    func encode(_ value: UInt32) throws { try set(DataValue(value)) }
    func encode(_ value: UInt64) throws { try set(DataValue(value)) }
    func encode(_ value: Int128) throws { try set(DataValue(value)) }
    func encode(_ value: UInt128) throws { try set(DataValue(value)) }

    private func set(_ value: DataValue) throws {
        try expectNothing()
        flat.set(value, at: place)
    }
}

/// The fields of an object.
private struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let flat: FlatValue
    let place: FlatValue.Place
    let depth: Int32
    var codingPath: [any CodingKey] { flat.path(to: place) }

    func encodeNil(forKey key: Key) { set(.null, key) }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try DataEncoder.encode(value, into: flat, atNew: append(key), depth: depth + 1)
    }
    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
        guard let value else { return }
        try DataEncoder.encode(
            value, into: flat, atNew: append(key), depth: depth + 1, isOptional: true)
    }
    func encode(_ value: Bool, forKey key: Key) { set(.bool(value), key) }
    func encode(_ value: String, forKey key: Key) { set(.text(value), key) }
    func encode(_ value: Double, forKey key: Key) { set(.number(value), key) }
    func encode(_ value: Float, forKey key: Key) { set(.number(Double(value)), key) }
    func encode(_ value: Int, forKey key: Key) { set(DataValue(value), key) }
    func encode(_ value: Int8, forKey key: Key) { set(DataValue(value), key) }
    func encode(_ value: Int16, forKey key: Key) { set(DataValue(value), key) }
    func encode(_ value: Int32, forKey key: Key) { set(DataValue(value), key) }
    func encode(_ value: Int64, forKey key: Key) { set(DataValue(value), key) }
    func encode(_ value: UInt, forKey key: Key) { set(DataValue(value), key) }
    func encode(_ value: UInt8, forKey key: Key) { set(DataValue(value), key) }
    func encode(_ value: UInt16, forKey key: Key) { set(DataValue(value), key) }
    func encode(_ value: UInt32, forKey key: Key) { set(DataValue(value), key) }
    func encode(_ value: UInt64, forKey key: Key) { set(DataValue(value), key) }
    func encode(_ value: Int128, forKey key: Key) { set(DataValue(value), key) }
    func encode(_ value: UInt128, forKey key: Key) { set(DataValue(value), key) }

    func nestedContainer<Inner: CodingKey>(
        keyedBy keyType: Inner.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Inner> {
        encoder(containerField(key)).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(containerField(key)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        encoder(flat.append(PlainKey.super.stringValue, to: place))
    }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(append(key)) }

    private func set(_ value: DataValue, _ key: Key) {
        flat.append(value, named: FieldNames.written(key), to: place)
    }

    private func append(_ key: Key) -> FlatValue.Place {
        flat.append(FieldNames.written(key), to: place)
    }

    private func containerField(_ key: Key) -> FlatValue.Place {
        flat.containerField(FieldNames.written(key), in: place)
    }

    private func encoder(_ field: FlatValue.Place) -> DataEncoder {
        DataEncoder.encoder(flat, atNew: field, depth: depth + 1)
    }
}

/// The elements of a list.
private struct Elements: UnkeyedEncodingContainer {
    let flat: FlatValue
    let place: FlatValue.Place
    let depth: Int32
    var codingPath: [any CodingKey] { flat.path(to: place) }
    var count: Int { flat.count(in: place) }

    func encodeNil() { append(.null) }
    func encode<T: Encodable>(_ value: T) throws {
        try DataEncoder.encode(value, into: flat, atNew: flat.append(to: place), depth: depth + 1)
    }
    func encode(_ value: Bool) { append(.bool(value)) }
    func encode(_ value: String) { append(.text(value)) }
    func encode(_ value: Double) { append(.number(value)) }
    func encode(_ value: Float) { append(.number(Double(value))) }
    func encode(_ value: Int) { append(DataValue(value)) }
    func encode(_ value: Int8) { append(DataValue(value)) }
    func encode(_ value: Int16) { append(DataValue(value)) }
    func encode(_ value: Int32) { append(DataValue(value)) }
    func encode(_ value: Int64) { append(DataValue(value)) }
    func encode(_ value: UInt) { append(DataValue(value)) }
    func encode(_ value: UInt8) { append(DataValue(value)) }
    func encode(_ value: UInt16) { append(DataValue(value)) }
    func encode(_ value: UInt32) { append(DataValue(value)) }
    func encode(_ value: UInt64) { append(DataValue(value)) }
    func encode(_ value: Int128) { append(DataValue(value)) }
    func encode(_ value: UInt128) { append(DataValue(value)) }

    func nestedContainer<Inner: CodingKey>(
        keyedBy keyType: Inner.Type
    ) -> KeyedEncodingContainer<Inner> {
        encoder().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder() }

    private func append(_ value: DataValue) { flat.append(value, to: place) }

    private func encoder() -> DataEncoder {
        DataEncoder.encoder(flat, atNew: flat.append(to: place), depth: depth + 1)
    }
}

extension DataValue {
    package init(_ value: some FixedWidthInteger) {
        if let integer = Int64(exactly: value) {
            self = .integer(integer)
        } else if let integer = UInt64(exactly: value) {
            self = .unsigned(integer)
        } else {
            self = .text("\(value)")  // wider than any number of the formats
        }
    }
}

/// A collection without a defined order, so that two equal ones may encode differently.
private protocol Unordered: Encodable {
    /// Whether it is encoded as a list.
    var isList: Bool { get }
    /// How many values of that list belong together.
    var stride: Int { get }
}

extension Set: Unordered where Element: Encodable {
    fileprivate var isList: Bool { true }
    fileprivate var stride: Int { 1 }
}

extension Dictionary: Unordered where Key: Encodable, Value: Encodable {
    fileprivate var isList: Bool {
        !(Key.self == String.self || Key.self == Int.self
            || Key.self is any CodingKeyRepresentable.Type)
    }

    /// Keys that are not texts are encoded as a list: key, value, key, value.
    fileprivate var stride: Int { 2 }
}
