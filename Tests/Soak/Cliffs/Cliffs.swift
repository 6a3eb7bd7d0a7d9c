// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import Synchronization

/// Says of each count that a user controls whether the cost of a step grows with it.
struct Cliffs {
    private let only: String?

    init(_ arguments: Arguments) {
        only = arguments.text("only")
    }

    /// True when nothing grows faster than it should.
    func run() -> Bool {
        var isGood = true
        for cliff in Self.all where only.map({ cliff.name.contains($0) }) ?? true {
            // A process to itself: none finds the memory that another one has left.
            let process = forkProcess()
            if process == 0 { exit(isFlat(cliff) ? 0 : 1) }
            var status: Int32 = 0
            waitpid(process, &status, 0)
            if status & 0x7F != 0 { say("✘", cliff.name, "crashed") }
            if status != 0 { isGood = false }
        }
        return isGood
    }

    private func isFlat(_ cliff: Cliff) -> Bool {
        let (few, many) = cliff.measure()
        let ratio = many / max(few, 1)
        say(
            ratio > cliff.bound ? "✘" : "✔", Self.padded(cliff.name),
            "\(cliff.count) → \(cliff.count * Cliff.factor):",
            "\(Int(few)) → \(Int(many)), \(Self.rounded(ratio)) × (at most \(cliff.bound))")
        return ratio <= cliff.bound
    }

    /// Prints at once, also into a file.
    private func say(_ words: String...) {
        print(words.joined(separator: " "))
        fflush(nil)
    }

    private static func padded(_ text: String) -> String {
        text + String(repeating: " ", count: max(0, 52 - text.count))
    }

    private static func rounded(_ number: Double) -> Double { (number * 10).rounded() / 10 }

    private static var all: [Cliff] {
        subscribers + rows + selectors + actorsAndObjects + effects + limits + journals
    }

    // MARK: A small app

    private struct Item: Identifiable, Equatable, Sendable {
        struct Title: Equatable, Sendable { var text = "" }

        let id: Int
        var title = Title()
        var n = 0
    }

    private struct Root: Sendable {
        var x = 0
        var y = 0
        var items: EntityTable<Item> = []
        var list: [Item] = []
    }

    private enum Change: Action { case x, y, touch(Int), put(EntityTable<Item>), start(Int) }

    private static func store(
        items: Int = 0, limits: StoreLimits = StoreLimits(),
        react: @escaping @Sendable (Int, EffectContext<Root>) -> Effect = { _, _ in .none },
        onProgrammerError: (@Sendable (ProgrammerError) -> Void)? = nil
    ) -> Store<Root> {
        var root = Root()
        for id in 0..<items { root.items.append(Item(id: id)) }
        let hasEffects = items == 0
        return Store(
            root, options: StoreOptions(onProgrammerError: onProgrammerError, limits: limits)
        ) {
            Reduce { (root: inout Root, change: Change) in
                switch change {
                case .x: root.x += 1
                case .y: root.y += 1
                case .touch(let id): root.items[id: id]?.n += 1
                case .put(let items): root.items = items
                case .start: break
                }
            }
            if hasEffects {
                OnAction { (change: Change, context: EffectContext<Root>) -> Effect in
                    if case .start(let id) = change { react(id, context) } else { .none }
                }
            }
        }
    }

    /// Nanoseconds of the thread that commits, the median of several.
    private static func commit(_ store: Store<Root>, _ change: Change, times: Int = 50) -> Double {
        var all: [Double] = []
        for _ in 0..<times {
            all.append(processorNanoseconds { store.dispatch(change, isolation: nil) })
        }
        return all.sorted()[times / 2]
    }

    private static func wait(_ body: @escaping @Sendable () async -> Void) {
        let isOver = DispatchSemaphore(value: 0)
        Task.detached {
            await body()
            isOver.signal()
        }
        isOver.wait()
    }

    // MARK: Subscribers

