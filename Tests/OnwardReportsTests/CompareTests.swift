// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import Testing

@testable import OnwardReports

struct CompareTests {
    private struct Cart: Codable, Sendable { var cart = Inner(), steps = 0 }
    private struct Inner: Codable, Sendable { var total = 0, names: [String] = [] }
    private enum CartAction: Action, Codable { case add(Int), apply(percent: Int) }

    private static func feature(
        _ apply: @escaping @Sendable (inout Cart, Int) -> Void
    ) -> Feature<Cart> {
        Feature<Cart> {
            Reduce { (cart: inout Cart, action: CartAction) in
                cart.steps += 1
                switch action {
                case .add(let price): cart.cart.total += price
                case .apply(let percent): apply(&cart, percent)
                }
            }
        }
    }

    private let old = feature { $0.cart.total -= $0.cart.total * $1 / 100 }
    private let new = feature { $0.cart.total = $0.cart.total * (100 - $1) / 100 }

    private func reports() async throws -> [(name: String, report: Report)] {
        var reports: [(name: String, report: Report)] = []
        for price in [100, 200, 15, 300] {
            let folder = TemporaryFolder()
            let store = Store(Cart()) { old }
            let recorder = try SessionRecorder(store, at: folder.path)
            store.dispatch(CartAction.add(price))
            store.dispatch(CartAction.apply(percent: 10))
            store.dispatch(CartAction.add(1))
            reports.append(
                ("\(price).onwardreport", try (try await recorder.session()).report(in: old)))
            await recorder.stop()
        }
        return reports
    }

    @Test
    func `the sessions are found that the present reducers lead elsewhere, with entry and path`()
        async throws
    {
        let reports = try await reports()
        #expect(Replay.compare(reports, now: old).differences.isEmpty)
        try Replay.compare(reports, now: old).check()
        // 15 less 10 %: 14 by one rounding, 13 by the other.
        let exact = Replay.compare(reports, recordedBy: old, now: new)
        #expect(exact.differences.map(\.session) == ["15.onwardreport"])
        #expect(exact.differences.first?.version == 2)
        #expect(exact.differences.first?.path == "cart.total")
        #expect(
            exact.description.hasPrefix(
                "1 of 4 sessions differ, first at CompareTests.CartAction/apply, cart.total"))
        let recorded = Replay.compare(reports, now: new)
        #expect(recorded.differences == exact.differences)
        #expect(throws: SessionMismatch.self) { try recorded.check() }
    }

    @Test func `reducers that differ from themselves are named impure`() async throws {
        let impure = Self.feature { cart, _ in
            cart.cart.total = Int.random(in: 0...Int.max)
        }
        let found = Replay.compare(try await reports(), now: impure)
        #expect(found.differences.count == 4)
        #expect(found.differences.allSatisfy { $0.reason == .impure && $0.path == "cart.total" })
        #expect("\(found)".contains("put it into the action"))
    }

    @Test(arguments: ["the time", "the order of a dictionary"])
    func `what comes from outside is named impure, whatever it is`(source: String) async throws {
        struct Shelf: Codable, Sendable { var prices: [String: Int] = [:], first = 0, time = 0.0 }
        enum ShelfAction: Action, Codable { case put(String, price: Int), look }
        func feature(_ look: @escaping @Sendable (inout Shelf) -> Void) -> Feature<Shelf> {
            Feature {
                Reduce { (shelf: inout Shelf, action: ShelfAction) in
                    switch action {
                    case .put(let name, let price): shelf.prices[name] = price
                    case .look: look(&shelf)
                    }
                }
            }
        }
        let before = feature { $0.first = -1 }
        let store = Store(Shelf()) { before }
        let folder = TemporaryFolder()
        let recorder = try SessionRecorder(store, at: folder.path)
        for number in 0..<100 { store.dispatch(ShelfAction.put("\(number)", price: number)) }
        store.dispatch(ShelfAction.look)
        let report = try (try await recorder.session()).report(in: before)
        await recorder.stop()
        let now =
            source == "the time"
            ? feature { $0.time = Date().timeIntervalSince1970 }
            : feature { $0.first = Array($0.prices.values).reduce(0) { 31 &* $0 &+ $1 } }
        let found = Replay.compare([("one", report)], now: now)
        #expect(found.differences.map(\.version) == [101])
        #expect(found.differences.map(\.reason) == [.impure])
        #expect(found.differences.first?.path == (source == "the time" ? "time" : "first"))
    }

    @Test func `what can no longer be decoded is a difference`() async throws {
        struct Other: Codable, Sendable { var somethingElse: Int }
        let other = Feature<Other> { Reduce { (_: inout Other, _: CartAction) in } }
        let found = Replay.compare(try await reports(), now: other)
        #expect(found.differences.count == 4)
        #expect(found.differences.allSatisfy { $0.reason == .unreadable && $0.version == 0 })
    }

    @Test func `a folder of reports is read in order, and a broken one is named`() async throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: true)
        for (name, report) in try await reports() { try report.write(to: "\(folder.path)/\(name)") }
        let read = try Replay.reports(in: folder.path)
        #expect(read.map(\.name) == ["100", "15", "200", "300"].map { "\($0).onwardreport" })
        try Data("no report".utf8).write(to: URL(fileURLWithPath: "\(folder.path)/x.onwardreport"))
        let error = #expect(throws: ReportError.self) { try Replay.reports(in: folder.path) }
        #expect(error?.description.hasPrefix("x.onwardreport: ") == true)
    }
}

