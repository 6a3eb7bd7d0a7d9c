// SPDX-License-Identifier: MIT

/// A copy of a value whose type is known to its shell only; nobody changes it any more.
@usableFromInline
class ValueCopy: @unchecked Sendable {  // The memory is initialised once and then only read.
    @usableFromInline final let pointer: UnsafeRawPointer
    private let memory: UnsafeMutableRawPointer
    private let type: ValueType

    /// Copies the value at `source`.
    @usableFromInline
    init(of source: UnsafeRawPointer, _ type: ValueType) {
        memory = type.copy(source)
        pointer = UnsafeRawPointer(memory)
        self.type = type
    }

    deinit {
        type.destroy(memory)
    }
}

/// What the engine, which knows no types, must be able to do with a value.
@usableFromInline
class ValueType: @unchecked Sendable {  // Stateless, here and in its one subclass.
    @usableFromInline init() {}

    var name: String { "" }

    /// A copy of the value at `source` in memory of its own.
    func copy(_ source: UnsafeRawPointer) -> UnsafeMutableRawPointer {
        preconditionFailure("A value type without a type.")
    }

    /// Destroys the value at `pointer` and frees its memory.
    func destroy(_ pointer: UnsafeMutableRawPointer) {}

    /// Replaces the value at `target` by a copy of the one at `source`.
    func assign(_ target: UnsafeMutableRawPointer, from source: UnsafeRawPointer) {}
}

@usableFromInline
final class TypedValue<Value>: ValueType, @unchecked Sendable {  // Stateless.
    @usableFromInline override init() {}

    override var name: String { TypeName.withoutModule(Value.self) }

    override func copy(_ source: UnsafeRawPointer) -> UnsafeMutableRawPointer {
        let target = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
        target.initializeMemory(
            as: Value.self, from: source.assumingMemoryBound(to: Value.self), count: 1)
        return target
    }

    override func destroy(_ pointer: UnsafeMutableRawPointer) {
        pointer.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
        pointer.deallocate()
    }

    override func assign(_ target: UnsafeMutableRawPointer, from source: UnsafeRawPointer) {
        target.assumingMemoryBound(to: Value.self).pointee =
            source.assumingMemoryBound(to: Value.self).pointee
    }
}
