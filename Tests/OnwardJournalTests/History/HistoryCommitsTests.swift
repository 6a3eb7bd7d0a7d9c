// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import Testing

@testable import TestSupport

/// Whatever a history shows, no action that the store accepted is missing in it.
struct HistoryCommitsTests {
    struct Sum: Codable, Sendable { var n = 0 }
    enum Change: Action, Codable { case add(Int) }

    private func makeStore() -> Store<Sum> {
        Store(Sum()) {
            Reduce { (sum: inout Sum, change: Change) in
                if case .add(let number) = change { sum.n += number }
            }
        }
    }

    @Test func `a jump to the end while another thread is notifying loses nothing`() async {
        for _ in 0..<50 {
            let store = makeStore()
            let history = History(of: store)
            let (begun, dispatched) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            // Called while the other thread dispatches.
            let token = store.subscribe(\.n, isolation: nil) { old, _ in
                guard old == 0 else { return }
                begun.signal()
                dispatched.wait()
            }
            let thread = Thread {
                begun.wait()
                store.dispatch(Change.add(1), isolation: nil)
                dispatched.signal()
            }
            thread.start()
            store.dispatch(Change.add(1), isolation: nil)
            history.jumpToEnd(isolation: nil)
            await store.waitUntilIdle()
            #expect(store.state.n == 2)
            #expect(history.log.staged.count == 2)
            token.cancel()
        }
    }

    @Test func `a row that another thread adds stays, and its effect reports`() async {
        struct Row: Identifiable, Sendable, Equatable {
            let id: Int
            var ends = 0
        }
        struct App: Sendable {
            var rows: [Row] = []
            var n = 0
        }
        enum AppAction: Action { case row(Int), count }
        enum RowAction: Action { case go, ended }
        let row = Feature<Row> {
            Reduce { (row: inout Row, action: RowAction) in
                if case .ended = action { row.ends += 1 }
            }
            OnAction { (action: RowAction, context: EffectContext<Row>) -> Effect in
                guard case .go = action else { return .none }
                return .run { context.dispatch(RowAction.ended) }
            }
        }
        for _ in 0..<20 {
            let store = Store(App()) {
                Reduce { (app: inout App, action: AppAction) in
                    switch action {
                    case .row(let id): app.rows.append(Row(id: id))
                    case .count: app.n += 1
                    }
                }
                Scope(each: \.rows, row)
            }
            let history = History(of: store)
            let (begun, dispatched) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let token = store.subscribe(\.n, isolation: nil) { old, _ in
                guard old == 0 else { return }
                begun.signal()
                dispatched.wait()
            }
            let thread = Thread {
                begun.wait()
                store.dispatch(AppAction.row(1), isolation: nil)
                store.scoped(to: .row(\.rows, id: 1)).dispatch(RowAction.go, isolation: nil)
                dispatched.signal()
            }
            thread.start()
            store.dispatch(AppAction.count, isolation: nil)
            history.jumpToEnd(isolation: nil)
            await store.waitUntilIdle()
            #expect(store.state.rows.first?.ends == 1)
            token.cancel()
        }
    }

    @Test func `a batch may travel and leave, and what was accepted stays`() {
        let store = makeStore()
        let history = History(of: store)
        store.batch {
            #expect(store.dispatch(Change.add(1)) == .accepted(1))
            history.jumpToEnd()
            #expect(store.state.n == 1)
            store.dispatch(Change.add(10))
            #expect(history.toggle(2))
            #expect(store.state.n == 1)
            history.toggle(2)
            #expect(store.state.n == 11)
            store.dispatch(Change.add(100))
            history.detach()
        }
        #expect(store.state.n == 111)
        #expect(history.log.staged.count == 3)
    }

