// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import Synchronization
import Testing

@testable import OnwardReports
@testable import struct TestSupport.SeededGenerator

struct ShortestLogTests {
    /// Counts what is reduced.
    private final class Counter: Sendable {
        private let number = Mutex(0)
        func count() { number.withLock { $0 += 1 } }
        var value: Int { number.withLock { $0 } }
    }

    private struct Lock: Codable, Sendable { var turned = 0, clicks = 0, codes: [Int] = [] }
    private enum LockAction: Action, Codable, Equatable {
        case turn(Int)
        case click(by: String, codes: [Int], weight: Double)
    }
    private struct Secret: Action {}

    private let lock = Feature<Lock> {
        Reduce { (lock: inout Lock, action: LockAction) in
            switch action {
            case .turn(let number): if number == lock.turned { lock.turned += 1 }
            case .click(_, let codes, _):
                lock.clicks += 1
                lock.codes += codes
            }
        }
        Reduce { (lock: inout Lock, _: Secret) in lock.clicks += 100 }
    }
    private var store: Store<Lock> { Store(Lock()) { lock } }

    private func log(_ actions: [any Action]) -> [LogEntry] {
        actions.enumerated().map { LogEntry(version: CommitVersion($0 + 1), action: $1) }
    }

    private func report(_ actions: [any Action], from state: Lock = Lock()) throws -> Report {
        let codec = JournalCodec<Lock>(for: store)
        return Report(
            from: try codec.states.encode(state, at: 0, by: codec.fingerprint),
            try log(actions).map { try codec.actions.encode($0) })
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `of thousands of entries those remain that are needed`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var actions: [LockAction] = []
        for number in 0..<6 {
            for _ in 0..<Int.random(in: 0..<300, using: &generator) {
                actions.append(.click(by: "Emma", codes: [], weight: 1))
            }
            actions.append(.turn(number))
        }
        for _ in 0..<100 { actions.append(.click(by: "Jane", codes: [], weight: 2)) }
        var progress: [Int] = []
        let found = try report(actions)
            .shortest(in: lock, progress: { progress.append($0.entries) }) { (lock: Lock) in
                lock.turned == 6
            }
        // From a state that has been turned already, one entry would do.
        #expect(found.start.turned == 0)
        #expect(found.entries.map { $0.action as? LockAction } == (0..<6).map { .turn($0) })
        #expect(progress == progress.sorted(by: >))
        #expect(progress.last == 6)
    }

    @Test
    func
        `ten of forty thousand entries are found in less than two folds where others do other things`()
        throws
    {
        var generator = SeededGenerator(seed: 40_000)
        var actions: [LockAction] = (0..<40_000).map { _ in
            .click(by: "Emma", codes: [], weight: 1)
        }
        let places = (0..<10).map { _ in Int.random(in: 0..<40_000, using: &generator) }.sorted()
        for (number, place) in places.enumerated() { actions[place] = .turn(number) }
        try #require(Set(places).count == 10)
        let report = try report(actions)
        let reduced = Counter()
        let counted = Feature<Lock> {
            lock
            Reduce { (_: inout Lock, _: LockAction) in reduced.count() }
        }
        var progress: [ShrinkProgress] = []
        let found = try report.shortest(in: counted, progress: { progress.append($0) }) {
            (lock: Lock) in lock.turned == 10
        }
        // Whatever the machine, this is the work: a fold to find the end, one without the clicks, then small ones.
        #expect(reduced.value < 60_000)
        #expect(progress.count > 1)
        #expect(progress.map(\.entries) == progress.map(\.entries).sorted(by: >))
        #expect(found.entries.map { $0.action as? LockAction } == (0..<10).map { .turn($0) })
        #expect(found.entries.map(\.version) == places.map { CommitVersion($0 + 1) })
        let again = try report.shortest(in: lock) { (lock: Lock) in lock.turned == 10 }
        #expect(again.entries.map(\.version) == found.entries.map(\.version))
    }

