// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite(.timeLimit(.minutes(5))) struct OnActionTests {
    @Test
    func `an accepted action starts the effect that answers it, which reports back`() async {
        let store = makeDesk { text, context in
            .run { context.dispatch(DeskAction.notified(text)) }
        }
        store.dispatch(DeskAction.say("a"))
        await store.waitUntilIdle()
        #expect(store.state.notified == ["a"])
    }

    @Test
    func `the state of the context includes the action and what came later`() async {
        let barrier = Barrier()
        let seen = Log<[String]>()
        let store = makeDesk { _, context in
            seen.append(context.current.notified)
            return .run {
                await barrier.pass()
                seen.append(context.current.notified)
            }
        }
        store.dispatch(DeskAction.notified("before"))
        store.dispatch(DeskAction.say("go"))
        store.dispatch(DeskAction.notified("after"))
        barrier.open()
        await store.waitUntilIdle()
        #expect(seen.all == [["before"], ["before", "after"]])
    }

    @Test
    func `answers are asked for in the order of commits, before the subscribers`() async {
        let order = Log<String>()
        let store = makeDesk { text, _ in
            order.append("answer \(text)")
            return .none
        }
        let token = store.subscribe(\.notified) { _, new in
            order.append("notified \(new.count)")
            if new.count == 1 { store.dispatch(DeskAction.say("from a subscriber")) }
        }
        store.batch {
            store.dispatch(DeskAction.say("1"))
            store.dispatch(DeskAction.say("2"))
            store.dispatch(DeskAction.notified("x"))
        }
        #expect(order.all == ["answer 1", "answer 2", "notified 1", "answer from a subscriber"])
        token.cancel()
    }

    @Test
    func `an action that has an answer and no reducer is handled`() async {
        struct Ping: Action {}
        let mistakes = Mistakes()
        let store = Store(Desk(), options: mistakes.options()) {
            desk
            OnAction { (_: Ping, context) -> Effect in
                .run { context.dispatch(DeskAction.notified("pong")) }
            }
        }
        #expect(store.dispatch(Ping()) == .accepted(1))
        await store.waitUntilIdle()
        #expect(store.state.notified == ["pong"])
        #expect(store.log.actions.names == ["DeskAction", "OnActionTests.Ping"])
        #expect(mistakes.all.isEmpty)
    }

    @Test
    func `an entry of an effect has the entry that started it as its parent`() async {
        let entries = Log<(CommitVersion, CommitVersion?)>()
        let store = makeDesk { _, context in
            .run { context.dispatch(DeskAction.notified("a")) }
        }
        let token = store.log.attach(
            Observe<Desk> { entries.append(($0.entry.version, $0.entry.parent)) })
        store.dispatch(DeskAction.open(true))
        store.dispatch(DeskAction.say("go"))
        await store.waitUntilIdle()
        #expect(entries.all.map(\.0) == [1, 2, 3])
        #expect(entries.all.map(\.1) == [nil, nil, 2])
        token.cancel()
    }

    @Test
    func `an answer that is an action is an entry of its own by the time dispatch returns`() {
        let entries = Log<(CommitVersion, CommitVersion?)>()
        let notified = Log<[String]>()
        let store = makeDesk { text, _ in
            .merge(
                .dispatch(DeskAction.notified(text)),
                .dispatch(DeskAction.notified("\(text) again")))
        }
        let observer = store.log.attach(
            Observe<Desk> { entries.append(($0.entry.version, $0.entry.parent)) })
        let token = store.subscribe(\.notified) { _, new in notified.append(new) }
        store.dispatch(DeskAction.say("a"))
        #expect(notified.all == [["a"], ["a", "a again"]])
        #expect(entries.all.map(\.0) == [1, 2, 3])
        #expect(entries.all.map(\.1) == [nil, 1, 1])
        #expect(store.diagnostics.runningEffects.isEmpty)
        observer.cancel()
        token.cancel()
    }

    @Test(.bothWays)
    func `it is dispatched when the subscribers have been notified of what it answers`() {
        let notified = Log<[Bool]>()
        let store = Store(Desk()) {
            desk
            OnAction { (action: DeskAction, _) -> Effect in
                action == .open(true) ? .dispatch(DeskAction.open(false)) : .none
            }
        }
        let token = store.subscribe(\.isOpen) { _, new in
            notified.append([new, store.state.isOpen])
        }
        store.dispatch(DeskAction.open(true))
        #expect(notified.all == [[true, true], [false, false]])
        token.cancel()
    }

    @Test
    func `it is dispatched also when the task is cancelled that dispatched the action`() async {
        let store = makeDesk { text, _ in .dispatch(DeskAction.notified(text)) }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            store.dispatch(DeskAction.say("a"))
        }
        await task.value
        #expect(store.state.notified == ["a"])
    }

    @Test(arguments: [
        StoreLimits(), StoreLimits(generations: 3, answers: 3), StoreLimits(generations: 0),
    ])
    func `actions that answer each other for ever block no thread and are no loop`(
        _ limits: StoreLimits
    ) async throws {
        let mistakes = Mistakes()
        let ends = Log<Bool>()
        let store = Store(Desk(), options: mistakes.options(limits: limits)) {
            desk
            OnAction { (action: DeskAction, context) -> Effect in
                guard ends.all.isEmpty else { return .none }
                return .dispatch(DeskAction.tune((context.current.channel ?? 0) + 1))
            }
        }
        store.dispatch(DeskAction.tune(0))
        _ = try await store.wait { ($0.channel ?? 0) > 2_000 }
        ends.append(true)
        await store.waitUntilIdle()
        #expect(store.version == CommitVersion((store.state.channel ?? 0) + 1))
        #expect(mistakes.all.isEmpty)
    }

    @Test
    func `a context kept from an answer without an effect is not that of a later one`() async {
        let kept = Log<EffectContext<Desk>>()
        let store = makeDesk { text, context in
            if text == "keep" { kept.append(context) }
            return text == "run" ? .run { context.dispatch(DeskAction.notified("ran")) } : .none
        }
        for text in ["none", "keep", "none", "run"] { store.dispatch(DeskAction.say(text)) }
        #expect(kept.all.map { $0.dispatch(DeskAction.notified("late")) } == [.refused(.expired)])
        await store.waitUntilIdle()
        #expect(store.state.notified == ["ran"])
    }

    @Test
    func `withheld and refused actions start nothing`() async {
        let started = Log<String>()
        let store = Store(Desk()) {
            ClosureMiddleware<Desk> { action, _ in
                (action as? DeskAction) == .say("secret") ? .withheld : nil
            }
            desk
            OnAction { (action: DeskAction, _) -> Effect in
                started.append("\(action)")
                return .none
            }
        }
        store.dispatch(DeskAction.say("secret"))
        await store.shutdown()
        store.dispatch(DeskAction.say("late"))
        #expect(started.all.isEmpty)
    }

    @Test
    func `a replay starts nothing`() async {
        let started = Log<String>()
        let store = makeDesk { text, _ in
            started.append(text)
            return .none
        }
        let state = store.log.replay(
            [
                LogEntry(version: 1, action: DeskAction.say("a")),
                LogEntry(version: 2, action: DeskAction.notified("b")),
            ], from: Desk())
        #expect(state.notified == ["b"])
        #expect(started.all.isEmpty)
    }

    @Test
    func `gets the state as the action left it, also in a batch and beside others`() async {
        let (seen, loaded) = (Log<Int>(), Log<Int>())
        let store = Store(Desk()) {
            desk
            OnAction { (desk, action: DeskAction, context) -> Effect in
                guard case .notified = action else { return .none }
                seen.append(desk.notified.count)
                return .run { [count = desk.notified.count] in loaded.append(count) }
            }
        }
        store.batch {
            for text in ["a", "b", "c"] { store.dispatch(DeskAction.notified(text)) }
        }
        #expect(seen.all == [1, 2, 3])
        await store.waitUntilIdle()
        #expect(loaded.all.sorted() == [1, 2, 3])
        onThreads(4) { _ in
            for _ in 0..<25 { store.dispatch(DeskAction.notified("d")) }
        }
        await store.waitUntilIdle()
        #expect(seen.all == Array(1...103))
        #expect(loaded.all.sorted() == Array(1...103))
    }

    @Test
    func `gets the state of the row that the action was meant for`() {
        let seen = Log<String>()
        let store = Store(Desk()) {
            desk
            Scope(each: \.trays) {
                tray
                OnAction { (tray, _: DrawerAction, context) -> Effect in
                    seen.append("\(tray.id) \(tray.notified.count) \(context.address)")
                    return .none
                }
            }
        }
        for id in [1, 2] { store.dispatch(DeskAction.add(id)) }
        store.batch {
            store.dispatch(DrawerAction.notified("a"), to: .row(\.trays, id: 2))
            store.dispatch(DrawerAction.notified("b"), to: .row(\.trays, id: 2))
        }
        store.dispatch(DrawerAction.notified("c"))
        #expect(
            seen.all == ["2 1 trays/#2", "2 2 trays/#2", "1 1 trays/#1", "2 3 trays/#2"])
    }
}
