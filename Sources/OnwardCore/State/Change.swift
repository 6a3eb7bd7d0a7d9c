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
        Self.isRepeat(from: old, to: new, by: isSame)
    }

    /// Whether a change from one value to another would change nothing, by a comparison.
    @inline(__always)
    static func isRepeat(
        from old: borrowing ValueCopy, to new: borrowing ValueCopy, by isSame: IsSame?
    ) -> Bool {
        guard let isSame else { return false }
        return old.withPointer { old in new.withPointer { new in isSame(old, new) } }
    }

    /// The value before, when the change is over.
    consuming func oldValue() -> ValueCopy { old }

    /// Calls `body` with pointers to both values.
    @inline(__always)
    func withPointers<R>(_ body: (UnsafeRawPointer, UnsafeRawPointer) -> R) -> R {
        old.withPointer { old in new.withPointer { new in body(old, new) } }
    }
}
