// SPDX-License-Identifier: MIT

/// What a group of subscribers reads, without its type.
@usableFromInline
package final class AnyGetter: Sendable {
    /// Computes the value from a root state, into memory that holds none.
    @usableFromInline
    package typealias Derive = @Sendable (RootCopy, UnsafeMutableRawPointer) -> Void

    /// The bytes of the root state on which the value depends.
    let ranges: StateRanges
    private let type: ValueType
    /// Computes the value; nil when it lies at the start of the range.
    private let derive: BorrowedDerive?
    /// Whether a root state has the value; nil where every state has it.
    private let isThere: (@Sendable (UnsafeRawPointer) -> Bool)?

    @usableFromInline
    package convenience init<Value>(_ getter: Getter<Value>) {
        let type = TypedValue<Value>()
        var derive: Derive?
        if let compute = getter.derive {
            derive = { root, target in
                target.initializeMemory(as: Value.self, to: root.withPointer(compute))
            }
        }
        self.init(
            ranges: StateRanges(getter.range), type: type, isThere: getter.isThere,
            derive: derive)
    }

    /// What `derive` makes of a root state, of which it reads a range.
    @usableFromInline
    convenience init(range: Range<Int>, of type: ValueType, derive: @escaping Derive) {
        self.init(ranges: StateRanges(range), type: type, isThere: nil, derive: derive)
    }

    /// The value that lies at the start of a range.
    package convenience init(range: Range<Int>, of type: ValueType) {
        self.init(ranges: StateRanges(range), type: type, isThere: nil, derive: nil)
    }

    /// What `derive` makes of a root state that has its inputs.
    package init(
        ranges: StateRanges, type: ValueType, isThere: (@Sendable (UnsafeRawPointer) -> Bool)?,
        derive: Derive?
    ) {
        self.ranges = ranges
        self.type = type
        self.isThere = isThere
        if let derive { self.derive = BorrowedDerive(derive) } else { self.derive = nil }
    }

    /// Whether a copy of the whole state is needed to read the value outside the lock.
    var needsRoot: Bool {
        switch derive {
        case .some: true
        case .none: false
        }
    }

    /// Where the value lies that needs no copy of the whole state.
    func address(in root: UnsafeRawPointer) -> UnsafeRawPointer { root + ranges.first.lowerBound }

    /// What is copied under the lock, in the memory of an earlier copy if there is some.
    func capture(
        _ root: UnsafeRawPointer, _ copy: RootCopy?, in spare: inout EmptyCopy?
    ) -> Captured {
        if needsRoot, let copy { return .root(copy) }
        return .value(self.copy(in: root, &spare))
    }

    /// Copies the value that lies in a root state, in the memory of an earlier copy if there is some.
    @inline(__always)
    func copy(in root: UnsafeRawPointer, _ spare: inout EmptyCopy?) -> ValueCopy {
        let empty = EmptyCopy.take(&spare, for: type)
        type.copy(address(in: root), to: empty.pointer)
        return empty.filled()
    }

    func copy(in root: UnsafeRawPointer) -> ValueCopy {
        var none: EmptyCopy?
        return copy(in: root, &none)
    }

    /// The value itself; where necessary, computed outside the lock.
    @inline(__always)
    func value(of captured: consuming Captured) -> ValueCopy {
        switch consume captured {
        case .value(let value): return value
        case .root(let root, let seen): return value(in: root, orElse: seen)
        }
    }

    @inline(never)
    private func value(in root: RootCopy, orElse seen: ValueCopy?) -> ValueCopy {
        if let seen, !has(root) { return seen }
        var none: EmptyCopy?
        return compute(root, in: &none)
    }

    /// The value itself, or nil where the state has none; computed in memory of an earlier copy if
    /// there is some.
    func currentValue(of captured: consuming Captured, in spare: inout EmptyCopy?) -> ValueCopy? {
        switch consume captured {
        case .value(let value): value
        case .root(let root, _): currentValue(of: root, in: &spare)
        }
    }

    /// The same of a root state, where the value is computed.
    func currentValue(of root: RootCopy, in spare: inout EmptyCopy?) -> ValueCopy? {
        has(root) ? compute(root, in: &spare) : nil
    }

    @inline(__always)
    private func has(_ root: RootCopy) -> Bool {
        isThere == nil || isThere.map(root.withPointer) ?? true
    }

    private func compute(_ root: RootCopy, in spare: inout EmptyCopy?) -> ValueCopy {
        switch derive {
        case .some(let derive):
            let empty = EmptyCopy.take(&spare, for: type)
            derive.compute(root, empty.pointer)
            return empty.filled()
        case .none: return root.copy
        }
    }
}

/// What was copied under the lock for a later delivery.
enum Captured: Sendable {
    /// The value itself.
    case value(ValueCopy)
    /// The root state from which it will be computed; and, for a reader that has seen a value
    /// before, that value, which stays the last one where the state has none.
    case root(RootCopy, orElse: ValueCopy? = nil)
}
