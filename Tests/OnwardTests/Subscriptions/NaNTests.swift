// SPDX-License-Identifier: MIT

import Observation
import Onward
import OnwardTesting
import Testing

@testable import TestSupport

/// What asks "did it change?" finds that a NaN which nobody touched has not.
@Suite(.timeLimit(.minutes(5))) struct NaNTests {
    struct Gauge: Sendable, Equatable, Identifiable {
        let id: Int
        var name = "a gauge whose name is too long to lie in the value itself"
        var isOn = true
        var value = Double.nan
        var limit: Double? = .nan
    }

    struct Panel: Sendable, Equatable {
        var clicks = 0
        var plain = Double.nan
        var pair = Pair()
        var gauge = Gauge(id: 0)
        var shown: Gauge? = Gauge(id: 1)
        var gauges: EntityTable<Gauge> = [Gauge(id: 1), Gauge(id: 2, value: 2)]
        var odd = Odd()

        struct Pair: Sendable, Equatable {
            var isOn = true
            var value = Float.nan
        }
    }

    /// Equals nothing, not even itself.
    struct Odd: Sendable, Equatable {
        var number = 0
        static func == (_: Odd, _: Odd) -> Bool { false }
    }

    struct Change: Action {
        let body: @Sendable (inout Panel) -> Void
    }

    private let calls = Log<String>()

    private func makeStore(
        options: StoreOptions = StoreOptions(),
        @FeatureBuilder<Panel> _ parts: () -> [any Part<Panel>] = { [] }
    ) -> Store<Panel> {
        Store(Panel(), options: options) {
            Reduce { (panel: inout Panel, change: Change) in change.body(&panel) }
            Feature(parts)
        }
    }

    /// Changes around the numbers, none of which changes one.
    private static let others: [@Sendable (inout Panel) -> Void] = [
        { $0.clicks += 1 },
        { $0.plain = .nan },
        { $0.pair.value = .nan },
        { $0.gauge.value = .nan },
        { $0.gauge = Gauge(id: 0, name: $0.gauge.name) },
        { $0.shown?.isOn = true },
        { $0.gauges[id: 1]?.value = .nan },
        { $0.gauges.update(id: 1) { $0.isOn = true } },
        { $0.gauges[id: 2]?.isOn = true },
    ]

    @Test
    func `subscribers of what has a NaN inside are notified when it changes, and only then`() {
        let store = makeStore()
        let gauges = StateSelector<Panel, EntityTable<Gauge>>(\.gauges)
        let gauge = StateSelector<Panel, Gauge>(\.gauge)
        func note<Value>(_ name: String) -> @Sendable (Value, Value) -> Void {
            { [calls] _, _ in calls.append(name) }
        }
        let factor = 2.0
        let tokens = [
            store.subscribe(\.plain, note("plain")),
            store.subscribe(\.pair, note("pair")),
            store.subscribe(\.gauge, note("gauge")),
            store.subscribe(\.shown, note("shown")),
            store.subscribe(\.gauges, note("gauges")),
            store.subscribe(.selecting(\.plain), note("selecting")),
            store.subscribe(.selecting { $0.gauge }, note("selecting a gauge")),
            store.subscribe(.selecting { $0.plain * factor }, note("computed")),
            store.subscribe(.row(\.gauges, id: 1), note("row")),
            store.subscribe(.table(\.gauges), note("table")),
            store.subscribe(.selector(gauge), note("selector")),
            store.subscribe(.selector(gauges.filter { $0.isOn }), note("filter")),
            store.subscribe(.selector(gauges.sum { $0.value }), note("sum")),
            store.scoped(to: .row(\.gauges, id: 1)).subscribe(\.?.value, note("part of a row")),
            store.scoped(to: \.gauge).subscribe(\.value, note("scoped")),
        ]
        // The first writing of a NaN with other bytes is a change.
        for change in Self.others { store.dispatch(Change(body: change)) }
        let before = calls.all.count
        for _ in 0..<3 { for change in Self.others { store.dispatch(Change(body: change)) } }
        #expect(calls.all.dropFirst(before).sorted() == [])
        store.dispatch(
            Change {
                $0.plain = 1
                $0.pair.value = 1
                $0.gauge.value = 1
                $0.shown?.value = 1
                $0.gauges[id: 1]?.value = 1
            })
        #expect(Set(calls.all.dropFirst(before)).count == tokens.count)
        let later = calls.all.count
        store.dispatch(
            Change {
                $0.plain = .nan
                $0.pair.value = .nan
                $0.gauge.value = .nan
                $0.shown?.value = .nan
                $0.gauges[id: 1]?.value = .nan
            })
        #expect(Set(calls.all.dropFirst(later)).count == tokens.count)
        for token in tokens { token.cancel() }
    }

    @Test
    func `an OnChange and a While of a NaN do not go on for ever`() async {
        let mistakes = Mistakes()
        let store = makeStore(options: mistakes.options()) {
            OnChange(of: \.gauge) { [calls] _, _, context in
                calls.append("change")
                return .run { context.dispatch(Change { $0.clicks += 1 }) }
            }
            While(\.shown) { [calls] _, _ in
                calls.append("while")
            }
            Scope(each: \.gauges) {
                While(\.limit) { [calls] _, _ in
                    calls.append("while of a row")
                }
            }
        }
        await store.run(Change { $0.clicks += 1 })
        while calls.all.count < 3 { await Task.yield() }
        let started = calls.all
        #expect(started.sorted() == ["while", "while of a row", "while of a row"])
        await store.run(Change { $0.gauge.value = 1 })
        await store.run(Change { $0.gauge.value = .nan })
        await store.run(Change { $0.gauges[id: 1]?.isOn = true })
        #expect(calls.all.dropFirst(started.count) == ["change", "change"])
        #expect(mistakes.all.isEmpty)
        await store.shutdown()
    }

    @Test
    func `a sequence and tracked code are not resumed by a NaN that stayed`() async throws {
        let store = makeStore()
        var values = store.values(of: \.gauge).makeAsyncIterator()
        _ = await values.next()
        store.dispatch(Change { $0.clicks += 1 })
        store.dispatch(Change { $0.gauge.value = .nan })
        store.dispatch(Change { $0.gauge.value = 5 })
        #expect(await values.next()?.value == 5)
        let isNotified = Guarded(false)
        withObservationTracking {
            _ = store[\.shown]
        } onChange: {
            isNotified.withValue { $0 = true }
        }
        store.dispatch(Change { $0.clicks += 1 })
        store.dispatch(Change { $0.shown?.value = .nan })
        #expect(!isNotified.withValue { $0 })
        store.dispatch(Change { $0.shown?.value = 1 })
        #expect(isNotified.withValue { $0 })
    }

    @Test
    func `what equals nothing has changed when its bytes have`() {
        let store = makeStore()
        let odd = Recorder<Odd>()
        let token = store.subscribe(\.odd, odd.record)
        store.dispatch(Change { $0.clicks += 1 })
        store.dispatch(Change { $0.odd = Odd() })
        #expect(odd.values.isEmpty)
        store.dispatch(Change { $0.odd.number = 1 })
        #expect(odd.values.map(\.number) == [1])
        token.cancel()
    }

    @Test
    func `what is built anew with a NaN inside counts as changed, and a loop of it is bounded`() {
        struct List: Sendable, Equatable { var numbers = [Double.nan] }
        struct Refill: Action {}
        let mistakes = Mistakes()
        let store = Store(List(), options: mistakes.options(limits: StoreLimits(generations: 10))) {
            Reduce { (list: inout List, _: Refill) in list.numbers = list.numbers.map { $0 } }
        }
        let token = store.subscribe(\.numbers) { _, _ in store.dispatch(Refill()) }
        store.dispatch(Refill())
        #expect(mistakes.kinds == [.subscriberLoop])
        token.cancel()
    }
}
