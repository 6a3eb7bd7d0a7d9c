// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore
@testable import TestSupport

/// Subscribers that come while others wait to be notified of commits that are delivered as one.
@Suite struct LateSubscriberTests {
    private struct Notified: Equatable {
        let old: Int
        let new: Int
    }

    @Test
    func
        `a late subscriber between the commits of a batch is notified of what followed, after what it saw`()
    {
        let store = makeBank()
        let logs = (0..<4).map { _ in Log<Notified>() }
        var tokens: [Subscription] = []
        func subscribe(_ log: Log<Notified>) {
            tokens.append(store.subscribe(\.balance) { log.append(Notified(old: $0, new: $1)) })
        }
        subscribe(logs[0])
        store.batch {
            store.dispatch(BankAction.deposit(1))
            subscribe(logs[1])
            store.dispatch(BankAction.deposit(2))
            subscribe(logs[2])
            store.dispatch(OtherAction())
            subscribe(logs[3])
        }
        #expect(
            logs.map(\.all) == [[Notified(old: 0, new: 3)], [Notified(old: 1, new: 3)], [], []])
        store.dispatch(BankAction.deposit(4))
        #expect(logs.map { $0.all.last } == Array(repeating: Notified(old: 3, new: 7), count: 4))
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `a late subscriber while a value is away from what it was is notified that it came back`()
    {
        let store = makeBank()
        let (first, second) = (Log<Notified>(), Log<Notified>())
        let one = store.subscribe(\.balance) { first.append(Notified(old: $0, new: $1)) }
        var two: Subscription?
        store.batch {
            store.dispatch(BankAction.deposit(1))
            two = store.subscribe(\.balance) { second.append(Notified(old: $0, new: $1)) }
            store.dispatch(BankAction.deposit(-1))
        }
        #expect(first.all == [])
        #expect(second.all == [Notified(old: 1, new: 0)])
        withExtendedLifetime((one, two)) {}
    }

