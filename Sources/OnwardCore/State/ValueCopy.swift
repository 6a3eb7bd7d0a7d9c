// SPDX-License-Identifier: MIT

/// A copy of a value whose type is known only to its shell; it no longer changes.
@usableFromInline
package struct ValueCopy: @unchecked Sendable {  // Written once, then only read.
    private let memory: ValueMemory

    /// Copies the value at `source`.
    @usableFromInline
    package init(of source: UnsafeRawPointer, _ type: ValueType) {
        let empty = EmptyCopy(ValueMemory.make(for: type))
        type.copy(source, to: empty.pointer)
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
/// Notifying of change after change needs two copies in turn, and so no new ones.
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
    /// Read through a pointer, as each reading of `header` is checked for exclusive access, which takes more
    /// than half as long as notifying one more member.
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
        copy(source, to: target)
        return target
    }

    /// Makes the memory at `target`, which holds no value, a copy of the value at `source`.
    @inline(__always)
    final func copy(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
        if isPlain {
            target.copyMemory(from: source, byteCount: size)
        } else {
            initialize(target, from: source)
        }
    }

    /// The same for a value that may hold something.
    fileprivate func initialize(_ target: UnsafeMutableRawPointer, from source: UnsafeRawPointer) {
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

    fileprivate override func initialize(
        _ target: UnsafeMutableRawPointer, from source: UnsafeRawPointer
    ) {
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

/// A value that is used where it lies.
///
/// Code that reads a closure or an object from a stored property counts a reference while using it, and
/// generic code copies what it passes on from behind a pointer: counting takes two thirds of notifying a
/// subscriber, copying the rest. What is in here cannot be copied by accident, so it is borrowed instead. The
/// borrower has the right to use it, and it is not replaced meanwhile.
@usableFromInline
package struct Borrowed<Value>: ~Copyable {
    @usableFromInline package let value: Value

    init(_ value: Value) {
        self.value = value
    }

    /// The value at a pointer, which must be of this type and stay as it is while this is used.
    @inlinable @inline(__always)
    package static func at(_ pointer: UnsafeRawPointer) -> UnsafePointer<Borrowed> {
        pointer.assumingMemoryBound(to: Borrowed.self)
    }

    /// The value, from here on like any other.
    consuming func taken() -> Value { value }
}

extension Borrowed: Sendable where Value: Sendable {}

/// A comparison of two values.
///
/// Not a `Borrowed`, which would wrap the closure in one for any type.
struct BorrowedComparison: ~Copyable, Sendable {
    let isSame: Change.IsSame

    init(_ isSame: @escaping Change.IsSame) {
        self.isSame = isSame
    }
}

/// What computes a value from a root state, as `BorrowedComparison`.
struct BorrowedDerive: ~Copyable, Sendable {
    let compute: AnyGetter.Derive

    init(_ compute: @escaping AnyGetter.Derive) {
        self.compute = compute
    }
}

/// The body of a subscriber that gets the value before and the new one.
@usableFromInline
struct BorrowedBody<Value>: ~Copyable, Sendable {
    @usableFromInline let call: @Sendable (Value, Value) -> Void

    @inlinable
    init(_ call: @escaping @Sendable (Value, Value) -> Void) {
        self.call = call
    }

    /// The body called by `caller`.
    func wrapped(in caller: @escaping @Sendable (_ call: () -> Void) -> Void) -> BorrowedBody {
        let body: @Sendable (Value, Value) -> Void = call
        return BorrowedBody { old, new in caller { body(old, new) } }
    }

    /// Calls the body with the values behind two pointers.
    func callAsFunction(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) {
        // One field makes one layout.
        call(
            old.assumingMemoryBound(to: Borrowed<Value>.self).pointee,
            new.assumingMemoryBound(to: Borrowed<Value>.self).pointee)
    }

    /// Not inlined: only a call passes borrowed values on without copying them.
    @inline(never)
    private func call(_ old: borrowing Borrowed<Value>, _ new: borrowing Borrowed<Value>) {
        call(old.value, new.value)
    }
}

/// A copy of a root state, and when it was made.
@usableFromInline
package final class RootCopy: Sendable {
    let copy: ValueCopy
    /// The version of the state.
    package let version: CommitVersion
    /// The oldest version that may still be asked for besides this one; 0 where that is not known.
    package let horizon: CommitVersion
    /// Whether the copy was made for a delivery, and not for a reader.
    package let isDelivery: Bool

    package init(
        _ copy: ValueCopy, version: CommitVersion, horizon: CommitVersion, isDelivery: Bool
    ) {
        self.copy = copy
        self.version = version
        self.horizon = horizon
        self.isDelivery = isDelivery
    }

    /// Where the state lies while the copy is alive.
    @usableFromInline var pointer: UnsafeRawPointer { copy.withPointer { $0 } }

    /// Calls `body` with a pointer to the state, which is kept alive meanwhile.
    @inline(__always)
    package func withPointer<R>(_ body: (UnsafeRawPointer) -> R) -> R { copy.withPointer(body) }
}

/// The memory of a change that has been notified, for the values of the next change of the same
/// type.
///
/// Belongs to the deliverer.
@usableFromInline
struct SpareCopies: ~Copyable {
    private var first: EmptyCopy?
    private var second: EmptyCopy?

    @usableFromInline
    init() {}

    /// Copies the value at `source`, in memory that is spare if there is some.
    @usableFromInline
    mutating func copy(_ source: UnsafeRawPointer, _ type: ValueType) -> ValueCopy {
        let empty = take(type)
        type.copy(source, to: empty.pointer)
        return empty.filled()
    }

    /// Memory for a value, spare if there is some.
    mutating func take(_ type: ValueType) -> EmptyCopy {
        if first == nil { swap(&first, &second) }
        return EmptyCopy.take(&first, for: type)
    }

    /// Keeps the memory of a change unless it is held elsewhere.
    ///
    /// Outside the lock, as a value that goes may run code of the app.
    @usableFromInline
    mutating func recycle(_ change: consuming Change) {
        let (old, new) = (change.old, change.new)
        _ = consume change
        keep((consume old).emptied())
        keep((consume new).emptied())
    }

    /// Keeps memory that holds no value.
    mutating func keep(_ empty: consuming EmptyCopy?) {
        if first == nil { first = empty } else if second == nil { second = empty }
    }
}

/// The last seen value of something that may be gone.
final class LastKnownValue<Value: Sendable>: LastKnownIdentity, @unchecked Sendable {  // Guarded.
    private let value: Guarded<Value>

    init(_ first: Value) {
        value = Guarded(first)
    }

    /// The value given, or the last one where there is none.
    func take(_ new: Value?) -> Value {
        value.withValue { last in
            guard let new else { return (last, last) }
            // What was kept is released outside the lock, by being returned.
            defer { last = new }
            return (new, last)
        }.0
    }
}

/// What distinguishes one memory from another, which may have seen something else last.
package class LastKnownIdentity: Hashable, @unchecked Sendable {  // Without anything to guard.
    package static func == (left: LastKnownIdentity, right: LastKnownIdentity) -> Bool {
        left === right
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Getter {
    /// The value inside an optional; while there is none, the last one.
    func unwrapped<Wrapped>(_ last: LastKnownValue<Wrapped>) -> Getter<Wrapped>
    where Value == Wrapped? {
        Getter<Wrapped>(
            range: range, derive: { last.take(read(from: $0)) },
            source: stableSource.map { .unwrapped($0, by: last) },
            isThere: { isThere?($0) != false && read(from: $0) != nil })
    }
}