    private static var subscribers: [Cliff] {
        [
            Cliff(name: "subscribers of a value: a call to each") { count in
                let store = store()
                let tokens = (0..<count).map { _ in
                    store.subscribe(\.x, isolation: nil) { _, _ in }
                }
                defer { withExtendedLifetime(tokens) {} }
                return commit(store, .x, times: 9) / Double(count)
            },
            Cliff(name: "groups: a commit that concerns none of them") { count in
                let store = store(items: count)
                let tokens = (0..<count).map { id in
                    store.scoped(to: .row(\.items, id: id)).subscribe(\.?.n, isolation: nil) {
                        _, _ in
                    }
                }
                defer { withExtendedLifetime(tokens) {} }
                return commit(store, .x) + 500
            },
            Cliff(name: "groups that are idle: subscribe, dispatch, cancel") { count in
                let store = store(items: count)
                let tokens = (0..<count).map { id in
                    store.scoped(to: .row(\.items, id: id)).subscribe(\.?.n, isolation: nil) {
                        _, _ in
                    }
                }
                defer { withExtendedLifetime(tokens) {} }
                let rounds = 100
                return nanoseconds(perStepOf: rounds) {
                    for _ in 0..<rounds {
                        let token = store.subscribe(.selecting { $0.x }, isolation: nil) { _, _ in }
                        store.dispatch(Change.x, isolation: nil)
                        token.cancel()
                        store.dispatch(Change.x, isolation: nil)
                    }
                } + 500
            },
            Cliff(name: "subscribers that come during a batch: other commits") { count in
                let store = store()
                let first = store.subscribe(\.x, isolation: nil) { _, _ in }
                var tokens: [Subscription] = []
                store.batch(isolation: nil) {
                    store.dispatch(Change.x, isolation: nil)
                    for _ in 0..<count {
                        tokens.append(store.subscribe(\.x, isolation: nil) { _, _ in })
                    }
                }
                for _ in 0..<3 { store.dispatch(Change.x, isolation: nil) }
                defer { withExtendedLifetime((first, tokens)) {} }
                return commit(store, .y) + 200
            },
            Cliff(name: "subscribers that come during a batch: coming") { count in
                let store = store()
                let first = store.subscribe(\.x, isolation: nil) { _, _ in }
                var tokens: [Subscription] = []
                defer { withExtendedLifetime((first, tokens)) {} }
                return store.batch(isolation: nil) {
                    store.dispatch(Change.x, isolation: nil)
                    return nanoseconds(perStepOf: count) {
                        for _ in 0..<count {
                            tokens.append(store.subscribe(\.x, isolation: nil) { _, _ in })
                        }
                    }
                }
            },
            Cliff(name: "subscriptions: cancelling each") { count in
                let store = store()
                let tokens = (0..<count).map { _ in
                    store.subscribe(.selecting { $0.x }, isolation: nil) { _, _ in }
                }
                return nanoseconds(perStepOf: count) { for token in tokens { token.cancel() } }
            },
            Cliff(name: "observers: attaching and detaching each", count: 250) { count in
                let store = store()
                return nanoseconds(perStepOf: count) {
                    let tokens = (0..<count).map { _ in store.log.attach(Nobody()) }
                    for token in tokens { token.cancel() }
                }
            },
            Cliff(name: "commits that wait for a first call: making it", count: 4_000) { count in
                backlog(count).nanoseconds
            },
            Cliff(
                name: "commits that wait for a first call: memory", count: 8_000, bound: 3,
                rounds: 1
            ) { count in
                max(backlog(count).bytes, 0) + 1_500_000
            },
            Cliff(name: "waiting calls: a commit, for each", count: 500) { count in
                let store = store()
                let began = Tally()
                let waits = (0..<count).map { _ in
                    Task.detached {
                        began.add()
                        _ = try? await store.wait { $0.x < 0 }
                    }
                }
                while began.count < count { usleep(1_000) }
                usleep(20_000)
                let cost = commit(store, .x, times: 9) / Double(count)
                for wait in waits { wait.cancel() }
                return cost
            },
            Cliff(name: "observed values: reading each") { count in
                let store = store(items: count)
                return nanoseconds(perStepOf: count) {
                    for id in 0..<count { _ = store[.row(\.items, id: id), isolation: nil] }
                }
            },
            Cliff(name: "selectors of a family: reading each") { count in
                let family = SelectorFamily<Root, Int, Int> { factor in
                    StateSelector(\.x) { $0 * factor }
                }
                let store = store()
                return nanoseconds(perStepOf: count) {
                    for factor in 0..<count { _ = store.value(of: .selector(family(factor))) }
                }
            },
        ]
    }

