// SPDX-License-Identifier: MIT

import InspectedShop
import Onward
import OnwardTesting
import Testing

@testable import OnwardInspection

struct StoreActivityTests {
    @Test func `an action type has how often it came, and what its reducers took`() {
        let shop = makeShop()
        let store = AttachedStore(shop, limit: 100, files: nil)
        shop.dispatch(CartAction.add(id: 1, name: "Pear", price: 1))
        shop.dispatch(CartAction.clear)
        shop.dispatch(Visit())
        let costs = store.activity.costs
        #expect(Set(costs.map(\.name)) == ["CartAction", "Visit"])
        #expect(costs.first { $0.name == "CartAction" }?.count == 2)
        #expect(costs.allSatisfy { $0.worst <= $0.total && $0.worst >= 0 })
    }

    @Test func `an effect that goes on is listed with what started it`() async throws {
        let clock = ManualClock()
        let shop = Store(Shop(), options: StoreOptions(clock: clock)) {
            Reduce { (shop: inout Shop, _: Visit) in shop.visits += 1 }
            OnAction { (_: Visit, context) -> Effect in
                .run(id: "greeting") { try await context.clock.sleep(for: .seconds(1)) }
            }
        }
        let store = AttachedStore(shop, limit: 100, files: nil)
        shop.dispatch(Visit())
        await clock.sleepers(1)
        let effect = try #require(store.activity.effects.first)
        #expect(effect.description.contains("\"greeting\""))
        #expect(effect.description.contains("Visit, version 1"))
        #expect(effect.phase == "running" && !effect.isKeptByState)
        clock.advance(by: .seconds(1))
        await shop.idle()
        #expect(store.activity.effects == [])
    }
}
