// SPDX-License-Identifier: MIT

/// Encodes an id as a ``RowTextValue``.
struct RowTextEncoder: Encoder {
    fileprivate let node: Node

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// What an id is encoded as.
    ///
    /// - Throws: What its `encode(to:)` throws.
    static func value(of id: some Encodable) throws -> RowTextValue {
        let node = Node()
        try node.encode(id)
        return node.value
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeObject()
        return KeyedEncodingContainer(Fields(node: node))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeList()
        return Elements(node: node)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(node: node) }
}

/// A part of an id, which several containers may fill in turn.
///
/// Only the encoding thread has access to it.
private final class Node {
    private enum Content {
        case leaf(RowTextValue)
        case list([Node])
        case object([String: Node])
    }

    private var content: Content?

    var count: Int {
        if case .list(let nodes) = content { nodes.count } else { 0 }
    }

    var value: RowTextValue {
        switch content {
        case .leaf(let value): value
        case .list(let nodes): .list(nodes.map(\.value))
        case .object(let nodes): .object(nodes.mapValues(\.value))
        case nil: .object([:])
        }
    }

    func becomeObject() {
        if case .object = content { return }
        content = .object([:])
    }

    func becomeList() {
        if case .list = content { return }
        content = .list([])
    }

    func set(_ value: RowTextValue) { content = .leaf(value) }

    func element() -> Node {
        let node = Node()
        if case .list(let nodes) = content { content = .list(nodes + [node]) }
        return node
    }

    func field(_ name: String) -> Node {
        guard case .object(var nodes) = content else { return Node() }
        // Asked for twice, a nested container is the same one.
        if let node = nodes[name] { return node }
        let node = Node()
        nodes[name] = node
        content = .object(nodes)
        return node
    }

    func encode(_ value: some Encodable) throws {
        try value.encode(to: RowTextEncoder(node: self))
        guard case .list(let nodes) = content, let unordered = value as? any Unordered else {
            return
        }
        let size = unordered.stride
        let groups = stride(from: 0, to: nodes.count, by: size).map { start in
            nodes[start..<min(start + size, nodes.count)]
        }
        let sorted = groups.map { (text: RowTextValue.list($0.map(\.value)).json, nodes: $0) }
            .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
        content = .list(sorted.flatMap(\.nodes))
    }
}

/// A collection without an order, so that equal ones may be encoded differently.
private protocol Unordered {
    /// How many elements of the list that it is encoded as belong together.
    var stride: Int { get }
}

extension Set: Unordered {
    fileprivate var stride: Int { 1 }
}

extension Dictionary: Unordered {
    fileprivate var stride: Int { 2 }
}

private struct Single: SingleValueEncodingContainer {
    let node: Node
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { node.set(.null) }
    func encode(_ value: Bool) { node.set(.bool(value)) }
    func encode(_ value: String) { node.set(.text(value)) }
    func encode(_ value: Double) { node.set(.number("\(value)")) }
    func encode(_ value: Float) { node.set(.number("\(value)")) }
    func encode(_ value: Int) { node.set(.number("\(value)")) }
    func encode(_ value: Int8) { node.set(.number("\(value)")) }
    func encode(_ value: Int16) { node.set(.number("\(value)")) }
    func encode(_ value: Int32) { node.set(.number("\(value)")) }
    func encode(_ value: Int64) { node.set(.number("\(value)")) }
    func encode(_ value: UInt) { node.set(.number("\(value)")) }
    func encode(_ value: UInt8) { node.set(.number("\(value)")) }
    func encode(_ value: UInt16) { node.set(.number("\(value)")) }
    func encode(_ value: UInt32) { node.set(.number("\(value)")) }
    func encode(_ value: UInt64) { node.set(.number("\(value)")) }
    func encode<Value: Encodable>(_ value: Value) throws { try node.encode(value) }
}

private struct Elements: UnkeyedEncodingContainer {
    let node: Node
    var codingPath: [any CodingKey] { [] }
    var count: Int { node.count }

    func encodeNil() { node.element().set(.null) }
    func encode<Value: Encodable>(_ value: Value) throws { try node.element().encode(value) }

    func nestedContainer<Key: CodingKey>(
        keyedBy type: Key.Type
    ) -> KeyedEncodingContainer<Key> {
        RowTextEncoder(node: node.element()).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        RowTextEncoder(node: node.element()).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { RowTextEncoder(node: node.element()) }
}

private struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: Node
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { field(key).set(.null) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try field(key).encode(value)
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Inner> {
        RowTextEncoder(node: field(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        RowTextEncoder(node: field(key)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { RowTextEncoder(node: node.field("super")) }
    func superEncoder(forKey key: Key) -> any Encoder { RowTextEncoder(node: field(key)) }

    private func field(_ key: Key) -> Node { node.field(FieldNames.written(key)) }
}
