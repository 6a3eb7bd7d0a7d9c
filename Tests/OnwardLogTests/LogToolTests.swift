// SPDX-License-Identifier: MIT
#if All

import Foundation
import Onward
import OnwardJournal
import OnwardLog
import OnwardSQLite
import Synchronization
import Testing

private struct Cart: Codable, Equatable, Sendable {
    var items: [String] = []
    var total = 0
}

private enum CartAction: Action, Codable {
    case add(name: String, price: Int)
    case clear
}

private let cart = Feature<Cart> {
    Reduce { (cart: inout Cart, action: CartAction) in
        switch action {
        case .add(let name, let price):
            cart.items.append(name)
            cart.total += price
        case .clear: cart = Cart()
        }
    }
}

/// What a tool said.
final class Said: Sendable {
    private let lines = Mutex<(output: [String], errors: [String])>(([], []))
    var output: [String] { lines.withLock { $0.output } }
    var errors: [String] { lines.withLock { $0.errors } }

    func add(_ line: String, _ isError: Bool) {
        lines.withLock { lines in
            if isError { lines.errors.append(line) } else { lines.output.append(line) }
        }
    }
}

final class LogToolTests: Sendable {
    private let folder =
        FileManager.default.temporaryDirectory.path + "/onward-log-\(UUID().uuidString)"
    private var file: String { folder + "/shop.journal" }

    init() async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let app = try await Persistence(of: Cart(), in: SQLiteJournal(at: file)) { cart }
        try await app.dispatch(CartAction.add(name: "pear", price: 3))
        try await app.dispatch(CartAction.add(name: "Ada's fig", price: 4))
        try await app.dispatch(CartAction.clear)
        try await app.shutdown()
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func run(
        _ arguments: [String], knowsTypes: Bool = false
    ) async -> (code: Int32, said: Said) {
        let said = Said()
        let folding = knowsTypes ? LogFolding(Cart()) { cart } : nil
        let tool = LogTool(name: "shop log", folding: folding, write: { said.add($0, $1) })
        return (await tool.run(arguments), said)
    }

    @Test func `lists entries, as text and as JSON`() async throws {
        let (code, said) = await run([file, "list"])
        #expect(code == 0)
        #expect(said.output.count == 3)
        #expect(said.output.first?.hasPrefix("1  20") == true)
        #expect(said.output.first?.contains(#"CartAction/add  {"name":"pear","price":3}"#) == true)
        let (_, json) = await run([file, "list", "--json", "--from", "2", "--limit", "1"])
        #expect(json.output.count == 1)
        #expect(json.output.first?.contains(#""version":2"#) == true)
    }

    @Test func `shows all that an entry says`() async throws {
        let (code, said) = await run([file, "show", "2"])
        #expect(code == 0)
        #expect(said.output.contains("name: CartAction/add"))
        #expect(said.output.contains { $0.hasPrefix("id: ") })
        #expect(await run([file, "show", "9"]).code == 1)
    }

    @Test func `says how states differ, and who changed a part, with the app's types`() async throws
    {
        let (code, diff) = await run([file, "diff", "1", "2"], knowsTypes: true)
        #expect(code == 0)
        #expect(diff.output == [#"items.1: nothing → "Ada's fig""#, "total: 3 → 7"])
        let (_, who) = await run([file, "who", "items.1"], knowsTypes: true)
        #expect(who.output.count == 2)
        #expect(who.output.first?.hasPrefix("2  ") == true)
        let (lacking, said) = await run([file, "diff", "1", "2"])
        #expect(lacking == 4)
        #expect(said.errors.first?.contains("shop log") == true)
    }