    @Test
    func `subscribers that come during a batch are called in the order in which they subscribed`() {
        let store = makeBank()
        let order = Log<Int>()
        var tokens: [Subscription] = []
        func subscribe(_ number: Int) {
            tokens.append(store.subscribe(\.balance) { _, _ in order.append(number) })
        }
        subscribe(0)
        store.batch {
            for number in 1...3 {
                store.dispatch(BankAction.deposit(1))
                subscribe(number)
            }
            store.dispatch(BankAction.deposit(1))
        }
        #expect(order.all == [0, 1, 2, 3])
        tokens.remove(at: 2).cancel()
        store.dispatch(BankAction.deposit(1))
        #expect(order.all == [0, 1, 2, 3, 0, 1, 3])
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `a subscriber that comes during a batch and leaves before its end is not called`() {
        let store = makeBank()
        let count = Log<Void>()
        let token = store.subscribe(\.balance) { _, _ in }
        store.batch {
            store.dispatch(BankAction.deposit(1))
            let late = store.subscribe(\.balance) { _, _ in count.append(()) }
            store.dispatch(BankAction.deposit(1))
            late.cancel()
        }
        #expect(count.all.isEmpty)
        token.cancel()
    }

    @Test
    func `a computed value is notified in the same way`() {
        let store = makeBank()
        let (first, second) = (Log<Notified>(), Log<Notified>())
        let one = store.subscribe(\.doubled) { first.append(Notified(old: $0, new: $1)) }
        var two: Subscription?
        store.batch {
            store.dispatch(BankAction.deposit(1))
            two = store.subscribe(\.doubled, initially: true) {
                second.append(Notified(old: $0, new: $1))
            }
            store.dispatch(BankAction.deposit(2))
        }
        #expect(first.all == [Notified(old: 0, new: 6)])
        #expect(second.all == [Notified(old: 2, new: 2), Notified(old: 2, new: 6)])
        withExtendedLifetime((one, two)) {}
    }

    @Test
    func `a row's late subscriber within a batch is notified of what followed, after what it saw`()
    {
        let store = makeTodos(2)
        let logs = (0..<3).map { _ in Log<[Bool?]>() }
        var tokens: [Subscription] = []
        func watch(_ log: Log<[Bool?]>, _ id: Int = 1) {
            tokens.append(
                store.subscribe(.row(\.todos, id: id)) { log.append([$0?.isDone, $1?.isDone]) })
        }
        watch(logs[0])
        store.batch {
            store.dispatch(TodoAction.toggle(1))
            watch(logs[1])
            store.dispatch(TodoAction.toggle(1))
            watch(logs[2])
        }
        #expect(logs.map(\.all) == [[], [[true, false]], []])
        store.dispatch(TodoAction.toggle(1))
        #expect(logs.map { $0.all.last } == Array(repeating: [false, true], count: 3))
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `a row's late subscriber behind a batch that still waits is notified from what it saw`() {
        let store = makeTodos(2)
        let log = Log<[Bool?]>()
        let tokens = Guarded<[Subscription]>([])
        @Sendable func watch(
            _ id: Int, _ body: @escaping @Sendable (Bool?, Bool?) -> Void = { _, _ in }
        ) {
            let token = store.subscribe(.row(\.todos, id: id)) { body($0?.isDone, $1?.isDone) }
            tokens.withValue { $0.append(token) }
        }
        watch(0)
        // The first commit is still being notified when the batch is, so that the batch waits behind it.
        let observing = store.log.attach(
            Observe<TodoApp> { commit in
                guard commit.entry.version == 1 else { return }
                store.batch {
                    store.dispatch(TodoAction.toggle(1))
                    watch(0)
                }
                watch(1) { log.append([$0, $1]) }
            })
        store.dispatch(TodoAction.toggle(1))
        #expect(log.all == [])
        store.dispatch(TodoAction.toggle(1))
        #expect(log.all == [[false, true]])
        withExtendedLifetime((tokens, observing)) {}
    }

    @Test
    func `a row's late subscriber keeps what it saw when those before it leave`() {
        let store = makeTodos(2)
        let log = Log<[Bool?]>()
        var first: Subscription? = store.subscribe(.row(\.todos, id: 1)) { _, _ in }
        let other = store.subscribe(.row(\.todos, id: 0)) { _, _ in }
        var late: Subscription?
        store.batch {
            store.dispatch(TodoAction.toggle(1))
            late = store.subscribe(.row(\.todos, id: 1)) { log.append([$0?.isDone, $1?.isDone]) }
            first = nil
            store.dispatch(TodoAction.remove(1))
        }
        #expect(log.all == [[true, nil]])
        store.dispatch(TodoAction.add(1))
        #expect(log.all == [[true, nil], [nil, false]])
        withExtendedLifetime((first, other, late)) {}
    }

    @Test
    func `however many come during a batch, they share what they select`() {
        let store = makeBank()
        let todos = makeTodos(2)
        var tokens = [
            store.subscribe(\.balance) { _, _ in },
            todos.subscribe(.row(\.todos, id: 1)) { _, _ in },
        ]
        store.batch {
            for _ in 0..<10 {
                store.dispatch(BankAction.deposit(1))
                tokens.append(store.subscribe(\.balance) { _, _ in })
            }
        }
        todos.batch {
            for _ in 0..<10 {
                todos.dispatch(TodoAction.toggle(1))
                tokens.append(todos.subscribe(.row(\.todos, id: 1)) { _, _ in })
            }
        }
        #expect(store.engine.withLock { $0.state.index.groups.count } == 1)
        #expect(todos.engine.withLock { $0.state.index.groups.count } == 1)
        withExtendedLifetime(tokens) {}
    }

    /// A model of what each of many listeners has to be notified of, against a random history.
    @Test(arguments: 0..<20)
    func `in any history each is notified from what it saw last to what is there`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let store = makeTodos(3)
        let notified = Log<Bool>()
        let shown = Guarded<[Int: Bool?]>([:])
        var tokens: [Int: Subscription] = [:]
        var rows: [Int: Int] = [:]
        var depth = 0
        func step() {
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2: store.dispatch(TodoAction.toggle(Int.random(in: 0..<3, using: &random)))
            case 3: store.dispatch(TodoAction.remove(Int.random(in: 0..<3, using: &random)))
            case 4:
                let id = Int.random(in: 0..<3, using: &random)
                if store.state.todos[id: id] == nil { store.dispatch(TodoAction.add(id)) }
            case 5:
                if let key = tokens.keys.sorted().randomElement(using: &random) {
                    tokens[key] = nil
                    shown.withValue { _ = $0.removeValue(forKey: key) }
                }
            case 6 where depth < 3:
                depth += 1
                store.batch { for _ in 0..<Int.random(in: 1..<12, using: &random) { step() } }
                depth -= 1
            default:
                let key = (rows.keys.max() ?? 0) + 1
                let id = Int.random(in: 0..<3, using: &random)
                rows[key] = id
                let first = store.state.todos[id: id]?.isDone
                shown.withValue { _ = $0.updateValue(first, forKey: key) }
                let notify: @Sendable (Bool?, Bool?) -> Void = { old, new in
                    let known: Bool?? = shown.withValue { $0.updateValue(new, forKey: key) }
                    notified.append(known == .some(old) && old != new)
                }
                // Half of them watch a row, half of them compute the same.
                let isDone: @Sendable (TodoApp) -> Bool? = { $0.todos[id: id]?.isDone }
                if key.isMultiple(of: 2) {
                    tokens[key] = store.subscribe(.row(\.todos, id: id)) {
                        notify($0?.isDone, $1?.isDone)
                    }
                } else {
                    tokens[key] = store.subscribe(.selecting(isDone)) { notify($0, $1) }
                }
            }
        }
        for _ in 0..<300 { step() }
        #expect(notified.all.allSatisfy { $0 })
        for (key, known) in shown.withValue({ $0 }) {
            #expect(known == store.state.todos[id: rows[key] ?? 0]?.isDone, "listener \(key)")
        }
    }
}
