// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite(.timeLimit(.minutes(5))) struct EffectCancellationTests {
    private let clock = ManualClock()

    /// A store whose effects last a second, and say how they ended.
    private func store(
        _ policy: EffectPolicy = .concurrent,
        _ change: @escaping @Sendable (Effect) -> Effect = { $0 }
    ) -> Store<Desk> {
        makeDesk(options: StoreOptions(clock: clock)) { text, context in
            if text == "stop" { return .cancel(id: "x") }
            return change(
                .run(id: "x", policy) {
                    try await context.clock.sleep(for: .seconds(1))
                    if text == "bad" { throw Broken() }
                    context.dispatch(DeskAction.notified("did \(text)"))
                } catching: { _ in
                    context.dispatch(DeskAction.notified("failed \(text)"))
                } onCancel: {
                    context.dispatch(DeskAction.notified("took back \(text)"))
                })
        }
    }

    @Test
    func `a cancelled effect takes back what was shown before it was confirmed`() async {
        let store = store()
        store.dispatch(DeskAction.say("a"))
        await clock.sleepers(1)
        store.dispatch(DeskAction.say("stop"))
        await store.waitUntilIdle()
        #expect(store.state.notified == ["took back a"])
        #expect(store.diagnostics.runningEffects.isEmpty)
    }

    @Test
    func `one that succeeds, fails or takes too long is not cancelled`() async {
        let store = store { $0.timeout(after: .milliseconds(1_500)) }
        let slow = makeDesk(options: StoreOptions(clock: clock)) { text, context in
            .run {
                try await context.clock.sleep(for: .seconds(9))
            } catching: { _ in
                context.dispatch(DeskAction.notified("failed"))
            } onCancel: {
                context.dispatch(DeskAction.notified("took back"))
            }
            .timeout(after: .seconds(1))
        }
        store.dispatch(DeskAction.say("good"))
        store.dispatch(DeskAction.say("bad"))
        slow.dispatch(DeskAction.say("slow"))
        await clock.sleepers(6)
        clock.advance(by: .seconds(1))
        await store.waitUntilIdle()
        await slow.waitUntilIdle()
        #expect(store.state.notified.sorted() == ["did good", "failed bad"])
        #expect(slow.state.notified == ["failed"])
    }

    @Test
    func `run waits for what is taken back, and its parent is the entry that started the effect`()
        async
    {
        let store = store()
        let parents = Log<CommitVersion?>()
        let token = store.log.attach(Observe<Desk> { parents.append($0.entry.parent) })
        async let end = store.run(DeskAction.say("a"))
        await clock.sleepers(1)
        store.dispatch(DeskAction.say("stop"))
        _ = await end
        #expect(store.state.notified == ["took back a"])
        #expect(parents.all == [nil, nil, 1])
        token.cancel()
    }

    @Test(arguments: [EffectPolicy.latest, .dropping])
    func `also one that gives way to another by its policy`(policy: EffectPolicy) async {
        let store = store(policy)
        store.dispatch(DeskAction.say("a"))
        await clock.sleepers(1)
        store.dispatch(DeskAction.say("b"))
        let loser = policy == .latest ? "a" : "b"
        _ = try? await store.wait { $0.notified == ["took back \(loser)"] }
        await clock.sleeper(until: .seconds(1))
        clock.advance(by: .seconds(1))
        await store.waitUntilIdle()
        #expect(store.state.notified.last == (policy == .latest ? "did b" : "did a"))
    }

    @Test
    func `also one that never began`() async {
        let store = store(.queue)
        for text in ["a", "b", "stop"] { store.dispatch(DeskAction.say(text)) }
        await store.waitUntilIdle()
        #expect(store.state.notified.sorted() == ["took back a", "took back b"])
        let debounced = self.store { $0.debounce(for: .seconds(1)) }
        debounced.dispatch(DeskAction.say("a"))
        debounced.dispatch(DeskAction.say("b"))
        _ = try? await debounced.wait { $0.notified == ["took back a"] }
        debounced.dispatch(DeskAction.say("stop"))
        await debounced.waitUntilIdle()
        #expect(debounced.state.notified == ["took back a", "took back b"])
    }

    @Test
    func `it is called when the work has ended, also work that heeds no cancellation`() async {
        let barrier = Barrier()
        let ends = Log<String>()
        let store = makeDesk { text, _ in
            if text == "stop" { return .cancel(id: "x") }
            return .run(id: "x") {
                await barrier.pass()
                ends.append("ended")
            } onCancel: {
                ends.append("cancelled")
            }
        }
        store.dispatch(DeskAction.say("a"))
        await barrier.arrivals(1)
        store.dispatch(DeskAction.say("stop"))
        #expect(ends.all.isEmpty)
        barrier.open()
        await store.waitUntilIdle()
        #expect(ends.all == ["ended", "cancelled"])
    }

    @Test
    func `it is not called when the store ends or the instance is gone`() async {
        let calls = Log<String>()
        let clock = clock
        let store = Store(Desk(drawer: Drawer()), options: StoreOptions(clock: clock)) {
            desk
            Scope(
                \.drawer,
                Feature {
                    drawer
                    OnAction { (action: DrawerAction, context) -> Effect in
                        .run {
                            try await clock.sleep(for: .seconds(1))
                        } onCancel: {
                            calls.append("drawer")
                        }
                    }
                })
            OnAction { (action: DeskAction, context) -> Effect in
                guard case .say = action else { return .none }
                return .run {
                    try await clock.sleep(for: .seconds(1))
                } onCancel: {
                    calls.append("desk")
                }
            }
        }
        store.dispatch(DrawerAction.say("a"))
        await clock.sleepers(1)
        store.dispatch(DeskAction.put(nil))
        await store.waitUntilIdle()
        store.dispatch(DeskAction.say("a"))
        await clock.sleepers(1)
        await store.shutdown()
        #expect(calls.all.isEmpty)
        #expect(store.diagnostics.runningEffects.isEmpty)
    }

    @Test
    func `a step of a sequence that is cancelled takes back what it did, and ends the sequence`()
        async
    {
        let store = store { .sequence($0, .dispatch(DeskAction.notified("then"))) }
        store.dispatch(DeskAction.say("a"))
        await clock.sleepers(1)
        store.dispatch(DeskAction.say("stop"))
        await store.waitUntilIdle()
        #expect(store.state.notified == ["took back a"])
    }
}
