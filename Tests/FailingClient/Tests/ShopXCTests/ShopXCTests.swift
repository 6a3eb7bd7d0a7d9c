// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Shop
import XCTest

/// Tests of which the lines that end with "fails" have to fail, and no others.
final class ShopXCTests: XCTestCase {
    let tea = UniqueID(number: 1)

    func testWhatIsAsExpectedPasses() async {
        let store = TestStore(Shop()) { shop { _ in } }
        await store.dispatch(ShopAction.add("Tea"))
        await store.receive(ShopAction.added(tea, "Tea")) {
            $0.items.append(Shop.Item(id: self.tea, title: "Tea"))
        }
        await store.receive(ShopAction.saved(tea)) { $0.items[id: self.tea]?.isSaved = true }
        await store.finish()
    }

    @MainActor func testTheMainActor() async {
        let store = TestStore(Shop()) { shop { _ in } }
        await store.dispatch(ShopAction.show(true))  // fails
        await store.dispatch(ShopAction.add("Tea"))
        await store.receive(ShopAction.saved(UniqueID(number: 1)))  // fails
        await store.finish()  // fails
    }

    func testAStoreWithoutAnEnd() async {
        let store = TestStore(Shop()) { shop { _ in } }  // fails
        await store.dispatch(ShopAction.add("Tea"))
    }

    func testReducers() {
        let rules = shop { _ in }
        XCTAssertTrue(rules.reduce(Shop(), ShopAction.show(true)).isShown)
        rules.expect(ShopAction.show(true), from: Shop())  // fails
        rules.check(from: Shop(), always: ["few": { $0.items.count < 3 }]) { random, _ in  // fails
            ShopAction.added(UniqueID(number: .random(in: 1...9, using: &random)), "Tea")
        }
    }

    func testWhatNeverComes() async {
        await ManualClock().sleepers(1, within: .milliseconds(10))  // fails
    }
}
