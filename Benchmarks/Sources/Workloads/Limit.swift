// SPDX-License-Identifier: MIT

import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The least that a store could be: a state, a lock that nobody contends for, and a reducer.
///
/// It keeps no promise of the contract, has one action type and no way to add a second one. The
/// lock is the cheapest kind there is: one atomic exchange to take it, one store to free it.
public final class Limit<State>: @unchecked Sendable {  // Every access to `state` is under `lock`.
    private let lock = Atomic<Bool>(false)
    private var state: State

    /// A limit with a first state.
    public init(_ state: State) {
        self.state = state
    }

    /// Runs a reducer under the lock.
    @inline(__always)
    public func withState<R>(_ body: (inout State) -> R) -> R {
        while lock.exchange(true, ordering: .acquiring) { sched_yield() }
        defer { lock.store(false, ordering: .releasing) }
        return body(&state)
    }
}