    @Test func `a subscriber may travel and leave, and what was accepted stays`() {
        let store = makeStore()
        let history = History(of: store)
        let isFirst = Guarded(true)
        let token = store.subscribe(\.n) { _, _ in
            let acts = isFirst.withValue { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard acts else { return }
            #expect(store.dispatch(Change.add(10)).version == 2)
            history.jumpToEnd()
            #expect(store.state.n == 11)
            history.detach()
        }
        store.dispatch(Change.add(1))
        #expect(store.state.n == 11)
        #expect(history.log.staged.count == 2)
        token.cancel()
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let change: @Sendable (inout HistoryLog<Sum>) -> Void
        let shown: Int
        let count: Int
        var testDescription: String { name }
    }

    static let rows = [
        Row(name: "lock", change: { $0.lock() }, shown: 11, count: 2),
        Row(name: "reset", change: { $0.reset() }, shown: 0, count: 0),
        Row(name: "commit", change: { $0.commit() }, shown: 11, count: 0),
        Row(name: "rollback", change: { $0.rollback() }, shown: 0, count: 0),
        // As the reference does, a pause begins with a commit.
        Row(name: "pause", change: { $0.pause() }, shown: 11, count: 0),
        Row(name: "sweep", change: { $0.sweep() }, shown: 11, count: 2),
    ]

    @Test(arguments: rows)
    func `a change of the log includes what was just accepted`(row: Row) {
        let store = makeStore()
        let history = History(of: store)
        store.dispatch(Change.add(1))
        store.batch {
            #expect(store.dispatch(Change.add(10)) == .accepted(2))
            history.perform(row.change)
            #expect(store.state.n == row.shown)
        }
        #expect(store.state.n == row.shown)
        #expect(history.log.staged.count == row.count)
        history.perform { $0.lock(false) }
        history.jumpToEnd()
        #expect(store.state.n == row.shown)
    }

    @Test func `actions enter the log in the order in which they were dispatched`() {
        struct List: Sendable { var items: [String] = [] }
        enum ListAction: Action { case add(String) }
        let store = Store(List()) {
            Reduce { (list: inout List, action: ListAction) in
                if case .add(let item) = action { list.items.append(item) }
            }
        }
        let history = History(of: store)
        let isFirst = Guarded(true)
        let token = store.subscribe(\.items.count) { _, _ in
            let acts = isFirst.withValue { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard acts else { return }
            store.dispatch(ListAction.add("first"))
            history.jump(to: 0)
            store.dispatch(ListAction.add("second"))
        }
        store.dispatch(ListAction.add("begin"))
        history.jumpToEnd()
        #expect(store.state.items == ["begin", "first", "second"])
        token.cancel()
    }

    @Test func `of two histories each has the states that its own log leads to`() {
        let store = makeStore()
        let first = History(of: store, spacing: 4)
        let second = History(of: store, spacing: 4)
        for _ in 0..<3 { store.dispatch(Change.add(1)) }
        second.toggle(1)
        #expect(store.state.n == 2)
        for _ in 0..<3 { store.dispatch(Change.add(1)) }
        #expect(store.state.n == 5)
        #expect((0...6).map { first.state(at: $0).n } == [0, 1, 2, 3, 4, 5, 6])
        #expect((0...6).map { second.state(at: $0).n } == [0, 0, 1, 2, 3, 4, 5])
        // Each shows its own, and nothing of it is lost for the other one.
        first.jumpToEnd()
        #expect(store.state.n == 6)
        store.dispatch(Change.add(1))
        second.jumpToEnd()
        #expect(store.state.n == 6)
        #expect(first.log.staged.count == 7 && second.log.staged.count == 7)
    }

    @Test func `a deinit may read the history that runs the reducers again`() {
        final class Connection: Sendable {
            let close: @Sendable () -> Void
            init(_ close: @escaping @Sendable () -> Void) { self.close = close }
            deinit { close() }
        }
        struct App: Sendable { var connection: Connection? }
        enum AppAction: Action { case open, close }
        let held = Guarded<History<App>?>(nil)
        let closed = Guarded<[Int]>([])
        let store = Store(App()) {
            Reduce { (app: inout App, action: AppAction) in
                switch action {
                case .open:
                    app.connection = Connection {
                        let cursor = held.withValue { $0 }?.log.cursor ?? -1
                        closed.withValue { $0.append(cursor) }
                    }
                case .close: app.connection = nil
                }
            }
        }
        let history = History(of: store, limit: 40)
        held.withValue { $0 = history }
        store.dispatch(AppAction.open)
        store.dispatch(AppAction.close)
        history.jump(to: 0)
        history.jumpToEnd()
        #expect(closed.withValue { $0.count } >= 2)
        // What is folded into the base runs them too.
        for _ in 0..<100 {
            store.dispatch(AppAction.open)
            store.dispatch(AppAction.close)
        }
        history.perform { $0.pause() }
        history.perform { $0.reset() }
        #expect(store.state.connection == nil)
        held.withValue { $0 = nil }
    }

    @Test func `an action whose number is skipped already does not happen`() {
        let store = makeStore()
        let history = History(of: store)
        store.dispatch(Change.add(1))
        #expect(!history.toggle(2))
        #expect(store.dispatch(Change.add(10)) == .withheld)
        #expect(store.state.n == 1)
        store.dispatch(Change.add(100))
        #expect(store.state.n == 101)
        history.toggle(2)
        #expect(store.state.n == 111)
    }

    @Test func `a subscriber of what a jump to the end shows may dispatch, and is accepted`() {
        let store = makeStore()
        let history = History(of: store)
        for _ in 0..<3 { store.dispatch(Change.add(1)) }
        history.jump(to: 1)
        let results = Guarded<[DispatchResult]>([])
        let token = store.subscribe(\.n) { _, new in
            guard new == 3 else { return }
            let result = store.dispatch(Change.add(10))
            results.withValue { $0.append(result) }
        }
        history.jumpToEnd()
        #expect(results.withValue { $0.map { $0.version != nil } } == [true])
        #expect(store.state.n == 13)
        #expect(history.log.staged.count == 4)
        token.cancel()
    }

    @Test func `each action that a thread dispatched is shown once, whatever others do to the log`()
        async
    {
        let changes: [@Sendable (History<Sum>) -> Void] = [
            { $0.jump(to: 0, isolation: nil) },
            { $0.toggle(3, isolation: nil) },
            { $0.toggle(3, isolation: nil) },
            { $0.jumpToEnd(isolation: nil) },
            { history in history.perform(isolation: nil) { $0.commit() } },
            { history in history.perform(isolation: nil) { $0.pause() } },
            { history in history.perform(isolation: nil) { $0.pause(false) } },
        ]
        for round in 0..<20 {
            let store = makeStore()
            let history = History(of: store, limit: 50, spacing: 8)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        for _ in 0..<200 { store.dispatch(Change.add(1), isolation: nil) }
                    }
                }
                group.addTask {
                    for number in 0..<60 {
                        let change = changes[(number &* 7 &+ round) % changes.count]
                        if !history.log.isPaused || number % 2 == 0 { change(history) }
                    }
                }
            }
            history.jumpToEnd(isolation: nil)
            await store.waitUntilIdle()
            #expect(store.state.n == history.state(at: history.log.cursor).n)
        }
    }

    @Test func `what threads dispatched before a lock is accepted and shown`() async {
        for _ in 0..<50 {
            let store = makeStore()
            let history = History(of: store)
            let accepted = Guarded(0)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        for _ in 0..<200 {
                            let result = store.dispatch(Change.add(1), isolation: nil)
                            if result.version != nil { accepted.withValue { $0 += 1 } }
                        }
                    }
                }
                group.addTask { history.perform(isolation: nil) { $0.lock() } }
            }
            await store.waitUntilIdle()
            #expect(store.state.n == accepted.withValue { $0 })
            #expect(history.log.staged.count == accepted.withValue { $0 })
        }
    }
}
