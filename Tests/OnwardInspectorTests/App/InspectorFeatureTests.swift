// SPDX-License-Identifier: MIT
#if Inspector

import Onward
import OnwardJournal
import OnwardTesting
import Testing

@testable import OnwardInspector

struct InspectorFeatureTests {
    private let shop = makeShop()
    private let stores = StoreList()
    private let clock = ManualClock()
    private let store: Store<InspectorState>

    init() {
        _ = stores.add(AttachedStore(shop, limit: 100, files: nil), as: "shop")
        let stores = stores
        store = Store(InspectorState(), options: StoreOptions(clock: clock)) {
            inspectorFeature(of: stores)
        }
    }

    private func steer(_ command: InspectorCommand) {
        store.dispatch(Steer(store: "shop", command))
    }

    @Test func `whoever dispatched a command finds what came of it in the state`() {
        shop.dispatch(Visit())
        shop.dispatch(Visit())
        steer(.jump(moment: 1))
        #expect(shop.state.visits == 1)
        #expect(store.state["shop"]?.summary.cursor == 1)
        steer(.live)
        steer(.toggle(entry: 1))
        #expect(shop.state.visits == 1)
        #expect(store.state["shop"]?.summary.skipped == 1)
    }

    @Test func `why a command was not done is said until the next one`() {
        steer(.jump(moment: 7))
        #expect(store.state["shop"]?.problem == "There is no moment 7.")
        steer(.lock)
        #expect(store.state["shop"]?.problem == nil)
        #expect(shop.dispatch(Visit()) == .withheld)
        #expect(shop.state.visits == 0)
    }

    @Test func `a log is looked at often while a tab is open, and seldom otherwise`() async throws {
        try await store.wait { $0["shop"] != nil }
        #expect(store.state.pace == .seconds(1))
        shop.dispatch(Visit())
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        try await store.wait { $0["shop"]?.summary.count == 1 }
        shop.dispatch(Visit())
        store.scoped(to: \.tabs).dispatch(TabAction.open("tab", at: RouteStack(Place())))
        #expect(store.state.pace == .milliseconds(100))
        try await store.wait { $0["shop"]?.summary.count == 2 }
    }
}
#endif
