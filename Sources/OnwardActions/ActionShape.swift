// SPDX-License-Identifier: MIT

/// What an action of a name carries, so that a form can be made for it.
///
/// A type reveals its fields while it is decoded. So it is decoded from a probe that gives zeros
/// and empty texts, an enum once for each case. A type that can't be made from those ends the
/// search: later fields are known by their names, as the compiler made the keys, or not at all.
package struct ActionShape: Sendable, Hashable {
    /// A field.
    package struct Field: Sendable, Hashable {
        /// Its name in a log.
        package let name: String
        /// What kind of value it has.
        package var kind = Kind.other
        /// Whether it may be missing.
        package var isOptional = false
    }

    /// A kind of values.
    package enum Kind: Sendable, Hashable {
        case text, integer, number, truth
        /// One of several texts.
        case choice([String])
        /// Anything else.
        case other
    }

    /// The action's name; for an enum followed by "/" and the case.
    package let name: String
    /// The fields, in the order of the source where it is known.
    package let fields: [Field]

    /// The shapes of a type of actions, in the order of its cases.
    ///
    /// - Complexity: O(cases + fields).
    package static func all(in type: any (Action & Decodable).Type) -> [ActionShape] {
        if let names = ShapeProbe.choices(of: type) {
            return names.map { ActionShape(name: "\(type.actionName)/\($0)", fields: []) }
        }
        var shapes: [ActionShape] = []
        var number = 0
        let probe = ShapeProbe()
        repeat {
            probe.begin(number)
            _ = try? type.init(from: probe)
            guard probe.hasFields else { return shapes }
            let caseName = probe.caseName.map { "/\($0)" } ?? ""
            shapes.append(ActionShape(name: type.actionName + caseName, fields: probe.fields))
            number += 1
        } while number < probe.cases
        return shapes
    }
}

extension ActionRegistry {
    /// The shapes of the actions that come in from outside, by name.
    ///
    /// - Complexity: O(registered types, their cases and fields).
    package var shapes: [ActionShape] {
        names.flatMap { name in
            (type(named: name) as? any (Action & Decodable).Type).map(ActionShape.all) ?? []
        }
    }
}

/// A decoder that gives the name of a case, and zeros; only the decoding thread knows it.
private final class ShapeProbe: Decoder {
    /// The case that is asked for.
    private(set) var caseNumber = 0
    /// The number of cases and the name of that one, if the type asked for a case.
    var cases = 0
    var caseName: String?
    /// Whether it asked for fields, rather than for one value or a list.
    var hasFields = false
    var fields: [ActionShape.Field] = []

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func begin(_ number: Int) {
        (caseNumber, caseName, hasFields, fields) = (number, nil, false, [])
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        hasFields = true
        return KeyedDecodingContainer(FieldsProbe<Key>(probe: self, isRoot: true))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NoZero() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw NoZero() }

    /// Notes the kind of a field; returns a value for it.
    func note<Value: Decodable>(_ type: Value.Type, for key: some CodingKey) throws -> Value {
        set(key) { $0.kind = Self.kind(of: type) }
        return try Zero.value(of: type)
    }

    /// Changes what is known of a field.
    ///
    /// The first field asked for names the others.
    func set<Key: CodingKey>(_ key: Key, _ change: (inout ActionShape.Field) -> Void) {
        // Not before: keys of a case without fields are an enum without cases, which has no value
        // to look at.
        if fields.isEmpty {
            fields = enumKeys(of: Key.self).map {
                ActionShape.Field(name: FieldNames.written($0))
            }
        }
        let name = FieldNames.written(key)
        let index = fields.firstIndex { $0.name == name } ?? fields.count
        if index == fields.count { fields.append(ActionShape.Field(name: name)) }
        change(&fields[index])
    }

    private static func kind(of type: any Any.Type) -> ActionShape.Kind {
        if let names = choices(of: type) { return .choice(names) }
        return switch type {
        case is String.Type: .text
        case is Bool.Type: .truth
        case is any BinaryInteger.Type: .integer
        case is any BinaryFloatingPoint.Type: .number
        default: .other
        }
    }

