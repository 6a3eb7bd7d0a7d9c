// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore
@testable import TestSupport

/// What a store knows of its subscribers while it is inspected.
@Suite struct SubscriberMeterTests {
    private struct State: Equatable, Sendable {
        var count = 0
        var todos: EntityTable<Todo> = [Todo(id: 1)]
    }

    private struct Step: Action {}

    private let store = Store(State()) {
        Reduce { (state: inout State, _: Step) in
            state.count += 1
            state.todos[id: 1]?.isDone.toggle()
        }
    }

    private var meters: [SubscriberMeter] {
        store.diagnostics.subscribers(limit: 100).all.compactMap(\.meter)
    }

    @Test func `a subscriber is known by its place, by its moment, and by what it is notified of`()
    {
        store.diagnostics.measureSubscribers()
        store.dispatch(Step())
        let line = #line + 1
        let token = store.subscribe(\.count) { _, _ in }
        let live = store.diagnostics.subscribers(limit: 100).all
        #expect(live.count == 1)
        #expect(live[0].type == Int.self)
        #expect(live[0].meter?.origin == ActionOrigin(file: #fileID, line: line))
        #expect(live[0].meter?.since == 1)
        withExtendedLifetime(token) {}
    }

    @Test func `calls are counted, of values and of rows`() {
        store.diagnostics.measureSubscribers()
        let tokens = [
            store.subscribe(\.count) { _, _ in },
            store.subscribe(.row(\.todos, id: 1)) { _, _ in },
            store.scoped(to: .row(\.todos, id: 1)).subscribe(.path(\.self)) { _, _ in },
        ]
        store.dispatch(Step())
        store.dispatch(Step())
        let costs = meters.map { $0.calls.cost }
        #expect(costs.map(\.count) == [2, 2, 2])
        #expect(costs.allSatisfy { $0.total >= $0.worst && $0.worst > 0 })
        withExtendedLifetime(tokens) {}
    }

    @Test func `a subscriber that is measured is notified as any other`() {
        store.diagnostics.measureSubscribers()
        let seen = Guarded<[Int]>([])
        let token = store.subscribe(\.count, initially: true) { old, new in
            seen.withValue { $0 += [old, new] }
        }
        store.dispatch(Step())
        #expect(seen.withValue { $0 } == [0, 0, 0, 1])
        token.cancel()
        store.dispatch(Step())
        #expect(seen.withValue { $0 }.count == 4)
    }

    @Test func `a subscription that has ended is none`() {
        store.diagnostics.measureSubscribers()
        let first = store.subscribe(\.count) { _, _ in }
        let second = store.subscribe(\.count) { _, _ in }
        #expect(store.diagnostics.subscribers(limit: 100).count == 2)
        first.cancel()
        #expect(store.diagnostics.subscribers(limit: 100).count == 1)
        #expect(meters.count == 1)
        withExtendedLifetime(second) {}
    }

    @Test func `those that came before are counted, and nothing else`() {
        let token = store.subscribe(\.count) { _, _ in }
        store.diagnostics.measureSubscribers()
        store.dispatch(Step())
        #expect(store.diagnostics.subscribers(limit: 100).count == 1)
        #expect(meters.isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test func `a sequence of values and a closure on the main actor have places, too`() async {
        store.diagnostics.measureSubscribers()
        let line = #line + 1
        var values = store.values(of: \.count).makeAsyncIterator()
        _ = await values.next()
        #expect(meters.map(\.origin?.line) == [line])
        let token = await MainActor.run {
            store.subscribe(\.count) { @MainActor _, _ in }
        }
        store.dispatch(Step())
        await store.waitUntilIdle()
        #expect(meters.map { $0.calls.cost.count }.max() == 2)
        #expect(meters.count == 2)
        withExtendedLifetime((values, token)) {}
    }
}
