// SPDX-License-Identifier: MIT

// For `scripts/check-object-code thread-id --self-test`: an async function that takes a lock before and after an
// `await`. With KEPT the optimiser believes that the thread's id is the same there.

import Synchronization

#if canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// A lock that is free again at once.
public final class Owned: Sendable {
    let owner = Atomic<UInt>(0)

    @inline(__always)
    func take() -> Bool {
        defer { owner.store(0, ordering: .releasing) }
        return owner.compareExchange(
            expected: 0, desired: threadID(), ordering: .acquiring
        ).exchanged
    }
}

#if KEPT
@inline(__always) func threadID() -> UInt { UInt(pthread_self()) }
#else
@_silgen_name("pthread_self") func threadID() -> UInt
#endif

/// Takes it on both sides of an await.
public func takeTwice(_ owned: Owned) async -> Bool {
    let first = owned.take()
    await Task.yield()
    return owned.take() && first
}