    private struct Nobody: CommitObserver {
        typealias State = Root

        func observe(_ commit: Commit<Root>) {}
    }

    /// What it costs to report commits that came during the first call of a subscriber.
    private static func backlog(_ count: Int) -> (nanoseconds: Double, bytes: Double) {
        let store = store()
        let (entered, leave, ended) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let isFirst = Atomic(true)
        Thread.detachNewThread {
            let token = store.subscribe(\.x, initially: true, isolation: nil) { _, _ in
                guard isFirst.exchange(false, ordering: .relaxed) else { return }
                entered.signal()
                leave.wait()
            }
            ended.signal()
            token.cancel()
        }
        entered.wait()
        let before = bytesInUse
        for _ in 0..<count { store.dispatch(Change.x, isolation: nil) }
        let bytes = bytesInUse - before
        let time = nanoseconds(perStepOf: count) {
            leave.signal()
            ended.wait()
        }
        return (time, bytes)
    }

    // MARK: Rows

    private static var rows: [Cliff] {
        [
            Cliff(name: "rows with a subscriber each: changing one") { count in
                let store = store(items: count)
                let tokens = (0..<count).map {
                    store.subscribe(.row(\.items, id: $0), isolation: nil) { _, _ in }
                }
                defer { withExtendedLifetime(tokens) {} }
                return commit(store, .touch(count / 2)) + 500
            },
            Cliff(name: "stores of rows: changing one row") { count in
                let store = store(items: count)
                let tokens = (0..<count).compactMap { id in
                    store.scoped(to: .row(\.items, id: id)).unwrapped()?
                        .subscribe(\.n, isolation: nil) { _, _ in }
                }
                defer { withExtendedLifetime(tokens) {} }
                return commit(store, .touch(count / 2)) + 500
            },
            Cliff(name: "stores of slices of rows: changing one row", count: 250) { count in
                let store = store(items: count)
                let tokens = (0..<count).compactMap { id in
                    store.scoped(to: .row(\.items, id: id)).unwrapped()?.scoped(to: \.title)
                        .subscribe(\.text, isolation: nil) { _, _ in }
                }
                defer { withExtendedLifetime(tokens) {} }
                return commit(store, .touch(count / 2), times: 9) + 500
            },
            Cliff(name: "scopes: making stores of rows") { count in
                let store = store(items: count)
                return nanoseconds(perStepOf: count) {
                    for id in 0..<count { _ = store.scoped(to: .row(\.items, id: id)) }
                }
            },
            Cliff(name: "rows of a view: changing one") { count in
                let store = store(items: count)
                let view = StateSelector<Root, EntityTable<Item>>(\.items).filter { $0.n % 2 == 0 }
                let token = store.subscribe(.selector(view), isolation: nil) { _, _ in }
                defer { withExtendedLifetime(token) {} }
                return commit(store, .touch(count / 2)) + 500
            },
        ]
    }

    // MARK: Selectors

