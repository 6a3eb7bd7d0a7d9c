// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import TestSupport

@Suite struct RowSubscriberTests {
    @Test(arguments: 0...2)
    func `when one of several subscribers of a row leaves, the others are delivered as before`(
        leaver: Int
    ) {
        let store = makeTodos(1)
        let calls = Log<Int>()
        let recorders = (0..<3).map { _ in Recorder<Todo?>() }
        let tokens = recorders.indices.map { index in
            store.subscribe(.row(\.todos, id: 0)) { old, new in
                calls.append(index)
                recorders[index].record(old, new)
            }
        }
        store.dispatch(TodoAction.toggle(0))
        tokens[leaver].cancel()
        store.dispatch(TodoAction.remove(0))
        store.dispatch(TodoAction.add(0))
        let others = [0, 1, 2].filter { $0 != leaver }
        #expect(calls.all == [0, 1, 2] + others + others)
        for index in others {
            #expect(recorders[index].values == [Todo(id: 0, isDone: true), nil, Todo(id: 0)])
            #expect(
                recorders[index].changes.map(\.old)
                    == [Todo(id: 0), Todo(id: 0, isDone: true), nil])
        }
        #expect(recorders[leaver].values.count == 1)
    }

    @Test
    func `a subscriber that leaves a row while it is notified takes nothing from the others`() {
        let store = makeTodos(1)
        let rest = Recorder<Todo?>()
        let tokens = Log<Subscription>()
        tokens.append(store.subscribe(.row(\.todos, id: 0)) { _, _ in tokens.all[0].cancel() })
        tokens.append(store.subscribe(.row(\.todos, id: 0)) { _, _ in })
        tokens.append(store.subscribe(.row(\.todos, id: 0), rest.record))
        store.dispatch(TodoAction.toggle(0))
        store.dispatch(TodoAction.toggle(0))
        #expect(rest.values == [Todo(id: 0, isDone: true), Todo(id: 0)])
        #expect(rest.changes.map(\.old) == [Todo(id: 0), Todo(id: 0, isDone: true)])
    }

    @Test
    func `the first subscriber may leave while rows are compared`() {
        /// Runs something during the next comparison.
        final class Hook: Sendable {
            let action = Guarded<(@Sendable () -> Void)?>(nil)
            func run() { action.withValue { $0.take() }?() }
        }
        struct Item: Identifiable, Equatable, Sendable {
            let id: Int
            var value = 0
            let hook: Hook

            static func == (left: Item, right: Item) -> Bool {
                left.hook.run()
                return left.value == right.value
            }
        }
        enum ItemAction: Action { case add }
        let hook = Hook()
        let store = Store<EntityTable<Item>>([Item(id: 0, hook: hook)]) {
            Reduce { (items: inout EntityTable<Item>, _: ItemAction) in items[id: 0]?.value += 1 }
        }
        let notified = Log<[Int?]>()
        let first = store.subscribe(.row(\.self, id: 0)) { _, _ in notified.append([]) }
        let second = store.subscribe(.row(\.self, id: 0)) { old, new in
            notified.append([old?.value, new?.value])
        }
        hook.action.withValue { $0 = { first.cancel() } }
        store.dispatch(ItemAction.add)
        store.dispatch(ItemAction.add)
        #expect(notified.all == [[0, 1], [1, 2]])
        second.cancel()
    }

    @Test
    func
        `a late subscriber to a row that is notified, after all others left, starts from what it is then`()
    {
        let store = makeTodos(1)
        let late = Recorder<Todo?>()
        let tokens = Log<Subscription>()
        tokens.append(
            store.subscribe(.row(\.todos, id: 0)) { _, _ in
                guard tokens.all.count == 1 else { return }
                tokens.all[0].cancel()
                store.dispatch(TodoAction.toggle(0))
                tokens.append(store.subscribe(.row(\.todos, id: 0), late.record))
            })
        store.dispatch(TodoAction.toggle(0))
        #expect(late.values.isEmpty)
        store.dispatch(TodoAction.toggle(0))
        #expect(late.changes.map(\.old) == [Todo(id: 0)])
        #expect(late.values == [Todo(id: 0, isDone: true)])
    }

    @Test(arguments: 1...10)
    func `any number of subscribers that come and go are notified of what a model says`(
        seed: UInt64
    ) {
        struct Member {
            let token: Subscription
            let id: Int
            let notified: Recorder<Todo?>
            var expected: [Todo?] = []
        }
        var random = SeededGenerator(seed: seed)
        let store = makeTodos(3)
        var members: [Member] = []
        for _ in 0..<500 {
            let id = Int.random(in: 0..<4, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let notified = Recorder<Todo?>()
                let token = store.subscribe(.row(\.todos, id: id), notified.record)
                members.append(Member(token: token, id: id, notified: notified))
            case 1 where !members.isEmpty:
                let index = Int.random(in: members.indices, using: &random)
                members[index].token.cancel()
                #expect(members[index].notified.values == members[index].expected)
                members.remove(at: index)
            default:
                let action = [TodoAction.toggle(id), .remove(id), .add(id)]
                    .randomElement(using: &random)
                let before = store.state.todos[id: id]
                if let action { store.dispatch(action) }
                let after = store.state.todos[id: id]
                for index in members.indices where members[index].id == id && before != after {
                    members[index].expected.append(after)
                }
            }
        }
        for member in members { #expect(member.notified.values == member.expected) }
        for member in members.shuffled(using: &random) { member.token.cancel() }
        #expect(store.engine.withLock { $0.state.index.groups.isEmpty })
    }

    @Test
    func `a cancelled token keeps no row alive`() {
        struct Item: Identifiable, Equatable, Sendable {
            let id: Int
            let object: SubscriptionMemoryTests.Counted?

            static func == (left: Item, right: Item) -> Bool { left.object === right.object }
        }
        enum ItemAction: Action { case clear }
        let alive = Guarded(0)
        let store = Store<EntityTable<Item>>([Item(id: 0, object: .init(alive))]) {
            Reduce { (items: inout EntityTable<Item>, _: ItemAction) in items = [] }
        }
        let tokens = (0..<3).map { _ in store.subscribe(.row(\.self, id: 0)) { _, _ in } }
        for token in tokens { token.cancel() }
        store.dispatch(ItemAction.clear)
        #expect(alive.number == 0)
        withExtendedLifetime(tokens) {}
    }
}
