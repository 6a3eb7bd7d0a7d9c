// SPDX-License-Identifier: MIT

/// What a group of subscribers reads, without its type.
@usableFromInline
struct Selection: Sendable {
    /// The bytes of the root state on which the value depends.
    let range: Range<Int>
    private let type: ValueType
    /// Computes a copy of the value from a root state; nil when it lies at the start of `range`.
    private let derive: (@Sendable (UnsafeRawPointer) -> ValueCopy)?

    @usableFromInline
    init<Value>(_ projection: Projection<Value>) {
        let type = TypedValue<Value>()
        range = projection.range
        self.type = type
        guard let deriveValue = projection.derive else {
            derive = nil
            return
        }
        derive = { root in
            withUnsafePointer(to: deriveValue(root)) { ValueCopy(of: UnsafeRawPointer($0), type) }
        }
    }

    /// Whether a copy of the whole state is needed to read the value outside the lock.
    var needsRoot: Bool { derive != nil }

    /// What is copied under the lock.
    func capture(_ root: UnsafeRawPointer, _ copy: ValueCopy?) -> Captured {
        if derive != nil, let copy { return .root(copy) }
        return .value(ValueCopy(of: root + range.lowerBound, type))
    }

    /// The value itself; computed, outside the lock, where it has to be.
    func value(of captured: Captured) -> ValueCopy {
        switch captured {
        case .value(let value): value
        case .root(let root): derive?(root.pointer) ?? root
        }
    }
}

/// What was copied under the lock for a later delivery.
enum Captured: Sendable {
    /// The value itself.
    case value(ValueCopy)
    /// The root state from which it will be computed.
    case root(ValueCopy)
}