    private static var selectors: [Cliff] {
        [
            // The ways from the last to the first double with each step or two.
            Cliff(name: "selectors that share inputs: a commit, each", count: 4) { count in
                var made = [
                    StateSelector<Root, Int>(\.x) { $0 }, StateSelector<Root, Int>(\.x) { $0 + 1 },
                ]
                while made.count < count {
                    made.append(
                        StateSelector(made[made.count - 1], made[made.count - 2]) { $0 &+ $1 })
                }
                return commit(ending: [made[made.count - 1]]) / Double(count) + 1_000
            },
            Cliff(name: "selectors in layers of three: a commit, each", count: 1) { count in
                var layer = (0..<3).map { number in StateSelector<Root, Int>(\.x) { $0 + number } }
                for _ in 0..<count {
                    let below = layer
                    layer = (0..<3).map { number in
                        StateSelector(below[0], below[1], below[2]) { $0 &+ $1 &* number &+ $2 }
                    }
                }
                return commit(ending: [layer[0]]) / Double(count) + 5_000
            },
            // Beside as many that don't need one another, as more of them fit the processor's caches less.
            Cliff(name: "selectors in a chain: a commit, in ‰ of single ones", count: 50) { count in
                var end = StateSelector<Root, Int>(\.x) { $0 }
                for _ in 1..<count { end = StateSelector(end) { $0 + 1 } }
                let single = (0..<count).map { number in
                    StateSelector<Root, Int>(\.x) { $0 + number }
                }
                return commit(ending: [end]) / commit(ending: single) * 1_000
            },
            Cliff(name: "selectors in a chain: looks at values, each", count: 50) { count in
                var end = StateSelector<Root, Int>(\.x) { $0 }
                for _ in 1..<count { end = StateSelector(end) { $0 + 1 } }
                return looks(ending: end) / Double(count)
            },
            Cliff(name: "rows of views: going back and forth", count: 4_000) { count in
                let store = store(items: count)
                let items = StateSelector<Root, EntityTable<Item>>(\.items)
                let tokens = [
                    store.subscribe(.selector(items.filter { $0.n % 2 == 0 })) { _, _ in },
                    store.subscribe(.selector(items.sorted { $0.n < $1.n })) { _, _ in },
                    store.subscribe(.selector(items.sum { $0.n })) { _, _ in },
                ]
                defer { withExtendedLifetime(tokens) {} }
                let first = store.state.items
                store.dispatch(Change.touch(count / 2), isolation: nil)
                let second = store.state.items
                let rounds = 50
                return nanoseconds(perStepOf: rounds) {
                    for round in 0..<rounds {
                        store.dispatch(Change.put(round % 2 == 0 ? first : second), isolation: nil)
                    }
                } + 1_000
            },
        ]
    }

    /// Nanoseconds of a commit that changes what a subscribed selector is made of.
    private static func commit(ending selectors: [StateSelector<Root, Int>]) -> Double {
        let store = store()
        let tokens = selectors.map { store.subscribe(.selector($0), isolation: nil) { _, _ in } }
        defer { withExtendedLifetime(tokens) {} }
        return commit(store, .x)
    }

    /// How often such a commit asks for the value of a selector, computed or remembered.
    private static func looks(ending selector: StateSelector<Root, Int>) -> Double {
        let store = store()
        let token = store.subscribe(.selector(selector), isolation: nil) { _, _ in }
        defer { withExtendedLifetime(token) {} }
        func all() -> Int {
            store.diagnostics.selectors.map { $0.evaluations + $0.hits }.reduce(0, +)
        }
        let before = all()
        let times = 10
        for _ in 0..<times { store.dispatch(Change.x, isolation: nil) }
        return Double(all() - before) / Double(times)
    }

    // MARK: Actors and objects

    fileprivate actor Place {}

    private final class Thing: StateSubscriber, Sendable {
        func newState(_ state: Int) {}
    }

