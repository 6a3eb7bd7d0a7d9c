// SPDX-License-Identifier: MIT

// What a query cache costs, beside tables and stores without one, in turns and by processor time:
//
//     swift run -c release --package-path Benchmarks onward-queries

import Onward
import OnwardQueries

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

struct Row: Codable, Equatable, Identifiable, Sendable {
    let id: Int
    var number = 0
}

enum Unanswered: Error, Codable, Equatable { case unanswered }

struct Item: Query {
    static let name = "item"
    typealias Answer = Row
    typealias Failure = Unanswered
    let id: Int
}

struct Page: Query {
    static let name = "page"
    typealias Answer = [Row]
    typealias Failure = Unanswered
}

struct Table: Sendable { var rows: EntityTable<Row> = [] }

struct App: Sendable {
    var count = 0
    var rows: EntityTable<Row> = []
    var wanted: [Item] = []
    var items = QueryCache<Item>()
    var pages = QueryCache<Page>()
    var table = Overlaid(Table())
}

enum AppAction: Action { case count, setRow(Int, Int) }

/// A store with so many answers that nobody wants, and as many rows.
func makeStore(keys: Int) -> Store<App> {
    let store = Store(App()) {
        Reduce { (app: inout App, action: AppAction) in
            switch action {
            case .count: app.count += 1
            case .setRow(let id, let number): app.rows.update(id: id) { $0.number = number }
            }
        }
        Fetch(\.items, while: \.wanted) { _, _ async throws(Unanswered) in throw .unanswered }
            .tags { item, _ in [QueryTag("item", item.id)] }
            .keeping(count: 1_000_000, unused: .seconds(100_000))
        Fetch(\.pages) { _, _ async throws(Unanswered) in throw .unanswered }
            .writes(\.table) { table, _, rows in table.rows.upsert(contentsOf: rows) }
        Rows.filling
    }
    let now = Timestamp.now()
    for id in 0..<keys { store.dispatch(QueryAction.set(Item(id: id), Row(id: id), at: now)) }
    store.dispatch(Rows.fill(keys))
    return store
}

enum Rows: Action {
    case fill(Int)

    static let filling = Reduce<App> { (app: inout App, action: Rows) in
        switch action {
        case .fill(let count): app.rows.append(contentsOf: (0..<count).map { Row(id: $0) })
        }
    }
}

func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// The median time of one operation of each kind, measured in turns.
func measure(count: Int, rounds: Int = 15, _ bodies: [(Int) -> Void]) -> [Double] {
    var times = bodies.map { _ in [Double]() }
    for round in 0...rounds {
        for (index, body) in bodies.enumerated() {
            let time = time(of: count, body)
            // The first round warms up.
            if round > 0 { times[index].append(time) }
        }
    }
    return times.map(median)
}

/// The time of one operation of so many.
func time(of count: Int, _ body: (Int) -> Void) -> Double {
    let start = processorTime()
    body(count)
    return (processorTime() - start) / Double(count)
}

func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }

func report(_ what: String, _ times: [Double], _ ratio: Double, _ limit: Double) {
    let texts = times.map { "\(Int($0.rounded())) ns" }.joined(separator: ", ")
    let rounded = (ratio * 100).rounded() / 100
    print("\(what): \(texts); ratio \(rounded), limit \(limit)\(ratio > limit ? ", MISSED" : "")")
}

let now = Timestamp.now()

/// Observing one key beside one row: what a subscriber adds to the commit that changes it.
func measureObserving(others: Int) {
    func setKey(_ store: Store<App>) -> (Int) -> Void {
        var number = 0
        return { count in
            for _ in 0..<count {
                number += 1
                store.dispatch(QueryAction.set(Item(id: 7), Row(id: 7, number: number), at: now))
            }
        }
    }
    func setRow(_ store: Store<App>) -> (Int) -> Void {
        var number = 0
        return { count in
            for _ in 0..<count {
                number += 1
                store.dispatch(AppAction.setRow(7, number))
            }
        }
    }
    let stores = (0..<2).map { _ in makeStore(keys: 1_000) }
    let changes = [setKey(stores[0]), setRow(stores[1])]
    var tokens: [Subscription] = []
    func observe(_ index: Int, _ id: Int) -> Subscription {
        index == 0
            ? stores[0].subscribe(.row(\.items.entries, id: Item(id: id))) { _, _ in }
            : stores[1].subscribe(.row(\.rows, id: id)) { _, _ in }
    }
    for id in 100..<100 + others { for index in 0..<2 { tokens.append(observe(index, id)) } }
    // What a subscriber adds is little beside what the commit costs: both are measured in one store, in turns.
    var added: [[Double]] = [[], []]
    var times: [[Double]] = [[], [], [], []]
    for round in 0...200 {
        for index in 0..<2 {
            let without = time(of: 500, changes[index])
            let token = observe(index, 7)
            let with = time(of: 500, changes[index])
            token.cancel()
            if round == 0 { continue }
            added[index].append(with - without)
            times[2 * index].append(without)
            times[2 * index + 1].append(with)
        }
    }
    report(
        "one key, one row, observed beside \(others) others (without, with; without, with; added, added)",
        times.map(median) + added.map(median), median(added[0]) / median(added[1]), 1.3)
    for token in tokens { token.cancel() }
}

func measureInvalidating() {
    func invalidate(_ store: Store<App>) -> (Int) -> Void {
        { count in
            for _ in 0..<count {
                store.dispatch(QueryAction.set(Item(id: 7), Row(id: 7), at: now))
                store.dispatch(ServerDataAction.invalidated([QueryTag("item", 7)]))
            }
        }
    }
    let times = measure(
        count: 2_000,
        [invalidate(makeStore(keys: 10_000)), invalidate(makeStore(keys: 100))])
    report("one invalidated of 10,000, of 100", times, times[0] / times[1], 3)
}

func measureIdle() {
    func dispatch(_ store: Store<App>) -> (Int) -> Void {
        { count in for _ in 0..<count { store.dispatch(AppAction.count) } }
    }
    let times = measure(
        count: 50_000, rounds: 31,
        [dispatch(makeStore(keys: 10_000)), dispatch(makeStore(keys: 0))])
    report("a dispatch beside 10,000 idle keys, beside none", times, times[0] / times[1], 1.05)
    let bare = Store(App()) { Reduce { (app: inout App, action: AppAction) in app.count += 1 } }
    let without = measure(
        count: 50_000, rounds: 31, [dispatch(makeStore(keys: 0)), dispatch(bare)])
    report(
        "a dispatch with two parts that fetch, without", without, without[0] / without[1], .infinity
    )
}

func countNotified() {
    let store = makeStore(keys: 0)
    var rows = (0..<1_000).map { Row(id: $0) }
    store.dispatch(QueryAction.set(Page(), rows, at: now))
    nonisolated(unsafe) var notified: [Int] = []
    let tokens = rows.map { row in
        store.subscribe(.row(\.table.shown.rows, id: row.id)) { _, new in
            notified.append(new?.id ?? -1)
        }
    }
    rows[500].number = 1
    store.dispatch(QueryAction.set(Page(), rows, at: now))
    print("an answer of 1,000 rows with one changed notifies rows \(notified)")
    for token in tokens { token.cancel() }
}

countNotified()
measureIdle()
measureInvalidating()
measureObserving(others: 0)
measureObserving(others: 800)
