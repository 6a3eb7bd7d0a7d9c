// SPDX-License-Identifier: MIT

import InspectedShop
import Onward
import OnwardJournal
import OnwardTesting
import Testing

@testable import OnwardInspection

/// Effects on the time axis.
@Suite(.timeLimit(.minutes(5))) struct EffectLifeTests {
    private let clock = ManualClock()
    private let time = Guarded<Int64>(1_000_000_000)

    /// Each visit begins to greet, which takes a second of the clock.
    private func makeStore() -> (store: Store<Shop>, attached: AttachedStore<Shop>) {
        var options = StoreOptions(clock: clock)
        options.wallClock = { [time] in
            Timestamp(nanosecondsSince1970: time.withValue { $0 })
        }
        let store = Store(Shop(), options: options) {
            Reduce { (shop: inout Shop, _: Visit) in shop.visits += 1 }
            Reduce { (shop: inout Shop, _: CartAction) in shop.cart = Cart() }
            OnAction { (_: Visit, context) -> Effect in
                .run(id: "greeting") { try await context.clock.sleep(for: .seconds(1)) }
            }
        }
        return (store, AttachedStore(store, limit: 100, files: nil, jobs: QuestionThread()))
    }

    private func pass(_ nanoseconds: Int64) { time.withValue { $0 += nanoseconds } }

    private func page(
        _ attached: AttachedStore<Shop>, _ change: (inout EffectQuery) -> Void = { _ in }
    ) -> EffectPage {
        var query = EffectQuery()
        change(&query)
        return attached.log.effects(query)
    }

    @Test func `an effect has the entry that started it, its beginning, and its end`() async {
        let (store, attached) = makeStore()
        store.dispatch(CartAction.clear)
        pass(50)
        store.dispatch(Visit())
        await clock.sleepers(1)
        pass(100)
        let living = page(attached)
        #expect(living.effects.map(\.name) == ["greeting"])
        #expect(living.effects.map(\.entry) == [2])
        #expect(living.effects.map(\.end) == [nil])
        #expect(living.effects.map(\.phase) == ["running"])
        #expect(living.end == 1_000_000_150)
        clock.advance(by: .seconds(1))
        await store.waitUntilIdle()
        let ended = page(attached).effects
        #expect(ended.map(\.phase) == ["finished"])
        #expect(ended.map(\.start) == [1_000_000_050])
        #expect(ended.map(\.end) == [1_000_000_150])
    }

    @Test func `around an entry are what lived then, and the entries of that time`() async {
        let (store, attached) = makeStore()
        for _ in 0..<3 {
            store.dispatch(Visit())
            await clock.sleepers(1)
            pass(1_000)
            clock.advance(by: .seconds(1))
            await store.waitUntilIdle()
            pass(1_000_000)
        }
        #expect(page(attached).effects.map(\.entry) == [1, 2, 3])
        let middle = page(attached) {
            $0.span = 10_000
            $0.entry = 2
        }
        #expect(middle.effects.map(\.entry) == [2])
        #expect(middle.entries.map(\.entry) == [2])
        #expect(middle.end - middle.start == 10_000)
        #expect(page(attached) { $0.limit = 2 }.effects.map(\.entry) == [2, 3])
        #expect(page(attached) { $0.limit = 2 }.omitted == 1)
    }

    @Test func `earlier effects are on earlier pages, each on one`() async {
        let (store, attached) = makeStore()
        for _ in 0..<5 {
            store.dispatch(Visit())
            await clock.sleepers(1)
            pass(1_000)
            clock.advance(by: .seconds(1))
            await store.waitUntilIdle()
        }
        var pages: [[Int?]] = []
        var before: UInt64?
        repeat {
            let page = page(attached) { ($0.limit, $0.before) = (2, before) }
            pages.append(page.effects.map(\.entry))
            before = page.earlier
        } while before != nil
        #expect(pages == [[4, 5], [2, 3], [1]])
        let old = page(attached) { ($0.limit, $0.before) = (2, 3) }
        #expect(old.end <= 1_000_000_000 + 5_000)
    }

    @Test func `effects of one place are left out, or shown alone, and all places are counted`()
        async throws
    {
        let (store, attached) = makeStore()
        store.dispatch(Visit())
        await clock.sleepers(1)
        let source = try #require(page(attached).sources.first)
        #expect(source.count == 1 && source.origin.contains("EffectLifeTests.swift"))
        let without = page(attached) { $0.hiddenOrigins = [source.origin] }
        #expect(without.effects.isEmpty && without.omitted == 0)
        #expect(without.sources == [source])
        #expect(page(attached) { $0.origin = source.origin }.effects.count == 1)
        #expect(page(attached) { $0.origin = "elsewhere" }.effects.isEmpty)
    }

    @Test func `an effect whose own action ends its state was not cancelled by somebody`() async {
        let store = Store(Shop(), options: StoreOptions(clock: clock)) {
            Reduce { (shop: inout Shop, _: Visit) in shop.visits = 1 - shop.visits }
            // Not before the dispatch that began it has returned: its thread would end it later.
            While(\.visit) { _, context in
                try await context.clock.sleep(for: .seconds(1))
                context.dispatch(Visit())
            }
            OnAction { (action: CartAction, context) -> Effect in
                if case .clear = action { return .cancel(id: "counting") }
                return .run(id: "counting") { try await context.clock.sleep(for: .seconds(1)) }
            }
        }
        let attached = AttachedStore(store, limit: 100, files: nil, jobs: QuestionThread())
        store.dispatch(Visit())
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        await store.waitUntilIdle()
        store.dispatch(CartAction.remove(1))
        await clock.sleepers(1)
        store.dispatch(CartAction.clear)
        await store.waitUntilIdle()
        #expect(page(attached).effects.map(\.phase) == ["ended by state", "cancelled"])
        #expect(page(attached).effects.map(\.isKeptByState) == [true, false])
    }

    @Test func `spans without sense are no harm`() {
        let (store, attached) = makeStore()
        store.dispatch(CartAction.clear)
        for span in [Int64.min, -1, 0, .max] {
            let page = page(attached) {
                $0.span = span
                $0.entry = 1
                $0.limit = .min
            }
            #expect(page.start <= page.end)
        }
    }
}

extension Shop {
    /// The visit that is going on.
    fileprivate var visit: Int? { visits == 1 ? visits : nil }
}
