// SPDX-License-Identifier: MIT

/// The memory of a change that has been told, for the values of the next change of the same
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
        if first == nil { swap(&first, &second) }
        let empty = EmptyCopy.take(&first, for: type)
        type.initialize(empty.pointer, from: source)
        return empty.filled()
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

    private mutating func keep(_ empty: consuming EmptyCopy?) {
        if first == nil { first = empty } else if second == nil { second = empty }
    }
}
