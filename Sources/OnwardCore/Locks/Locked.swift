// SPDX-License-Identifier: MIT

/// The proof that the current thread holds the lock of a ``LockedStorage``, and the only way to what that protects.
///
/// It can't be kept, copied or lost. A function that borrows it runs under the lock; one that takes it `inout` may free
/// the lock meanwhile; one that consumes it is handed the lock, and has freed it when it returns.
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
