// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore
@testable import OnwardObservation
@testable import TestSupport

@Suite(.timeLimit(.minutes(5))) struct StateSubscriberStressTests {
    @Test
    func `objects that go on several threads while others come block no thread`() {
        let store = makeBank()
        onThreads(4) { _ in
            for _ in 0..<scaled(3_000) { Leaver(store).subscribe(to: .path(\.balance), of: store) }
        }
        #expect(store.engine.attached(ObjectSubscriptions.self).count == 0)
    }
    @Test @MainActor
    func `objects of the main actor come and go among those of other threads`() async {
        let store = makeBank()
        let others = Task.detached {
            onThreads(3) { _ in
                for _ in 0..<scaled(2_000) {
                    Leaver(store).subscribe(to: .path(\.balance), of: store)
                }
            }
        }
        for count in 0..<scaled(2_000) {
            let counter = MainLeaver(store)
            counter.subscribe(to: .path(\.balance), of: store)
            store.dispatch(BankAction.deposit(1))
            #expect(counter.notified >= 1)
            if count.isMultiple(of: 50) { await Task.yield() }
        }
        await others.value
        #expect(store.engine.attached(ObjectSubscriptions.self).count == 0)
    }
}

/// One of the main actor.
@MainActor private final class MainLeaver: @MainActor StateSubscriber {
    let store: Store<Bank>
    var notified = 0

    init(_ store: Store<Bank>) { self.store = store }

    func newState(_ state: Int) { notified += 1 }

    deinit { store.unsubscribe(self) }
}
