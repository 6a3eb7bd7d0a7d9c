// SPDX-License-Identifier: MIT

#if Testing
import Onward
import OnwardTesting
import Testing

@Suite struct TestStoreTests {
    private struct Tap: Action, Equatable {}
    private struct Seen: Action, Equatable { var count: Int }
    private struct TapTwice: Action, Equatable {}

    /// The failures of a test whose effect reports the count of its action, or that of the moment.
    private func failures(readingNow: Bool) async -> [String] {
        let taps = Feature<Int> {
            Reduce { (count: inout Int, _: Tap) in count += 1 }
            Reduce { (_: inout Int, _: Seen) in }
            OnAction { (count: Int, _: Tap, context) -> Effect in
                .run { context.dispatch(Seen(count: readingNow ? context.current : count)) }
            }
        }
        return await Issues.found {
            let store = TestStore(0) { taps }
            await store.dispatch(inSuccession: [Tap(), Tap()]) { $0 = 2 }
            await store.receive(Seen(count: 1))
            await store.receive(Seen(count: 2))
            await store.finish()
        }.texts
    }

    @Test func `actions in a row show an effect that reads a later state than its own`() async {
        let right = await failures(readingNow: false)
        #expect(right == [])
        let mistaken = await failures(readingNow: true)
        #expect(mistaken.count == 1)
    }

    private struct Gauge: Codable, Equatable, Sendable { var level = Double.nan, count = 0 }
    private struct Measured: Action, Equatable { var level: Double }

    @Test func `NaN that stays is no change, and a change beside it is one`() async {
        let gauge = Feature<Gauge> {
            Reduce { (gauge: inout Gauge, _: Tap) in gauge.count += 1 }
            Reduce { (gauge: inout Gauge, action: Measured) in gauge.level = action.level }
            OnAction { (_: Tap, context) -> Effect in
                .run { context.dispatch(Measured(level: .nan)) }
            }
        }
        let right = await Issues.found {
            let store = TestStore(Gauge()) { gauge }
            await store.dispatch(Tap()) { $0.count = 1 }
            await store.receive(Measured(level: .nan))
            await store.finish()
        }.texts
        #expect(right == [])
        let mistaken = await Issues.found {
            let store = TestStore(Gauge()) { gauge }
            await store.dispatch(Tap())
            await store.receive(Measured(level: .nan)) { $0.level = 1 }
            await store.finish()
        }.texts
        #expect(mistaken.count == 2)
        struct Bare: Codable, Sendable { var level = Double.nan, count = 0 }
        let bare = await Issues.found {
            let store = TestStore(Bare()) {
                Reduce { (bare: inout Bare, _: Tap) in bare.count += 1 }
            }
            await store.dispatch(Tap()) { $0.count = 1 }
            await store.dispatch(Tap())
            await store.finish()
        }.texts
        #expect(bare.count == 1)
    }

    @Test func `an effect that dispatches twice shows it without a word of the test`() async {
        func failures(readingNow: Bool) async -> Int {
            let taps = Feature<Int> {
                Reduce { (count: inout Int, _: Tap) in count += 1 }
                Reduce { (_: inout Int, _: Seen) in }
                OnAction { (_: TapTwice, context) -> Effect in
                    .run { for _ in 0..<2 { context.dispatch(Tap()) } }
                }
                OnAction { (count: Int, _: Tap, context) -> Effect in
                    .run { context.dispatch(Seen(count: readingNow ? context.current : count)) }
                }
            }
            return await Issues.found {
                let store = TestStore(0) { taps }
                await store.dispatch(TapTwice())
                await store.receive(Tap()) { $0 = 1 }
                await store.receive(Tap()) { $0 = 2 }
                await store.receive(Seen(count: 1))
                await store.receive(Seen(count: 2))
                await store.finish()
            }.texts.count
        }
        #expect(await failures(readingNow: false) == 0)
        #expect(await failures(readingNow: true) == 1)
    }

    @Test
    func `an app is tested step by step, without sleeping`() async {
        let store = TestStore(Search()) { search }
        await store.dispatch(SearchAction.typed("o")) { $0.text = "o" }
        await store.advance(by: .milliseconds(200))
        await store.dispatch(SearchAction.typed("on")) { $0.text = "on" }
        await store.advance(by: .milliseconds(300))
        await store.receive(SearchAction.started) { $0.isLoading = true }
        await store.advance(by: .seconds(1))
        await store.receive(SearchAction.found(["on"])) {
            $0.books = ["on"]
            $0.isLoading = false
        }
        await store.finish()
    }