    @Test func `shows what a history has installed, and the states that it leads to`() async throws
    {
        let app = try await Persistence(of: Cart(), in: SQLiteJournal(at: file)) { cart }
        let history = History(of: app.store)
        for name in ["a", "b", "c"] {
            try await app.dispatch(CartAction.add(name: name, price: 1))
        }
        history.jump(to: 1)
        history.jump(to: 2)
        history.toggle(2)
        try await app.shutdown()
        let (_, list) = await run([file, "list", "--from", "7"])
        #expect(list.output.count == 3)
        #expect(list.output.first?.contains(#"install Travel  {"shown":4}"#) == true)
        let (_, diff) = await run([file, "diff", "6", "8"], knowsTypes: true)
        #expect(diff.output == [#"items.2: "c" → nothing"#, "total: 3 → 2"])
        let (_, who) = await run([file, "who", "total", "--json"], knowsTypes: true)
        #expect(
            who.output.compactMap { line in
                (try? DataFormat.json.value(of: Array(line.utf8)))?["new"]?.integer(as: Int.self)
            } == [3, 7, 0, 1, 2, 3, 1, 2, 1])
    }

    @Test func `imports what was exported, byte for byte`() async throws {
        let (_, exported) = await run([file, "export"])
        let text = folder + "/exported.jsonl"
        try Data(exported.output.joined(separator: "\n").utf8).write(to: URL(filePath: text))
        let (code, said) = await run([folder + "/copy.journal", "import", text])
        #expect(code == 0)
        #expect(said.output == ["3 entries imported"])
        let (one, other) = (
            try await SQLiteJournal(reading: file),
            try await SQLiteJournal(reading: folder + "/copy.journal")
        )
        #expect(
            try await one.entries(from: 1, limit: 9) == other.entries(from: 1, limit: 9))
        #expect(await run([folder + "/copy.journal", "import", text]).code == 2)
        #expect(await run([folder + "/other.journal", "import", file]).code == 2)
    }

    @Test func `says what is whole, and what is damaged`() async throws {
        let (code, said) = await run([file, "verify"])
        #expect(code == 0)
        #expect(said.output.first?.hasPrefix("3 entries from 1 to 3") == true)
        let (_, json) = await run([file, "verify", "--json"])
        #expect(json.output.first?.contains(#""entries":3"#) == true)
        let handle = try FileHandle(forUpdating: URL(filePath: file))
        let bytes = try handle.readToEnd() ?? Data()
        let place = try #require(bytes.range(of: Data("Ada's".utf8)))
        try handle.seek(toOffset: UInt64(place.lowerBound))
        try handle.write(contentsOf: Data("Bob's".utf8))
        try handle.close()
        let (damaged, found) = await run([file, "verify"])
        #expect(damaged == 1)
        #expect(found.errors.first?.hasPrefix("Entry 2 of the journal is damaged") == true)
    }

    @Test func `erases a text from every byte of the file, and compacts it`() async throws {
        let (whole, left) = await run([file, "erase", "Ada"])
        #expect(whole == 1)
        #expect(
            left.output == [
                "erased from 0 entries; the file still has the text, within other texts at 1 versions; see --parts"
            ])
        let (code, said) = await run([file, "erase", "Ada", "--parts"])
        #expect(code == 0)
        #expect(said.output == ["erased from 1 entries; the file no longer has the text"])
        #expect(try Data(contentsOf: URL(filePath: file)).range(of: Data("Ada".utf8)) == nil)
        let (compacted, _) = await run([file, "compact", "--forget"])
        #expect(compacted == 0)
        #expect(await run([file, "verify"]).code == 0)
    }

    @Test func `a file that is missing, no journal, or in use is one clear line`() async throws {
        let (missing, said) = await run([folder + "/none", "list"])
        #expect(missing == 2)
        #expect(said.errors.count == 1)
        try Data("Dear diary".utf8).write(to: URL(filePath: folder + "/diary"))
        let (foreign, diary) = await run([folder + "/diary", "list"])
        #expect(foreign == 2)
        #expect(diary.errors.first?.contains("is no journal") == true)
        let writer = try await SQLiteJournal(at: file)
        #expect(await run([file, "compact"]).code == 3)
        #expect(await run([file, "list"]).code == 0)
        await writer.close()
        #expect(await run([file, "sing"]).code == 64)
        #expect(await run(["--help"]).code == 0)
    }
}
#endif
