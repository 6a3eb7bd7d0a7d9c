// SPDX-License-Identifier: MIT

/// The proof that the current thread holds the lock of a ``LockedStorage``, and the only way to what that protects.
///
/// It is lent to code that runs under the lock, and can't be kept or copied.
@usableFromInline
package struct Locked: ~Copyable {
    /// What the lock protects.
    let memory: UnsafeMutableRawPointer

    /// Only ``LockedStorage`` makes one, when it has taken its lock.
    @inline(__always)
    init(_ memory: UnsafeMutableRawPointer) {
        self.memory = memory
    }

    deinit { Self.isLost() }

    @inline(never)
    private static func isLost() {
        preconditionFailure("A thread has forgotten that it holds the lock of a store.")
    }

    /// Ends the proof; only ``LockedStorage`` says so, when it frees its lock.
    @inline(__always)
    consuming func end() { discard self }
}
