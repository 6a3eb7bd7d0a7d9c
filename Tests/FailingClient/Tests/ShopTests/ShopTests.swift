// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Shop
import Testing

/// Tests of which the lines that end with "fails" have to fail, and no others.
@Suite struct ShopTests {
    struct Offline: Error {}

    let tea = UniqueID(number: 1)

    @Test func `what is as expected passes`() async {
        let store = TestStore(Shop()) { shop { _ in } }
        await store.dispatch(ShopAction.add("Tea"))
        await store.receive(ShopAction.added(tea, "Tea")) {
            $0.items.append(Shop.Item(id: tea, title: "Tea"))
        }
        await store.receive(ShopAction.saved(tea)) { $0.items[id: tea]?.isSaved = true }
        await store.dispatch(ShopAction.show(true)) { $0.isShown = true }
        await store.advance(by: .seconds(20))
        for _ in 1...2 { await store.receive(ShopAction.polled) }
        await store.finish()
    }

    @Test func `a row with another title`() async {
        let store = TestStore(Shop()) { shop { _ in } }
        await store.dispatch(ShopAction.add("Tea"))
        await store.receive(ShopAction.added(tea, "Tea")) {  // fails
            $0.items.append(Shop.Item(id: tea, title: "Teas"))
        }
        await store.receive(ShopAction.saved(UniqueID(number: 2)))  // fails
        await store.finish()
    }

    @Test func `a change that is not stated, and actions that are not received`() async {
        let store = TestStore(Shop()) { shop { _ in } }
        await store.dispatch(ShopAction.show(true))  // fails
        await store.advance(by: .seconds(10))
        await store.dispatch(ShopAction.show(false)) { $0.isShown = false }  // fails
        await store.finish()
    }

    @Test func `an error that nobody catches`() async {
        let store = TestStore(Shop()) { shop { _ in throw Offline() } }
        await store.dispatch(ShopAction.add("Tea"))  // fails
        await store.receive(ShopAction.self, .partial)
        await store.receive(ShopAction.self)  // fails
        await store.finish()
    }

    @Test func `a store without an end`() async {
        let store = TestStore(Shop()) { shop { _ in } }  // fails
        await store.dispatch(ShopAction.add("Tea"))
    }

    @Test func `a rule that is broken`() {
        let rules = shop { _ in }
        rules.expect(ShopAction.show(true), from: Shop())  // fails
        rules.check(from: Shop(), always: ["few": { $0.items.count < 3 }]) { random, _ in  // fails
            ShopAction.added(UniqueID(number: .random(in: 1...9, using: &random)), "Tea")
        }
    }

    @Test func `what never comes`() async {
        let clock = ManualClock()
        await clock.sleepers(1, within: .milliseconds(10))  // fails
        let recorder = Recorder<Int>()
        await recorder.waitUntilCalled(1, within: .milliseconds(10))  // fails
        await expectReleased(within: .milliseconds(10)) { recorder }  // fails
    }
}
