// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import OnwardEffects
@testable import TestSupport

/// Says whether anything holds it.
private final class Witness: Sendable {}

@Suite(.timeLimit(.minutes(5))) struct EffectLifetimeTests {
    @Test
    func `the last reference to a store ends its effects, and nothing of them is left`() async {
        let barrier = Barrier()
        let results = Log<DispatchResult>()
        weak var weakly: Witness?
        let ended = AsyncStream.makeStream(of: Void.self)
        do {
            let witness = Witness()
            weakly = witness
            let store = makeDesk(Desk(isOpen: true)) { [witness] _, context in
                .run {
                    let parting = Parting { ended.continuation.finish() }
                    await barrier.pass()
                    results.append(context.dispatch(DeskAction.notified("late")))
                    withExtendedLifetime((witness, parting)) {}
                }
            }
            store.dispatch(DeskAction.say("go"))
            await barrier.arrivals(1)
        }
        barrier.open()
        for await _ in ended.stream {}
        #expect(results.all == [.refused(.expired)])
        while weakly != nil { await Task.yield() }
    }

    @Test
    func `what is kept of an effect can dispatch nothing once its store is at rest`() async {
        let kept = Guarded<EffectContext<Desk>?>(nil)
        let store = makeDesk(Desk(isOpen: true)) { _, context in
            kept.withValue { $0 = context }
            return .run {}
        }
        // The effect ends on another thread, so any of many times may be the one.
        for _ in 1...300 {
            store.dispatch(DeskAction.say("go"))
            await store.waitUntilIdle()
            let context = kept.withValue { $0 }
            #expect(context?.dispatch(DeskAction.notified("late")) == .refused(.expired))
        }
    }

    @Test
    func `shutdown cancels all effects and returns when they have ended`() async {
        let clock = ManualClock()
        let ends = Log<String>()
        let store = Store(Desk(isOpen: true), options: StoreOptions(clock: clock)) {
            desk
            OnAction { (action: DeskAction, context) -> Effect in
                guard case .say(let text) = action else { return .none }
                return .run(id: "x", .queue) {
                    try? await context.clock.sleep(for: .seconds(1))
                    ends.append(text)
                }
            }
            While(\.isOpen) { _, context in
                try? await context.clock.sleep(for: .seconds(1))
                ends.append("while")
            }
        }
        store.dispatch(DeskAction.say("running"))
        store.dispatch(DeskAction.say("queued"))
        let thunk = store.dispatch { context in
            try? await context.clock.sleep(for: .seconds(1))
            ends.append("thunk")
        }
        await clock.sleepers(3)
        await store.shutdown()
        #expect(ends.all.sorted() == ["running", "thunk", "while"])
        #expect(store.diagnostics.runningEffects.isEmpty)
        #expect(clock.sleeperCount == 0)
        await thunk.waitUntilEnded()
        await #expect(throws: CancellationError.self) { try await store.run { _ in 1 } }
    }

    @Test
    func `shutdown says what it dropped: what waited, what was queued, what it cut off`() async {
        let clock = ManualClock()
        let barrier = Barrier()
        let store = Store(Desk(isOpen: true), options: StoreOptions(clock: clock)) {
            desk
            OnAction { (action: DeskAction, context) -> Effect in
                guard case .say(let text) = action else { return .none }
                if text == "stop" { return .cancel(id: "stopped") }
                let effect = Effect.run(id: text, .queue) {
                    if text == "stopped" { await barrier.pass() }
                    try await context.clock.sleep(for: .seconds(9))
                }
                return text == "save" ? effect.debounce(for: .seconds(1)) : effect
            }
            While(\.isOpen) { _, context in try await context.clock.sleep(for: .seconds(9)) }
        }
        for text in ["save", "send", "send", "stopped"] { store.dispatch(DeskAction.say(text)) }
        await barrier.arrivals(1)
        store.dispatch(DeskAction.say("stop"))
        let handle = store.dispatch(id: "thunk") { try await $0.clock.sleep(for: .seconds(9)) }
        async let dropped = store.shutdown()
        await handle.waitUntilEnded()
        barrier.open()
        let (ids, phases) = await (dropped.map(\.id), dropped.map(\.phase))
        #expect(ids == ["save", "send", "send", "thunk"])
        #expect(phases == [.waiting, .running, .queued, .running])
        #expect(await store.shutdown().isEmpty)
    }

    @Test
    func `a running effect can be read: what started it, where, since when`() async {
        let barrier = Barrier()
        var options = StoreOptions()
        options.wallClock = { Timestamp(nanosecondsSince1970: 77) }
        let store = makeDesk(options: options) { _, _ in
            .run(id: "covers", file: "Game/Game.swift", line: 12) { await barrier.pass() }
        }
        store.dispatch(DeskAction.notified("-"))
        store.dispatch(DeskAction.say("go"))
        let effect = store.diagnostics.runningEffects.first
        #expect(store.diagnostics.runningEffects.count == 1)
        #expect(effect?.id == "covers")
        #expect(effect?.kind == .action)
        #expect(effect?.phase == .running)
        #expect(effect?.address == .root)
        #expect(effect?.action as? DeskAction == .say("go"))
        #expect(effect?.startedBy == 2)
        #expect(effect?.origin == ActionOrigin(file: "Game/Game.swift", line: 12))
        #expect(effect?.since == Timestamp(nanosecondsSince1970: 77))
        barrier.open()
        await store.waitUntilIdle()
        #expect(store.diagnostics.runningEffects.isEmpty)
    }

    @Test
    func `effects that end in any order leave the others listed, the oldest first`() async {
        let barriers = ["a": Barrier(), "b": Barrier(), "c": Barrier(), "d": Barrier()]
        let store = makeDesk { text, _ in .run { await barriers[text]?.pass() } }
        for text in ["a", "b", "c", "d"] { store.dispatch(DeskAction.say(text)) }
        for (text, left) in [("b", [1, 3, 4]), ("a", [3, 4]), ("d", [3]), ("c", [])]
            as [(String, [CommitVersion])]
        {
            barriers[text]?.open()
            while store.diagnostics.runningEffects.count > left.count { await Task.yield() }
            #expect(store.diagnostics.runningEffects.map(\.startedBy) == left)
        }
    }

    @Test
    func `what is handed over after the end never begins`() async {
        let store = makeDesk { _, _ in .none }
        let calls = Log<String>()
        await store.shutdown()
        await store.dispatch { _ in calls.append("alone") }.waitUntilEnded()
        await store.dispatch(id: "named") { _ in calls.append("named") }.waitUntilEnded()
        #expect(calls.all.isEmpty)
        #expect(store.diagnostics.runningEffects.isEmpty)
    }

    @Test
    func `run returns when the effects of its action have ended, not those of others`() async {
        let barriers = ["a": Barrier(), "b": Barrier()]
        let store = makeDesk { text, context in
            .run {
                await barriers[text]?.pass()
                context.dispatch(DeskAction.notified(text))
            }
        }
        store.dispatch(DeskAction.say("b"))
        barriers["a"]?.open()
        #expect(await store.run(DeskAction.say("a")) == .accepted(2))
        #expect(store.state.notified == ["a"])
        barriers["b"]?.open()
        await store.waitUntilIdle()
        #expect(store.state.notified == ["a", "b"])
    }

    @Test @MainActor
    func `run calls the subscribers of its caller's actor before it waits, and comes back there`()
        async
    {
        let barrier = Barrier()
        let store = makeDesk { text, context in
            .run {
                await barrier.pass()
                context.dispatch(DeskAction.notified(text))
            }
        }
        var notified: [String] = []
        let token = store.subscribe(\.isOpen) { @MainActor _, new in
            notified.append("open")
            barrier.open()
        }
        await store.run(DeskAction.open(true))
        notified.append("returned")
        MainActor.assertIsolated()
        await store.run(DeskAction.say("a"))
        #expect(notified == ["open", "returned"])
        #expect(store.state.notified == ["a"])
        token.cancel()
    }

    @Test
    func `run ends its waiting when its task is cancelled, and the effect goes on`() async {
        let barrier = Barrier()
        let store = makeDesk { text, context in
            .run {
                await barrier.pass()
                context.dispatch(DeskAction.notified(text))
            }
        }
        let task = Task { await store.run(DeskAction.say("a")) }
        await barrier.arrivals(1)
        task.cancel()
        #expect(await task.value == .accepted(1))
        #expect(store.diagnostics.runningEffects.map(\.phase) == [.running])
        barrier.open()
        await store.waitUntilIdle()
        #expect(store.state.notified == ["a"])
    }

    @Test
    func `idle waits for effects, and for those that they start in turn`() async {
        let store = makeDesk { text, context in
            guard let number = Int(text), number > 0 else { return .none }
            return .run {
                await Task.yield()
                context.dispatch(DeskAction.notified(text))
                context.dispatch(DeskAction.say("\(number - 1)"))
            }
        }
        store.dispatch(DeskAction.say("5"))
        await store.waitUntilIdle()
        #expect(store.state.notified == ["5", "4", "3", "2", "1"])
    }

    @Test
    func `idle inside an effect waits for the others`() async {
        let barrier = Barrier()
        let store = makeDesk { text, context in
            .run {
                if text == "other" { await barrier.pass() }
                context.dispatch(DeskAction.notified(text))
            }
        }
        store.dispatch(DeskAction.say("other"))
        let thunk = Task {
            try await store.run { [weak store] context in
                await store?.waitUntilIdle()
                context.dispatch(DeskAction.notified("idle"))
            }
        }
        await barrier.arrivals(1)
        barrier.open()
        _ = try? await thunk.value
        #expect(store.state.notified == ["other", "idle"])
    }

    @Test
    func `idle inside a step of a sequence does not wait for the effect around it`() async {
        let current = Guarded<Store<Desk>?>(nil)
        let store = makeDesk { _, context in
            let idle = Effect.run(id: "idle") {
                await current.withValue { $0 }?.waitUntilIdle()
                context.dispatch(DeskAction.notified("rest"))
            }
            let others = Effect.run(id: "others") { context.dispatch(DeskAction.notified("other")) }
            return .merge(
                .sequence(.run {}, idle.timeout(after: .seconds(1_000))),
                .sequence(
                    .merge(others, others), .run { context.dispatch(DeskAction.notified("2")) }))
        }
        current.withValue { $0 = store }
        store.dispatch(DeskAction.say("go"))
        await store.waitUntilIdle()
        #expect(store.state.notified == ["other", "other", "2", "rest"])
        current.withValue { $0 = nil }
    }

    @Test
    func `effects that wait for rest don't wait for each other; a caller outside waits for all`()
        async
    {
        let current = Guarded<Store<Desk>?>(nil)
        let store = makeDesk { text, context in
            .run {
                switch text {
                case "function":
                    try await current.withValue { $0 }?.run { _ in
                        await current.withValue { $0 }?.waitUntilIdle()
                    }
                case "action": await current.withValue { $0 }?.run(DeskAction.say("rest"))
                default: await current.withValue { $0 }?.waitUntilIdle()
                }
                context.dispatch(DeskAction.notified(text))
            }
        }
        current.withValue { $0 = store }
        for text in ["rest", "function", "action", "rest"] { store.dispatch(DeskAction.say(text)) }
        await store.waitUntilIdle()
        #expect(store.diagnostics.runningEffects.isEmpty)
        #expect(store.state.notified.sorted() == ["action", "function", "rest", "rest", "rest"])
        current.withValue { $0 = nil }
    }

    @Test(arguments: ["queued", "steps"])
    func
        `nor do they wait for one that stands in a queue behind them`(
            text: String
        ) async
    {
        let barrier = Barrier()
        let current = Guarded<Store<Desk>?>(nil)
        let store = makeDesk { text, context in
            @Sendable func notify() { context.dispatch(DeskAction.notified(text)) }
            return switch text {
            case "rest":
                .run(id: "queue", .queue) {
                    await barrier.pass()
                    await current.withValue { $0 }?.waitUntilIdle()
                    notify()
                }
            case "queued": .run(id: "queue", .queue) { notify() }
            default: .sequence(.merge(.run(id: "queue", .queue) { notify() }), .run { notify() })
            }
        }
        current.withValue { $0 = store }
        for text in ["rest", text] { store.dispatch(DeskAction.say(text)) }
        await barrier.arrivals(1)
        barrier.open()
        await store.waitUntilIdle()
        #expect(store.diagnostics.runningEffects.isEmpty)
        #expect(store.state.notified == ["rest", text] + (text == "steps" ? [text] : []))
        current.withValue { $0 = nil }
    }

    @Test
    func `idle inside an effect waits for one that leaves its queue, and for what follows it`()
        async
    {
        let (first, second) = (Barrier(), Barrier())
        let current = Guarded<Store<Desk>?>(nil)
        let store = makeDesk { text, context in
            @Sendable func notify(_ text: String) { context.dispatch(DeskAction.notified(text)) }
            return switch text {
            case "rest":
                .run {
                    await current.withValue { $0 }?.waitUntilIdle()
                    notify("rest")
                }
            case "first": .run(id: "queue", .queue) { await first.pass() }
            default:
                .sequence(
                    .run(id: "queue", .queue) {
                        await second.pass()
                        notify("queued")
                    },
                    .run { for index in 0..<100 { notify("\(index)") } })
            }
        }
        current.withValue { $0 = store }
        for text in ["first", "then", "rest"] { store.dispatch(DeskAction.say(text)) }
        await first.arrivals(1)
        first.open()
        await second.arrivals(1)
        second.open()
        await store.waitUntilIdle()
        #expect(store.state.notified == ["queued"] + (0..<100).map(String.init) + ["rest"])
        current.withValue { $0 = nil }
    }

    @Test
    func `a task that a subscriber makes is not inside the effect that dispatched`() async {
        let barrier = Barrier()
        let running = Log<Int>()
        let tasks = Log<Task<Void, Never>>()
        let current = Guarded<Store<Desk>?>(nil)
        let store = makeDesk { text, context in
            .run {
                context.dispatch(DeskAction.notified("x"))
                current.withValue { $0 }?.dispatch(DeskAction.notified("y"))
                await barrier.pass()
            }
        }
        current.withValue { $0 = store }
        let token = store.subscribe(\.notified) { [weak store] _, _ in
            tasks.append(
                Task {
                    await store?.waitUntilIdle()
                    running.append(store?.diagnostics.runningEffects.count ?? -1)
                })
        }
        store.dispatch(DeskAction.say("go"))
        await barrier.arrivals(1)
        for _ in 0..<1_000 { await Task.yield() }
        barrier.open()
        for task in tasks.all { await task.value }
        #expect(running.all == [0, 0])
        token.cancel()
        current.withValue { $0 = nil }
    }

    @Test
    func `a context that outlives its effect dispatches nothing`() async {
        let kept = Log<EffectContext<Desk>>()
        let store = makeDesk { _, context in
            kept.append(context)
            return .run {}
        }
        await store.run(DeskAction.say("go"))
        await store.waitUntilIdle()
        #expect(kept.all.map { $0.dispatch(DeskAction.notified("late")) } == [.refused(.expired)])
        #expect(store.state.notified.isEmpty)
    }

    @Test
    func `answers that dispatch by themselves are bounded like subscribers`() async {
        let mistakes = Mistakes()
        let store = Store(Desk(), options: mistakes.options(limits: StoreLimits(generations: 50))) {
            desk
            OnAction { (action: DeskAction, context) -> Effect in
                context.dispatch(action)
                return .none
            }
        }
        store.dispatch(DeskAction.notified("x"))
        await store.waitUntilIdle()
        #expect(store.state.notified.count == 51)
        #expect(mistakes.kinds == [.subscriberLoop])
    }

    @Test
    func `a dispatch of an effect from inside a reducer is the programmer error it always is`()
        async
    {
        let kept = Log<EffectContext<Desk>>()
        let mistakes = Mistakes()
        let store = Store(Desk(), options: mistakes.options()) {
            Reduce { (_: inout Desk, action: DeskAction) in
                for context in kept.all { context.dispatch(DeskAction.notified("inside")) }
            }
            OnAction { (action: DeskAction, context) -> Effect in
                kept.append(context)
                _ = context.dispatch(DeskAction.say("inner"))
                return .none
            }
        }
        store.dispatch(DeskAction.open(true))
        await store.waitUntilIdle()
        #expect(mistakes.kinds.contains(.dispatchInsideReducer))
    }
}