    @Test func `ten of forty thousand entries are found in 25 folds where all do the same`() throws
    {
        var generator = SeededGenerator(seed: 41_000)
        var actions: [LockAction] = (0..<40_000).map { _ in
            .turn(.random(in: 100..<10_000, using: &generator))
        }
        let places = (0..<10).map { _ in Int.random(in: 0..<40_000, using: &generator) }.sorted()
        for (number, place) in places.enumerated() { actions[place] = .turn(number) }
        try #require(Set(places).count == 10)
        let reduced = Counter()
        let counted = Feature<Lock> {
            lock
            Reduce { (_: inout Lock, _: LockAction) in reduced.count() }
        }
        let found = try Replay.shortest(
            of: log(actions), from: Lock(), by: Store(Lock()) { counted }
        ) { $0.turned == 10 }
        #expect(found.isMinimal)
        #expect(found.entries.map { $0.action as? LockAction } == (0..<10).map { .turn($0) })
        #expect(reduced.value < 25 * 40_000)
    }

    /// An account where an order spends everything that was earned before.
    private struct Account: Codable, Sendable {
        var earned = 0, money = 0, paid: [String: Int] = [:]
    }
    private enum AccountAction: Action, Codable, Equatable {
        case earn(Int)
        case order(String, price: Int)
        case cancel(String)
        case look
    }
    private let account = Feature<Account> {
        Reduce { (account: inout Account, action: AccountAction) in
            switch action {
            case .earn(let money):
                account.earned += max(money, 0)
                account.money += max(money, 0)
            case .order(let id, let price):
                guard price > 0, price <= account.money, account.paid[id] == nil else { return }
                account.paid[id] = price
                account.money -= price
            case .cancel(let id):
                // The fault: it is paid back twice.
                account.money += 2 * (account.paid.removeValue(forKey: id) ?? 0)
            case .look: break
            }
        }
    }

    /// A log of so many entries, the last of which shows the fault.
    private func earnings(_ count: Int) -> [AccountAction] {
        var generator = SeededGenerator(seed: 7)
        var money = 0
        var actions: [AccountAction] = (0..<(count - 2)).map { _ in
            guard Bool.random(using: &generator) else { return .look }
            let earned = Int.random(in: 1...90, using: &generator)
            money += earned
            return .earn(earned)
        }
        actions += [.order("everything", price: money), .cancel("everything")]
        return actions
    }

