// SPDX-License-Identifier: MIT

/// A copy of a value whose type is known to its shell only; nobody changes it any more.
@usableFromInline
package struct ValueCopy: @unchecked Sendable {  // The memory is initialised once and then only read.
    private let memory: ValueMemory

    /// Copies the value at `source`.
    @usableFromInline
    package init(of source: UnsafeRawPointer, _ type: ValueType) {
        var none: EmptyCopy?
        self.init(type, in: &none) { type.initialize($0, from: source) }
    }

    /// A value that `initialize` writes, in memory of an earlier copy of the same type if there is some.
    @inline(__always)
    init(
        _ type: ValueType, in spare: inout EmptyCopy?,
        _ initialize: (UnsafeMutableRawPointer) -> Void
    ) {
        if let empty = spare.take() {
            memory = empty.memory
        } else {
            memory = ValueMemory.make(for: type)
        }
        memory.fill(initialize)
    }

    /// Calls `body` with a pointer to the value, which is kept alive meanwhile.
    @inline(__always)
    package func withPointer<R>(_ body: (UnsafeRawPointer) -> R) -> R {
        withExtendedLifetime(memory) { body(UnsafeRawPointer(memory.pointer)) }
    }

    /// Lets go of the value and gives its memory away; nil when somebody else has the copy too.
    ///
    /// Not under a lock, as a value that goes may run code of the app.
    consuming func emptied() -> EmptyCopy? {
        var last = memory
        _ = consume self
        guard isKnownUniquelyReferenced(&last) else { return nil }
        last.empty()
        return EmptyCopy(memory: last)
    }
}

/// The memory of a copy that is over, for the next value of its type.
///
/// Those who tell of change after change need two copies in turn, and so no new ones.
struct EmptyCopy: ~Copyable {
    fileprivate let memory: ValueMemory
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
    /// more than 76 instructions; telling one more member takes some 250.
    var pointer: UnsafeMutableRawPointer {
        withUnsafeMutablePointerToHeader { $0.pointee.pointer }
    }

    @inline(__always)
    func fill(_ initialize: (UnsafeMutableRawPointer) -> Void) {
        withUnsafeMutablePointerToHeader { header in
            initialize(header.pointee.pointer)
            header.pointee.isFull = true
        }
    }

    func empty() {
        withUnsafeMutablePointerToHeader { header in
            header.pointee.isFull = false
            header.pointee.type.destroy(header.pointee.pointer)
        }
    }

    deinit {
        if withUnsafeMutablePointerToHeader(\.pointee.isFull) { empty() }
    }
}

/// What the engine, which knows no types, must be able to do with a value.
@usableFromInline
package class ValueType: @unchecked Sendable {  // Immutable, here and in its one subclass.
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
package final class TypedValue<Value>: ValueType, @unchecked Sendable {  // As `ValueType`.
    @usableFromInline
    package init() {
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
