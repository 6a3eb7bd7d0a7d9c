// SPDX-License-Identifier: MIT

/// The value that subscribers saw before, and the one they are notified of.
@usableFromInline
package struct Change: Sendable {
    /// Compares two values; nil where no two values count as the same.
    @usableFromInline
    package typealias IsSame = @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool

    let old: ValueCopy
    let new: ValueCopy

    @usableFromInline
    init(from old: ValueCopy, to new: ValueCopy) {
        self.old = old
        self.new = new
    }

    /// The change that this one and a later one make together.
    func joined(with later: Change) -> Change { Change(from: old, to: later.new) }

    /// Whether nothing changed, by a comparison.
    func isRepeat(by isSame: IsSame?) -> Bool {
        guard let isSame else { return false }
        return withPointers(isSame)
    }

    /// The value before, when the change is over.
    consuming func oldValue() -> ValueCopy { old }

    /// Calls `body` with pointers to both values.
    @inline(__always)
    func withPointers<R>(_ body: (UnsafeRawPointer, UnsafeRawPointer) -> R) -> R {
        old.withPointer { old in new.withPointer { new in body(old, new) } }
    }
}

/// A value that can be absent: an optional, without its type.
///
/// Values that cannot be compared are notified with every commit; that there is nothing is notified once.
protocol Absence {
    var isAbsent: Bool { get }
}

extension Optional: Absence {
    var isAbsent: Bool { self == nil }
}

extension Change {
    /// The comparison of two values that cannot be compared: nothing is the same as nothing.
    @usableFromInline
    package static func bothAbsent<Value>(_ type: Value.Type) -> IsSame? {
        guard type is any Absence.Type else { return nil }
        @Sendable func isAbsent(_ pointer: UnsafeRawPointer) -> Bool {
            (pointer.assumingMemoryBound(to: Value.self).pointee as? any Absence)?.isAbsent ?? false
        }
        return { isAbsent($0) && isAbsent($1) }
    }
}

/// The bytes of a root state on which something depends: one range, or several for a selector with
/// several inputs.
@usableFromInline
package struct StateRanges: Sendable {
    private(set) var first: Range<Int>
    /// Empty, and so without an allocation, except for selectors.
    private(set) var others: [Range<Int>] = []

    package init(_ range: Range<Int>) {
        first = range
    }

    /// Adds the bytes on which something else depends.
    package mutating func formUnion(_ more: StateRanges) {
        for range in [more.first] + more.others where range != first && !others.contains(range) {
            others.append(range)
        }
    }

    /// Whether a commit that changed the bytes `changed` may have changed one of these.
    func mayOverlap(_ changed: Range<Int>) -> Bool {
        Self.mayOverlap(first, changed) || others.contains { Self.mayOverlap($0, changed) }
    }

    private static func mayOverlap(_ range: Range<Int>, _ changed: Range<Int>) -> Bool {
        // A field without bytes shares its offset with its neighbour and is never changed, but its
        // subscribers may want to be notified of every commit: an empty range counts as read.
        range.isEmpty || changed.isEmpty || range.overlaps(changed)
    }
}
