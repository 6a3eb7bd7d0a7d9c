// SPDX-License-Identifier: MIT

internal import Foundation
internal import Onward

/// Makes a ``DataValue`` from anything `Encodable`.
struct DataEncoder: Encoder {
    /// Where a value is put that may still grow.
    ///
    /// Containers of one encoder write into one target, even after the encoder that made them is gone,
    /// so it is an object; only the encoding thread knows it.
    final class Target {
        private enum Kind { case nothing, value, list, object }
        private enum Field {
            case written(DataValue)
            /// Handed out to be filled, which may go on until the root is finished.
            case open(Target)
        }

        private var kind = Kind.nothing
        private var single = DataValue.null
        private var elements: [DataValue] = []
        /// What was handed out to be filled, which may go on until the root is finished.
        private var openElements: [Int: Target] = [:]
        /// In the order in which they came; of two with one name the last counts.
        private var fields: [(name: String, field: Field)] = []

        /// The value; an empty object where nothing was written.
        var value: DataValue {
            switch kind {
            case .value: return single
            case .list:
                guard !openElements.isEmpty else { return .list(elements) }
                var elements = elements
                for (index, target) in openElements { elements[index] = target.value }
                return .list(elements)
            case .nothing, .object:
                var object = [String: DataValue](minimumCapacity: fields.count)
                for (name, field) in fields {
                    switch field {
                    case .written(let value): object[name] = value
                    case .open(let target): object[name] = target.value
                    }
                }
                return .object(object)
            }
        }

        var count: Int { elements.count }

        func set(_ value: DataValue) {
            kind = .value
            single = value
        }

        func becomeObject() { kind = .object }
        func becomeList() { kind = .list }

        func set(_ value: DataValue, at name: String) { fields.append((name, .written(value))) }

        func append(_ value: DataValue) { elements.append(value) }

        func open(_ name: String) -> Target {
            let target = Target()
            fields.append((name, .open(target)))
            return target
        }

        func openNext() -> Target {
            let target = Target()
            openElements[elements.count] = target
            elements.append(.null)
            return target
        }
    }

    let target: Target
    let path: CodingPath?
    var codingPath: [any CodingKey] { CodingPath.keys(to: path) }
    var userInfo: [CodingUserInfoKey: Any] {
        path?.revealsRedacted == true ? [.revealsRedacted: true] : [:]
    }

    init(_ target: Target, at path: CodingPath?) {
        self.target = target
        self.path = path
    }

