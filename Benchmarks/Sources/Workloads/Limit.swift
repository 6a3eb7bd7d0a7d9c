// SPDX-License-Identifier: MIT

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The least that a store could be: a state, a lock, and a reducer.
///
/// It keeps no promise of the contract, has one action type and no way to add a second one. The
/// lock is the system's, as a program without a library would use it.
public final class Limit<State>: @unchecked Sendable {  // Every access to `state` is under `mutex`.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var state: State

    /// A limit with a first state.
    public init(_ state: State) {
        self.state = state
        let status = pthread_mutex_init(mutex, nil)
        precondition(status == 0, "No lock could be made (error \(status)).")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs a reducer under the lock.
    @inline(__always)
    public func withState<R>(_ body: (inout State) -> R) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&state)
    }
}
