// SPDX-License-Identifier: MIT

public import Onward

/// Writes down what a subscription is told, for a test to read.
///
/// ```swift
/// let recorder = Recorder(of: store, \.balance)
/// store.dispatch(BankAction.deposit(50))
/// #expect(recorder.values == [50])
/// ```
public final class Recorder<Value: Sendable>: Sendable {
    /// One call of the subscriber.
    public struct Change: Sendable {
        /// The value that the subscriber saw before.
        public let old: Value
        /// The new value.
        public let new: Value
    }

    private struct Waiter {
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var changes: [Change] = []
        var waiters: [Waiter] = []
        var token: Subscription?
    }

    private let state = Guarded(State())

    /// A recorder without a subscription; ``record(_:_:)`` is what to subscribe with.
    public init() {}

    /// A recorder of a value in a store's state.
    public convenience init<S>(
        of store: Store<S>, _ path: any KeyPath<S, Value> & Sendable, initially: Bool = false
    ) where Value: Equatable {
        self.init()
        let token = store.subscribe(path, initially: initially) { [weak self] old, new in
            self?.record(old, new)
        }
        state.withValue { $0.token = token }
    }

    /// All calls so far, in their order.
    public var changes: [Change] { state.withValue { $0.changes } }

    /// The new values of all calls so far, in their order.
    public var values: [Value] { changes.map(\.new) }

    /// Writes a call down.
    @Sendable
    public func record(_ old: Value, _ new: Value) {
        let served = state.withValue { state in
            state.changes.append(Change(old: old, new: new))
            let count = state.changes.count
            let served = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            return served
        }
        for waiter in served { waiter.continuation.resume() }
    }

    /// Waits until there were at least so many calls.
    public func calls(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withValue { state in
                if state.changes.count >= count { return true }
                state.waiters.append(Waiter(count: count, continuation: continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Ends the subscription.
    public func cancel() {
        let token = state.withValue { state in
            defer { state.token = nil }
            return state.token
        }
        token?.cancel()
    }
}
