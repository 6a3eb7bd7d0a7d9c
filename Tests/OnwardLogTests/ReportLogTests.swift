// SPDX-License-Identifier: MIT
#if All

import Foundation
import Onward
import OnwardJournal
import OnwardLog
import OnwardReports
import Testing

private struct Basket: Codable, Equatable, Sendable {
    var items: [String] = []
    var total = 0
}

private enum BasketAction: Action, Codable {
    case add(name: String, price: Int)
    case clear
}

private struct Unwritable: Action {}

private let basket = Feature<Basket> {
    Reduce { (basket: inout Basket, action: BasketAction) in
        switch action {
        case .add(let name, let price):
            basket.items.append(name)
            basket.total += price
        case .clear: basket = Basket()
        }
    }
    Reduce { (basket: inout Basket, _: Unwritable) in basket.total += 1 }
}

final class ReportLogTests: Sendable {
    private let folder =
        FileManager.default.temporaryDirectory.path + "/onward-reports-\(UUID().uuidString)"
    private var file: String { folder + "/problem.onwardreport" }

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func session(
        from state: Basket = Basket(total: 1), _ use: (Store<Basket>) -> Void
    ) async throws -> RecordedSession {
        let store = Store(state) { basket }
        let recorder = try SessionRecorder(store, at: folder + "/sessions")
        use(store)
        let session = try await recorder.session()
        await recorder.stop()
        return session
    }

    /// Writes the report of a session with two fruits, of which names are replaced.
    private func write(ending: Report.Ending = Report.Ending()) async throws {
        let session = try await session { store in
            store.dispatch(BasketAction.add(name: "pear", price: 3))
            store.dispatch(BasketAction.add(name: "Ada's fig", price: 4))
        }
        var report = try session.report(in: basket)
        report.ending = ending
        try report.write(to: file)
    }

    private func run(
        _ arguments: [String], knowsTypes: Bool = false
    ) async -> (code: Int32, said: Said) {
        let said = Said()
        let folding = knowsTypes ? LogFolding(Basket()) { basket } : nil
        let tool = LogTool(name: "shop log", folding: folding, write: { said.add($0, $1) })
        return (await tool.run(arguments), said)
    }

    @Test func `the entries of a report are listed as those of a journal, and its ending`()
        async throws
    {
        var ending = Report.Ending()
        ending.missing = 2
        try await write(ending: ending)
        let (code, said) = await run([file, "list"])
        #expect(code == 0)
        #expect(said.output.count == 3)
        #expect(said.output[0].contains("BasketAction/add"))
        #expect(said.output[0].contains(#""price":3"#))
        #expect(said.output[2] == "the 2 entries that came last are missing")
        #expect(!said.output.joined().contains("Ada"))
        let (_, json) = await run([file, "list", "--json", "--from", "2", "--limit", "1"])
        #expect(json.output.count == 1)
        #expect(json.output.first?.contains(#""version":2"#) == true)
    }

    @Test func `an entry is shown, and the state before the first one`() async throws {
        try await write()
        let (code, said) = await run([file, "show", "2"])
        #expect(code == 0)
        #expect(said.output.contains("name: BasketAction/add"))
        let (start, state) = await run([file, "show", "0"])
        #expect(start == 0)
        #expect(state.output == ["items: []", "total: 1"])
        #expect(await run([file, "show", "9"]).code == 1)
    }

