// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite(.timeLimit(.minutes(5))) struct OnChangeTests {
    @Test
    func `is called with the old and the new value, once for each change`() {
        let calls = Log<String>()
        let store = Store(Desk()) {
            desk
            OnChange(of: \.channel) { old, new, _ in
                calls.append("\(old ?? 0) → \(new ?? 0)")
                return .none
            }
        }
        for channel in [1, 1, 2, nil] { store.dispatch(DeskAction.tune(channel)) }
        store.dispatch(DeskAction.open(true))
        #expect(calls.all == ["0 → 1", "1 → 2", "2 → 0"])
        store.batch {
            store.dispatch(DeskAction.tune(5))
            store.dispatch(DeskAction.tune(6))
        }
        store.batch {
            store.dispatch(DeskAction.tune(7))
            store.dispatch(DeskAction.tune(6))
        }
        #expect(calls.all.suffix(1) == ["0 → 6"])
        #expect(calls.all.count == 4)
    }

    @Test
    func `what it answers with is dispatched in the order of the changes, whoever comes last`() {
        let executor = LastFirst()
        let store = Store(Desk(), options: StoreOptions(effectExecutor: executor)) {
            desk
            OnChange(of: \.channel) { _, new, _ in
                // What the app starts besides, and cancels, is apart from it.
                .merge(
                    .run(.latest) { try await Task.sleep(for: .seconds(3_600)) },
                    .dispatch(DeskAction.notified("\(new ?? 0)")))
            }
        }
        for channel in 1...4 { store.dispatch(DeskAction.tune(channel)) }
        executor.run()
        #expect(store.state.notified == ["1", "2", "3", "4"])
    }

    @Test
    func `follows a selector, and its effects end by themselves`() async {
        let isLong: StateSelector<Desk, Bool> = StateSelector(\.notified) { $0.count > 2 }
        let store = Store(Desk()) {
            desk
            OnChange(of: .selector(isLong)) { _, isLong, context in
                .run { context.dispatch(DeskAction.open(isLong)) }
            }
        }
        for text in ["a", "b"] { store.dispatch(DeskAction.notified(text)) }
        await store.waitUntilIdle()
        #expect(store.state.isOpen == false)
        await store.run(DeskAction.notified("c"))
        #expect(store.state.isOpen)
        #expect(store.diagnostics.runningEffects.isEmpty)
    }

    @Test
    func `each row has its own, and a row that comes or goes is no change`() async {
        let calls = Log<String>()
        let store = Store(Desk()) {
            desk
            Scope(each: \.trays) {
                tray
                OnChange(of: \.channel) { _, new, context in
                    calls.append("\(context.current.id): \(new ?? 0)")
                    return .run { context.dispatch(DrawerAction.notified("\(new ?? 0)")) }
                }
            }
        }
        for id in [1, 2] { store.dispatch(DeskAction.add(id)) }
        store.dispatch(DrawerAction.tune(4), to: .row(\.trays, id: 2))
        store.dispatch(DrawerAction.tune(5), to: .row(\.trays, id: 1))
        await store.waitUntilIdle()
        #expect(calls.all == ["2: 4", "1: 5"])
        #expect(store.state.trays[id: 2]?.notified == ["4"])
        store.dispatch(DeskAction.replace(2))
        store.dispatch(DeskAction.remove(1))
        #expect(calls.all.count == 2)
        store.dispatch(DrawerAction.tune(6), to: .row(\.trays, id: 2))
        await store.waitUntilIdle()
        #expect(calls.all.suffix(1) == ["2: 6"])
        #expect(store.state.trays[id: 2]?.notified == ["6"])
    }

    @Test
    func `a While of a selector lives while that has a value, and starts anew with another`() async
    {
        let channel: StateSelector<Desk, Int?> = StateSelector(\.isOpen, \.channel) {
            $0 ? $1 : nil
        }
        let (started, ended) = (Log<Int>(), Log<Int>())
        let store = Store(Desk(channel: 1)) {
            desk
            While(.selector(channel)) { channel, context in
                started.append(channel)
                defer { ended.append(channel) }
                try await context.clock.sleep(for: .seconds(1_000))
            }
        }
        store.dispatch(DeskAction.open(true))
        while started.all != [1] { await Task.yield() }
        store.dispatch(DeskAction.tune(2))
        while started.all != [1, 2] { await Task.yield() }
        store.dispatch(DeskAction.notified("-"))
        store.dispatch(DeskAction.open(false))
        while ended.all.count < 2 { await Task.yield() }
        #expect(started.all == [1, 2])
        while !store.diagnostics.runningEffects.isEmpty { await Task.yield() }
    }

    @Test
    func `what is present lives as long as its row`() async {
        let (started, ended) = (Log<Int>(), Log<Int>())
        let store = Store(Desk()) {
            desk
            Scope(each: \.trays) {
                While.present { context in
                    let id = context.current.id
                    started.append(id)
                    defer { ended.append(id) }
                    try await context.clock.sleep(for: .seconds(1_000))
                }
            }
        }
        for id in [1, 2] { store.dispatch(DeskAction.add(id)) }
        while started.all.count < 2 { await Task.yield() }
        store.dispatch(DeskAction.remove(1))
        while ended.all.isEmpty { await Task.yield() }
        #expect(ended.all == [1])
        #expect(store.diagnostics.runningEffects.map(\.address.description) == ["trays/#2"])
        await store.shutdown()
        #expect(ended.all == [1, 2])
    }

    @Test
    func `after the end of its features nothing is called`() {
        let calls = Log<Int>()
        let store = Store(Desk()) {
            desk
            OnChange(of: \.notified.count) { _, new, _ in
                calls.append(new)
                return .none
            }
        }
        store.dispatch(DeskAction.notified("a"))
        store.log.replaceFeatures { desk }
        store.dispatch(DeskAction.notified("b"))
        #expect(calls.all == [1])
    }
}
