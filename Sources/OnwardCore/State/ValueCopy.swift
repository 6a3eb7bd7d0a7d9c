// SPDX-License-Identifier: MIT

/// A copy of a value whose type is known only to its shell; it no longer changes.
@usableFromInline
package struct ValueCopy: @unchecked Sendable {  // Written once, then only read.
    private let memory: ValueMemory

    /// Copies the value at `source`.
    @usableFromInline
    package init(of source: UnsafeRawPointer, _ type: ValueType) {
        let empty = EmptyCopy(ValueMemory.make(for: type))
        type.initialize(empty.pointer, from: source)
        self = empty.filled()
    }

    fileprivate init(_ memory: consuming ValueMemory) {
        self.memory = memory
    }

    /// Calls `body` with a pointer to the value, which is kept alive meanwhile.
    @inline(__always)
    package func withPointer<R>(_ body: (UnsafeRawPointer) -> R) -> R {
        withExtendedLifetime(memory) { body(UnsafeRawPointer(memory.pointer)) }
    }

    /// Where the value lies, for as long as the copy is kept.
    var pointer: UnsafeRawPointer {
        @inline(__always) borrowing get { UnsafeRawPointer(memory.pointer) }
    }

    /// Releases the value and gives its memory away; nil when the copy is held elsewhere too.
    ///
    /// Not under a lock, as a value that goes may run code of the app.
    @inline(__always)
    consuming func emptied() -> EmptyCopy? {
        var memory = (consume self).memory
        guard isKnownUniquelyReferenced(&memory) else { return nil }
        memory.empty()
        return EmptyCopy(consume memory)
    }
}

/// The memory of a copy that is over, for the next value of its type.
///
/// Notification change after change needs two copies in turn, and so no new ones.
struct EmptyCopy: ~Copyable {
    fileprivate let memory: ValueMemory

    fileprivate init(_ memory: consuming ValueMemory) {
        self.memory = memory
    }

    /// The spare memory if there is some, else new memory.
    @inline(__always)
    static func take(_ spare: inout EmptyCopy?, for type: ValueType) -> EmptyCopy {
        if let empty = spare.take() { return empty }
        return EmptyCopy(ValueMemory.make(for: type))
    }

    /// Where the next value is to be written.
    var pointer: UnsafeMutableRawPointer {
        @inline(__always) get { memory.pointer }
    }

    /// The copy, once the value is written.
    @inline(__always)
    consuming func filled() -> ValueCopy {
        memory.isFull = true
        return ValueCopy((consume self).memory)
    }
}

/// Where a copy lies: behind the header, in the same allocation.
private final class ValueMemory: ManagedBuffer<ValueMemory.Header, UInt> {
    struct Header {
        let pointer: UnsafeMutableRawPointer
        let type: ValueType
        var isFull = false
    }

    static func make(for type: ValueType) -> ValueMemory {
        let memory = create(minimumCapacity: type.words) { memory in
            memory.withUnsafeMutablePointerToElements { start in
                Header(
                    pointer: UnsafeMutableRawPointer(start)
                        .alignedUp(toMultipleOf: type.alignment), type: type)
            }
        }
        return unsafeDowncast(memory, to: ValueMemory.self)
    }

    /// Where the value lies.
    ///
    /// Read through a pointer, as each reading of `header` is checked for exclusive access, which takes
    /// more than 76 instructions; notifying one more member takes some 130.
    var pointer: UnsafeMutableRawPointer {
        withUnsafeMutablePointerToHeader { $0.pointee.pointer }
    }

    /// Whether it holds a value.
    @inline(__always)
    var isFull: Bool {
        get { withUnsafeMutablePointerToHeader { $0.pointee.isFull } }
        set { withUnsafeMutablePointerToHeader { $0.pointee.isFull = newValue } }
    }

    func empty() {
        withUnsafeMutablePointerToHeader { header in
            header.pointee.isFull = false
            let type = header.pointee.type
            if !type.isPlain { type.destroy(header.pointee.pointer) }
        }
    }

    deinit {
        if isFull { empty() }
    }
}

/// What the engine, which knows no types, must be able to do with a value.
@usableFromInline
package class ValueType: @unchecked Sendable {  // Immutable, here and in its one subclass.
    fileprivate final let size: Int
    fileprivate final let alignment: Int
    /// The words that hold a value wherever they begin.
    fileprivate final let words: Int

    /// Whether a value holds nothing that has to be released, so that it need not be destroyed.
    fileprivate final let isPlain: Bool

    fileprivate init(size: Int, alignment: Int, isPlain: Bool) {
        self.size = size
        self.isPlain = isPlain
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

    /// Destroys the value at `pointer` if it holds something; its memory stays.
    @inline(__always)
    final func clear(_ pointer: UnsafeMutableRawPointer) {
        if !isPlain { destroy(pointer) }
    }

    /// Destroys the value at `pointer`, whose memory stays.
    func destroy(_ pointer: UnsafeMutableRawPointer) {}

    /// Replaces the value at `target` by a copy of the one at `source`.
    func assign(_ target: UnsafeMutableRawPointer, from source: UnsafeRawPointer) {}
}

@usableFromInline
package final class TypedValue<Value>: ValueType, @unchecked Sendable {  // As `ValueType`.
    @usableFromInline
    package init() {
        super.init(
            size: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment,
            isPlain: _isPOD(Value.self))
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
