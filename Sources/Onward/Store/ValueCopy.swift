// SPDX-License-Identifier: MIT

/// A copy of a value whose type is known to its shell only; nobody changes it any more.
@usableFromInline
struct ValueCopy: @unchecked Sendable {  // The memory is initialised once and then only read.
    private let memory: Memory

    /// Copies the value at `source`.
    @usableFromInline
    init(of source: UnsafeRawPointer, _ type: ValueType) {
        let memory = Memory.create(minimumCapacity: type.words) { memory in
            memory.withUnsafeMutablePointerToElements { start in
                let target = UnsafeMutableRawPointer(start).alignedUp(toMultipleOf: type.alignment)
                type.initialize(target, from: source)
                return Header(pointer: target, type: type)
            }
        }
        self.memory = unsafeDowncast(memory, to: Memory.self)
    }

    /// Calls `body` with a pointer to the value, which is kept alive meanwhile.
    @inline(__always)
    func withPointer<R>(_ body: (UnsafeRawPointer) -> R) -> R {
        withExtendedLifetime(memory) { body(UnsafeRawPointer(memory.header.pointer)) }
    }

    private struct Header {
        let pointer: UnsafeMutableRawPointer
        let type: ValueType
    }

    /// Shared by all who have the copy.
    ///
    /// The value lies behind the header, in the same allocation.
    private final class Memory: ManagedBuffer<Header, UInt> {
        deinit {
            withUnsafeMutablePointerToHeader { $0.pointee.type.destroy($0.pointee.pointer) }
        }
    }
}

/// What the engine, which knows no types, must be able to do with a value.
@usableFromInline
class ValueType: @unchecked Sendable {  // Immutable, here and in its one subclass.
    fileprivate final let size: Int
    fileprivate final let alignment: Int
    /// The words that hold a value wherever they begin.
    fileprivate final let words: Int

    fileprivate init(size: Int, alignment: Int) {
        self.size = size
        self.alignment = alignment
        let word = MemoryLayout<UInt>.size
        words = (size + max(alignment - word, 0) + word - 1) / word
    }

    var name: String { "" }

    /// A copy of the value at `source` in memory of its own.
    final func copy(_ source: UnsafeRawPointer) -> UnsafeMutableRawPointer {
        let target = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: alignment)
        initialize(target, from: source)
        return target
    }

    /// Makes the memory at `target` a copy of the value at `source`.
    func initialize(_ target: UnsafeMutableRawPointer, from source: UnsafeRawPointer) {
        preconditionFailure("A value type without a type.")
    }

    /// Destroys the value at `pointer`, whose memory stays.
    func destroy(_ pointer: UnsafeMutableRawPointer) {}

    /// Replaces the value at `target` by a copy of the one at `source`.
    func assign(_ target: UnsafeMutableRawPointer, from source: UnsafeRawPointer) {}
}

@usableFromInline
final class TypedValue<Value>: ValueType, @unchecked Sendable {  // As `ValueType`.
    @usableFromInline
    init() {
        super.init(size: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
    }

    override var name: String { TypeName.withoutModule(Value.self) }

    override func initialize(_ target: UnsafeMutableRawPointer, from source: UnsafeRawPointer) {
        target.initializeMemory(
            as: Value.self, to: source.assumingMemoryBound(to: Value.self).pointee)
    }

    override func destroy(_ pointer: UnsafeMutableRawPointer) {
        pointer.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
    }

    override func assign(_ target: UnsafeMutableRawPointer, from source: UnsafeRawPointer) {
        target.assumingMemoryBound(to: Value.self).pointee =
            source.assumingMemoryBound(to: Value.self).pointee
    }
}
