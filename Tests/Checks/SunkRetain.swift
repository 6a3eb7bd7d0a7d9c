// SPDX-License-Identifier: MIT

// For `scripts/check-object-code lock --self-test`: functions that load a reference under a lock. With SUNK the
// optimiser sees the store that frees the lock, and counts the reference after it.

import Synchronization

@_silgen_name("pthread_self")
func threadID() -> UInt

struct Lock: ~Copyable {
    let owner = Atomic<UInt>(0)

    @inline(__always) func acquire() {
        while true {
            let (taken, _) = owner.weakCompareExchange(
                expected: 0, desired: threadID(), ordering: .acquiring)
            if taken { return }
        }
    }
    #if SUNK
    @inline(__always) func release() { owner.store(0, ordering: .releasing) }
    #else
    @inline(never) @_effects(readwrite) func release() { owner.store(0, ordering: .releasing) }
    #endif

    @inline(__always) func withLock<R>(_ body: () -> R) -> R {
        acquire()
        defer { release() }
        return body()
    }
}

/// An object that may be released by another thread.
public final class Job {
    /// A job.
    public init() {}
    /// Has to be called with a counted reference.
    @inline(never) public func cancel() {}
}

/// Keeps jobs under a lock.
public final class Jobs: @unchecked Sendable {
    let lock = Lock()
    var job: Job?
    var jobs: [Int: Job] = [:]

    /// No jobs.
    public init() {}

    /// Takes a job out of the lock and uses it.
    public func cancel() { lock.withLock { job }?.cancel() }
    /// The same with a table.
    public func cancel(_ key: Int) { lock.withLock { jobs[key] }?.cancel() }
}
