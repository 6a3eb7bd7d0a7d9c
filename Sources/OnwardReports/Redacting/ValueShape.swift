// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// What the types say about the places of encoded values: which texts are cases of an enum, which names are keys of a
/// dictionary, what `Redacted` marks.
///
/// It is gathered while values are encoded. The elements of a list share one shape, and where values disagree, the
/// place counts as one with secrets.
final class ValueShape {
    /// The shapes of fields, by name.
    private(set) var fields: [String: ValueShape] = [:]
    /// The shape of the elements of a list, and of the values of a dictionary.
    private(set) var element: ValueShape?
    /// Whether every text that was seen here is a constant of the program.
    private(set) var isConstant = false
    private var hasText = false
    /// Whether `Redacted` marks the place.
    private(set) var isRedacted = false
    /// Whether the names of the fields are values that users may have entered.
    private(set) var hasNamesOfUsers = false
    /// Whether all such names are whole numbers.
    var hasNumberedNames: Bool { hasNumbersAsNames && !hasTextsAsNames }
    private var hasNumbersAsNames = false
    private var hasTextsAsNames = false

    /// Adds what a value's types say.
    ///
    /// - Throws: What its `encode(to:)` throws.
    func add(_ value: some Encodable) throws {
        if value is any RedactedValue { isRedacted = true }
        if let keyed = value as? any DictionaryShape {
            if keyed.hasNumberedKeys { hasNumbersAsNames = true } else { hasTextsAsNames = true }
        }
        if value is any RawRepresentable, Self.isBareCase(value) {
            isConstant = !hasText
            return
        }
        try value.encode(to: ShapeEncoder(shape: self))
    }

    /// Whether a value is a case of an enum, and has nothing that came from elsewhere.
    fileprivate static func isBareCase(_ value: Any) -> Bool {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .enum && mirror.children.isEmpty
    }

    fileprivate func addText() {
        hasText = true
        isConstant = false
    }

    fileprivate func noteNameOfUser(isNumber: Bool) {
        hasNamesOfUsers = true
        if !isNumber { hasTextsAsNames = true }
    }

    /// The shape of what a key leads to.
    fileprivate func field<Key: CodingKey>(_ key: Key) -> ValueShape {
        let name = FieldNames.written(key)
        if let field = fields[name] { return field }
        let field = ValueShape()
        fields[name] = field
        return field
    }

    fileprivate func elements() -> ValueShape {
        let shape = element ?? ValueShape()
        element = shape
        return shape
    }
}

/// A dictionary, whose keys may be numbers.
private protocol DictionaryShape {
    var hasNumberedKeys: Bool { get }
}

extension Dictionary: DictionaryShape {
    fileprivate var hasNumberedKeys: Bool { Key.self is any FixedWidthInteger.Type }
}

/// Encodes into nothing, and notes types in a shape.
private struct ShapeEncoder: Encoder {
    let shape: ValueShape
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [.revealsRedacted: true] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Fields<Key>(shape: shape))
    }
    func unkeyedContainer() -> any UnkeyedEncodingContainer { Elements(shape: shape.elements()) }
    func singleValueContainer() -> any SingleValueEncodingContainer { Single(shape: shape) }
}

private struct Single: SingleValueEncodingContainer {
    let shape: ValueShape
    var codingPath: [any CodingKey] { [] }

    func encodeNil() {}
    func encode<T: Encodable>(_ value: T) throws { try shape.addValue(value) }
}

private struct Elements: UnkeyedEncodingContainer {
    let shape: ValueShape
    var codingPath: [any CodingKey] { [] }
    var count = 0

    init(shape: ValueShape) { self.shape = shape }

    mutating func encodeNil() { count += 1 }
    mutating func encode<T: Encodable>(_ value: T) throws {
        count += 1
        try shape.addValue(value)
    }
    mutating func nestedContainer<Key: CodingKey>(
        keyedBy keyType: Key.Type
    ) -> KeyedEncodingContainer<Key> {
        count += 1
        return ShapeEncoder(shape: shape).container(keyedBy: keyType)
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        count += 1
        return ShapeEncoder(shape: shape).unkeyedContainer()
    }
    mutating func superEncoder() -> any Encoder {
        count += 1
        return ShapeEncoder(shape: shape)
    }
}

private struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let shape: ValueShape
    var codingPath: [any CodingKey] { [] }

    private func field(_ key: Key) -> ValueShape {
        // The keys of a type are an enum; those that take any text are not, or have it beside them.
        if !ValueShape.isBareCase(key) {
            shape.noteNameOfUser(isNumber: key.intValue != nil)
            return shape.elements()
        }
        return shape.field(key)
    }

    func encodeNil(forKey key: Key) { _ = field(key) }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try field(key).addValue(value) }
    func nestedContainer<Inner: CodingKey>(
        keyedBy keyType: Inner.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Inner> {
        ShapeEncoder(shape: field(key)).container(keyedBy: keyType)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        ShapeEncoder(shape: field(key)).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { ShapeEncoder(shape: shape.superField()) }
    func superEncoder(forKey key: Key) -> any Encoder { ShapeEncoder(shape: field(key)) }
}

extension ValueShape {
    /// Adds a value that a container was given: a plain one, or one that encodes itself.
    fileprivate func addValue<T: Encodable>(_ value: T) throws {
        switch value {
        case is String: addText()
        case is Bool, is any FixedWidthInteger, is Double, is Float: break
        default: try add(value)
        }
    }

    /// Where a class puts what it inherits.
    fileprivate func superField() -> ValueShape { field(SuperKey.super) }
}

private enum SuperKey: String, CodingKey { case `super` }
