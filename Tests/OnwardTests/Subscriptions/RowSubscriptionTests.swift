// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite struct RowSubscriptionTests {
    @Test
    func `is notified of its row only`() {
        let store = makeTodos(10)
        let seven = Recorder<Todo?>()
        let token = store.subscribe(.row(\.todos, id: 7), seven.record)
        store.dispatch(TodoAction.toggle(3))
        store.dispatch(TodoAction.toggle(7))
        store.dispatch(TodoAction.filter(1))
        store.dispatch(TodoAction.move(7, to: 0))
        #expect(seven.values == [Todo(id: 7, isDone: true)])
        #expect(seven.changes.map(\.old) == [Todo(id: 7)])
        token.cancel()
        store.dispatch(TodoAction.toggle(7))
        #expect(seven.values.count == 1)
    }

    @Test
    func `is notified of its row's removal and return, also in one commit`() {
        let store = makeTodos(3)
        let one = Recorder<Todo?>()
        let token = store.subscribe(.row(\.todos, id: 1), initially: true, one.record)
        store.dispatch(TodoAction.remove(1))
        store.dispatch(TodoAction.add(1))
        store.dispatch(TodoAction.many([.remove(1), .add(1)]))
        store.dispatch(TodoAction.many([.remove(1), .add(1), .toggle(1)]))
        #expect(one.values == [Todo(id: 1), nil, Todo(id: 1), Todo(id: 1, isDone: true)])
        token.cancel()
    }

    @Test
    func `is notified of a row that comes later`() {
        let store = makeTodos(0)
        let row = Recorder<Todo?>()
        let token = store.subscribe(.row(\.todos, id: 5), row.record)
        store.dispatch(TodoAction.add(5))
        #expect(row.values == [Todo(id: 5)])
        #expect(row.changes.map(\.old) == [nil])
        token.cancel()
    }

    @Test
    func `is notified of its row when a new table is assigned, and only if the row differs`() {
        let store = makeTodos(10)
        let one = Recorder<Todo?>()
        let nine = Recorder<Todo?>()
        let tokens = [
            store.subscribe(.row(\.todos, id: 1), one.record),
            store.subscribe(.row(\.todos, id: 9), nine.record),
        ]
        store.dispatch(TodoAction.replace(Array(0..<5)))
        #expect(one.values.isEmpty)
        #expect(nine.values == [nil])
        store.dispatch(TodoAction.clear)
        #expect(one.values == [nil])
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `a batch is one call, from the row before it`() {
        let store = makeTodos(3)
        let one = Recorder<Todo?>()
        let late = Recorder<Todo?>()
        let tokens = Log<Subscription>()
        tokens.append(store.subscribe(.row(\.todos, id: 1), one.record))
        store.batch {
            store.dispatch(TodoAction.toggle(1))
            tokens.append(store.subscribe(.row(\.todos, id: 1), late.record))
            store.dispatch(TodoAction.remove(1))
        }
        #expect(one.values == [nil])
        #expect(one.changes.map(\.old) == [Todo(id: 1)])
        #expect(late.changes.map(\.old) == [Todo(id: 1, isDone: true)])
    }

    @Test
    func `a subscriber of a row that comes inside a callback is not notified of older commits`() {
        let store = makeTodos(3)
        let late = Recorder<Todo?>()
        let tokens = Log<Subscription>()
        tokens.append(
            store.subscribe(.row(\.todos, id: 0)) { _, _ in
                guard tokens.all.count == 1 else { return }
                store.dispatch(TodoAction.toggle(1))
                tokens.append(store.subscribe(.row(\.todos, id: 1), late.record))
            })
        store.dispatch(TodoAction.toggle(0))
        #expect(late.values.isEmpty)
        store.dispatch(TodoAction.toggle(1))
        #expect(late.changes.map(\.old) == [Todo(id: 1, isDone: true)])
        #expect(late.values == [Todo(id: 1)])
    }

    @Test
    func `subscribers of several rows are called in the order in which they subscribed`() {
        let store = makeTodos(5)
        let calls = Log<Int>()
        let tokens = [4, 0, 2].map { id in
            store.subscribe(.row(\.todos, id: id)) { _, _ in calls.append(id) }
        }
        store.dispatch(TodoAction.many([.toggle(0), .toggle(2), .toggle(4)]))
        #expect(calls.all == [4, 0, 2])
        withExtendedLifetime(tokens) {}
    }

    @Test(arguments: 1...10)
    func `each subscriber ends with its current row, after any changes, old following new`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        let store = makeTodos(20)
        let rows = (0..<30).map { id in (id, Recorder<Todo?>()) }
        let tokens = rows.map { id, recorder in
            store.subscribe(.row(\.todos, id: id), initially: true, recorder.record)
        }
        for _ in 0..<300 {
            let id = Int.random(in: 0..<30, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0...2: store.dispatch(TodoAction.add(id))
            case 3...4: store.dispatch(TodoAction.remove(id))
            case 5: store.dispatch(TodoAction.replace((0..<25).shuffled(using: &random)))
            case 6:
                store.batch {
                    for _ in 0..<5 {
                        store.dispatch(TodoAction.toggle(Int.random(in: 0..<30, using: &random)))
                    }
                }
            default: store.dispatch(TodoAction.toggle(id))
            }
        }
        let state = store.state
        for (id, recorder) in rows {
            #expect(recorder.values.last == .some(state.todos[id: id]))
            #expect(recorder.changes.dropFirst().map(\.old) == recorder.values.dropLast())
            #expect(recorder.changes.dropFirst().allSatisfy { $0.old != $0.new })
        }
        withExtendedLifetime(tokens) {}
    }
}

