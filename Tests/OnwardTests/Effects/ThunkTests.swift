// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite(.timeLimit(.minutes(5))) struct ThunkTests {
    @Test
    func `a function can read, dispatch, and give a waiting caller its result`() async throws {
        let store = makeDesk { _, _ in .none }
        let count = try await store.run { context in
            context.dispatch(DeskAction.notified("a"))
            await Task.yield()
            context.dispatch(DeskAction.notified("b"))
            return context.current.notified.count
        }
        #expect(count == 2)
        #expect(store.state.notified == ["a", "b"])
    }

    @Test
    func `it throws to a caller that waits, and notifies no handler`() async {
        let failures = Failures()
        let store = makeDesk(options: failures.options()) { _, _ in .none }
        await #expect(throws: Broken.self) { try await store.run { _ in throw Broken() } }
        #expect(failures.all.isEmpty)
    }

    @Test
    func `it is cancelled with the task that waits`() async {
        let clock = ManualClock()
        let store = makeDesk(options: StoreOptions(clock: clock)) { _, _ in .none }
        let task = Task {
            try await store.run { try await $0.clock.sleep(for: .seconds(1)) }
        }
        await clock.sleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(store.diagnostics.runningEffects.isEmpty)
        #expect(clock.sleeperCount == 0)
    }

    @Test
    func `one that is dispatched is not waited for; its handle waits and cancels`() async {
        let store = makeDesk { _, _ in .none }
        let (first, second) = (Barrier(), Barrier())
        let ends = store.dispatch(id: "thunk") { context in
            await first.pass()
            context.dispatch(DeskAction.notified("a"))
        }
        #expect(store.diagnostics.runningEffects.map(\.id) == ["thunk"])
        #expect(store.diagnostics.runningEffects.map(\.kind) == [.thunk])
        first.open()
        await ends.waitUntilEnded()
        #expect(store.state.notified == ["a"])
        let cancelled = store.dispatch { context in
            await second.pass()
            context.dispatch(DeskAction.notified("b"))
        }
        await second.arrivals(1)
        cancelled.cancel()
        second.open()
        await cancelled.waitUntilEnded()
        #expect(store.state.notified == ["a"])
    }

    @Test
    func `what it throws goes to the store's handler where no caller waits`() async {
        let failures = Failures()
        let store = makeDesk(options: failures.options()) { _, _ in .none }
        store.dispatch { _ in throw Broken() }
        await store.waitUntilIdle()
        #expect(failures.all.map(\.effect.kind) == [.thunk])
    }

    @Test
    func `one of a slice sees the slice, and its actions reach that instance alone`() async throws {
        let store = Store(Desk()) {
            Scope(\.left, drawer)
            Scope(\.right, drawer)
        }
        let notified = try await store.scoped(to: \.right).run { context in
            context.dispatch(DrawerAction.notified("r"))
            return context.current.notified
        }
        #expect(notified == ["r"])
        #expect(store.state.left.notified.isEmpty)
    }
}
