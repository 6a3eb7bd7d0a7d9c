// SPDX-License-Identifier: MIT

import ReSwift
import Testing

@testable import Swift6

@Suite(.serialized) struct Swift6Tests {
    @MainActor
    @Test func `A screen on the main actor follows a global store`() {
        store.dispatch(CountAction.set(0))
        let screen = Screen()
        screen.appear()
        store.dispatch(Increment())
        #expect(screen.text == "2")
        store.unsubscribe(screen)
    }

    @Test func `A global store is used from any task`() async {
        store.dispatch(CountAction.set(0))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<100 { store.dispatch(Increment()) } }
            }
        }
        #expect(store.state.count == 800)
    }

    @Test func `A subclass counts, and a plain subscriber listens`() {
        let store = CountingStore(reducer: appReducer, state: nil)
        let plain = Plain()
        store.subscribe(plain) { $0.select { $0.count } }
        store.dispatch(Increment())
        store.dispatch { state, _ in CountAction.set(state.count + 10) }
        #expect(plain.counts == [0, 1, 11])
        #expect(store.dispatched == 3)
    }
}
