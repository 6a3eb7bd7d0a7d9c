// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

/// How modifiers, ids and policies of effects stand to one another.
@Suite(.timeLimit(.minutes(5))) struct EffectCompositionTests {
    private let clock = ManualClock()
    private var options: StoreOptions { StoreOptions(clock: clock) }

    @Test(arguments: [false, true], [false, true])
    func `a debounced or throttled effect without an id keeps its policy`(
        isDebounced: Bool, hasHandler: Bool
    ) async {
        let barriers = ["a": Barrier(), "ab": Barrier()]
        let store = makeDesk(options: options) { text, context in
            let effect = Effect.run(
                .latest,
                {
                    await barriers[text]?.pass()
                    context.dispatch(DeskAction.notified(text))
                }, catching: hasHandler ? { @Sendable _ in } : nil)
            return isDebounced
                ? effect.debounce(for: .seconds(1)) : effect.throttle(for: .seconds(1))
        }
        for text in ["a", "ab"] {
            store.dispatch(DeskAction.say(text))
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
            await barriers[text]?.arrivals(1)
        }
        barriers["ab"]?.open()
        barriers["a"]?.open()
        await store.waitUntilIdle()
        #expect(store.state.notified == ["ab"])
    }

    @Test
    func `effects with a policy but no id meet those of their part, and no others`() async {
        let barrier = Barrier()
        @Sendable func answer(_ name: String, _ context: EffectContext<Desk>) -> Effect {
            .run(.dropping) {
                await barrier.pass()
                context.dispatch(DeskAction.notified(name))
            }
        }
        let store = Store(Desk()) {
            desk
            for name in ["one", "two"] {
                OnAction { (action: DeskAction, context) -> Effect in
                    guard case .say = action else { return .none }
                    return answer(name, context)
                }
            }
        }
        store.dispatch(DeskAction.say("go"))
        store.dispatch(DeskAction.say("again"))
        #expect(store.diagnostics.runningEffects.count == 2)
        barrier.open()
        await store.waitUntilIdle()
        #expect(store.state.notified.sorted() == ["one", "two"])
    }

    @Test
    func `two Whiles that one helper debounces don't meet`() async {
        @Sendable func calmly(_ effect: Effect) -> Effect { effect.debounce(for: .seconds(1)) }
        let started = Log<String>()
        let store = Store(Desk(), options: options) {
            desk
            While(\.isOpen) { _, context in
                started.append("open")
                try await context.clock.sleep(for: .seconds(100))
            }
            .modifying(calmly)
            While(\.channel) { _, context in
                started.append("channel")
                try await context.clock.sleep(for: .seconds(100))
            }
            .modifying(calmly)
        }
        store.dispatch(DeskAction.open(true))
        store.dispatch(DeskAction.tune(4))
        await clock.sleepers(2)
        clock.advance(by: .seconds(1))
        await clock.sleeper(until: .seconds(101))
        while started.all.count < 2 { await Task.yield() }
        #expect(started.all.sorted() == ["channel", "open"])
        await store.shutdown()
    }

    @Test
    func `a step that is queued does not wait for its own sequence`() async {
        @Sendable func polite(_ effect: Effect) -> Effect { effect.debounce(for: .seconds(1)) }
        let store = makeDesk(options: options) { text, context in
            polite(
                .sequence(
                    .run {},
                    polite(.run(.queue, { context.dispatch(DeskAction.notified(text)) }))))
        }
        store.dispatch(DeskAction.say("saved"))
        for second in 1...2 {
            await clock.sleeper(until: .seconds(second))
            clock.advance(by: .seconds(1))
        }
        await store.waitUntilIdle()
        #expect(store.state.notified == ["saved"])
        #expect(store.diagnostics.runningEffects.isEmpty)
    }

    @Test
    func `of two timings, the one that is written later is passed first`() async {
        let store = makeDesk(options: options) { text, context in
            .run(id: "save") { context.dispatch(DeskAction.notified(text)) }
                .debounce(for: .milliseconds(200))
                .throttle(for: .milliseconds(1))
        }
        for number in 1...5 {
            store.dispatch(DeskAction.say("\(number)"))
            await clock.sleepers(2)
            clock.advance(by: .milliseconds(10))
        }
        await clock.sleepers(1)
        clock.advance(by: .milliseconds(190))
        await store.waitUntilIdle()
        #expect(store.state.notified == ["5"])
    }

    @Test
    func `a debounce inside a retry holds each attempt, one around it the first alone`() async {
        func times(_ change: @escaping @Sendable (Effect) -> Effect) async -> [Duration] {
            let clock = ManualClock()
            let times = Log<Duration>()
            let store = makeDesk(options: StoreOptions(clock: clock)) { _, _ in
                change(
                    .run(id: "x", .queue) {
                        times.append(clock.now.elapsed)
                        if times.all.count < 3 { throw Broken() }
                    })
            }
            store.dispatch(DeskAction.say("go"))
            while !store.diagnostics.runningEffects.isEmpty {
                if clock.sleeperCount > 0 { clock.advance(by: .seconds(1)) }
                await Task.yield()
            }
            return times.all
        }
        let retry: @Sendable (Effect) -> Effect = {
            $0.retry(attempts: 3, .constant(.seconds(10)))
        }
        #expect(
            await times { retry($0.debounce(for: .seconds(1))) }
                == [.seconds(1), .seconds(12), .seconds(23)])
        #expect(
            await times { retry($0).debounce(for: .seconds(1)) }
                == [.seconds(1), .seconds(11), .seconds(21)])
    }

    @Test
    func `a timeout around a debounce counts its wait, one inside does not`() async {
        for isInside in [false, true] {
            let clock = ManualClock()
            let handled = Log<String>()
            let store = makeDesk(options: StoreOptions(clock: clock)) { text, context in
                let effect = Effect.run(id: "x") {
                    context.dispatch(DeskAction.notified(text))
                } catching: { error in
                    handled.append("\(error is EffectTimeout)")
                }
                return isInside
                    ? effect.timeout(after: .seconds(2)).debounce(for: .seconds(3))
                    : effect.debounce(for: .seconds(3)).timeout(after: .seconds(2))
            }
            store.dispatch(DeskAction.say("go"))
            await clock.sleepers(isInside ? 1 : 2)
            clock.advance(by: .seconds(2))
            if !isInside { await store.waitUntilIdle() }
            clock.advance(by: .seconds(1))
            await store.waitUntilIdle()
            await clock.noSleepers()
            #expect(store.state.notified == (isInside ? ["go"] : []))
            #expect(handled.all == (isInside ? [] : ["true"]))
        }
    }

    @Test
    func `an effect that pauses between attempts is ended by a later one of latest`() async {
        let store = makeDesk(options: options) { text, context in
            .run(id: "search", .latest) {
                if text == "a" { throw Broken() }
                context.dispatch(DeskAction.notified(text))
            }
            .retry(attempts: 2, .constant(.seconds(5)))
        }
        store.dispatch(DeskAction.say("a"))
        await clock.sleepers(1)
        await store.run(DeskAction.say("b"))
        await store.waitUntilIdle()
        await clock.noSleepers()
        #expect(store.state.notified == ["b"])
    }

    @Test
    func `none waits for its ancestor: it is dropped, and reported`() async {
        let mistakes = Log<ProgrammerError>()
        var options = StoreOptions()
        options.onProgrammerError = { mistakes.append($0) }
        let cancelled = Log<String>()
        let store = Guarded<Store<Desk>?>(nil)
        let made = makeDesk(options: options) { text, context in
            .run(
                id: "save", .queue,
                {
                    if text == "outer" {
                        await store.withValue { $0 }?.run(DeskAction.say("inner"))
                    }
                    context.dispatch(DeskAction.notified(text))
                }, onCancel: { cancelled.append(text) })
        }
        store.withValue { $0 = made }
        await made.run(DeskAction.say("outer"))
        await made.waitUntilIdle()
        #expect(made.state.notified == ["outer"])
        #expect(cancelled.all == ["inner"])
        #expect(mistakes.all.map(\.kind) == [.effectWaitingForItself])
        let text = mistakes.all.first?.description ?? ""
        #expect(text.hasPrefix("The effect \"save\" at "))
        #expect(text.contains(", started by DeskAction/say, version 2,"))
        #expect(text.contains("was queued behind one that waits for it: The effect \"save\" at "))
        #expect(text.contains("different ids"))
        // The name is free again.
        await made.run(DeskAction.say("later"))
        #expect(made.state.notified == ["outer", "later"])
        store.withValue { $0 = nil }
    }

    @Test
    func `ids are any hashable values, of one type and equal`() async {
        enum Work: Hashable, Sendable { case search, load(Int) }
        struct Clumsy: Hashable, Sendable {
            let number: Int
            func hash(into hasher: inout Hasher) { hasher.combine(1) }
        }
        let barrier = Barrier()
        let store = makeDesk { text, context in
            @Sendable func wait(_ id: any Hashable & Sendable) -> Effect {
                .run(id: id, .dropping) { await barrier.pass() }
            }
            return switch text {
            case "stop": .cancel(id: Work.load(1))
            case "clumsy": .merge(wait(Clumsy(number: 1)), wait(Clumsy(number: 2)))
            default:
                .merge(wait(Work.search), wait(Work.load(1)), wait(Work.load(2)), wait("search"))
            }
        }
        for _ in 1...2 { store.dispatch(DeskAction.say("go")) }
        #expect(
            store.diagnostics.runningEffects.map(\.name) == [
                EffectID(Work.search), EffectID(Work.load(1)), EffectID(Work.load(2)),
                EffectID("search"),
            ])
        store.dispatch(DeskAction.say("stop"))
        #expect(
            store.diagnostics.runningEffects.map(\.phase) == [
                .running, .cancelled, .running, .running,
            ])
        for _ in 1...2 { store.dispatch(DeskAction.say("clumsy")) }
        #expect(store.diagnostics.runningEffects.count == 6)
        barrier.open()
        await store.waitUntilIdle()
    }

    @Test
    func `hash and == of an id may use the store`() async {
        let store = Guarded<Store<Desk>?>(nil)
        struct Curious: Hashable, Sendable {
            let look: @Sendable () -> Void
            static func == (left: Curious, right: Curious) -> Bool {
                left.look()
                return true
            }
            func hash(into hasher: inout Hasher) { look() }
        }
        let looks = Log<Int>()
        let made = makeDesk { text, _ in
            let id = Curious {
                guard let store = store.withValue({ $0 }) else { return }
                looks.append(store.diagnostics.runningEffects.count + store.state.notified.count)
            }
            return text == "stop" ? .cancel(id: id) : .run(id: id, .latest) {}
        }
        store.withValue { $0 = made }
        for text in ["a", "b", "stop"] { made.dispatch(DeskAction.say(text)) }
        await made.waitUntilIdle()
        #expect(looks.all.count > 3)
        store.withValue { $0 = nil }
    }

    @Test
    func `a retry ends with an error for which it is not worthwhile`() async {
        let attempts = Log<Int>()
        let failures = Failures()
        let store = makeDesk(options: failures.options()) { _, _ in
            .run {
                attempts.append(1)
                throw Broken(number: attempts.all.count)
            }
            .retry(attempts: 9, .constant(.zero)) { ($0 as? Broken)?.number != 3 }
        }
        await store.run(DeskAction.say("go"))
        #expect(attempts.all.count == 3)
        #expect(failures.all.map { $0.error as? Broken } == [Broken(number: 3)])
    }

    @Test
    func `the handler of a While gets the value that it ran for`() async {
        let handled = Log<Int>()
        let store = Store(Desk(channel: 4)) {
            desk
            While(\.channel) { _, _ in
                throw Broken()
            } catching: { channel, _, context in
                handled.append(channel)
            }
        }
        while handled.all.isEmpty { await Task.yield() }
        #expect(handled.all == [4])
        await store.shutdown()
    }

    @Test
    func `an effect dispatches to a part of its state by a typed address`() async {
        let store = Store(Desk()) {
            desk
            Scope(\.left, drawer)
            Scope(\.right, drawer)
            Scope(each: \.trays, tray)
            OnAction { (action: DeskAction, context) -> Effect in
                guard case .say(let text) = action else { return .none }
                return .run {
                    context.dispatch(DrawerAction.notified(text), to: .child(\.left))
                    context.dispatch(DrawerAction.notified(text), to: .row(\.trays, id: 2))
                }
            }
        }
        for id in [1, 2] { store.dispatch(DeskAction.add(id)) }
        await store.run(DeskAction.say("a"))
        #expect(store.dispatch(DrawerAction.notified("b"), to: .child(\.right)).version != nil)
        #expect(
            store.dispatch(DrawerAction.notified("c"), to: .row(\.trays, id: 7))
                == .refused(.absent))
        #expect(store.state.left.notified == ["a"])
        #expect(store.state.right.notified == ["b"])
        #expect(store.state.trays.map(\.notified) == [[], ["a"]])
    }

    @Test
    func `an executor may run a task inside enqueue`() async {
        var options = StoreOptions(clock: clock)
        options.effectExecutor = Immediate()
        let store = makeDesk(options: options) { text, context in
            let effect = Effect.run(id: "x", .queue) { context.dispatch(DeskAction.notified(text)) }
            return text == "late" ? effect.debounce(for: .seconds(1)) : effect
        }
        await store.run(DeskAction.say("a"))
        #expect(store.state.notified == ["a"])
        store.dispatch(DeskAction.say("late"))
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        await store.waitUntilIdle()
        #expect(store.state.notified == ["a", "late"])
        await store.shutdown()
    }

    @Test
    func `a clock that is moved as far as can be said does not stop ticks`() async {
        let clock = clock
        let ticks = Log<Int>()
        let task = Task {
            for await tick in clock.ticks(every: .milliseconds(1)) { ticks.append(tick) }
        }
        await clock.sleepers(1)
        clock.advance(by: .seconds(Int64.max / 2))
        await clock.sleepers(1)
        #expect(ticks.all == [1])
        clock.advance(by: .milliseconds(1))
        await clock.sleepers(1)
        #expect(ticks.all.count == 2)
        task.cancel()
        await task.value
    }
}

/// Runs each job at once, on the thread that enqueues it.
private final class Immediate: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }
}
