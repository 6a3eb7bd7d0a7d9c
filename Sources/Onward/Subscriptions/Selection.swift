// SPDX-License-Identifier: MIT

/// What a group of subscribers reads, without its type.
@usableFromInline
struct Selection: Sendable {
    /// The bytes of the root state on which the value depends.
    let ranges: StateRanges
    private let type: ValueType
    /// Computes a copy of the value from a root state; nil when it lies at the start of the range.
    private let derive: (@Sendable (RootCopy) -> ValueCopy)?
    /// Whether a root state has the value; nil where each has.
    private let isThere: (@Sendable (UnsafeRawPointer) -> Bool)?

    @usableFromInline
    init<Value>(_ projection: Projection<Value>) {
        let type = TypedValue<Value>()
        ranges = StateRanges(projection.range)
        self.type = type
        isThere = projection.isThere
        guard let deriveValue = projection.derive else {
            derive = nil
            return
        }
        derive = { root in
            withUnsafePointer(to: root.withPointer(deriveValue)) {
                ValueCopy(of: UnsafeRawPointer($0), type)
            }
        }
    }

    /// The value that lies at the start of a range.
    init(range: Range<Int>, of type: ValueType) {
        ranges = StateRanges(range)
        self.type = type
        derive = nil
        isThere = nil
    }

    /// What a selector makes of a root state that has its inputs.
    init(
        ranges: StateRanges, type: ValueType, isThere: (@Sendable (UnsafeRawPointer) -> Bool)?,
        derive: @escaping @Sendable (RootCopy) -> ValueCopy
    ) {
        self.ranges = ranges
        self.type = type
        self.isThere = isThere
        self.derive = derive
    }

    /// Whether a copy of the whole state is needed to read the value outside the lock.
    var needsRoot: Bool { derive != nil }

    /// What is copied under the lock.
    func capture(_ root: UnsafeRawPointer, _ copy: RootCopy?) -> Captured {
        if derive != nil, let copy { return .root(copy) }
        return .value(ValueCopy(of: root + ranges.first.lowerBound, type))
    }

    /// The value itself; computed, outside the lock, where it has to be.
    func value(of captured: Captured) -> ValueCopy {
        switch captured {
        case .value(let value): value
        case .root(let root, let seen): seen.flatMap { has(root) ? nil : $0 } ?? compute(root)
        }
    }

    /// The value itself, or nil where the state has none.
    func currentValue(of captured: Captured) -> ValueCopy? {
        switch captured {
        case .value(let value): value
        case .root(let root, _): has(root) ? compute(root) : nil
        }
    }

    private func has(_ root: RootCopy) -> Bool { isThere.map(root.withPointer) ?? true }

    private func compute(_ root: RootCopy) -> ValueCopy { derive?(root) ?? root.copy }
}

/// What was copied under the lock for a later delivery.
enum Captured: Sendable {
    /// The value itself.
    case value(ValueCopy)
    /// The root state from which it will be computed; and, for one who has seen a value before, that
    /// value, which stays the last one where the state has none.
    case root(RootCopy, orElse: ValueCopy? = nil)
}
