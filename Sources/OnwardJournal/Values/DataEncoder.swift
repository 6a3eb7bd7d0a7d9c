// SPDX-License-Identifier: MIT

/// Makes a ``DataValue`` of anything `Encodable`.
struct DataEncoder: Encoder {
    /// Where a value is put that may still grow.
    ///
    /// Containers of one encoder write into one place, also after the encoder that made them is gone,
    /// so it is an object; no thread but the encoding one knows it.
    final class Place {
        private enum Content {
            case value(DataValue)
            case list([Place])
            case object([String: Place])
        }

        private var content: Content?

        /// The value; an empty object where nothing was written.
        var value: DataValue {
            switch content {
            case nil: .object([:])
            case .value(let value): value
            case .list(let places): .list(places.map(\.value))
            case .object(let places): .object(places.mapValues(\.value))
            }
        }

        var isList: Bool {
            guard case .list = content else { return false }
            return true
        }

        func set(_ value: DataValue) { content = .value(value) }

        func becomeObject() {
            if case .object = content { return }
            content = .object([:])
        }

        func becomeList() {
            if case .list = content { return }
            content = .list([])
        }

        func field(_ name: String) -> Place {
            becomeObject()
            guard case .object(var places) = content else { return Place() }
            content = nil  // so that the fields are changed in place
            let place = Place()
            places[name] = place
            content = .object(places)
            return place
        }

        func append() -> Place {
            becomeList()
            guard case .list(var places) = content else { return Place() }
            content = nil  // so that the list is changed in place
            let place = Place()
            places.append(place)
            content = .list(places)
            return place
        }

        var count: Int {
            guard case .list(let places) = content else { return 0 }
            return places.count
        }
    }

    let place: Place
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ place: Place = Place(), at codingPath: [any CodingKey] = []) {
        self.place = place
        self.codingPath = codingPath
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        place.becomeObject()
        return KeyedEncodingContainer(Fields<Key>(place: place, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        place.becomeList()
        return Elements(place: place, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Puts a value in a place.
    static func put<T: Encodable>(
        _ value: T, in place: Place, at codingPath: [any CodingKey]
    ) throws {
        // By type: an empty array of anything would pass for one of bytes.
        if T.self == [UInt8].self, let bytes = value as? [UInt8] { return place.set(.bytes(bytes)) }
        try value.encode(to: DataEncoder(place, at: codingPath))
        if place.isList, let unordered = value as? any Unordered, let values = place.value.list {
            place.set(.list(unordered.inOrder(values)))
        }
    }
}

extension DataEncoder: SingleValueEncodingContainer {
    mutating func encodeNil() { place.set(.null) }
    mutating func encode<T: Encodable>(_ value: T) throws {
        try Self.put(value, in: place, at: codingPath)
    }
    mutating func encode(_ value: Bool) { place.set(.bool(value)) }
    mutating func encode(_ value: String) { place.set(.text(value)) }
    mutating func encode(_ value: Double) { place.set(.number(value)) }
    mutating func encode(_ value: Float) { place.set(.number(Double(value))) }
    mutating func encode(_ value: Int) { place.set(.integer(Int64(value))) }
    mutating func encode(_ value: Int8) { place.set(.integer(Int64(value))) }
    mutating func encode(_ value: Int16) { place.set(.integer(Int64(value))) }
    mutating func encode(_ value: Int32) { place.set(.integer(Int64(value))) }
    mutating func encode(_ value: Int64) { place.set(.integer(value)) }
    mutating func encode(_ value: UInt) { encode(UInt64(value)) }
    mutating func encode(_ value: UInt8) { place.set(.integer(Int64(value))) }
    mutating func encode(_ value: UInt16) { place.set(.integer(Int64(value))) }
    mutating func encode(_ value: UInt32) { place.set(.integer(Int64(value))) }
    mutating func encode(_ value: UInt64) {
        place.set(Int64(exactly: value).map { .integer($0) } ?? .unsigned(value))
    }
}

/// The fields of an object.
private struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let place: DataEncoder.Place
    let codingPath: [any CodingKey]
    private let names = FieldNames<Key>()

    init(place: DataEncoder.Place, codingPath: [any CodingKey]) {
        self.place = place
        self.codingPath = codingPath
    }

    mutating func encodeNil(forKey key: Key) { field(key).set(.null) }

    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try DataEncoder.put(value, in: field(key), at: codingPath + [key])
    }

    mutating func nestedContainer<Inner: CodingKey>(
        keyedBy keyType: Inner.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Inner> {
        encoder(key).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        let key = PlainKey.super
        return DataEncoder(place.field(key.stringValue), at: codingPath + [key])
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

    private func field(_ key: Key) -> DataEncoder.Place {
        place.field(names.written(key))
    }

    private func encoder(_ key: Key) -> DataEncoder {
        DataEncoder(field(key), at: codingPath + [key])
    }
}

/// The elements of a list.
private struct Elements: UnkeyedEncodingContainer {
    let place: DataEncoder.Place
    let codingPath: [any CodingKey]

    var count: Int { place.count }

    mutating func encodeNil() { place.append().set(.null) }

    mutating func encode<T: Encodable>(_ value: T) throws {
        let path = codingPath + [PlainKey(intValue: count)]
        try DataEncoder.put(value, in: place.append(), at: path)
    }

    mutating func nestedContainer<Inner: CodingKey>(
        keyedBy keyType: Inner.Type
    ) -> KeyedEncodingContainer<Inner> {
        encoder().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        encoder().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { encoder() }

    private func encoder() -> DataEncoder {
        let path = codingPath + [PlainKey(intValue: count)]
        return DataEncoder(place.append(), at: path)
    }
}

/// A collection whose elements are in no order, so that two equal ones may encode differently.
private protocol Unordered {
    /// The encoded elements in an order that depends on nothing but themselves.
    func inOrder(_ values: [DataValue]) -> [DataValue]
}

extension Set: Unordered {
    fileprivate func inOrder(_ values: [DataValue]) -> [DataValue] {
        values.map { ($0, DataFormat.cbor.bytes(of: $0)) }
            .sorted { $0.1.lexicographicallyPrecedes($1.1) }
            .map(\.0)
    }
}

extension Dictionary: Unordered {
    /// Keys that are no texts are encoded as a list: key, value, key, value.
    fileprivate func inOrder(_ values: [DataValue]) -> [DataValue] {
        stride(from: 0, to: values.count - 1, by: 2)
            .map { (Array(values[$0...$0 + 1]), DataFormat.cbor.bytes(of: values[$0])) }
            .sorted { $0.1.lexicographicallyPrecedes($1.1) }
            .flatMap(\.0)
    }
}
