// SPDX-License-Identifier: MIT

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
        type.initialize(empty.pointer, from: source)
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
