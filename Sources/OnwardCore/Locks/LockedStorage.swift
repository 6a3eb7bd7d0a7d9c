// SPDX-License-Identifier: MIT

/// A lock and the memory that it protects, which only a ``Locked`` leads to.
///
/// The engine is one. What stands below the engine, such as groups of subscribers, knows no more of
/// it than this.
///
/// Invariant behind `@unchecked`: `memory` is reached with a ``Locked`` only, which the thread has
/// that holds `lock`.
@usableFromInline
package class LockedStorage: @unchecked Sendable {
    private final let lock = Lock()
    /// What the lock protects; the subclass says what lies there, and ends it.
    final let memory: UnsafeMutableRawPointer

    init(_ memory: UnsafeMutableRawPointer) {
        self.memory = memory
    }

    /// Which storage this is, for frames of threads.
    package final var id: UnsafeRawPointer {
        UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    }

    /// Whether this thread holds the lock already: it calls from inside a reducer.
    @inline(__always)
    final func isReducing(_ thread: UInt) -> Bool { lock.isOwned(by: thread) }

    /// Whether the current thread is inside a reducer.
    final var isInsideReducer: Bool { isReducing(CurrentThread.id) }

    /// Runs `body` under the lock, which this thread does not hold.
    @inline(__always)
    package final func withLock<Result: ~Copyable>(
        _ body: (borrowing Locked) -> Result
    ) -> Result {
        withLock(as: CurrentThread.id, body)
    }

    /// The same for code that has asked for its thread already.
    @inline(__always)
    final func withLock<Result: ~Copyable>(
        as thread: UInt, _ body: (borrowing Locked) -> Result
    ) -> Result {
        let locked = acquire(as: thread)
        let result = body(locked)
        release(locked)
        return result
    }

    /// Runs `body` under the lock, also inside a reducer, whose thread holds it already.
    package final func withLockAnywhere<Result>(_ body: (borrowing Locked) -> Result) -> Result {
        let thread = CurrentThread.id
        guard isReducing(thread) else { return withLock(as: thread, body) }
        let locked = Locked(memory)
        let result = body(locked)
        locked.end()
        return result
    }

    @inline(__always)
    private final func acquire(as thread: UInt) -> Locked {
        lock.acquire(as: thread)
        return Locked(memory)
    }

    @inline(__always)
    private final func release(_ locked: consuming Locked) {
        locked.end()
        lock.release()
    }

    // MARK: For code that is compiled into a client

    /// Runs `body` under the lock, which this thread does not hold.
    @inlinable
    package final func withLockHere<Result>(_ body: (borrowing Locked) -> Result) -> Result {
        finish(acquireHere(), body)
    }

    /// Runs `body` under the lock that was just taken for it, and frees it.
    @inlinable @inline(__always)
    final func finish<Result>(
        _ locked: consuming Locked, _ body: (borrowing Locked) -> Result
    ) -> Result {
        let result = body(locked)
        releaseHere(locked)
        return result
    }

    @usableFromInline
    final func acquireHere() -> Locked { acquire(as: CurrentThread.id) }

    @usableFromInline
    final func releaseHere(_ locked: consuming Locked) { release(locked) }
}

/// The proof that the current thread holds the lock of a ``LockedStorage``, and the only way to
/// what that protects.
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

/// A value under a lock of its own.
package final class Guarded<Value>: @unchecked Sendable {  // `value` is touched under `lock` only.
    @usableFromInline let lock = Lock()
    /// Unchecked, as the lock makes access exclusive.
    @usableFromInline @exclusivity(unchecked) var value: Value

    package init(_ value: sending Value) {
        self.value = value
    }

    /// Runs `body` on the value, alone; it must not call out.
    @inlinable
    package func withValue<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.acquireHere()
        defer { lock.releaseHere() }
        return body(&value)
    }
}
