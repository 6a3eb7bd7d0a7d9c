// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import TestSupport

/// Subscriptions on the main actor, as screens make them, without an annotation on any closure.
@Suite(.timeLimit(.minutes(5))) struct MainActorTests {
    /// A screen whose conformance belongs to the main actor.
    @MainActor
    private final class Screen: @MainActor StateSubscriber {
        var shown: [Int] = []

        func newState(_ balance: Int) {
            MainActor.assertIsolated()
            shown.append(balance)
        }
    }

    /// An object that cannot be shared.
    private final class Label: StateSubscriber {
        var shown: [Int] = []

        func newState(_ balance: Int) {
            MainActor.assertIsolated()
            shown.append(balance)
        }
    }

    /// An object that can, and that no actor isolates.
    private final class Everywhere: StateSubscriber, Sendable {
        let seen = Log<Int>()

        func newState(_ balance: Int) { seen.append(balance) }
    }

    /// Dispatches on another thread, and waits until all subscribers were notified.
    private func depositElsewhere(_ amount: Int, in store: Store<Bank>) async {
        await Task.detached { _ = store.dispatch(BankAction.deposit(amount)) }.value
        await store.waitUntilIdle()
    }

    // MARK: Objects

    @Test @MainActor
    func
        `a screen is notified at once and of changes, before a dispatch on the main actor returns`()
    {
        let (store, screen) = (makeBank(Bank(balance: 3)), Screen())
        screen.subscribe(to: .path(\.balance), of: store)
        #expect(screen.shown == [3])
        store.dispatch(BankAction.deposit(1))
        #expect(screen.shown == [3, 4])
        store.unsubscribe(screen)
        store.dispatch(BankAction.deposit(1))
        #expect(screen.shown == [3, 4])
    }

    @Test @MainActor
    func `a screen is notified on the main actor what other threads dispatch`() async {
        let (store, screen) = (makeBank(), Screen())
        screen.subscribe(to: .path(\.balance), of: store)
        await depositElsewhere(2, in: store)
        #expect(screen.shown == [0, 2])
    }

    @Test @MainActor
    func `an object that cannot be shared is notified on the main actor as well`() async {
        let (store, label) = (makeBank(), Label())
        label.subscribe(to: .path(\.balance), of: store)
        await depositElsewhere(2, in: store)
        store.dispatch(BankAction.deposit(1))
        #expect(label.shown == [0, 2, 3])
    }

    @Test @MainActor
    func `an object that can be shared is notified by the thread that delivers`() async {
        let (store, everywhere) = (makeBank(), Everywhere())
        everywhere.subscribe(to: .path(\.balance), of: store)
        // While the main actor is busy here, another thread notifies it.
        onThreads(1) { _ in store.dispatch(BankAction.deposit(2)) }
        #expect(everywhere.seen.all == [0, 2])
    }

    @Test @MainActor
    func `a screen is held weakly, and replaces its subscription by subscribing again`() {
        let store = makeBank()
        weak var weakly: Screen?
        do {
            let screen = Screen()
            weakly = screen
            screen.subscribe(to: .path(\.balance), of: store)
            screen.subscribe(to: .path(\.other.count), of: store)
            store.dispatch(BankAction.deposit(7))
            store.dispatch(OtherAction())
            #expect(screen.shown == [0, 0, 1])
        }
        #expect(weakly == nil)
        store.dispatch(OtherAction())
    }

    // MARK: Closures

    @MainActor
    private final class Controller {
        var shown: [String] = []
        var tokens: [Subscription] = []
        private let tripled = StateSelector<Bank, Int>(\.balance) { $0 * 3 }

        func appear(in store: Store<Bank>) {
            tokens = [
                store.subscribe(\.balance) { [weak self] _, new in self?.show("path \(new)") },
                store.subscribe(.selecting { $0.balance * 2 }) { [weak self] _, new in
                    self?.show("closure \(new)")
                },
                store.subscribe(.selecting({ $0.balance }, removingDuplicatesBy: { $0 == $1 })) {
                    [weak self] _, new in self?.show("compared \(new)")
                },
                store.subscribe(\.self) { [weak self] _, new in self?.show("whole \(new.balance)")
                },
                store.subscribe(.selector(tripled)) { [weak self] _, new in
                    self?.show("selector \(new)")
                },
            ]
        }

        func show(_ text: String) {
            MainActor.assertIsolated()
            shown.append(text)
        }
    }

    @Test @MainActor
    func `a closure that is written on the main actor is called there`() async {
        let (store, controller) = (makeBank(), Controller())
        controller.appear(in: store)
        await depositElsewhere(1, in: store)
        let all = ["path 1", "closure 2", "compared 1", "whole 1", "selector 3"]
        #expect(controller.shown == all)
        controller.shown = []
        store.dispatch(BankAction.deposit(1))
        #expect(controller.shown == ["path 2", "closure 4", "compared 2", "whole 2", "selector 6"])
    }

    @Test @MainActor
    func `also that of a row, and of what changed in a table`() async {
        struct App: Sendable { var rows: EntityTable<Row> = [Row(id: 1), Row(id: 2)] }
        let store = Store(App()) { Scope(each: \.rows, row) }
        let all = StateSelector<App, EntityTable<Row>>(\.rows)
        var notified: [String] = []
        let tokens = [
            store.subscribe(.row(\.rows, id: 2)) { _, new in
                notified.append("row \(new?.count ?? -1)")
            },
            store.subscribe(.table(\.rows)) { old, new in
                notified.append("changed \(new.changes(since: old).updated)")
            },
            store.subscribe(.table(all.map { $0 })) { old, new in
                notified.append("view \(new.changes(since: old).updated)")
            },
        ]
        await Task.detached { _ = store.dispatch(CounterAction.increment) }.value
        await store.waitUntilIdle()
        #expect(notified.sorted() == ["changed [1, 2]", "row 1", "view [1, 2]"])
        for token in tokens { token.cancel() }
    }

    @Test
    func `a closure of another actor is called there when it uses it`() async {
        actor Ledger {
            var seen: [Int] = []
            var token: Subscription?

            func open(_ store: Store<Bank>) {
                token = store.subscribe(\.balance) { _, new in self.seen.append(new) }
            }

            func close() { token = nil }
        }
        let (store, ledger) = (makeBank(), Ledger())
        await ledger.open(store)
        await depositElsewhere(2, in: store)
        #expect(await ledger.seen == [2])
        await ledger.close()
    }

    @Test
    func `a closure that is written on no actor is called by the thread that delivers`() {
        let (store, seen) = (makeBank(), Log<Int>())
        let token = store.subscribe(\.balance) { _, new in seen.append(new) }
        onThreads(1) { _ in store.dispatch(BankAction.deposit(2)) }
        #expect(seen.all == [2])
        token.cancel()
    }

    @Test @MainActor
    func `a function that is dispatched on the main actor runs there`() async throws {
        let store = makeBank()
        var shown: [Int] = []
        let handle = store.dispatch { context in
            MainActor.assertIsolated()
            context.dispatch(BankAction.deposit(1))
            await Task.yield()
            shown.append(context.current.balance)
        }
        await handle.waitUntilEnded()
        let last = try await store.run { context in
            shown.append(0)
            return context.current.balance
        }
        #expect(shown == [1, 0])
        #expect(last == 1)
    }
}
