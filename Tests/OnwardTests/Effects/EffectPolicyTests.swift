// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

/// Effects named "work" that say when they start and wait at a barrier of their own.
private struct Work: Sendable {
    let started = Log<String>()
    let barriers: [String: Barrier]

    init(_ names: String...) {
        barriers = Dictionary(uniqueKeysWithValues: names.map { ($0, Barrier()) })
    }

    func store(_ policy: EffectPolicy, id: String? = "work") -> Store<Desk> {
        makeDesk { text, context in
            if text == "stop" { return .cancel(id: "work") }
            return .run(id: id, policy) {
                started.append(text)
                await barriers[text]?.pass()
                context.dispatch(DeskAction.notified(text))
            }
        }
    }

    func open(_ names: String...) {
        for name in names { barriers[name]?.open() }
    }

    func arrival(_ name: String) async { await barriers[name]?.arrivals(1) }
}

@Suite(.timeLimit(.minutes(5))) struct EffectPolicyTests {
    @Test
    func `concurrent: effects of one id run side by side`() async {
        let work = Work("a", "b")
        let store = work.store(.concurrent)
        store.dispatch(DeskAction.say("a"))
        store.dispatch(DeskAction.say("b"))
        await work.arrival("a")
        await work.arrival("b")
        #expect(store.diagnostics.runningEffects.map(\.phase) == [.running, .running])
        work.open("b")
        await store.run(DeskAction.notified("-"))
        work.open("a")
        await store.waitUntilIdle()
        #expect(store.state.notified.sorted() == ["-", "a", "b"])
    }

    @Test
    func `latest: the running one is cancelled, and its late answer is not dispatched`() async {
        let work = Work("a", "b")
        let store = work.store(.latest)
        store.dispatch(DeskAction.say("a"))
        await work.arrival("a")
        store.dispatch(DeskAction.say("b"))
        await work.arrival("b")
        #expect(store.diagnostics.runningEffects.map(\.phase) == [.cancelled, .running])
        work.open("a", "b")
        await store.waitUntilIdle()
        #expect(store.state.notified == ["b"])
        #expect(store.diagnostics.runningEffects.isEmpty)
    }

    @Test
    func `dropping: a new one is ignored while one runs, and not after it`() async {
        let work = Work("a", "b", "c")
        let store = work.store(.dropping)
        store.dispatch(DeskAction.say("a"))
        await work.arrival("a")
        store.dispatch(DeskAction.say("b"))
        #expect(store.diagnostics.runningEffects.count == 1)
        work.open("a", "b", "c")
        await store.waitUntilIdle()
        store.dispatch(DeskAction.say("c"))
        await store.waitUntilIdle()
        #expect(store.state.notified == ["a", "c"])
        #expect(work.started.all == ["a", "c"])
    }

    @Test
    func `queue: one starts after the other has ended, in order`() async {
        let work = Work("a", "b", "c")
        let store = work.store(.queue)
        for name in ["a", "b", "c"] { store.dispatch(DeskAction.say(name)) }
        await work.arrival("a")
        #expect(store.diagnostics.runningEffects.map(\.phase) == [.running, .queued, .queued])
        work.open("c", "b")
        #expect(work.started.all == ["a"])
        work.open("a")
        await store.waitUntilIdle()
        #expect(store.state.notified == ["a", "b", "c"])
        #expect(work.started.all == ["a", "b", "c"])
    }

    @Test
    func `cancel ends those of its id, running and queued, and no others`() async {
        let work = Work("a", "b")
        let store = work.store(.queue)
        store.dispatch(DeskAction.say("a"))
        await work.arrival("a")
        store.dispatch(DeskAction.say("b"))
        let other = store.dispatch { context in
            await work.barriers["a"]?.pass()
            context.dispatch(DeskAction.notified("other"))
        }
        store.dispatch(DeskAction.say("stop"))
        #expect(store.diagnostics.runningEffects.map(\.phase) == [.cancelled, .running])
        work.open("a", "b")
        await store.waitUntilIdle()
        await other.waitUntilEnded()
        #expect(store.state.notified == ["other"])
        #expect(work.started.all == ["a"])
    }

    @Test
    func `effects without an id or a policy don't meet`() async {
        let work = Work("a", "b")
        let store = work.store(.concurrent, id: nil)
        store.dispatch(DeskAction.say("a"))
        store.dispatch(DeskAction.say("b"))
        work.open("a", "b")
        await store.waitUntilIdle()
        #expect(store.state.notified.sorted() == ["a", "b"])
    }

    @Test
    func `an id counts within one instance of a feature`() async {
        let barrier = Barrier()
        let talking = Feature<Drawer> {
            drawer
            OnAction { (action: DrawerAction, context) -> Effect in
                guard case .say(let text) = action else { return .none }
                return .run(id: "work", .latest) {
                    await barrier.pass()
                    context.dispatch(DrawerAction.notified(text))
                }
            }
        }
        let store = Store(Desk()) {
            Scope(\.left, talking)
            Scope(\.right, talking)
        }
        store.scoped(to: \.left).dispatch(DrawerAction.say("l"))
        store.scoped(to: \.right).dispatch(DrawerAction.say("r"))
        await barrier.arrivals(2)
        #expect(
            store.scoped(to: \.left).diagnostics.runningEffects.map(\.address.description) == [
                "left"
            ])
        #expect(store.diagnostics.runningEffects.map(\.phase) == [.running, .running])
        barrier.open()
        await store.waitUntilIdle()
        #expect(store.state.left.notified == ["l"])
        #expect(store.state.right.notified == ["r"])
    }

    @Test
    func `merge starts its effects side by side, each as one of its own`() async {
        let barrier = Barrier()
        let store = makeDesk { _, context in
            .merge(
                .run(id: "a") {
                    await barrier.pass()
                    context.dispatch(DeskAction.notified("a"))
                }, .none,
                .run(id: "b") { context.dispatch(DeskAction.notified("b")) })
        }
        let token = Task { try await store.wait { $0.notified == ["b"] } }
        store.dispatch(DeskAction.say("go"))
        _ = try? await token.value
        await barrier.arrivals(1)
        #expect(store.state.notified == ["b"])
        barrier.open()
        await store.waitUntilIdle()
        #expect(store.state.notified == ["b", "a"])
    }

    @Test
    func `sequence starts an effect when the one before has ended`() async {
        let barrier = Barrier()
        let store = makeDesk { _, context in
            .sequence(
                .run {
                    await barrier.pass()
                    context.dispatch(DeskAction.notified("1"))
                },
                .merge(.dispatch(DeskAction.notified("2")), .none),
                .run(id: "x", .queue) { context.dispatch(DeskAction.notified("3")) },
                .dispatch(DeskAction.notified("4")))
        }
        store.dispatch(DeskAction.say("go"))
        await barrier.arrivals(1)
        #expect(store.diagnostics.runningEffects.count == 1)
        barrier.open()
        await store.waitUntilIdle()
        #expect(store.state.notified == ["1", "2", "3", "4"])
    }

    @Test
    func `a sequence ends with a step that is cancelled or dropped`() async {
        let barrier = Barrier()
        let failures = Failures()
        let store = makeDesk(options: failures.options()) { text, context in
            if text == "stop" { return .cancel(id: "x") }
            return .sequence(
                .run(id: "x", .dropping) {
                    await barrier.pass()
                    context.dispatch(DeskAction.notified("\(text) 1"))
                },
                .dispatch(DeskAction.notified("\(text) 2")))
        }
        store.dispatch(DeskAction.say("a"))
        await barrier.arrivals(1)
        await store.run(DeskAction.say("dropped"))
        store.dispatch(DeskAction.say("stop"))
        barrier.open()
        await store.waitUntilIdle()
        #expect(store.state.notified.isEmpty)
        #expect(failures.all.isEmpty)
    }

    @Test
    func `a stream dispatches an action for each element, one after the other`() async {
        let (numbers, feed) = AsyncStream.makeStream(of: Int.self)
        let store = makeDesk { _, _ in
            .stream(numbers, id: "numbers") { number in
                number == 2 ? nil : DeskAction.notified("\(number)")
            }
        }
        store.dispatch(DeskAction.say("go"))
        for number in 1...3 { feed.yield(number) }
        feed.finish()
        await store.waitUntilIdle()
        #expect(store.state.notified == ["1", "3"])
    }

    @Test
    func `a stream is asked for the next element when the dispatch has returned`() async {
        /// Counts up, and writes down what had arrived at the store whenever it was asked.
        struct Asked: AsyncSequence, AsyncIteratorProtocol, Sendable {
            let notified: @Sendable () -> Int
            let log: Log<Int>
            var count = 0
            mutating func next() async -> Int? {
                log.append(notified())
                count += 1
                return count <= 3 ? count : nil
            }
            func makeAsyncIterator() -> Asked { self }
        }
        let log = Log<Int>()
        let store = makeDesk { _, context in
            .stream(Asked(notified: { context.current.notified.count }, log: log)) {
                DeskAction.notified("\($0)")
            }
        }
        store.dispatch(DeskAction.say("go"))
        await store.waitUntilIdle()
        #expect(log.all == [0, 1, 2, 3])
    }

    @Test
    func `effects without ids that end one another are reported, unless they are of one line`()
        async throws
    {
        let mistakes = Mistakes()
        let clock = ManualClock()
        var options = mistakes.options()
        options.clock = clock
        let store = makeDesk(options: options) { text, context in
            if text == "a" {
                return .run { context.dispatch(DeskAction.notified(text)) }
                    .debounce(for: .seconds(1))
            }
            return .run { context.dispatch(DeskAction.notified(text)) }
                .debounce(for: .seconds(1))
        }
        store.dispatch(DeskAction.say("b"))
        store.dispatch(DeskAction.say("c"))
        #expect(mistakes.kinds == [])
        store.dispatch(DeskAction.say("a"))
        #expect(mistakes.kinds == [.effectsWithoutIDs])
        let text = try #require(mistakes.all.first?.description)
        #expect(text.contains("neither has an id"))
        #expect(text.contains("give the two ids"))
        await clock.sleeper(until: .seconds(1))
        clock.advance(by: .seconds(1))
        await store.waitUntilIdle()
        #expect(store.state.notified == ["a"])
    }

    @Test
    func `effects with one id from several lines are meant to end one another`() {
        let mistakes = Mistakes()
        let store = makeDesk(options: mistakes.options()) { text, context in
            text == "a"
                ? .run(id: "x", .latest) { try await ContinuousClock().sleep(for: .seconds(900)) }
                : .run(id: "x", .latest) { context.dispatch(DeskAction.notified(text)) }
        }
        store.dispatch(DeskAction.say("a"))
        store.dispatch(DeskAction.say("b"))
        #expect(mistakes.kinds == [])
    }
}