    @Test
    func `what ticks every second ticks ten times in ten seconds`() async {
        let store = TestStore(Search()) { search }
        await store.dispatch(SearchAction.open(true)) { $0.isOpen = true }
        await store.advance(by: .seconds(10))
        for second in 1...10 { await store.receive(SearchAction.tick) { $0.seconds = second } }
        #expect(store.clock.now.elapsed == .seconds(10))
        await store.finish()
    }

    @Test
    func `ids count, so a test can name them`() async {
        let store = TestStore(Search()) { search }
        for number: UInt64 in 1...3 {
            await store.dispatch(SearchAction.add)
            await store.receive(SearchAction.added(UniqueID(number: number))) {
                $0.ids.append(UniqueID(number: number))
            }
        }
        await store.finish()
    }

    @Test
    func `random numbers are those of the seed`() async {
        func number(seed: UInt64) async -> UInt64 {
            let store = TestStore(UInt64(0), seed: seed) {
                Reduce { (number: inout UInt64, action: Rolled) in number = action.number }
                OnAction { (_: Roll, context) -> Effect in
                    .run { context.dispatch(Rolled(number: context.random.next())) }
                }
            }
            await store.dispatch(Roll())
            let rolled = await store.receive(Rolled.self, .partial)
            await store.finish()
            return rolled?.number ?? 0
        }
        let first = await number(seed: 1)
        #expect(await number(seed: 1) == first)
        #expect(await number(seed: 2) != first)
    }

    @Test
    func `two hundred effects at once come in the same order in every run`() async {
        func order() async -> [Int] {
            let store = TestStore([Int]()) {
                Reduce { (order: inout [Int], action: Arrived) in order.append(action.number) }
                OnAction { (_: Roll, context) -> Effect in
                    .merge(
                        (0..<200).map { number in
                            .run {
                                for _ in 0..<(number % 7) { await Task.yield() }
                                context.dispatch(Arrived(number: number))
                            }
                        })
                }
            }
            await store.dispatch(Roll())
            let order = store.live.state
            await store.finish(.partial)
            return order
        }
        let first = await order()
        #expect(first.count == 200)
        #expect(await order() == first)
    }

    @Test
    func `the state is that of the last assertion, the live one that of the effects`() async {
        let store = TestStore(Search()) { search }
        await store.dispatch(SearchAction.add)
        #expect(store.state.ids == [])
        #expect(store.live.state.ids.count == 1)
        await store.receive(SearchAction.self) { $0.ids = [UniqueID(number: 1)] }
        #expect(store.state == store.live.state)
        await store.finish()
    }

    @Test
    func `actions that cannot be compared are received by type, key path or closure`() async {
        let store = TestStore(0) {
            Reduce { (sum: inout Int, action: Parcel) in sum += action.weight }
            OnAction { (_: Roll, context) -> Effect in
                .run { for weight in 1...4 { context.dispatch(Parcel(weight: weight) {}) } }
            }
        }
        await store.dispatch(Roll())
        await store.receive(Parcel.self) { $0 = 1 }
        await store.receive(where: \Parcel.isEven) { $0 = 3 }
        await store.receive { (parcel: Parcel) in
            parcel.weight == 3
        } changes: {
            $0 = 6
        }
        let last = await store.receive(Parcel.self, where: { $0.weight > 3 }) { $0 += 4 }
        #expect(last?.weight == 4)
        await store.finish()
    }

    @Test
    func `a partial assertion looks at what it states, and passes over the rest`() async {
        let store = TestStore(Search()) { search }
        await store.dispatch(SearchAction.typed("on"), .partial)
        await store.dispatch(SearchAction.open(true), .partial) { $0.isOpen = true }
        await store.advance(by: .seconds(3))
        await store.receive(where: \SearchAction.isFound, .partial) { $0.books = ["on"] }
        await store.finish(.partial)
    }

    @Test
    func `a state that cannot be compared is compared as it is written out`() async {
        struct Opaque: Sendable { var numbers = [0, 1] }
        let issues = await Issues.found {
            let store = TestStore(Opaque()) {
                Reduce { (state: inout Opaque, _: Roll) in state.numbers[1] += 1 }
            }
            await store.dispatch(Roll()) { $0.numbers[1] = 2 }
            await store.dispatch(Roll()) { $0.numbers[1] = 2 }
            await store.finish()
        }
        #expect(issues.all.count == 1)
        #expect(issues.texts.first?.contains("-     [1]: 2\n+     [1]: 3\n") == true)
    }

    @Test
    func `actions reach one of two instances, and name it when they come back`() async throws {
        struct Two: Equatable, Sendable { var left = Search(), right = Search() }
        let store = TestStore(Two()) {
            Scope(\.left, search)
            Scope(\.right, search)
        }
        let right = store.live.scoped(to: \.right).address
        await store.dispatch(SearchAction.typed("on"), to: right) { $0.right.text = "on" }
        await store.dispatch(SearchAction.add, to: right)
        await store.receive(SearchAction.self, at: right) { $0.right.ids = [UniqueID(number: 1)] }
        await store.dispatch(SearchAction.add)
        for number: UInt64 in 2...3 {
            await store.receive(SearchAction.added(UniqueID(number: number)), .partial)
        }
        #expect(store.state.left.ids.count + store.state.right.ids.count == 3)
        await store.finish(.partial)
    }

    @Test
    func `an effect that the state starts at once is seen from its first action on`() async {
        let store = TestStore(Search(isOpen: true)) { search }
        await store.advance(by: .seconds(1))
        await store.receive(SearchAction.tick) { $0.seconds = 1 }
        await store.finish()
    }

    @Test @MainActor
    func `what the outside world answers is waited for`() async {
        let (answers, answer) = AsyncStream.makeStream(of: Int.self)
        let store = TestStore(0) {
            Reduce { (number: inout Int, action: Arrived) in number = action.number }
            OnAction { (_: Roll, context) -> Effect in
                .run {
                    for await number in answers { context.dispatch(Arrived(number: number)) }
                }
            }
        }
        await store.dispatch(Roll())
        // On the test's actor, so not before the test waits.
        Task { @MainActor in
            answer.yield(7)
            answer.finish()
        }
        await store.receive(Arrived(number: 7)) { $0 = 7 }
        await store.finish()
    }

    @Test @MainActor
    func `what a task outside the store dispatches is received, too`() async {
        let store = TestStore(0) {
            Reduce { (number: inout Int, action: Arrived) in number = action.number }
        }
        let live = store.live
        // On the test's actor, so not before the test waits.
        Task { @MainActor in live.dispatch(Arrived(number: 7)) }
        await store.receive(Arrived(number: 7)) { $0 = 7 }
        await store.finish()
    }

    @Test @MainActor
    func `it works on the main actor`() async {
        let store = TestStore(Search()) { search }
        var notified: [String] = []
        let token = store.live.subscribe(\.text) { _, new in
            MainActor.assumeIsolated { notified.append(new) }
        }
        await store.dispatch(SearchAction.typed("on")) { $0.text = "on" }
        await store.advance(by: .seconds(2))
        await store.receive(SearchAction.started) { $0.isLoading = true }
        await store.receive(SearchAction.found(["on"])) {
            $0.isLoading = false
            $0.books = ["on"]
        }
        await store.finish()
        #expect(notified == ["on"])
        token.cancel()
    }

    @Test
    func `a middleware that withholds an action is tested on the live store`() async {
        let store = TestStore(Search()) {
            Bouncer()
            search
        }
        #expect(store.live.dispatch(SearchAction.failed) == .withheld)
        await store.dispatch(SearchAction.tick) { $0.seconds = 1 }
        await store.finish()
    }

    @Test
    func `what a middleware adds before an action is received after it`() async {
        let store = TestStore([Int]()) {
            Doubler()
            Reduce { (order: inout [Int], action: Arrived) in order.append(action.number) }
        }
        await store.dispatch(Arrived(number: 1)) { $0 = [10, 1] }
        await store.receive(Arrived(number: 10)) { $0 = [10] }
        #expect(store.state == [10, 1])
        await store.finish()
    }

    @Test
    func `the wall clock goes with the manual clock`() async {
        let store = TestStore(Search()) { search }
        let log = LogRecorder(of: store.live, needs: .time)
        await store.advance(by: .seconds(5))
        await store.dispatch(SearchAction.tick) { $0.seconds = 1 }
        #expect(log.entries.map { $0.time?.nanosecondsSince1970 } == [5_000_000_000])
        await store.finish()
    }

    struct Roll: Action {}
    struct Rolled: Action { let number: UInt64 }
    struct Arrived: Action, Equatable { let number: Int }

    struct Parcel: Action {
        let weight: Int
        let open: @Sendable () -> Void
        var isEven: Bool { weight.isMultiple(of: 2) }
    }

    struct Doubler: Middleware {
        typealias State = [Int]

        func handle<A: Action>(
            _ action: A, in context: borrowing MiddlewareContext<[Int]>
        ) -> DispatchResult {
            if let arrived = action as? Arrived, arrived.number < 10 {
                context.dispatch(Arrived(number: arrived.number * 10))
            }
            return context.next(action)
        }
    }

    struct Bouncer: Middleware {
        typealias State = Search

        func handle<A: Action>(
            _ action: A, in context: borrowing MiddlewareContext<Search>
        ) -> DispatchResult {
            if case SearchAction.failed? = action as? SearchAction { return .withheld }
            return context.next(action)
        }
    }
}
#endif