    /// The texts as which the values of an enum with all its cases are written.
    static func choices(of type: any Any.Type) -> [String]? {
        func names<Choice: CaseIterable>(_ type: Choice.Type) -> [String]? {
            guard type is any RawRepresentable.Type else { return nil }
            let names = type.allCases.prefix(256).compactMap {
                ($0 as? any RawRepresentable)?.rawValue as? String
            }
            return names.isEmpty ? nil : names
        }
        return (type as? any CaseIterable.Type).flatMap { names($0) }
    }
}

/// There is no value to give.
private struct NoZero: Error {}

/// The keys of an object: one case of an enum, or fields.
private struct FieldsProbe<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: ShapeProbe
    let isRoot: Bool
    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] {
        let keys = enumKeys(of: Key.self)
        guard isRoot, probe.caseNumber < keys.count else { return [] }
        let key = keys[probe.caseNumber]
        (probe.cases, probe.caseName, probe.fields) = (keys.count, key.stringValue, [])
        return [key]
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        guard isRoot, probe.caseName == key.stringValue else { throw NoZero() }
        return KeyedDecodingContainer(FieldsProbe<Nested>(probe: probe, isRoot: false))
    }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool {
        probe.set(key) { $0.isOptional = true }
        return false
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try probe.note(type, for: key)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw NoZero()
    }
    func superDecoder() throws -> any Decoder { throw NoZero() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw NoZero() }
}

/// A decoder that has nothing but zeros, empty texts and empty lists, of an enum its first case.
private struct Zero: Decoder, SingleValueDecodingContainer, UnkeyedDecodingContainer {
    private static let deepest = 8

    let depth: Int
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func value<Value: Decodable>(of type: Value.Type, depth: Int = 0) throws -> Value {
        func first<Choice: CaseIterable>(_ type: Choice.Type) -> Any? { type.allCases.first }
        if let type = type as? any CaseIterable.Type, let value = first(type) as? Value {
            return value
        }
        guard depth < deepest else { throw NoZero() }
        return try Value(from: Zero(depth: depth + 1))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ZeroFields<Key>(depth: depth))
    }
    func unkeyedContainer() -> any UnkeyedDecodingContainer { self }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    // MARK: One value

    func decodeNil() -> Bool { false }
    func decode(_ type: Bool.Type) -> Bool { false }
    func decode(_ type: String.Type) -> String { "" }
    func decode(_ type: Double.Type) -> Double { 0 }
    func decode(_ type: Float.Type) -> Float { 0 }
    func decode(_ type: Int.Type) -> Int { 0 }
    func decode(_ type: Int8.Type) -> Int8 { 0 }
    func decode(_ type: Int16.Type) -> Int16 { 0 }
    func decode(_ type: Int32.Type) -> Int32 { 0 }
    func decode(_ type: Int64.Type) -> Int64 { 0 }
    func decode(_ type: UInt.Type) -> UInt { 0 }
    func decode(_ type: UInt8.Type) -> UInt8 { 0 }
    func decode(_ type: UInt16.Type) -> UInt16 { 0 }
    func decode(_ type: UInt32.Type) -> UInt32 { 0 }
    func decode(_ type: UInt64.Type) -> UInt64 { 0 }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try Zero.value(of: type, depth: depth)
    }

    // MARK: No elements

    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }
    func nestedContainer<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> { throw NoZero() }
    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NoZero() }
    func superDecoder() throws -> any Decoder { throw NoZero() }
}

/// The fields of an object, each of which is zero.
private struct ZeroFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let depth: Int
    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] { enumKeys(of: Key.self).first.map { [$0] } ?? [] }
    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try Zero.value(of: type, depth: depth)
    }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        guard depth < 8 else { throw NoZero() }
        return KeyedDecodingContainer(ZeroFields<Nested>(depth: depth + 1))
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        Zero(depth: depth)
    }
    func superDecoder() throws -> any Decoder { throw NoZero() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw NoZero() }
}