    private static var actorsAndObjects: [Cliff] {
        [
            Cliff(name: "actors: subscribing each", count: 250) { count in
                let store = store()
                let places = (0..<count).map { _ in Place() }
                var tokens: [Subscription] = []
                defer { withExtendedLifetime((places, tokens)) {} }
                return nanoseconds(perStepOf: count) {
                    for place in places {
                        tokens.append(
                            store.subscribe(.path(\.x), on: place, isolation: nil) { _, _, _ in })
                    }
                }
            },
            Cliff(name: "objects: subscribing each", count: 250) { count in
                let store = store()
                let things = (0..<count).map { _ in Thing() }
                defer { withExtendedLifetime(things) {} }
                return nanoseconds(perStepOf: count) {
                    for thing in things { thing.subscribe(to: .path(\.x), of: store) }
                }
            },
            Cliff(name: "calls for an actor: turns of other work", count: 4_000) { count in
                turns(count)
            },
        ]
    }

    /// How many calls an actor makes before other work of it, asked for at the beginning, has its turn.
    private static func turns(_ count: Int) -> Double {
        let store = store()
        let place = Place()
        let calls = Atomic(0)
        let seen = Atomic(0)
        let token = store.subscribe(.path(\.x), on: place, isolation: nil) { _, _, _ in
            let begin = ContinuousClock.now
            calls.add(1, ordering: .relaxed)
            while ContinuousClock.now - begin < .microseconds(2) {}
        }
        let isOver = DispatchSemaphore(value: 0)
        store.dispatch(Change.x, isolation: nil)
        Task.detached {
            await place.look { seen.store(calls.load(ordering: .relaxed), ordering: .relaxed) }
            isOver.signal()
        }
        for _ in 0..<count { store.dispatch(Change.x, isolation: nil) }
        isOver.wait()
        withExtendedLifetime(token) {}
        return Double(seen.load(ordering: .relaxed)) + 1_000
    }

    // MARK: Effects

    private static var effects: [Cliff] {
        [
            Cliff(name: "run(): many at once, each", count: 500) { count in
                let clock = SoakClock()
                var root = Root()
                root.x = 0
                let store = Store(root, options: StoreOptions(clock: clock)) {
                    Reduce { (root: inout Root, _: Change) in root.x += 1 }
                    OnAction { (_: Change, context: EffectContext<Root>) -> Effect in
                        .run { try? await context.clock.sleep(for: .milliseconds(1)) }
                    }
                }
                return nanoseconds(perStepOf: count) {
                    let isOver = DispatchGroup()
                    for _ in 0..<count {
                        isOver.enter()
                        Task.detached {
                            await store.run(Change.x)
                            isOver.leave()
                        }
                    }
                    while isOver.wait(timeout: .now() + .microseconds(500)) != .success {
                        if store.state.x == count { clock.advance(by: .milliseconds(1)) }
                    }
                }
            },
            Cliff(
                name: "ids of debounced effects: memory that stays", count: 4_000, bound: 3,
                rounds: 1
            ) { count in
                let store = store { id, _ in
                    Effect.run(id: "\(id)") {}.debounce(for: .nanoseconds(1))
                }
                wait { for id in 0..<200 { await store.run(Change.start(-id)) } }
                let before = bytesInUse
                for id in 0..<count {
                    store.dispatch(Change.start(id), isolation: nil)
                    if id % 500 == 0 { wait { await store.waitUntilIdle() } }
                }
                wait { await store.waitUntilIdle() }
                usleep(20_000)
                return max(bytesInUse - before, 0) + 1_500_000
            },
            Cliff(name: "effects of one id in a queue: each", count: 500) { count in
                let store = store { _, _ in .run(id: "one", .queue) {} }
                return nanoseconds(perStepOf: count) {
                    for id in 0..<count { store.dispatch(Change.start(id), isolation: nil) }
                    wait { await store.waitUntilIdle() }
                }
            },
            Cliff(name: "effects at work: starting one more", count: 500) { count in
                let store = store { _, _ in .run { await Parking().park() } }
                for id in 0..<count { store.dispatch(Change.start(id), isolation: nil) }
                let cost = nanoseconds(perStepOf: 50) {
                    for id in 0..<50 { store.dispatch(Change.start(id), isolation: nil) }
                }
                wait { await store.shutdown() }
                return cost + 1_000
            },
            Cliff(name: "waitUntilIdle(): many at once, each", count: 500) { count in
                let store = store { _, _ in
                    .run { try? await Task.sleep(for: .milliseconds(30)) }
                }
                store.dispatch(Change.start(0), isolation: nil)
                return nanoseconds(perStepOf: count) {
                    wait {
                        await withTaskGroup(of: Void.self) { group in
                            for _ in 0..<count { group.addTask { await store.waitUntilIdle() } }
                        }
                    }
                } - 30_000_000 / Double(count) + 2_000
            },
        ]
    }

