// SPDX-License-Identifier: MIT

import Foundation
import Onward
import Testing

@testable import OnwardBridge

@Suite("SubscriberList", .timeLimit(.minutes(5)))
struct SubscriberListTests {
    /// What a subscriber was notified of.
    private final class Notified: Sendable {
        struct Call: Equatable {
            let old: Int?
            let new: Int
        }
        private let state = Guarded<[(call: Call, thread: ObjectIdentifier)]>([])

        var calls: [Call] { state.withValue { $0.map(\.call) } }
        var threads: [ObjectIdentifier] { state.withValue { $0.map(\.thread) } }

        func note(_ old: Int?, _ new: Int) {
            let thread = currentThread()
            state.withValue { $0.append((Call(old: old, new: new), thread)) }
        }
    }

    private func makeStore(limits: StoreLimits = StoreLimits()) -> Store<BridgedState<Int>> {
        Store(BridgedState(0), options: StoreOptions(limits: limits)) {
            Reduction<Int, Int> { amount, sum in (sum ?? 0) + amount }
        }
    }

    /// Adds one as often as said, on a thread of its own.
    private func add(_ count: Int, to store: Store<BridgedState<Int>>) {
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            for _ in 0..<count { store.dispatch(BridgedAction(1)) }
            isDone.signal()
        }
        isDone.wait()
    }

    @Test
    func `What others committed during the first call is notified before subscribing returns`()
        async
    {
        let store = makeStore()
        let list = SubscriberList<String>()
        let notified = Notified()
        let member = SubscriberMember(owner: nil) { old, new in
            let (old, new) = (old?.load(as: Int.self), new.load(as: Int.self))
            notified.note(old, new)
            if new == 0 { add(3, to: store) }
        }
        subscribe(member, to: list, of: store)
        #expect(notified.calls.map(\.new) == [0, 1, 2, 3])
        await store.waitUntilIdle()
        store.dispatch(BridgedAction(1))
        #expect(notified.calls.map(\.new) == [0, 1, 2, 3, 4])
        #expect(notified.calls.map(\.old) == [nil, 0, 1, 2, 3])
    }

    @Test func `No more calls wait for the first one than the limit says`() async {
        let store = makeStore(limits: StoreLimits(waitingCommits: 4))
        let list = SubscriberList<String>()
        let notified = Notified()
        let member = SubscriberMember(owner: nil) { old, new in
            let (old, new) = (old?.load(as: Int.self), new.load(as: Int.self))
            notified.note(old, new)
            if new == 0 { add(100, to: store) }
        }
        subscribe(member, to: list, of: store)
        await store.waitUntilIdle()
        #expect(notified.calls.map(\.new) == [0, 1, 2, 3, 100])
        #expect(notified.calls.map(\.old) == [nil, 0, 1, 2, 3])
    }

    @Test func `What a first call dispatches itself is notified before subscribing returns`() {
        let store = makeStore()
        let list = SubscriberList<String>()
        let notified = Notified()
        let member = SubscriberMember(owner: nil) { old, new in
            let (old, new) = (old?.load(as: Int.self), new.load(as: Int.self))
            notified.note(old, new)
            if new < 3 { store.dispatch(BridgedAction(1)) }
        }
        subscribe(member, to: list, of: store)
        #expect(notified.calls.map(\.new) == [0, 1, 2, 3])
    }

    @Test func `A subscription that the list did not keep is not notified`() {
        let store = makeStore()
        let list = SubscriberList<String>()
        let notified = Notified()
        let member = SubscriberMember(owner: nil) { old, new in
            notified.note(old?.load(as: Int.self), new.load(as: Int.self))
        }
        subscribe(member, to: list, of: store)
        // As if another thread had found no subscription either.
        let (source, late) = list.subscribe(to: store)
        store.dispatch(BridgedAction(1))
        #expect(notified.calls.map(\.new) == [0, 1])
        #expect(list.keep(source, late) !== source)
        store.dispatch(BridgedAction(1))
        #expect(notified.calls.map(\.new) == [0, 1, 2])
    }

    /// Not in async code, which may continue on another thread.
    private func subscribe(
        _ member: SubscriberMember, to list: SubscriberList<String>,
        of store: Store<BridgedState<Int>>
    ) {
        list.add(member, for: "a", to: store, onMain: false)
    }
}

private func currentThread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }
