// SPDX-License-Identifier: MIT

// Whether a value is the same after a change as before: the one answer to that question for tables, subscribers,
// selectors and effects.
//
// A value that does not equal itself, as it has a NaN inside, would count as changed with each commit. So what `==`
// says differs is compared once more, by its bytes: only where the new value does not equal itself, so that others pay
// for one comparison with themselves, which the compiler knows the result of or which ends at the first reference.
//
// Bytes between the fields of a value are not part of it. Copying a value field by field leaves them as they are, so
// both are copied to memory full of zeros first. What was built anew with a NaN in it, such as an array, has other bytes
// and counts as changed.

/// Whether a value is the same as before a change.
@inlinable @inline(__always)
package func isUnchanged<Value: Equatable>(_ old: Value, _ new: Value) -> Bool {
    old == new
        || !(new == new)
            && withUnsafePointer(to: old) { old in
                withUnsafePointer(to: new) { haveIdenticalStorage(old, $0) }
            }
}

/// The same of values that pointers lead to.
@inlinable @inline(__always)
package func isUnchanged<Value: Equatable>(
    at old: UnsafePointer<Value>, _ new: UnsafePointer<Value>
) -> Bool {
    old.pointee == new.pointee
        || !(new.pointee == new.pointee) && haveIdenticalStorage(old, new)
}

/// Whether two values consist of the same bytes, so that no code could tell one from the other.
@inlinable @inline(never)
package func haveIdenticalStorage<Value>(
    _ left: UnsafePointer<Value>, _ right: UnsafePointer<Value>
) -> Bool {
    withCleanCopy(of: left) { left in
        withCleanCopy(of: right) { right in left.elementsEqual(right) }
    }
}

/// Calls `body` with the bytes of a copy of a value, and zeros between its fields.
@inlinable
func withCleanCopy<Value>(
    of value: UnsafePointer<Value>, _ body: (UnsafeRawBufferPointer) -> Bool
) -> Bool {
    withUnsafeTemporaryAllocation(
        byteCount: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment
    ) { memory in
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        guard let start = memory.baseAddress else { return body(UnsafeRawBufferPointer(memory)) }
        // Field by field: a value with references is copied so wherever it is not moved, a plain one only by code
        // that knows its type.
        let copy =
            _isPOD(Value.self)
            ? start.initializeMemory(as: Value.self, to: value.pointee)
            : start.initializeMemory(as: Value.self, from: value, count: 1)
        defer { copy.deinitialize(count: 1) }
        return body(UnsafeRawBufferPointer(memory))
    }
}
