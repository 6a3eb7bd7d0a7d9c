// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

/// Effects of slices, optional slices and rows.
@Suite(.timeLimit(.minutes(5))) struct EffectInstanceTests {
    private let barrier = Barrier()
    private let results = Log<DispatchResult>()

    /// A feature whose effect waits at the barrier and then says what it was started with.
    private var talking: Feature<Drawer> {
        Feature {
            drawer
            OnAction { [barrier, results] (action: DrawerAction, context) -> Effect in
                guard case .say(let text) = action else { return .none }
                return .run {
                    await barrier.pass()
                    results.append(context.dispatch(DrawerAction.notified(text)))
                }
            }
        }
    }

    private var talkingTray: Feature<Tray> {
        Feature {
            tray
            OnAction { [barrier, results] (action: DrawerAction, context) -> Effect in
                guard case .say(let text) = action else { return .none }
                return .run {
                    await barrier.pass()
                    results.append(
                        context.dispatch(DrawerAction.notified("\(text) \(context.current.id)")))
                }
            }
        }
    }

    private func store() -> Store<Desk> {
        Store(Desk()) {
            desk
            Scope(\.left, talking)
            Scope(\.right, talking)
            Scope(\.drawer, talking)
            Scope(each: \.trays, talkingTray)
            Scope(each: \.plain, talkingTray)
        }
    }

    @Test
    func `an effect of a slice sees that slice, and its actions reach that instance alone`() async {
        let store = store()
        store.scoped(to: \.left).dispatch(DrawerAction.say("l"))
        barrier.open()
        await store.waitUntilIdle()
        #expect(store.state.left.notified == ["l"])
        #expect(store.state.right.notified.isEmpty)
    }

    @Test
    func `an action that is meant for all starts the effects of each instance that is there`() async
    {
        let store = store()
        store.dispatch(DeskAction.add(1))
        store.dispatch(DeskAction.add(2))
        store.dispatch(DrawerAction.say("x"))
        #expect(
            store.diagnostics.runningEffects.map(\.address.description)
                == ["left", "right", "trays/#1", "trays/#2", "plain/#1", "plain/#2"])
        barrier.open()
        await store.waitUntilIdle()
        #expect(store.state.trays.map(\.notified) == [["x 1"], ["x 2"]])
        #expect(store.state.plain.map(\.notified) == [["x 1"], ["x 2"]])
    }

    @Test
    func `an effect can dispatch to every instance`() async {
        let store = Store(Desk()) {
            desk
            Scope(\.left, drawer)
            Scope(
                \.right,
                Feature<Drawer> {
                    drawer
                    OnAction { (action: DrawerAction, context) -> Effect in
                        guard case .say(let text) = action else { return .none }
                        return .run {
                            context.dispatch(DeskAction.notified(text), to: .root)
                            context.dispatch(DrawerAction.notified(text), to: .root)
                        }
                    }
                })
        }
        store.dispatch(DrawerAction.say("x"))
        await store.waitUntilIdle()
        #expect(store.state.notified == ["x"])
        #expect(store.state.left.notified == ["x"])
        #expect(store.state.right.notified == ["x"])
    }

    @Test
    func `effects of an optional slice end with it, and reach no other that comes after it`() async
    {
        let store = store()
        store.dispatch(DeskAction.put(Drawer()))
        store.scoped(to: \.drawer).dispatch(DrawerAction.say("old"))
        await barrier.arrivals(1)
        store.dispatch(DeskAction.put(nil))
        #expect(store.diagnostics.runningEffects.map(\.phase) == [.cancelled])
        store.dispatch(DeskAction.put(Drawer()))
        barrier.open()
        await store.waitUntilIdle()
        #expect(results.all == [.refused(.expired)])
        #expect(store.state.drawer?.notified == [])
    }

    @Test
    func `an optional slice that gets another value stays the same one`() async {
        let store = store()
        store.dispatch(DeskAction.put(Drawer()))
        store.scoped(to: \.drawer).dispatch(DrawerAction.say("x"))
        await barrier.arrivals(1)
        store.dispatch(DeskAction.put(Drawer(notified: ["other"])))
        #expect(store.diagnostics.runningEffects.map(\.phase) == [.running])
        barrier.open()
        await store.waitUntilIdle()
        #expect(store.state.drawer?.notified.count == 2)
    }

    @Test
    func `also when the slice goes and comes within one batch`() async {
        let store = store()
        store.dispatch(DeskAction.put(Drawer()))
        store.scoped(to: \.drawer).dispatch(DrawerAction.say("old"))
        await barrier.arrivals(1)
        store.batch {
            store.dispatch(DeskAction.put(nil))
            store.dispatch(DeskAction.put(Drawer()))
        }
        barrier.open()
        await store.waitUntilIdle()
        #expect(results.all == [.refused(.expired)])
    }

    @Test
    func `effects of a row end with it, those of other rows go on`() async {
        let store = store()
        for id in 1...3 { store.dispatch(DeskAction.add(id)) }
        store.dispatch(DrawerAction.say("x"), to: Address("trays") ?? .root)
        await barrier.arrivals(3)
        store.dispatch(DeskAction.remove(2))
        #expect(store.diagnostics.runningEffects.map(\.phase) == [.running, .cancelled, .running])
        barrier.open()
        await store.waitUntilIdle()
        #expect(store.state.trays.map(\.notified) == [["x 1"], ["x 3"]])
        #expect(results.all.filter { $0 == .refused(.expired) }.count == 1)
    }

    @Test
    func `the context of an instance that is gone shows the last state it has seen`() async {
        let seen = Log<[String]>()
        let barrier = barrier
        let store = Store(Desk(drawer: Drawer(notified: ["first"]))) {
            desk
            Scope(
                \.drawer,
                Feature<Drawer> {
                    drawer
                    OnAction { (action: DrawerAction, context) -> Effect in
                        guard case .say = action else { return .none }
                        return .run {
                            seen.append(context.current.notified)
                            await barrier.pass()
                            seen.append(context.current.notified)
                        }
                    }
                })
        }
        store.dispatch(DrawerAction.say("x"))
        await barrier.arrivals(1)
        store.dispatch(DeskAction.put(nil))
        store.dispatch(DeskAction.put(Drawer(notified: ["other"])))
        barrier.open()
        await store.waitUntilIdle()
        #expect(seen.all == [["first"], ["first"]])
    }

    @Test
    func `each row has its own While, which ends with the row`() async {
        let clock = ManualClock()
        let beats = Log<String>()
        let store = Store(Desk(), options: StoreOptions(clock: clock)) {
            desk
            Scope(
                each: \.trays,
                Feature<Tray> {
                    tray
                    While(\.channel) { channel, context in
                        beats.append("\(context.current.id) on \(channel)")
                        try await context.clock.sleep(for: .seconds(channel))
                    }
                })
        }
        for id in 1...3 { store.dispatch(DeskAction.add(id)) }
        let row = { @Sendable (id: Int) in Address("trays/#\(id)") ?? .root }
        store.dispatch(DrawerAction.tune(10), to: row(1))
        store.dispatch(DrawerAction.tune(20), to: row(2))
        await clock.sleepers(2)
        #expect(store.diagnostics.runningEffects.map(\.address) == [row(1), row(2)])
        let numbers = store.diagnostics.runningEffects.map(\.number)
        store.dispatch(DrawerAction.notified("something else"), to: row(2))
        #expect(store.diagnostics.runningEffects.map(\.number) == numbers)
        store.dispatch(DrawerAction.tune(30), to: row(1))
        await clock.sleeper(until: .seconds(30))
        store.dispatch(DeskAction.remove(2))
        store.dispatch(DrawerAction.tune(nil), to: row(1))
        await clock.noSleepers()
        #expect(beats.all.sorted() == ["1 on 10", "1 on 30", "2 on 20"])
        await store.shutdown()
        #expect(store.diagnostics.runningEffects.isEmpty)
    }

    @Test
    func `a While of an optional slice lives only while there is one`() async {
        let clock = ManualClock()
        let store = Store(Desk(), options: StoreOptions(clock: clock)) {
            desk
            Scope(
                \.drawer,
                Feature<Drawer> {
                    drawer
                    While(\.isOpen) { _, context in
                        try await context.clock.sleep(for: .seconds(1))
                    }
                })
        }
        store.dispatch(DeskAction.put(Drawer(isOpen: true)))
        await clock.sleepers(1)
        #expect(store.diagnostics.runningEffects.map(\.address.description) == ["drawer"])
        store.dispatch(DeskAction.put(nil))
        await clock.noSleepers()
        await store.shutdown()
        #expect(store.diagnostics.runningEffects.isEmpty)
    }
}
