// SPDX-License-Identifier: MIT

import InspectedShop
import Onward
import OnwardJournal
import OnwardTesting
import Testing

@testable import OnwardInspection

struct StoreActivityTests {
    @Test func `an action type has how often it came, and what its reducers took`() {
        let shop = makeShop()
        let store = AttachedStore(shop, limit: 100, files: nil, jobs: QuestionThread())
        shop.dispatch(CartAction.add(id: 1, name: "Pear", price: 1))
        shop.dispatch(CartAction.clear)
        shop.dispatch(Visit())
        let costs = store.activity.costs
        #expect(Set(costs.map(\.name)) == ["CartAction", "Visit"])
        #expect(costs.first { $0.name == "CartAction" }?.count == 2)
        #expect(costs.allSatisfy { $0.worst <= $0.total && $0.worst >= 0 })
    }

    @Test func `what checks have refused is counted by reason, with the last action`() {
        enum Closed: RefusalReason { case tonight, tomorrow }
        let shop = Store(Shop()) {
            Reduce { (shop: inout Shop, _: Visit) in shop.visits += 1 }
            Check { (shop: Shop, _: Visit) throws(Closed) in
                if shop.visits == 1 { throw .tonight }
            }
        }
        let store = AttachedStore(shop, limit: 100, files: nil, jobs: QuestionThread())
        for _ in 0..<3 { shop.dispatch(Visit()) }
        #expect(
            store.activity.refusals.map { [$0.reason, "\($0.count)", $0.action] }
                == [["StoreActivityTests.Closed/tonight", "2", "Visit"]])
        #expect(store.activity.refusals.first?.origin.contains("StoreActivityTests.swift") == true)
    }

    @Test func `an effect that goes on is listed with what started it`() async throws {
        let clock = ManualClock()
        let shop = Store(Shop(), options: StoreOptions(clock: clock)) {
            Reduce { (shop: inout Shop, _: Visit) in shop.visits += 1 }
            OnAction { (_: Visit, context) -> Effect in
                .run(id: "greeting") { try await context.clock.sleep(for: .seconds(1)) }
            }
        }
        let store = AttachedStore(shop, limit: 100, files: nil, jobs: QuestionThread())
        shop.dispatch(Visit())
        await clock.sleepers(1)
        let effect = try #require(store.activity.effects.first)
        #expect(effect.description.contains("\"greeting\""))
        #expect(effect.description.contains("Visit, version 1"))
        #expect(effect.phase == "running" && !effect.isKeptByState)
        #expect(effect.name == "greeting" && effect.entry == 1)
        #expect(effect.origin?.hasPrefix("OnwardInspectionTests/StoreActivityTests.swift:") == true)
        clock.advance(by: .seconds(1))
        await shop.waitUntilIdle()
        #expect(store.activity.effects == [])
    }

    @Test func `subscriptions of one place are one line, with their number and the oldest entry`() {
        let shop = makeShop()
        let before = shop.subscribe(\.visits) { _, _ in }
        let store = AttachedStore(shop, limit: 100, files: nil, jobs: QuestionThread())
        var tokens: [Subscription] = []
        for _ in 0..<3 {
            shop.dispatch(Visit())
            tokens.append(shop.subscribe(\.visits) { _, _ in })
        }
        shop.dispatch(Visit())
        let activity = store.activity
        #expect(activity.subscriberCount == 4 && activity.earlierSubscribers == 1)
        #expect(activity.earlier == [StoreActivity.Earlier(value: "Int", count: 1)])
        #expect(activity.subscribers.count == 1)
        let place = activity.subscribers.first
        #expect(place?.count == 3 && place?.entry == 1 && place?.value == "Int")
        #expect(place?.calls == 6)
        #expect(place?.origin.hasPrefix("OnwardInspectionTests/StoreActivityTests.swift:") == true)
        tokens = []
        #expect(store.activity.subscribers == [])
        withExtendedLifetime(before) {}
    }

    @Test func `what came before is named by what it watches, the most frequent first`() {
        let shop = makeShop()
        let tokens =
            (0..<3).map { _ in shop.subscribe(\.visits) { _, _ in } }
            + [shop.subscribe(\.cart.items.isEmpty) { _, _ in }]
        let activity = AttachedStore(shop, limit: 100, files: nil, jobs: QuestionThread()).activity
        #expect(activity.earlierSubscribers == 4 && activity.subscribers == [])
        #expect(activity.earlier.map(\.value) == ["Int", "Bool"])
        #expect(activity.earlier.map(\.count) == [3, 1])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a selector has what it took`() throws {
        let shop = makeShop()
        let store = AttachedStore(shop, limit: 100, files: nil, jobs: QuestionThread())
        let twice = StateSelector<Shop, Int>(\.visits) { $0 * 2 }
        let token = shop.subscribe(.selector(twice)) { _, _ in }
        shop.dispatch(Visit())
        let selector = try #require(store.activity.selectors.first)
        #expect(selector.evaluations == 2)
        #expect((selector.total ?? 0) > 0 && (selector.worst ?? 0) <= (selector.total ?? 0))
        withExtendedLifetime(token) {}
    }

    @Test func `what an earlier inspector says is read, too`() throws {
        let value: DataValue = [
            "costs": [],
            "effects": [
                ["description": "x", "phase": "running", "isKeptByState": false, "since": 1]
            ],
            "selectors": [["description": "y", "evaluations": 1, "hits": 2]],
        ]
        let activity: StoreActivity = try value.decoded()
        #expect(activity.effectCount == 1 && activity.subscribers == [])
        #expect(activity.selectors.first?.total == nil)
    }
}
