// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite(.timeLimit(.minutes(5))) struct StampTests {
    enum ListAction: Action, Equatable { case add(String), addTwice(String), rename(String) }
    struct Item: Identifiable, Equatable, Sendable {
        let id: UniqueID
        var title: String
        var created = Timestamp(nanosecondsSince1970: 0)
        var author: String?
    }
    struct List: Equatable, Sendable { var items: EntityTable<Item> = [] }
    struct Lists: Equatable, Sendable {
        var rows: EntityTable<Named> = [Named(id: 1), Named(id: 2)]
        var log: [UniqueID] = []
    }
    struct Named: Identifiable, Equatable, Sendable { let id: Int; var list = List() }

    static let list = Feature<List> {
        Reduce { (list: inout List, action: ListAction, stamp) in
            func item(_ title: String) -> Item {
                Item(id: stamp.id(), title: title, created: stamp.time, author: stamp.author)
            }
            switch action {
            case .add(let title): list.items.append(item(title))
            case .addTwice(let title):
                list.items.append(item(title))
                list.items.append(item(title))
            case .rename(let title): list.items.updateEach { $0.title = title }
            }
        }
    }

    @Test func `an action is complete when its dispatch returns`() throws {
        let now = Timestamp(nanosecondsSince1970: 77)
        let store = Store(List(), options: StoreOptions(wallClock: { now })) { Self.list }
        ActionAuthor.$current.withValue("ann") {
            store.dispatch(ListAction.add("Milk"))
            store.dispatch(ListAction.addTwice("Tea"))
        }
        store.dispatch(ListAction.add("Salt"))
        let items = Array(store.state.items)
        #expect(items.map(\.title) == ["Milk", "Tea", "Tea", "Salt"])
        #expect(Set(items.map(\.id)).count == 4)
        #expect(items.allSatisfy { $0.created == now })
        #expect(items.map(\.author) == ["ann", "ann", "ann", nil])
    }

    @Test func `entries have the stamp, and a replay makes the same of it`() async {
        let store = Store(List()) { Self.list }
        let entries = Log<LogEntry>()
        let token = store.log.attach(Collector(entries))
        for number in 0..<50 {
            ActionAuthor.$current.withValue("author \(number % 3)") {
                _ = store.dispatch(
                    number % 2 == 0
                        ? ListAction.add("\(number)") : ListAction.addTwice("\(number)"))
            }
        }
        await token.cancelAndWait()
        #expect(entries.all.count == 50)
        #expect(store.log.replay(entries.all, from: List()) == store.state)
        // It is the stamp that makes it the same.
        let bare = entries.all.map { LogEntry(version: $0.version, action: $0.action) }
        #expect(store.log.replay(bare, from: List()) != store.state)
    }

    @Test func `a type that no reducer asks for has no stamp`() async {
        let store = Store(0) { Reduce { (count: inout Int, _: CounterAction) in count += 1 } }
        let entries = Log<LogEntry>()
        let token = store.log.attach(Collector(entries))
        store.dispatch(CounterAction.increment)
        await token.cancelAndWait()
        #expect(entries.all.map(\.stamp) == [nil])
    }

    @Test func `the reducers of one action share its stamp`() {
        let store = Store(Lists()) {
            Scope(each: \.rows, Feature<Named> { Scope(\.list, Self.list) })
            Reduce { (lists: inout Lists, _: ListAction, stamp) in lists.log.append(stamp.id()) }
        }
        store.dispatch(ListAction.addTwice("x"))
        let ids = store.state.rows.flatMap { $0.list.items.map(\.id) } + store.state.log
        #expect(ids.count == 5)
        #expect(Set(ids).count == 5)
    }

    @Test func `a parent's reducer of rows gets the stamp of the row's action`() {
        enum RowAction: Action { case touch }
        let row = Feature<Named> { Reduce { (_: inout Named, _: RowAction) in } }
        let store = Store(Lists()) {
            Scope(each: \.rows, row)
            Reduce(each: \.rows) { (lists: inout Lists, id: Int, _: RowAction, stamp) in
                lists.log.append(stamp.id())
            }
        }
        store.dispatch(RowAction.touch, to: .row(\.rows, id: 2))
        #expect(store.state.log.count == 1)
        store.dispatch(RowAction.touch)
        #expect(Set(store.state.log).count == 3)
    }

    @Test func `stores with one seed stamp alike, others don't`() {
        func items(_ seed: UInt64?) -> [UniqueID] {
            let store = Store(
                List(), options: StoreOptions(ids: seed.map { IDSource(seed: $0) })
            ) { Self.list }
            for _ in 0..<3 { store.dispatch(ListAction.addTwice("x")) }
            return store.state.items.map(\.id)
        }
        #expect(items(7) == items(7))
        #expect(items(7) != items(8))
        #expect(items(nil) != items(nil))
    }

    @Test func `four threads get complete actions with different ids`() async {
        let store = Store(List()) { Self.list }
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    for number in 0..<500 {
                        let title = "\(thread)/\(number)"
                        store.dispatch(ListAction.add(title))
                        #expect(store.state.items.contains { $0.title == title })
                    }
                }
            }
        }
        #expect(store.state.items.count == 2_000)
    }

    @Test func `an action that a middleware or a gate repeats has a stamp for each commit`() {
        struct Twice: Middleware {
            func handle<A: Action>(
                _ action: A, in context: borrowing MiddlewareContext<List>
            ) -> DispatchResult {
                _ = context.next(action)
                return context.next(action)
            }
        }
        let store = Store(List()) {
            Twice()
            Self.list
        }
        store.dispatch(ListAction.add("x"))
        #expect(store.state.items.count == 2)
    }

    @Test
    func
        `what effects and subscribers dispatch in answer is in nobody's name, whoever's thread it is`()
        async
    {
        let store = Store(List()) {
            Self.list
            OnAction { (action: ListAction, context) -> Effect in
                guard case .rename = action else { return .none }
                return .merge(
                    .dispatch(ListAction.add("answer")),
                    .run { context.dispatch(ListAction.add("later")) })
            }
        }
        let token = store.subscribe(\.items.count) { _, new in
            if new == 1 {
                ActionAuthor.$current.withValue("sub") {
                    _ = store.dispatch(ListAction.add("named"))
                }
                store.dispatch(ListAction.add("unnamed"))
            }
        }
        await ActionAuthor.$current.withValue("ann") {
            _ = store.dispatch(ListAction.rename("x"))
            await store.waitUntilIdle()
        }
        token.cancel()
        let authors = Dictionary(
            store.state.items.map { ($0.title, $0.author) }, uniquingKeysWith: { one, _ in one })
        #expect(authors == ["answer": nil, "later": nil, "named": "sub", "unnamed": nil])
    }

    // MARK: Tests of apps

    @Test func `a test store numbers the ids, and an expectation gets the stamp`() async {
        let store = TestStore(List()) { Self.list }
        await store.dispatch(ListAction.add("Milk")) { list, stamp in
            list.items = [Item(id: UniqueID(number: 1), title: "Milk", created: stamp.time)]
        }
        await store.advance(by: .seconds(5))
        await store.dispatch(ListAction.addTwice("Tea")) { list, stamp in
            for _ in 0..<2 {
                list.items.append(Item(id: stamp.id(), title: "Tea", created: stamp.time))
            }
        }
        #expect(store.state.items.map(\.id) == [1, 2, 3].map { UniqueID(number: $0) })
        await store.finish()
    }

    @Test func `a reducer alone is given numbered ids and the time zero`() {
        let after = Self.list.reduce(List(), ListAction.add("a"), ListAction.addTwice("b"))
        #expect(after.items.map(\.id) == [1, 2, 3].map { UniqueID(number: $0) })
        #expect(after.items.allSatisfy { $0.created == Timestamp(nanosecondsSince1970: 0) })
    }
}

/// Notes entries.
private struct Collector<State: Sendable>: CommitObserver {
    let entries: Log<LogEntry>
    init(_ entries: Log<LogEntry>) { self.entries = entries }
    func observe(_ commit: Commit<State>) { entries.append(commit.entry) }
}