    @Test func `where an order needs all that comes before it, plain values are tried`() throws {
        let store = Store(Account()) { account }
        let actions = earnings(40_000)
        let found = try Replay.shortest(of: log(actions), from: Account(), by: store) {
            $0.money > $0.earned
        }
        #expect(found.isMinimal)
        #expect(
            found.entries.map { $0.action as? AccountAction } == [
                .earn(1), .order("", price: 1), .cancel(""),
            ])
        // They are entries of the log, in its order.
        let first = try #require(actions.firstIndex { $0 != .look })
        #expect(found.entries.map(\.version) == [CommitVersion(first + 1), 39_999, 40_000])
    }

    /// Rounds with a number and a guest: an entry for another round than the present one changes nothing.
    private struct Table: Codable, Sendable { var round = 0, guest: String?, toasts = 0 }
    private enum TableAction: Action, Codable, Equatable {
        case begin
        case seat(String, round: Int)
        case toast
    }

    @Test func `where numbers count what was before, the newest of each kind are tried`() throws {
        let reduced = Counter()
        let table = Feature<Table> {
            Reduce { (table: inout Table, action: TableAction) in
                reduced.count()
                switch action {
                case .begin: table = Table(round: table.round + 1)
                case .seat(let guest, let round):
                    if round == table.round, !guest.isEmpty { table.guest = guest }
                case .toast: if table.guest != nil { table.toasts += 1 }
                }
            }
        }
        var actions: [TableAction] = []
        for round in 1...2_000 {
            actions += [.begin, .toast, .toast, .seat("guest \(round)", round: round), .toast]
        }
        actions += [.toast]
        let found = try Replay.shortest(
            of: log(actions), from: Table(), by: Store(Table()) { table }
        ) { $0.toasts == 2 }
        let left = found.entries.compactMap { $0.action as? TableAction }
        guard left.count == 4, case .seat(let guest, round: 1) = left[1] else {
            Issue.record("\(left)")
            return
        }
        #expect(guest.count == 1)
        #expect(left == [.begin, .seat(guest, round: 1), .toast, .toast])
        #expect(reduced.value < 20 * actions.count)
    }

    @Test func `a search that reaches its limit has the best list so far`() throws {
        let store = Store(Account()) { account }
        let entries = log(earnings(400))
        let half = store.log.replay(entries, from: Account()).earned / 2
        let found = try Replay.shortest(of: entries, from: Account(), by: store, limit: 2_000) {
            $0.earned > half
        }
        #expect(!found.isMinimal)
        #expect(found.entries.count < entries.count)
        #expect(store.log.replay(found.entries, from: Account()).earned > half)
        let whole = try Replay.shortest(of: entries, from: Account(), by: store) {
            $0.earned > half
        }
        #expect(whole.isMinimal)
        #expect(whole.entries.count <= found.entries.count)
    }

    @Test func `what several entries share becomes simpler in all of them`() throws {
        let store = Store(Account()) { account }
        let actions: [AccountAction] = [
            .earn(917), .order("a plate", price: 917), .cancel("a plate"),
        ]
        let found = try Replay.shortest(of: log(actions), from: Account(), by: store) {
            $0.money > $0.earned && $0.paid.isEmpty && $0.earned > 500
        }
        #expect(
            found.entries.map { $0.action as? AccountAction } == [
                .earn(501), .order("", price: 1), .cancel(""),
            ])
    }

    @Test func `dictionaries of the state before become smaller, and defaults end nothing`() throws
    {
        struct Tip: Action, Codable, Equatable {
            var amount = 100
            init(_ amount: Int) { self.amount = amount }
            init(from decoder: any Decoder) throws {
                let fields = try decoder.container(keyedBy: CodingKeys.self)
                amount = try fields.decodeIfPresent(Int.self, forKey: .amount) ?? 100
            }
        }
        let tips = Feature<Account> {
            Reduce { (account: inout Account, tip: Tip) in account.money += tip.amount }
        }
        let before = Account(paid: ["plate": 3, "mug": 7, "tray": 9])
        let found = try Replay.shortest(
            of: log([Tip(250)]), from: before, by: Store(before) { tips }
        ) { $0.money > 5 && $0.paid["mug"] != nil }
        #expect(found.isMinimal)
        #expect(found.entries.map { $0.action as? Tip } == [Tip(6)])
        #expect(found.start.paid == ["mug": 0])
    }

    @Test func `no single entry can be left out, even where several are needed together`() throws {
        // An odd number of clicks above 8 is a fault: no half of the log has it alone.
        func fault(_ lock: Lock) -> Bool {
            lock.clicks > 8 && lock.clicks.isMultiple(of: 2) == false
        }
        let click = LockAction.click(by: "", codes: [], weight: 0)
        let store = store
        let found = try Replay.shortest(
            of: log(Array(repeating: click, count: 33)), from: Lock(), by: store, where: fault)
        #expect(found.entries.count == 9)
        for index in found.entries.indices {
            let rest = Array(found.entries[..<index] + found.entries[(index + 1)...])
            #expect(!fault(store.log.replay(rest, from: Lock())))
        }
    }

    @Test func `a log without the fault is said to have none, and a state may have it already`()
        throws
    {
        let entries = log([LockAction.turn(3)])
        let error = #expect(throws: ReportError.self) {
            try Replay.shortest(of: entries, from: Lock(), by: store) { $0.clicks > 0 }
        }
        #expect(error?.code == .noFault)
        let found = try Replay.shortest(of: entries, from: Lock(), by: store) { $0.clicks == 0 }
        #expect(found.entries.isEmpty)
    }

    @Test func `values become simpler as long as the fault stays`() throws {
        let entries = log([
            LockAction.click(by: "Emma Woodhouse", codes: [5, 917_000, -40, 3], weight: 2.75),
            Secret(), LockAction.turn(0),
        ])
        let simple = try Replay.shortest(of: entries, from: Lock(), by: store) { lock in
            lock.codes.contains { $0 > 1_234 } && lock.turned == 1 && lock.clicks > 100
        }
        #expect(
            simple.entries.map { $0.action as? LockAction } == [
                .click(by: "", codes: [1_235], weight: 0), nil, .turn(0),
            ])
        #expect(simple.entries.map(\.version) == [1, 2, 3])
    }

    @Test func `a field of the state that is read as its default when it is missing stays`() throws
    {
        struct Jar: Codable, Sendable {
            var coins = 7, limit = 5
            init() {}
            init(from decoder: any Decoder) throws {
                let fields = try decoder.container(keyedBy: CodingKeys.self)
                coins = try fields.decode(Int.self, forKey: .coins)
                limit = try fields.decodeIfPresent(Int.self, forKey: .limit) ?? 5
            }
        }
        struct Put: Action, Codable, Equatable { var coins: Int }
        let jar = Feature<Jar> { Reduce { (jar: inout Jar, put: Put) in jar.coins += put.coins } }
        var runs = 0
        let found = try Replay.shortest(
            of: log([Put(coins: 100)]), from: Jar(), by: Store(Jar()) { jar },
            progress: { runs = $0.runs }
        ) { $0.coins > 50 && $0.limit == 5 }
        #expect(found.isMinimal)
        #expect(found.start.limit == 5 && found.start.coins == 7)
        #expect(found.entries.map { $0.action as? Put } == [Put(coins: 44)])
        #expect(runs < 100)
    }

    @Test func `the state before the entries becomes simpler, too`() throws {
        let before = Lock(turned: 0, clicks: 77, codes: [9, 8, 7, 1_000])
        let found = try report([LockAction.turn(0)], from: before)
            .shortest(in: lock) { (lock: Lock) in
                lock.turned == 1 && lock.codes.contains { $0 > 99 }
            }
        #expect(found.start.codes == [100])
        #expect(found.start.clicks == 0)
    }

    @Test func `a state that is no longer itself once it was decoded is a fault`() throws {
        struct Gauge: Codable, Sendable {
            var level = 0
            init() {}
            init(from decoder: any Decoder) throws {
                level = min(try decoder.singleValueContainer().decode(Int.self), 500)
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(level)
            }
        }
        struct Rise: Action, Codable, Equatable { var by: Int }
        let gauge = Feature<Gauge> {
            Reduce { (gauge: inout Gauge, rise: Rise) in gauge.level += rise.by }
        }
        let store = Store(Gauge()) { gauge }
        let codec = JournalCodec(for: store)
        let report = Report(
            from: try codec.states.encode(Gauge(), at: 0, by: codec.fingerprint),
            try log([Rise(by: 3), Rise(by: 99), Rise(by: 777), Rise(by: 5)])
                .map { try codec.actions.encode($0) })
        let found: ShortestLog<Gauge> = try report.shortestUncodable(in: gauge)
        #expect(found.entries.map { $0.action as? Rise } == [Rise(by: 501)])
    }

    @Test func `the source of a test has the state, the actions and the condition`() throws {
        let found = try Replay.shortest(
            of: log([LockAction.turn(0), LockAction.turn(1)]), from: Lock(), by: store
        ) { $0.turned == 2 }
        let source = try found.testSource(
            named: "the lock never `opens`", importing: ["Locks"],
            making: "Store(Lock()) { lock }", expecting: "state.turned < 2")
        #expect(
            source.hasSuffix(
                ##"""
                @testable import Locks

                @Test func `the lock never opens`() throws {
                    let state = try RecordedLog(from: #"{"clicks":0,"codes":[],"turned":0}"#, [
                        .init("ShortestLogTests.LockAction/turn", #"{"value":0}"#),
                        .init("ShortestLogTests.LockAction/turn", #"{"value":1}"#),
                    ]).state(by: Store(Lock()) { lock })
                    #expect(state.turned < 2)
                }

                """##))
    }
}