@Suite struct ChangesOfTests {
    @Test(arguments: 1...20)
    func `applying change sets in order to the first table always gives the current one`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        let store = makeTodos(20)
        let shown = Guarded(store.state.todos)
        let wrong = Guarded(0)
        let token = store.subscribe(.table(\.todos)) { old, table in
            let changes = table.changes(since: old)
            let next = shown.withValue { shown in
                shown = shown.applying(changes, from: table)
                return shown
            }
            if next != table || changes.isEmpty { wrong.withValue { $0 += 1 } }
        }
        for _ in 0..<300 {
            let id = Int.random(in: 0..<40, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2: store.dispatch(TodoAction.add(id))
            case 3...4: store.dispatch(TodoAction.remove(id))
            case 5: store.dispatch(TodoAction.move(id, to: 0))
            case 6: store.dispatch(TodoAction.replace((0..<30).shuffled(using: &random)))
            case 7:
                store.batch {
                    store.dispatch(TodoAction.remove(id))
                    store.dispatch(TodoAction.add(id))
                    store.dispatch(TodoAction.clear)
                    store.dispatch(TodoAction.add(id))
                }
            case 8: store.dispatch(TodoAction.filter(id))
            default: store.dispatch(TodoAction.toggle(id))
            }
        }
        #expect(wrong.withValue { $0 } == 0)
        #expect(shown.withValue { $0 } == store.state.todos)
        token.cancel()
    }

    @Test
    func `says what was inserted, removed, updated and moved`() {
        let store = makeTodos(3)
        let sets = Log<EntityChanges<Int>>()
        let token = store.subscribe(.table(\.todos)) { old, new in
            sets.append(new.changes(since: old))
        }
        store.dispatch(TodoAction.add(9))
        store.dispatch(TodoAction.toggle(1))
        store.dispatch(TodoAction.remove(0))
        store.dispatch(TodoAction.filter(2))
        #expect(sets.all.map(\.inserted) == [[9], [], []])
        #expect(sets.all.map(\.updated) == [[], [1], []])
        #expect(sets.all.map(\.removed) == [[], [], [0]])
        token.cancel()
    }
}