    @Test func `without the app's types the digests say what has changed, and where about`()
        async throws
    {
        let session = try await session { store in
            for _ in 0..<150 { store.dispatch(BasketAction.add(name: "", price: 0)) }
            store.dispatch(BasketAction.add(name: "", price: 5))
            for _ in 0..<100 { store.dispatch(BasketAction.add(name: "", price: 0)) }
        }
        try session.report(in: basket).write(to: file)
        let (code, said) = await run([file, "diff", "120", "180"])
        #expect(code == 0)
        #expect(
            said.output == [
                "items: changed after 100, up to 200", "total: changed after 100, up to 200",
            ])
        #expect(said.errors.first?.hasPrefix("By the digests in the report.") == true)
        let (_, who) = await run([file, "who", "total", "--json"])
        #expect(who.output == [#"{"after":100,"path":"total","upTo":200}"#])
        // A part that is too deep or too wide for a digest: the one around it.
        let (_, around) = await run([file, "who", "total.cents"])
        #expect(around.output == ["total: changed after 100, up to 200"])
        #expect(await run([file, "diff", "7", "7"]).said.output.isEmpty)
    }

    @Test func `with the app's types each value is shown, after each entry`() async throws {
        try await write()
        let (code, diff) = await run([file, "diff", "1", "2"], knowsTypes: true)
        #expect(code == 0)
        #expect(diff.output.count == 2)
        #expect(diff.output[1] == "total: 4 → 8")
        let (_, who) = await run([file, "who", "total"], knowsTypes: true)
        #expect(who.output.count == 2)
        #expect(who.output.first?.hasSuffix(": 1 → 4") == true)
    }

    @Test func `a state that a history has installed is shown as it was`() async throws {
        let session = try await session { store in
            let history = History(of: store)
            for price in [10, 20, 30] {
                store.dispatch(BasketAction.add(name: "fig", price: price))
            }
            history.jump(to: 1)
            history.detach()
            store.dispatch(BasketAction.add(name: "fig", price: 100))
        }
        try session.unredacted.write(to: file)
        let (code, who) = await run([file, "who", "total", "--json"], knowsTypes: true)
        #expect(code == 0)
        #expect(
            who.output.compactMap { line in
                (try? DataFormat.json.value(of: Array(line.utf8)))?["new"]?.integer(as: Int.self)
            } == [11, 31, 61, 11, 111])
        // Nobody has made digests, so without the types there is no answer.
        #expect(await run([file, "who", "total"]).code == 4)
    }

    @Test func `all of a report can be read and exported, and nothing in it be changed`()
        async throws
    {
        try await write()
        let (code, text) = await run([file, "text"])
        #expect(code == 0)
        #expect(text.output.contains("  state.total: 1"))
        let (_, exported) = await run([file, "export"])
        #expect(exported.output.count == 4)
        #expect(exported.output[0].contains(#""report":1"#))
        #expect(exported.output[1].contains(#""snapshot":0"#))
        let lines = folder + "/exported.jsonl"
        try Data(exported.output.joined(separator: "\n").utf8).write(to: URL(filePath: lines))
        let (imported, refusal) = await run([folder + "/copy.journal", "import", lines])
        #expect(imported == 2)
        #expect(refusal.errors.first?.contains("comes from a report") == true)
        let before = try Data(contentsOf: URL(filePath: file))
        for verb in [["compact"], ["erase", "fig"]] {
            let (code, said) = await run([file] + verb)
            #expect(code == 2)
            #expect(said.errors.first?.contains("is a report, which can only be read") == true)
        }
        #expect(try Data(contentsOf: URL(filePath: file)) == before)
    }

    @Test func `what is whole is said, and what is missing or damaged`() async throws {
        try await write()
        let (code, said) = await run([file, "verify"])
        #expect(code == 0)
        #expect(said.output == ["2 entries from 1 to 2 and 1 snapshots are whole"])
        var bytes = try Data(contentsOf: URL(filePath: file))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(filePath: file))
        let (damaged, found) = await run([file, "verify"])
        #expect(damaged == 1)
        #expect(found.errors.first?.contains("damaged") == true)
        bytes[7] = 200
        try bytes.write(to: URL(filePath: file))
        #expect(await run([file, "list"]).code == 2)
        let session = try await session { store in
            store.dispatch(BasketAction.clear)
            store.dispatch(Unwritable())
            store.dispatch(BasketAction.clear)
        }
        for report in [session.unredacted, try session.report(in: basket)] {
            try report.write(to: file)
            let (missing, said) = await run([file, "verify"])
            #expect(missing == 1)
            let error = try #require(said.errors.first)
            #expect(error.hasPrefix("1 of 3 entries are not in the report, first 2"))
            #expect(await run([file, "list"]).said.output.count == 3)
        }
    }
}
#endif
