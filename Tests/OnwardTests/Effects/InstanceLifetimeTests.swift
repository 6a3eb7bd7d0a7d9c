// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import OnwardEffects
@testable import TestSupport

/// Rows and slices that go, and others that come to their address.
@Suite(.timeLimit(.minutes(5))) struct InstanceLifetimeTests {
    private let barrier = Barrier()
    private let results = Log<DispatchResult>()
    private let starts = Log<String>()

    private func feature<Slice: Sendable>(
        _ base: Feature<Slice>, _ channel: any KeyPath<Slice, Int?> & Sendable
    ) -> Feature<Slice> {
        Feature {
            base
            OnAction { [barrier, results] (action: DrawerAction, context) -> Effect in
                guard case .say(let text) = action else { return .none }
                return .run {
                    await barrier.pass()
                    results.append(context.dispatch(DrawerAction.notified(text)))
                }
            }
            While(channel) { [starts] channel, context in
                starts.append("\(context.address) \(channel)")
                try await context.clock.sleep(for: .seconds(1))
            }
        }
    }

    private func store(_ desk: Desk = Desk()) -> Store<Desk> {
        Store(desk, options: StoreOptions(clock: ManualClock())) {
            TestSupport.desk
            Scope(\.drawer, feature(drawer, \.channel))
            Scope(each: \.trays, feature(tray, \.channel))
            Scope(each: \.plain, feature(tray, \.channel))
        }
    }

    private func row(_ id: Int, of table: String = "trays") -> Address {
        Address("\(table)/#\(id)") ?? .root
    }

    @Test(arguments: ["trays", "plain"])
    func `an action is not answered for a row that came to its address within the batch`(
        table: String
    ) async {
        let store = store()
        for id in 1...2 { store.dispatch(DeskAction.add(id)) }
        store.batch {
            for id in 1...2 { store.dispatch(DrawerAction.say("old"), to: row(id, of: table)) }
            store.dispatch(DeskAction.remove(1))
            store.dispatch(DeskAction.add(1))
        }
        #expect(store.diagnostics.runningEffects.map(\.address) == [row(2, of: table)])
        barrier.open()
        await store.waitUntilIdle()
        #expect(store.state.trays[id: 1]?.notified == [])
        #expect(store.state.plain.first { $0.id == 1 }?.notified == [])
        await store.shutdown()
        #expect(
            store.engine.withLock {
                store.engine.attachment(EffectRunner.self, $0).lifetimes.isEmpty
            })
    }

    @Test
    func `nor for an optional slice that did`() async {
        let store = store(Desk(drawer: Drawer()))
        store.batch {
            store.dispatch(DrawerAction.say("old"), to: Address("drawer") ?? .root)
            store.dispatch(DeskAction.put(nil))
            store.dispatch(DeskAction.put(Drawer()))
        }
        #expect(store.diagnostics.runningEffects.isEmpty)
        barrier.open()
        await store.waitUntilIdle()
        #expect(store.state.drawer?.notified == [])
    }

    @Test(arguments: [DeskAction.replace(1), .refill([1, 2])])
    func `a row that is replaced in one commit is another one`(action: DeskAction) async {
        let store = store()
        store.dispatch(DeskAction.add(1))
        store.dispatch(DrawerAction.say("old"), to: row(1))
        await barrier.arrivals(1)
        store.dispatch(action)
        #expect(store.diagnostics.runningEffects.map(\.phase) == [.cancelled])
        store.dispatch(DrawerAction.say("new"), to: row(1))
        barrier.open()
        await store.waitUntilIdle()
        #expect(store.state.trays[id: 1]?.notified == ["new"])
        #expect(results.all.contains(.refused(.expired)))
    }

    @Test
    func `rows that stay in a table that is changed all over are the same ones`() async {
        let store = store()
        for id in 0..<600 { store.dispatch(DeskAction.add(id)) }
        store.dispatch(DrawerAction.say("x"), to: row(7))
        await barrier.arrivals(1)
        store.dispatch(DrawerAction.notified("to all"), to: Address("trays") ?? .root)
        #expect(store.diagnostics.runningEffects.map(\.phase) == [.running])
        barrier.open()
        await store.waitUntilIdle()
        #expect(store.state.trays[id: 7]?.notified == ["to all", "x"])
    }

    @Test
    func `a While starts anew for a row that comes to the address of another`() async {
        let store = store()
        store.dispatch(DeskAction.add(1))
        store.dispatch(DeskAction.add(2))
        for id in 1...2 { store.dispatch(DrawerAction.tune(id), to: row(id)) }
        let first = Dictionary(
            uniqueKeysWithValues: store.diagnostics.runningEffects.map { ($0.address, $0.number) })
        #expect(Set(first.keys) == [row(1), row(2)])
        store.batch {
            store.dispatch(DeskAction.replace(1))
            store.dispatch(DrawerAction.tune(1), to: row(1))
        }
        await ended(first[row(1)], in: store)
        #expect(Set(store.diagnostics.runningEffects.map(\.address)) == [row(1), row(2)])
        #expect(store.diagnostics.runningEffects.contains { $0.number == first[row(2)] })
        await store.shutdown()
        #expect(store.diagnostics.runningEffects.isEmpty)
        #expect(
            store.engine.withLock {
                store.engine.attachment(EffectRunner.self, $0).lifetimes.isEmpty
            })
    }

    @Test
    func `also for one in an array, and for an optional slice`() async {
        let store = store(Desk(drawer: Drawer(channel: 5)))
        store.dispatch(DeskAction.add(1))
        store.dispatch(DrawerAction.tune(1), to: row(1, of: "plain"))
        let first = store.diagnostics.runningEffects.map(\.number)
        #expect(first.count == 2)
        store.batch {
            store.dispatch(DeskAction.remove(1))
            store.dispatch(DeskAction.add(1))
            store.dispatch(DrawerAction.tune(1), to: row(1, of: "plain"))
            store.dispatch(DeskAction.put(nil))
            store.dispatch(DeskAction.put(Drawer(channel: 5)))
        }
        for number in first { await ended(number, in: store) }
        #expect(store.diagnostics.runningEffects.count == 2)
        await store.shutdown()
    }

    @Test
    func `a While of a row that goes may not answer until it is notified, even within a batch`()
        async
    {
        let contexts = Log<EffectContext<Tray>>()
        let store = Store(Desk(trays: [Tray(id: 1, channel: 1)])) {
            desk
            Scope(
                each: \.trays,
                Feature<Tray> {
                    tray
                    While(\.channel) { [barrier] _, context in
                        contexts.append(context)
                        await barrier.pass()
                    }
                })
        }
        await barrier.arrivals(1)
        store.batch {
            store.dispatch(DeskAction.replace(1))
            #expect(
                contexts.all.map { $0.dispatch(DrawerAction.notified("late")) }
                    == [.refused(.expired)])
            #expect(contexts.all.map(\.current.channel) == [1])
        }
        #expect(store.state.trays[id: 1]?.notified == [])
        barrier.open()
    }

    @Test
    func `rows of tables inside rows have lives of their own`() async {
        let store = Store(Cabinet(), options: StoreOptions(clock: ManualClock())) {
            Reduce { (cabinet: inout Cabinet, action: DeskAction) in
                guard case .replace(let id) = action else { return }
                cabinet.drawers[id: 1]?.trays.remove(id: id)
                cabinet.drawers[id: 1]?.trays.append(Tray(id: id, channel: id))
            }
            Scope(
                each: \.drawers,
                Feature<Cabinet.Drawer> { Scope(each: \.trays, feature(tray, \.channel)) })
        }
        let rows = store.diagnostics.runningEffects
        #expect(rows.count == 4)
        for address in ["drawers/#1/trays/#1", "drawers/#1/trays/#2", "drawers/#2/trays/#1"] {
            store.dispatch(DrawerAction.say("old"), to: Address(address) ?? .root)
        }
        await barrier.arrivals(3)
        store.dispatch(DeskAction.replace(1))
        await ended(rows.first { "\($0.address)" == "drawers/#1/trays/#1" }?.number, in: store)
        barrier.open()
        await store.waitUntilIdle()
        #expect(results.all.filter { $0 == .refused(.expired) }.count == 1)
        let trays = store.state.drawers.map { $0.trays.map(\.notified) }
        #expect(trays == [[["old"], []], [["old"], []]])
        #expect(store.diagnostics.runningEffects.count == 4)
        await store.shutdown()
    }

    // MARK: Addresses

    @Test
    func `a row has one address; other texts from which its id can be read name no row`() async {
        let store = store()
        store.dispatch(DeskAction.add(7))
        for text in ["trays/#07", "trays/#+7", "plain/#07"] {
            let address = Address(text) ?? .root
            #expect(store.dispatch(DrawerAction.say("x"), to: address) == .refused(.absent))
        }
        #expect(store.diagnostics.runningEffects.isEmpty)
        #expect(store.dispatch(DrawerAction.say("x"), to: row(7)).version != nil)
        #expect(row(7) == store.scoped(to: .row(\.trays, id: 7)).address)
        barrier.open()
        await store.waitUntilIdle()
    }

    @Test
    func `rows whose ids are written alike don't share effects`() async {
        let results = Log<DispatchResult>()
        let ids = [Alike(number: 1), Alike(number: 2)]
        let store = Store(Twins(rows: [Twin(id: ids[0]), Twin(id: ids[1])])) {
            Scope(
                each: \.rows,
                Feature<Twin> {
                    Reduce { (twin: inout Twin, action: DrawerAction) in
                        if case .notified(let text) = action { twin.notified.append(text) }
                    }
                    OnAction { [barrier] (action: DrawerAction, context) -> Effect in
                        guard case .say(let text) = action else { return .none }
                        return .run(id: "one at a time", .dropping) {
                            await barrier.pass()
                            results.append(context.dispatch(DrawerAction.notified(text)))
                        }
                    }
                    While(\.isOn) { [barrier] _, _ in await barrier.pass() }
                })
        }
        await barrier.arrivals(2)
        for id in ids { store.scoped(to: .row(\.rows, id: id)).dispatch(DrawerAction.say("x")) }
        await barrier.arrivals(4)
        barrier.open()
        await store.waitUntilIdle()
        #expect(store.state.rows.map(\.notified) == [["x"], ["x"]])
        #expect(results.all.count == 2)
    }

    /// Waits until an effect is over.
    private func ended<State>(_ number: UInt64?, in store: Store<State>) async {
        while store.diagnostics.runningEffects.contains(where: { $0.number == number }) {
            await Task.yield()
        }
    }
}

private struct Cabinet: Equatable, Sendable {
    var drawers: EntityTable<Drawer> = [Drawer(id: 1), Drawer(id: 2)]

    struct Drawer: Equatable, Sendable, Identifiable {
        let id: Int
        var trays: EntityTable<Tray> = [Tray(id: 1, channel: 1), Tray(id: 2, channel: 2)]
    }
}

private struct Twins: Sendable {
    var rows: EntityTable<Twin>
}

private struct Twin: Sendable, Equatable, Identifiable {
    let id: Alike
    var notified: [String] = []
    var isOn = true
}

/// An id whose text says nothing.
private struct Alike: Sendable, Hashable, CustomStringConvertible {
    let number: Int
    var description: String { "twin" }
}
