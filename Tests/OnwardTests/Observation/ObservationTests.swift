// SPDX-License-Identifier: MIT

import Foundation
import Observation
import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import OnwardObservation
@testable import TestSupport

/// Reads something inside `withObservationTracking` again and again, as a view does: once, and then
/// each time it was notified of a change, counting.
private final class Viewer<Value: Sendable>: Sendable {
    private let read: @Sendable () -> Value
    private let shown = Log<Value>()

    var values: [Value] { shown.all }

    init(_ read: @escaping @Sendable () -> Value) {
        self.read = read
        look()
    }

    private func look() {
        let value = withObservationTracking(read) { [weak self] in self?.look() }
        shown.append(value)
    }
}

/// How often something that was read once is notified of a change.
private func notifies(
    _ read: @escaping @Sendable () -> Void, during body: () -> Void
) -> Int {
    let count = Log<Void>()
    withObservationTracking(read) { count.append(()) }
    body()
    return count.all.count
}

@Suite(.timeLimit(.minutes(5))) struct ObservationTests {
    struct Shelf: Equatable, Sendable {
        var books: EntityTable<Book> = [Book(id: 1), Book(id: 2)]
        var other = 0
    }
    struct Book: Identifiable, Equatable, Sendable { let id: Int; var title = "" }
    enum ShelfAction: Action { case title(Int, String), remove(Int), add(Int), other }

    static func makeShelf() -> Store<Shelf> {
        Store(Shelf()) {
            Reduce { (shelf: inout Shelf, action: ShelfAction) in
                switch action {
                case .title(let id, let title): shelf.books[id: id]?.title = title
                case .remove(let id): shelf.books.remove(id: id)
                case .add(let id): shelf.books.append(Book(id: id))
                case .other: shelf.other += 1
                }
            }
        }
    }

    @Test
    func `a row that is read by its id notifies of its changes alone, however often it is read`() {
        let store = Self.makeShelf()
        let one = Viewer { store[\.books, id: 1]?.title }
        let three = Viewer { store[\.books, id: 3]?.title }
        store.dispatch(ShelfAction.other)
        store.dispatch(ShelfAction.title(2, "x"))
        #expect(one.values == [""] && three.values == [nil])
        for number in 1...5 { store.dispatch(ShelfAction.title(1, "\(number)")) }
        #expect(one.values == ["", "1", "2", "3", "4", "5"])
        store.dispatch(ShelfAction.add(3))
        store.dispatch(ShelfAction.remove(1))
        #expect(one.values.last == .some(nil) && three.values == [nil, ""])
        #expect(store[\.books, id: 2]?.title == "x")
        #expect(store[\.books, id: 2] == store[.row(\.books, id: 2)])
    }

    @Test
    func `a row of a scoped store, of an optional and of two tables is found by its own place`() {
        struct Two: Equatable, Sendable {
            var left = Shelf(), right = Shelf(), maybe: Shelf? = Shelf()
        }
        let store = Store(Two()) {
            Reduce { (two: inout Two, action: ShelfAction) in
                guard case .title(let id, let title) = action else { return }
                two.left.books[id: id]?.title = title
                two.right.books[id: id]?.title = title + "!"
                two.maybe?.books[id: id]?.title = title + "?"
            }
        }
        let (left, right) = (store.scoped(to: \.left), store.scoped(to: \.right))
        let titles = Viewer {
            [
                left[\.books, id: 1]?.title, right[\.books, id: 1]?.title,
                store[\.right.books, id: 2]?.title, store.state.maybe?.books[id: 1]?.title,
            ]
        }
        store.dispatch(ShelfAction.title(1, "a"))
        store.dispatch(ShelfAction.title(2, "b"))
        #expect(titles.values.last == ["a", "a!", "b!", "a?"])
    }

    @Test func `rows whose ids have one hash are each read and observed as themselves`() {
        struct ID: Hashable, Sendable {
            let number: Int
            func hash(into hasher: inout Hasher) {}
        }
        struct Page: Identifiable, Equatable, Sendable { let id: ID; var text = "" }
        struct Pages: Sendable {
            var pages: EntityTable<Page> = [Page(id: ID(number: 1)), Page(id: ID(number: 2))]
        }
        enum PageAction: Action { case write(Int, String) }
        let store = Store(Pages()) {
            Reduce { (state: inout Pages, action: PageAction) in
                guard case .write(let number, let text) = action else { return }
                state.pages[id: ID(number: number)]?.text = text
            }
        }
        @Sendable func read(_ number: Int) -> String? {
            store[\.pages, id: ID(number: number)]?.text
        }
        let (one, two) = (Viewer { read(1) }, Viewer { read(2) })
        store.dispatch(PageAction.write(2, "b"))
        store.dispatch(PageAction.write(1, "a"))
        #expect(one.values == ["", "a"] && two.values == ["", "b"])
        #expect(read(1) == "a" && read(2) == "b")
    }

    @Test
    func `a change of the value that was read is notified, once, and shows already`() {
        let store = makeBank()
        let seen = Log<Int>()
        withObservationTracking {
            _ = store[\.balance]
        } onChange: {
            seen.append(store[\.balance])
        }
        store.dispatch(BankAction.nothing)
        #expect(seen.all.isEmpty)
        store.dispatch(BankAction.deposit(2))
        store.dispatch(BankAction.deposit(2))
        #expect(seen.all == [2])
    }

    @Test
    func `a change is notified also when the value is read again between the commits of a batch`() {
        let store = makeBank()
        let count = notifies {
            _ = store[\.balance]
        } during: {
            store.batch {
                store.dispatch(BankAction.deposit(1))
                _ = store[\.balance]
                _ = store[\.balance]
            }
            store.dispatch(BankAction.deposit(1))
        }
        #expect(count == 1)
    }

    @Test
    func `a value that was read between the commits of a batch is notified of those that followed`()
    {
        let store = makeBank()
        _ = store[\.balance]
        let (between, last) = (Log<Void>(), Log<Void>())
        store.batch {
            store.dispatch(BankAction.deposit(1))
            withObservationTracking {
                _ = store[\.balance]
            } onChange: {
                between.append(())
            }
            store.dispatch(BankAction.deposit(-1))
            withObservationTracking {
                _ = store[\.left.count]
            } onChange: {
                last.append(())
            }
            store.dispatch(OtherAction())
        }
        #expect(between.all.count == 1)
        #expect(last.all.isEmpty)
    }

    @Test
    func `a value that was read after the last commit of a batch is not notified of the batch`() {
        let store = makeBank()
        // It is observed, and an earlier reader has been notified.
        _ = store[\.balance]
        store.dispatch(BankAction.deposit(1))
        let count = Log<Void>()
        store.batch {
            store.dispatch(BankAction.deposit(1))
            withObservationTracking {
                _ = store[\.balance]
            } onChange: {
                count.append(())
            }
            store.dispatch(OtherAction())
        }
        #expect(count.all.isEmpty)
        store.dispatch(BankAction.deposit(1))
        #expect(count.all.count == 1)
    }

    @Test
    func `a value that was read while others are notified of it is notified of the next change`() {
        let store = makeBank()
        let (hasRead, isNotified, isTracking) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let count = Log<Void>()
        let token = store.subscribe(\.balance) { _, new in
            guard new == 1 else { return }
            Thread.detachNewThread {
                withObservationTracking {
                    #expect(store[\.balance, isolation: nil] == 1)
                    hasRead.signal()
                    isNotified.wait()
                } onChange: {
                    count.append(())
                }
                isTracking.signal()
            }
            hasRead.wait()
        }
        // Notified after the subscriber above.
        _ = store[\.balance, isolation: nil]
        store.dispatch(BankAction.deposit(1))
        isNotified.signal()
        isTracking.wait()
        #expect(count.all.isEmpty)
        store.dispatch(BankAction.deposit(1))
        #expect(count.all.count == 1)
        token.cancel()
    }

    @Test @MainActor
    func `a reader on an actor is notified also when it reads again within a batch`() async {
        let store = makeBank()
        let count = Log<Void>()
        withObservationTracking {
            _ = store[\.balance]
        } onChange: {
            count.append(())
        }
        store.batch {
            store.dispatch(BankAction.deposit(1))
            _ = store[\.balance]
        }
        await store.waitUntilIdle()
        #expect(count.all.count == 1)
    }

    @Test
    func `readings within a batch leave one value to observe, however many there are`() {
        let store = makeBank()
        store.batch {
            for _ in 0..<100 {
                store.dispatch(BankAction.deposit(1))
                _ = store[\.balance]
            }
        }
        #expect(store.engine.withLock { store.engine.observed($0).count } == 1)
        #expect(store.engine.withLock { $0.state.index.groups.count } == 1)
    }

    @Test
    func `a change of another value is not notified`() {
        let store = makeBank()
        let count = notifies {
            _ = store[\.left.count]
        } during: {
            store.dispatch(BankAction.deposit(1))
            store.dispatch(OtherAction())
            store.scoped(to: \.right).dispatch(CounterAction.increment)
        }
        #expect(count == 0)
        #expect(store[\.left.count] == 0)
    }

    @Test
    func `a value that is read again is notified again, change after change`() {
        let store = makeBank()
        let viewer = Viewer { store[\.balance] }
        for _ in 1...5 {
            store.dispatch(BankAction.deposit(1))
            store.dispatch(BankAction.nothing)
            store.dispatch(OtherAction())
        }
        #expect(viewer.values == [0, 1, 2, 3, 4, 5])
    }

    @Test
    func `what was read through several paths is notified of each of them`() {
        let store = makeBank()
        let viewer = Viewer { [store[\.balance], store[\.other.count], store[\.doubled]] }
        store.dispatch(OtherAction())
        store.dispatch(BankAction.deposit(1))
        #expect(viewer.values.first == [0, 0, 0])
        #expect(viewer.values.last == [1, 1, 2])
        store.scoped(to: \.left).dispatch(CounterAction.increment)
        let count = viewer.values.count
        store.scoped(to: \.left).dispatch(CounterAction.increment)
        #expect(viewer.values.count == count)
    }

    @Test
    func `a row is notified of its own changes, its removal and its return`() {
        let store = makeTodos(10)
        let seven = Viewer { store[.row(\.todos, id: 7)] }
        let three = Viewer { store[.row(\.todos, id: 3)] }
        store.dispatch(TodoAction.toggle(7))
        store.dispatch(TodoAction.toggle(1))
        store.dispatch(TodoAction.filter(1))
        store.dispatch(TodoAction.remove(7))
        store.dispatch(TodoAction.add(7))
        #expect(
            seven.values
                == [Todo(id: 7), Todo(id: 7, isDone: true), nil, Todo(id: 7)])
        #expect(three.values == [Todo(id: 3)])
    }

    @Test
    func `scoped stores are observed like the root`() throws {
        let store = makeBank(Bank(editor: Counter(count: 1), rows: [Row(id: 1), Row(id: 2)]))
        let left = store.scoped(to: \.left)
        let editor = try #require(store.scoped(to: \.editor).unwrapped())
        let viewers = [
            Viewer { left[\.count] }, Viewer { editor[\.count] },
            Viewer { store.scoped(to: .row(\.rows, id: 2))[\.?.count] ?? -1 },
        ]
        left.dispatch(CounterAction.increment)
        editor.dispatch(CounterAction.increment)
        store.scoped(to: .row(\.rows, id: 1)).dispatch(CounterAction.increment)
        store.scoped(to: .row(\.rows, id: 2)).dispatch(CounterAction.increment)
        #expect(viewers.map(\.values) == [[0, 1], [1, 2], [0, 1]])
    }

    @Test
    func `stores of one slice, made anew for each reading, share what they arm`() {
        let store = makeBank(Bank(rows: [Row(id: 1)]))
        for _ in 0..<100 {
            _ = store.scoped(to: .row(\.rows, id: 1))[\.?.count]
            _ = store.scoped(to: \.left)[\.count]
            _ = store[\.left.count]
        }
        #expect(store.engine.withLock { store.engine.observed($0).count } == 2)
    }

    @Test
    func `values that cannot be compared are notified with each commit that may have changed them`()
    {
        struct Opaque: Sendable { var number = 0 }
        struct App: Sendable { var opaque = Opaque(), other = 0 }
        struct Touch: Action {}
        struct TouchOther: Action {}
        let store = Store(App()) {
            Scope(\.opaque, Feature<Opaque> { Reduce { (_: inout Opaque, _: Touch) in } })
            Scope(
                \.other, Feature<Int> { Reduce { (other: inout Int, _: TouchOther) in other += 1 } }
            )
        }
        #expect(
            notifies {
                _ = store[.path(\.opaque)]
            } during: {
                store.dispatch(TouchOther())
            } == 0)
        #expect(
            notifies {
                _ = store[.path(\.opaque)]
            } during: {
                store.dispatch(Touch())
            } == 1)
    }

    @Test
    func `reading inside a batch, whatever the batch does later, is notified of what follows`() {
        let store = makeBank()
        let count = Log<Void>()
        _ = store[\.balance]
        store.batch {
            store.dispatch(BankAction.deposit(1))
            withObservationTracking {
                #expect(store[\.balance] == 1)
            } onChange: {
                count.append(())
            }
            // Back to the value before the batch, of which subscribers are not notified.
            store.dispatch(BankAction.deposit(-1))
        }
        #expect(count.all.count == 1)
    }

    @Test
    func `a change that the reader has seen already is not notified`() {
        let store = makeBank()
        let count = Log<Void>()
        let token = store.subscribe(\.balance) { _, _ in
            guard store.log.version == 2 else { return }
            // The cell is armed and notified after this subscriber, of the commit that is seen here.
            withObservationTracking {
                _ = store[\.balance]
            } onChange: {
                count.append(())
            }
        }
        _ = store[\.balance]
        store.dispatch(BankAction.deposit(1))
        store.dispatch(BankAction.deposit(1))
        #expect(count.all.isEmpty)
        store.dispatch(BankAction.deposit(1))
        #expect(count.all.count == 1)
        token.cancel()
    }

    @Test
    func `a reader on the main actor is notified there, of changes by other threads too`() async {
        let store = makeBank()
        let notified = Recorder<Int>()
        await MainActor.run {
            withObservationTracking {
                _ = store[\.balance]
            } onChange: {
                MainActor.assertIsolated()
                notified.record(0, store.state.balance)
            }
        }
        await Task.detached { _ = store.dispatch(BankAction.deposit(3)) }.value
        await notified.waitUntilCalled(1)
        #expect(notified.values == [3])
    }

    @Test
    func `on the main actor, nothing is missed between reading and waiting`() async {
        let store = makeBank()
        let notified = Recorder<Int>()
        await MainActor.run {
            withObservationTracking {
                _ = store[\.balance]
                // Another thread changes the value before the tracking has begun.
                onThreads(1) { _ in store.dispatch(BankAction.deposit(1)) }
            } onChange: {
                notified.record(0, 1)
            }
        }
        await notified.waitUntilCalled(1)
        #expect(store.state.balance == 1)
    }

    @Test
    func
        `a reader who saw a value in between is notified when it goes back, however busy its actor is`()
        async
    {
        let store = makeBank(options: StoreOptions(limits: StoreLimits(waitingCommits: 1)))
        let notified = Recorder<Int>()
        await MainActor.run {
            _ = store[\.balance]
            onThreads(1) { _ in store.dispatch(BankAction.deposit(1)) }
            withObservationTracking {
                #expect(store[\.balance] == 1)
            } onChange: {
                notified.record(0, store.state.balance)
            }
            onThreads(1) { _ in store.dispatch(BankAction.deposit(-1)) }
            #expect(notified.values.isEmpty)
        }
        await notified.waitUntilCalled(1)
        #expect(notified.values == [0])
    }

    @Test
    func `a passing read does not take a change from a reader that waits for it`() async {
        let store = makeBank()
        let notified = Recorder<Int>()
        await MainActor.run {
            withObservationTracking {
                _ = store[\.balance]
            } onChange: {
                notified.record(0, store.state.balance)
            }
            // The main actor is busy, so what another thread changed is notified later.
            onThreads(1) { _ in store.dispatch(BankAction.deposit(1)) }
            #expect(store[\.balance] == 1)
            #expect(notified.values.isEmpty)
        }
        await store.waitUntilIdle()
        #expect(notified.values == [1])
    }

    @Test
    func `a reader on an actor is notified on it, and no longer when it is gone`() async {
        actor Screen {
            let notified = Recorder<Int>()
            func look(_ store: Store<Bank>) {
                withObservationTracking {
                    // A closure that doesn't use `self` is not known to be on the actor.
                    _ = store[\.balance, isolation: self]
                } onChange: { [weak self] in
                    self?.assertIsolated()
                    self?.notified.record(0, store.state.balance)
                }
            }
        }
        let store = makeBank()
        do {
            let screen = Screen()
            await screen.look(store)
            store.dispatch(BankAction.deposit(1))
            await screen.notified.waitUntilCalled(1)
            await screen.look(store)
        }
        store.dispatch(BankAction.deposit(1))
        await store.waitUntilIdle()
        #expect(store.engine.withLock { store.engine.observed($0).count } == 0)
        #expect(store.engine.withLock { $0.state.index.groups.isEmpty })
    }

    @Test
    func `Observations gives each value that is current when it looks, the last one included`()
        async
    {
        let store = makeBank()
        let task = Task { @MainActor in
            var seen: [Int] = []
            for await balance in Observations({ store[\.balance] }) {
                seen.append(balance)
                if balance == 3 { break }
                store.dispatch(BankAction.deposit(1))
            }
            return seen
        }
        #expect(await task.value == [0, 1, 2, 3])
    }

    @Test
    func `Observations of a row and of a scoped store work alike`() async {
        let store = makeTodos(3)
        let task = Task { @MainActor in
            var seen: [Bool?] = []
            for await row in Observations({ store[.row(\.todos, id: 1)] }) {
                seen.append(row?.isDone)
                if seen.count == 3 { break }
                store.dispatch(seen.count == 1 ? TodoAction.toggle(1) : .remove(1))
            }
            return seen
        }
        #expect(await task.value == [false, true, nil])
    }

    // MARK: What it costs

    @Test
    func `a value is found again by the key path, wherever that is written or made`() {
        let store = makeBank()
        func made() -> any KeyPath<Bank, Int> & Sendable { \Bank.left.count }
        let left = store.scoped(to: \.left)
        for _ in 0..<3 {
            #expect(store[made()] == store.state.left.count)
            #expect(store[\.left.count] == left[\.count])
            left.dispatch(CounterAction.increment)
        }
        for _ in 0..<10 { _ = [store[\.left.count], store[\.left.count], store[\.left.count]] }
        #expect(store.engine.withLock { store.engine.observed($0).count } == 1)
        let count = notifies {
            _ = store[\.left.count]
        } during: {
            left.dispatch(CounterAction.increment)
            left.dispatch(CounterAction.increment)
        }
        #expect(count == 1)
        #expect(store.engine.withLock { store.engine.observed($0).count } == 0)
        #expect(store[\.left.count] == 5)
        #expect(store[made()] == 5)
    }

    @Test
    func `a value that is no longer read costs commits nothing`() {
        let store = makeBank()
        _ = store[\.balance]
        _ = store[\.doubled]
        #expect(store.engine.withLock { store.engine.observed($0).count } == 2)
        store.dispatch(BankAction.deposit(1))
        store.dispatch(BankAction.deposit(1))
        #expect(store.engine.withLock { store.engine.observed($0).count } == 0)
        #expect(store.engine.withLock { $0.state.index.groups.isEmpty })
    }

    @Test
    func `a value that is read after each change keeps its subscription`() {
        let store = makeBank()
        _ = store[\.balance]
        let revision = store.engine.withLock { $0.state.index.revision }
        for _ in 1...10 {
            store.dispatch(BankAction.deposit(1))
            _ = store[\.balance]
        }
        #expect(store.engine.withLock { $0.state.index.revision } == revision)
        #expect(store.engine.withLock { store.engine.observed($0).count } == 1)
    }

    @Test
    func `beyond the limit those that were read longest ago are notified and released`() async {
        var options = StoreOptions()
        options.limits.observedValues = 8
        let store = makeTodos(20, options: options)
        let notified = Recorder<Int>()
        for id in 0..<9 {
            withObservationTracking {
                _ = store[.row(\.todos, id: id)]
            } onChange: {
                notified.record(0, id)
            }
        }
        await notified.waitUntilCalled(5)
        #expect(Set(notified.values) == [0, 1, 2, 3, 4])
        #expect(store.engine.withLock { store.engine.observed($0).count } == 4)
        store.dispatch(TodoAction.toggle(8))
        #expect(notified.values.last == 8)
    }

    @Test
    func `after the end of the store, values can be read and nothing is armed`() async {
        let store = makeBank(Bank(balance: 4))
        _ = store[\.balance]
        await store.shutdown()
        #expect(store[\.balance] == 4)
        #expect(store.engine.withLock { store.engine.observed($0).count } == 0)
        #expect(store.engine.withLock { $0.state.index.groups.isEmpty })
    }

    @Test
    func `an observer that captures the store keeps it only until the change is notified`() {
        final class Screen: Sendable {
            let store: Store<Bank>
            init(_ store: Store<Bank>) { self.store = store }
        }
        weak var engine: Engine?
        weak var weakly: Screen?
        do {
            let screen = Screen(makeBank())
            weakly = screen
            engine = screen.store.engine
            withObservationTracking {
                _ = screen.store[\.balance]
            } onChange: {
                _ = screen
            }
            withObservationTracking {
                _ = screen.store[\.other]
            } onChange: { [weak screen] in
                _ = screen
            }
            screen.store.dispatch(BankAction.deposit(1))
        }
        #expect(weakly == nil)
        #expect(engine == nil)
    }
}