    /// What a value is encoded as.
    static func encode<T: Encodable>(
        _ value: T, at path: CodingPath?
    ) throws -> DataValue {
        if let path {
            if path.depth > DataLimits.deepest { throw DataError.tooDeep(DataLimits.deepest) }
            if path.isOutside { return .null }
            // Its order is that of its whole elements.
            if path.hasScope, let value = value as? any Unordered, value.isList {
                return try encode(value, at: nil)
            }
        }
        // By type: an empty array of anything would pass for one of bytes.
        if T.self == [UInt8].self, let bytes = value as? [UInt8] { return .bytes(bytes) }
        if T.self == Data.self, let data = value as? Data { return .bytes(Array(data)) }
        let target = Target()
        try value.encode(to: DataEncoder(target, at: path))
        let encoded = target.value
        guard case .list(let values) = encoded, let unordered = value as? any Unordered else {
            return encoded
        }
        return .list(unordered.inOrder(values))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        target.becomeObject()
        return KeyedEncodingContainer(Fields<Key>(target: target, path: path))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        target.becomeList()
        return Elements(target: target, path: path)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

// Each kind of plain value has its own function everywhere, so that none goes the long way.

extension DataEncoder: SingleValueEncodingContainer {
    func encodeNil() { target.set(.null) }
    func encode<T: Encodable>(_ value: T) throws {
        target.set(try Self.encode(value, at: path))
    }
    func encode(_ value: Bool) { target.set(.bool(value)) }
    func encode(_ value: String) { target.set(.text(value)) }
    func encode(_ value: Double) { target.set(.number(value)) }
    func encode(_ value: Float) { target.set(.number(Double(value))) }
    func encode(_ value: Int) { target.set(DataValue(value)) }
    func encode(_ value: Int8) { target.set(DataValue(value)) }
    func encode(_ value: Int16) { target.set(DataValue(value)) }
    func encode(_ value: Int32) { target.set(DataValue(value)) }
    func encode(_ value: Int64) { target.set(DataValue(value)) }
    func encode(_ value: UInt) { target.set(DataValue(value)) }
    func encode(_ value: UInt8) { target.set(DataValue(value)) }
    func encode(_ value: UInt16) { target.set(DataValue(value)) }
    func encode(_ value: UInt32) { target.set(DataValue(value)) }
    func encode(_ value: UInt64) { target.set(DataValue(value)) }
}

/// The fields of an object.
private struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let target: DataEncoder.Target
    let path: CodingPath?
    var codingPath: [any CodingKey] { CodingPath.keys(to: path) }

    func encodeNil(forKey key: Key) { set(.null, key) }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        set(try DataEncoder.encode(value, at: .of(key, in: path)), key)
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

    func nestedContainer<Inner: CodingKey>(
        keyedBy keyType: Inner.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Inner> {
        encoder(key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        let key = PlainKey.super
        return DataEncoder(target.open(key.stringValue), at: .of(key, in: path))
    }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

    private func set(_ value: DataValue, _ key: Key) {
        target.set(value, at: FieldNames.written(key))
    }

    private func encoder(_ key: Key) -> DataEncoder {
        DataEncoder(target.open(FieldNames.written(key)), at: .of(key, in: path))
    }
}

/// The elements of a list.
private struct Elements: UnkeyedEncodingContainer {
    let target: DataEncoder.Target
    let path: CodingPath?
    var codingPath: [any CodingKey] { CodingPath.keys(to: path) }
    var count: Int { target.count }
    private var next: CodingPath {
        .of(PlainKey(intValue: count), in: path, isElement: true)
    }

    func encodeNil() { target.append(.null) }
    func encode<T: Encodable>(_ value: T) throws {
        target.append(try DataEncoder.encode(value, at: next))
    }
    func encode(_ value: Bool) { target.append(.bool(value)) }
    func encode(_ value: String) { target.append(.text(value)) }
    func encode(_ value: Double) { target.append(.number(value)) }
    func encode(_ value: Float) { target.append(.number(Double(value))) }
    func encode(_ value: Int) { target.append(DataValue(value)) }
    func encode(_ value: Int8) { target.append(DataValue(value)) }
    func encode(_ value: Int16) { target.append(DataValue(value)) }
    func encode(_ value: Int32) { target.append(DataValue(value)) }
    func encode(_ value: Int64) { target.append(DataValue(value)) }
    func encode(_ value: UInt) { target.append(DataValue(value)) }
    func encode(_ value: UInt8) { target.append(DataValue(value)) }
    func encode(_ value: UInt16) { target.append(DataValue(value)) }
    func encode(_ value: UInt32) { target.append(DataValue(value)) }
    func encode(_ value: UInt64) { target.append(DataValue(value)) }

    func nestedContainer<Inner: CodingKey>(
        keyedBy keyType: Inner.Type
    ) -> KeyedEncodingContainer<Inner> {
        encoder().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder() }

    private func encoder() -> DataEncoder {
        let path = next
        return DataEncoder(target.openNext(), at: path)
    }
}

extension DataValue {
    package init(_ value: some FixedWidthInteger) {
        self = Int64(exactly: value).map { .integer($0) } ?? .unsigned(UInt64(value))
    }
}

/// A collection whose elements are in no order, so that two equal ones may encode differently.
private protocol Unordered: Encodable {
    /// Whether it is encoded as a list.
    var isList: Bool { get }
    /// The encoded elements in an order that depends only on themselves.
    func inOrder(_ values: [DataValue]) -> [DataValue]
}

extension Set: Unordered where Element: Encodable {
    fileprivate var isList: Bool { true }

    fileprivate func inOrder(_ values: [DataValue]) -> [DataValue] {
        values.map { ($0, DataFormat.cbor.bytes(of: $0)) }
            .sorted { $0.1.lexicographicallyPrecedes($1.1) }
            .map(\.0)
    }
}

extension Dictionary: Unordered where Key: Encodable, Value: Encodable {
    fileprivate var isList: Bool {
        !(Key.self == String.self || Key.self == Int.self
            || Key.self is any CodingKeyRepresentable.Type)
    }

    /// Keys that are not texts are encoded as a list: key, value, key, value.
    fileprivate func inOrder(_ values: [DataValue]) -> [DataValue] {
        stride(from: 0, to: values.count - 1, by: 2)
            .map { (Array(values[$0...$0 + 1]), DataFormat.cbor.bytes(of: values[$0])) }
            .sorted { $0.1.lexicographicallyPrecedes($1.1) }
            .flatMap(\.0)
    }
}
