// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite(.timeLimit(.minutes(5))) struct EffectTravelTests {
    private let clock = ManualClock()
    private let log = Log<String>()

    private func store() -> Store<Desk> {
        Store(Desk(), options: StoreOptions(clock: clock)) { [log] in
            desk
            OnAction { (action: DeskAction, context) -> Effect in
                guard case .say(let text) = action else { return .none }
                log.append("asked \(text)")
                return .run(id: "x", .queue) { try await context.clock.sleep(for: .seconds(1)) }
            }
            While(\.channel) { channel, context in
                log.append("channel \(channel)")
                try await context.clock.sleep(for: .seconds(100))
            }
        }
    }

    @Test
    func `an installed state pauses effects of a state, and actions start none`() async {
        let store = store()
        let controller = store.log.attach(gate: AcceptAll())
        store.dispatch(DeskAction.tune(1))
        await clock.sleepers(1)
        controller.install(Desk(channel: 2), replacing: store.log.version)
        await clock.noSleepers()
        store.dispatch(DeskAction.say("travelled"))
        store.dispatch(DeskAction.tune(3))
        await store.waitUntilIdle()
        await store.effects(are: [])
        #expect(log.all == ["channel 1"])
    }

    @Test
    func `living on starts what the state then says, and actions are answered again`() async {
        let store = store()
        let controller = store.log.attach(gate: AcceptAll())
        store.dispatch(DeskAction.tune(1))
        await clock.sleepers(1)
        controller.install(Desk(channel: 2), replacing: store.log.version)
        await clock.noSleepers()
        controller.install(Desk(channel: 7), replacing: store.log.version, resuming: true)
        await clock.sleepers(1)
        store.dispatch(DeskAction.say("live"))
        await clock.sleepers(2)
        #expect(log.all == ["channel 1", "channel 7", "asked live"])
    }

    @Test
    func `a gate can pause and resume without installing`() async {
        let store = store()
        let controller = store.log.attach(gate: AcceptAll())
        store.dispatch(DeskAction.tune(1))
        await clock.sleepers(1)
        controller.pause()
        await clock.noSleepers()
        controller.resume()
        await clock.sleepers(1)
        #expect(log.all == ["channel 1", "channel 1"])
    }

    @Test
    func `a gate that leaves lets the store live on`() async {
        let store = store()
        let controller = store.log.attach(gate: AcceptAll())
        controller.install(Desk(channel: 5), replacing: store.log.version)
        controller.detach()
        await clock.sleepers(1)
        #expect(log.all == ["channel 5"])
        controller.pause()
        #expect(store.diagnostics.runningEffects.map(\.phase) == [.running])
    }

    @Test
    func `effects of features that come while the gate is travelled wait for the return`() async {
        let store = Store(Desk(channel: 1)) { desk }
        let controller = store.log.attach(gate: AcceptAll())
        controller.install(Desk(channel: 2), replacing: store.log.version)
        store.log.replaceFeatures {
            desk
            OnAction { (_: DeskAction, _) in .run { [log] in log.append("answer") } }
            While(\.channel) { [log] channel, _ in log.append("channel \(channel)") }
        }
        store.dispatch(DeskAction.say("a"))
        await store.waitUntilIdle()
        #expect(log.all.isEmpty)
        controller.resume()
        store.dispatch(DeskAction.say("b"))
        while log.all.count < 2 { await Task.yield() }
        await store.waitUntilIdle()
        #expect(Set(log.all) == ["answer", "channel 2"])
    }

    @Test
    func `effects of actions go on while travelled, and what is queued waits for the return`() async
    {
        let store = store()
        let controller = store.log.attach(gate: AcceptAll())
        store.dispatch(DeskAction.say("a"))
        store.dispatch(DeskAction.say("b"))
        await clock.sleepers(1)
        controller.install(Desk(), replacing: store.log.version)
        #expect(store.diagnostics.runningEffects.map(\.phase) == [.running, .queued])
        clock.advance(by: .seconds(1))
        await store.effects(are: [.queued])
        controller.resume()
        await clock.sleepers(1)
        #expect(store.diagnostics.runningEffects.map(\.phase) == [.running])
        clock.advance(by: .seconds(1))
        await store.waitUntilIdle()
    }

    @Test
    func `a row that an installed state lacks takes its effects along`() async {
        let barrier = Barrier()
        let results = Log<DispatchResult>()
        let store = Store(Desk(drawer: Drawer())) {
            desk
            Scope(
                \.drawer,
                Feature<Drawer> {
                    drawer
                    OnAction { (action: DrawerAction, context) -> Effect in
                        guard case .say(let text) = action else { return .none }
                        return .run {
                            await barrier.pass()
                            results.append(context.dispatch(DrawerAction.notified(text)))
                        }
                    }
                })
        }
        let controller = store.log.attach(gate: AcceptAll())
        store.dispatch(DrawerAction.say("x"))
        await barrier.arrivals(1)
        controller.install(Desk(), replacing: store.log.version)
        controller.install(Desk(drawer: Drawer()), replacing: store.log.version, resuming: true)
        barrier.open()
        await store.waitUntilIdle()
        #expect(results.all == [.refused(.expired)])
    }
}

extension Store {
    /// Waits until the running effects are in these phases.
    fileprivate func effects(are phases: [RunningEffect.Phase]) async {
        while diagnostics.runningEffects.map(\.phase) != phases { await Task.yield() }
    }
}