    // MARK: Limits

    private static var limits: [Cliff] {
        [
            Cliff(name: "answers to each call: commits until a loop is stopped", count: 1) {
                count in
                let mistakes = Atomic(0)
                let store = store(
                    limits: StoreLimits(generations: 20, answers: 4_096, waitingCommits: 4_096),
                    onProgrammerError: { _ in mistakes.add(1, ordering: .relaxed) })
                let stop = 300_000
                let token = store.subscribe(\.x, isolation: nil) { _, new in
                    guard new < stop else { return }
                    for _ in 0..<(count == 1 ? 1 : 2) { store.dispatch(Change.x, isolation: nil) }
                }
                store.dispatch(Change.x, isolation: nil)
                withExtendedLifetime(token) {}
                return Double(store.log.version) + 4_096
            }
        ]
    }
}

extension Cliffs {
    // MARK: Undo and history

    private struct Page: Sendable {
        var number = 0
        var undo = UndoStack<Int>()
    }

    private enum Turn: Action { case to(Int) }

    private static func pages(undo limit: Int? = nil) -> Store<Page> {
        let reduce = Reduce { (page: inout Page, turn: Turn) in
            if case .to(let number) = turn { page.number = number }
        }
        return Store(Page()) {
            if let limit {
                Undoable(\.number, stack: \.undo, limit: limit) { reduce }.recording(Turn.self)
            } else {
                reduce
            }
        }
    }

    private static func turn(_ store: Store<Page>, _ times: Int, _ between: () -> Void = {}) {
        for number in 1...times {
            store.dispatch(Turn.to(number), isolation: nil)
            between()
        }
    }

    fileprivate static var journals: [Cliff] {
        [
            Cliff(name: "undo: a step where the stack is full") { count in
                let store = pages(undo: count)
                turn(store, count + 100)
                return nanoseconds(perStepOf: 500) { turn(store, 500) }
            },
            Cliff(name: "undo: back and forth over a full stack") { count in
                let store = pages(undo: count)
                turn(store, count + 100)
                return nanoseconds(perStepOf: 100) {
                    for _ in 0..<50 {
                        if let undo = store.state.undo.undo {
                            store.dispatch(undo, isolation: nil)
                        }
                    }
                    for _ in 0..<50 {
                        if let redo = store.state.undo.redo {
                            store.dispatch(redo, isolation: nil)
                        }
                    }
                }
            },
            Cliff(name: "a history: a dispatch beyond its limit") { count in
                let store = pages()
                let history = OnwardJournal.History(of: store, limit: count)
                turn(store, count)
                defer { withExtendedLifetime(history) {} }
                return nanoseconds(perStepOf: 500) { turn(store, 500) }
            },
            Cliff(name: "a history: a dispatch while its log is kept") { count in
                let store = pages()
                let history = OnwardJournal.History(of: store)
                turn(store, count)
                var log = history.log
                defer { withExtendedLifetime(log) {} }
                return nanoseconds(perStepOf: 500) { turn(store, 500) { log = history.log } }
            },
        ]
    }
}

/// Something that is counted on several threads.
private final class Tally: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }
    func add() { number.add(1, ordering: .relaxed) }
}

extension Cliffs.Place {
    fileprivate func look(_ body: @Sendable () -> Void) { body() }
}
