// SPDX-License-Identifier: MIT

/// A value that is used where it lies.
///
/// Code that reads a closure or an object from a stored property counts a reference while using it, and
/// generic code copies what it passes on from behind a pointer: counting takes two thirds of notification a
/// subscriber, copying the rest. What is in here cannot be copied by accident, so it is borrowed instead. The
/// borrower has the right to use it, and it is not replaced meanwhile.
@usableFromInline
package struct Borrowed<Value>: ~Copyable {
    @usableFromInline package let value: Value

    init(_ value: Value) {
        self.value = value
    }

    /// The value at a pointer, which must be of this type and stay as it is while this is used.
    @inline(__always)
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