extension CompareTests {
    /// What a tool of an app says, and its exit code.
    private func said(
        _ arguments: [String], now feature: Feature<Cart>, recordedBy old: Feature<Cart>? = nil
    ) -> (code: Int32, output: [String], errors: [String]) {
        let lines = Guarded<[(String, Bool)]>([])
        let write: @Sendable (String, Bool) -> Void = { line, isError in
            lines.withValue { $0.append((line, isError)) }
        }
        let tool =
            old.map { ReportsTool(recordedBy: $0, now: feature, write: write) }
            ?? ReportsTool(now: feature, write: write)
        let code = tool.run(arguments)
        let said = lines.withValue { $0 }
        return (code, said.filter { !$0.1 }.map(\.0), said.filter(\.1).map(\.0))
    }

    @Test func `an app's own command compares a folder of sessions in the same words`()
        async throws
    {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: true)
        for (name, report) in try await reports() { try report.write(to: "\(folder.path)/\(name)") }
        let same = said(["compare", folder.path], now: old)
        #expect(same.code == 0)
        #expect(same.output == ["4 sessions lead to the states that were recorded."])
        for exact in [nil, old] {
            let found = said(["compare", folder.path], now: new, recordedBy: exact)
            #expect(found.code == 1)
            #expect(
                found.output.first?.hasPrefix(
                    "1 of 4 sessions differ, first at CompareTests.CartAction/apply, cart.total\n")
                    == true)
        }
        let json = said(["compare", "--json", folder.path], now: new)
        #expect(json.code == 1)
        #expect(json.output.first == #"{"differ":1,"sessions":4}"#)
        #expect(json.output.last?.contains(#""path":"cart.total","reason":"changed""#) == true)
        let one = said(["compare", folder.path + "/15.onwardreport"], now: new)
        #expect(one.output.first?.hasPrefix("1 of 1 sessions differ") == true)
        let text = said(["text", folder.path + "/15.onwardreport"], now: new)
        #expect(text.output.first?.contains("CompareTests.CartAction/apply") == true)
    }

    @Test func `a folder that is missing, a file that is no report and wrong words are said so`()
        throws
    {
        let missing = said(["compare", "/nowhere/at-all"], now: old)
        #expect(missing.code == 2)
        #expect(missing.errors.first?.hasPrefix("at-all: ") == true)
        #expect(said(["compare", #filePath], now: old).code == 2)
        #expect(said(["compare"], now: old).code == 64)
        #expect(said(["compare", ".", "--fast"], now: old).code == 64)
        #expect(said([], now: old).errors == ["usage: compare PATH… [--json] | text FILE"])
        #expect(said(["--help"], now: old).code == 0)
    }
}

struct RollingDigestTests {
    private let digest = RollingDigest<Shop>(every: 10).table(\.items).value(\.total).value(\.notes)

    @Test func `a digest of what changed is the digest of the whole`() {
        var rolling = digest
        let store = Store(Shop()) { shop }
        for number in 0..<500 {
            switch number % 5 {
            case 0, 1:
                store.dispatch(
                    ShopAction.add(id: "\(number % 40)", title: "\(number)", size: .small))
            case 2: store.dispatch(ShopAction.remove("\(number % 23)"))
            case 3: store.dispatch(ShopAction.note("\(number)", on: "x"))
            default:
                if let id = store.state.items.first?.id {
                    store.dispatch(ItemAction.count(1), to: .row(\.items, id: id))
                }
            }
            var whole = digest
            #expect(rolling.digest(of: store.state) == whole.digest(of: store.state))
        }
        var other = digest
        var changed = store.state
        changed.total += 1
        #expect(other.digest(of: changed) != rolling.digest(of: store.state))
    }

    @Test func `only the rows that changed are hashed`() {
        struct Counted: Codable, Sendable, Identifiable {
            let id: Int
            let counter: Counter
            init(id: Int, _ counter: Counter) { (self.id, self.counter) = (id, counter) }
            init(from decoder: any Decoder) throws { (id, counter) = (0, Counter()) }
            func encode(to encoder: any Encoder) throws {
                counter.count.withValue { $0 += 1 }
                var container = encoder.singleValueContainer()
                try container.encode(id)
            }
        }
        final class Counter: Sendable { let count = Guarded(0) }
        struct Table: Sendable { var rows: EntityTable<Counted> = [] }
        let counter = Counter()
        var table = Table()
        for id in 0..<10_000 { table.rows[id: id] = Counted(id: id, counter) }
        var digest = RollingDigest<Table>().table(\.rows)
        _ = digest.digest(of: table)
        #expect(counter.count.withValue { $0 } == 10_000)
        table.rows[id: 7] = Counted(id: 7, counter)
        table.rows.remove(id: 8)
        _ = digest.digest(of: table)
        #expect(counter.count.withValue { $0 } == 10_001)
    }

    @Test func `a fold that diverges is noticed at the next digest`() async throws {
        let folder = TemporaryFolder()
        let store = Store(Shop()) { shop }
        let recorder = try SessionRecorder(store, at: folder.path, alarm: digest)
        for number in 0..<100 {
            store.dispatch(ShopAction.add(id: "\(number)", title: "x", size: .large))
            if number % 10 == 9 { await recorder.flush() }
        }
        let report = try await recorder.session().unredacted
        #expect(report.alarms.count >= 5)
        #expect(try report.firstAlarm(in: shop, by: digest) == nil)
        let other = Feature<Shop> {
            shop
            Reduce { (shop: inout Shop, _: ShopAction) in
                if shop.items.count == 55 { shop.total += 1 }
            }
        }
        let alarm = try #require(try report.firstAlarm(in: other, by: digest))
        #expect((55...66).contains(alarm))
    }
}
