// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import TestSupport

/// What the store releases may use the store.
@Suite(.timeLimit(.minutes(5))) struct LettingGoTests {
    /// A value that runs a closure when its last copy is released.
    private struct Model: Equatable, Sendable {
        let number: Int
        let parting: Parting

        static func == (left: Model, right: Model) -> Bool { left.number == right.number }
    }

    private struct Page: Sendable {
        var number = 0
        var model: Model { Model(number: number, parting: Parting(onParting)) }
        var todos: EntityTable<Todo> {
            onReading()
            var todos: EntityTable<Todo> = []
            todos.append(Todo(id: 1, isDone: number.isMultiple(of: 2)))
            return todos
        }
        var onParting: @Sendable () -> Void = {}
        var onReading: @Sendable () -> Void = {}
    }

    private enum Turn: Action { case next }

    /// Holds a store where closures in its state can reach it.
    private final class Held: Sendable {
        private let store = Guarded<Store<Page>?>(nil)
        private let count = Guarded(0)

        func hold(_ store: Store<Page>?) { self.store.withValue { $0 = store } }
        func read() { _ = store.withValue { $0 }?.version }
        /// Commits, the first few times.
        func commit() {
            if count.withValue({
                $0 += 1; return $0 <= 20
            }) {
                store.withValue { $0 }?.dispatch(Turn.next, isolation: nil)
            }
        }
    }

    @Test
    func `a computed value that a subscription does not need`() {
        let held = Held()
        let store = Store(Page(onParting: { held.read() }, onReading: {})) {
            Reduce { (page: inout Page, _: Turn) in page.number += 1 }
        }
        held.hold(store)
        var tokens: [Subscription] = []
        for _ in 0..<3 {
            tokens.append(
                store.subscribe(\.model, initially: true, isolation: nil) { _, _ in
                    held.commit()
                })
        }
        store.dispatch(Turn.next)
        tokens = []
        held.hold(nil)
    }

    @Test
    func `a value that was computed while others committed`() {
        let held = Held()
        let store = Store(Page(onParting: { held.read() })) {
            Reduce { (page: inout Page, _: Turn) in page.number += 1 }
        }
        held.hold(store)
        let notified = Log<Int>()
        let token = store.subscribe(
            .selecting { page in
                // Stands for a commit of another thread meanwhile.
                held.commit()
                return page.model
            }, initially: true, isolation: nil
        ) { _, new in notified.append(new.number) }
        store.dispatch(Turn.next)
        #expect(notified.all.last == store.state.number)
        token.cancel()
        held.hold(nil)
    }

    @Test
    func `a computed table is computed outside the lock, also when others commit faster`() {
        let held = Held()
        let store = Store(
            Page(onReading: {
                held.read(); held.commit()
            })
        ) {
            Reduce { (page: inout Page, _: Turn) in page.number += 1 }
        }
        held.hold(store)
        let notified = Log<[Bool?]>()
        let token = store.subscribe(.row(\.todos, id: 1), isolation: nil) {
            notified.append([$0?.isDone, $1?.isDone])
        }
        let late = store.subscribe(.row(\.todos, id: 1), initially: true, isolation: nil) {
            notified.append([$0?.isDone, $1?.isDone])
        }
        for _ in 0..<20 { store.dispatch(Turn.next, isolation: nil) }
        let isDone = store.state.number.isMultiple(of: 2)
        #expect(notified.all.suffix(2) == [[!isDone, isDone], [!isDone, isDone]])
        token.cancel()
        late.cancel()
        held.hold(nil)
    }

    @Test
    func `a state in whose place another one is installed`() {
        struct Shown: Sendable { var parting: Parting? }
        let held = Guarded<Store<Shown>?>(nil)
        let versions = Log<CommitVersion>()
        let parting = Parting {
            if let store = held.withValue({ $0 }) { versions.append(store.log.version) }
        }
        let store = Store(Shown(parting: parting)) {
            Reduce { (_: inout Shown, _: Turn) in }
        }
        held.withValue { $0 = store }
        do { _ = consume parting }
        let controller = store.log.attach(gate: AcceptAll())
        controller.install(Shown(), replacing: store.log.version)
        #expect(versions.all == [1])
        controller.detach()
        held.withValue { $0 = nil }
    }

    @Test
    func `what goes with a subscription that a reducer cancels`() async {
        struct Shown: Sendable { var parting: Parting? }
        let mistakes = Log<ProgrammerError.Kind>()
        let (gone, hasGone) = AsyncStream.makeStream(of: CommitVersion.self)
        let token = Guarded<Subscription?>(nil)
        let store = Store(
            Shown(parting: Parting { token.withValue { $0 }?.cancel() }),
            options: StoreOptions(onProgrammerError: { mistakes.append($0.kind) })
        ) {
            Reduce { (shown: inout Shown, _: Turn) in shown.parting = nil }
        }
        let body = Parting { [weak store] in hasGone.yield(store?.log.version ?? 0) }
        token.withValue {
            $0 = store.subscribe(.selecting { _ in 0 }, isolation: nil) { _, _ in
                withExtendedLifetime(body) {}
            }
        }
        do { _ = consume body }
        store.dispatch(Turn.next)
        for await version in gone {
            #expect(version == 1)
            break
        }
        #expect(mistakes.all.isEmpty)
    }
}
