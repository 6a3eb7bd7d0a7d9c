// SPDX-License-Identifier: MIT

import Observation
import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import TestSupport

private let every = Buffering.every(limit: 100, onOverflow: .dropOldest)

/// What a selection of any kind must do wherever a store takes one.
@Suite struct SelectionTests {
    private static let open = StateSelector<TodoApp, EntityTable<Todo>>(\.todos).filter {
        !$0.isDone
    }
    private static let openCount = open.count()

    /// The number of todos that a selection of each kind finds.
    private static let counts: [(name: String, selection: Selection<TodoApp, Int>)] = [
        ("path", .path(\.todos.count)),
        ("closure", .selecting { $0.todos.count }),
        ("comparison", .selecting({ $0.todos.count }, removingDuplicatesBy: ==)),
        ("selector", .selector(openCount)),
    ]

    @Test(arguments: counts.map(\.name))
    func `one reading is subscribed to, iterated, observed and read`(_ name: String) async throws {
        let selection = try #require(Self.counts.first { $0.name == name }).selection
        let store = makeTodos(3)
        let recorder = Recorder(of: store, selection, initially: true)
        var values = store.values(of: selection, buffering: every).makeAsyncIterator()
        #expect(await values.next() == 3)
        let notified = Log<Int>()
        withObservationTracking {
            _ = store[selection]
        } onChange: {
            notified.append(store.value(of: selection))
        }
        store.dispatch(TodoAction.add(3))
        store.dispatch(TodoAction.filter(1))
        store.dispatch(TodoAction.add(4))
        #expect(recorder.values == [3, 4, 5])
        #expect(recorder.changes.map(\.old) == [3, 3, 4])
        #expect(await values.next() == 4)
        #expect(await values.next() == 5)
        #expect(notified.all == [4])
        #expect(store.value(of: selection) == 5)
    }

    @Test
    func `a selection notifies an actor, which its closure gets`() async {
        actor Screen {
            private(set) var shown: [Int?] = []
            func show(_ todo: Todo?) { shown.append(todo?.id) }
        }
        let (store, screen) = (makeTodos(1), Screen())
        let token = store.subscribe(.row(\.todos, id: 7), on: screen) { screen, _, new in
            screen.show(new)
        }
        store.dispatch(TodoAction.add(7))
        await store.waitUntilIdle()
        store.dispatch(TodoAction.remove(7))
        await store.waitUntilIdle()
        #expect(await screen.shown == [7, nil])
        token.cancel()
    }

    @Test
    func `a tracked closure that captures nothing is notified of changes alone`() {
        let store = makeTodos(1)
        let notified = Log<Int>()
        @Sendable func look() {
            withObservationTracking {
                _ = store[.selecting { $0.todos.count }]
            } onChange: {
                notified.append(store.state.todos.count)
                look()
            }
        }
        look()
        store.dispatch(TodoAction.filter(1))
        store.dispatch(TodoAction.add(7))
        store.dispatch(TodoAction.filter(2))
        #expect(notified.all == [2])
    }

    @Test
    func
        `a tracked closure with captures is notified of each commit, as nothing notifies it from another`()
    {
        let store = makeTodos(1)
        let notified = Log<Int>()
        let shift = notified.all.count
        @Sendable func look() {
            withObservationTracking {
                _ = store[.selecting { $0.todos.count + shift }]
            } onChange: {
                notified.append(store.state.filter)
                look()
            }
        }
        look()
        for filter in 1...3 { store.dispatch(TodoAction.filter(filter)) }
        #expect(notified.all == [1, 2, 3])
        #expect(store.log.version == 3)
    }

    @Test
    func `a table is notified of its changes alone, since what this reader saw last`() {
        let store = makeTodos(3)
        let recorder = Recorder(of: store, .table(\.todos), initially: true)
        let open = Recorder(of: store, .table(Self.open))
        store.dispatch(TodoAction.filter(1))
        store.dispatch(TodoAction.toggle(1))
        store.batch {
            store.dispatch(TodoAction.add(8))
            store.dispatch(TodoAction.remove(0))
        }
        store.dispatch(TodoAction.remove(77))
        let changes = recorder.changes.map { $0.new.changes(since: $0.old) }
        #expect(changes.map(\.inserted) == [[], [], [8]])
        #expect(changes.map(\.updated) == [[], [1], []])
        #expect(changes.map(\.removed) == [[], [], [0]])
        #expect(open.changes.map { $0.new.changes(since: $0.old).removed } == [[1], [0]])
    }

    @Test
    func `readings of one path, row or table share what is read`() {
        struct Opaque: Sendable { var todos: EntityTable<Todo> = [] }
        let store = Store(Opaque()) { Reduce { (_: inout Opaque, _: TodoAction) in } }
        let first: [Subscription] = [
            store.subscribe(.path(\.self)) { _, _ in },
            store.subscribe(.path(\.todos.count)) { _, _ in },
            store.subscribe(.table(\.todos)) { _, _ in },
            store.subscribe(.row(\.todos, id: 1)) { _, _ in },
        ]
        let second: [Subscription] = [
            store.subscribe(.path(\.self)) { _, _ in },
            store.subscribe(\.todos.count) { _, _ in },
            store.subscribe(.table(\.todos)) { _, _ in },
            store.subscribe(.row(\.todos, id: 2)) { _, _ in },
        ]
        // A table whose rows can be compared is a value like others.
        #expect(store.engine.withLock { $0.state.index.groups.count } == 4)
        withExtendedLifetime((first, second)) {}
    }
}
