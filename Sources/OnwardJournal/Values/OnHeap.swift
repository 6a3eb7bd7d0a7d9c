// SPDX-License-Identifier: MIT

/// A value that is kept on the heap, as states may be large: what has several of them is small, and
/// copying that, as generic code does on the stack, copies references.
@propertyWrapper
struct OnHeap<Value: Sendable>: Sendable {
    private final class Storage: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    private var storage: Storage

    init(wrappedValue: Value) { storage = Storage(wrappedValue) }

    var wrappedValue: Value {
        get { storage.value }
        set { storage = Storage(newValue) }
    }
}

extension OnHeap: Equatable where Value: Equatable {
    static func == (left: Self, right: Self) -> Bool {
        left.storage === right.storage || left.storage.value == right.storage.value
    }
}

extension OnHeap: Encodable where Value: Encodable {
    func encode(to encoder: any Encoder) throws { try storage.value.encode(to: encoder) }
}

extension OnHeap: Decodable where Value: Decodable {
    init(from decoder: any Decoder) throws { storage = Storage(try Value(from: decoder)) }
}
