// SPDX-License-Identifier: MIT
#if All

import Foundation
import Onward
import OnwardJournal
import OnwardLog
import OnwardReports
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

    private func run(_ arguments: [String]) async -> (code: Int32, said: Said) {
        let said = Said()
        let tool = LogTool(
            name: "shop log", folding: LogFolding(Cart()) { cart }, write: { said.add($0, $1) })
        return (await tool.run(arguments), said)
    }

    @Test func `says how states differ, and who changed a part`() async throws {
        let (code, diff) = await run([file, "diff", "1", "2"])
        #expect(code == 0)
        #expect(diff.output == [#"items.1: nothing → "Ada's fig""#, "total: 3 → 7"])
        let (_, who) = await run([file, "who", "items.1"])
        #expect(who.output.count == 2)
        #expect(who.output.first?.hasPrefix("2  ") == true)
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
        let (_, diff) = await run([file, "diff", "6", "8"])
        #expect(diff.output == [#"items.2: "c" → nothing"#, "total: 3 → 2"])
        let (_, who) = await run([file, "who", "total", "--json"])
        #expect(
            who.output.compactMap { line in
                (try? DataFormat.json.value(of: Array(line.utf8)))?["new"]?.integer(as: Int.self)
            } == [3, 7, 0, 1, 2, 3, 1, 2, 1])
    }

    // MARK: Reports

    /// Writes the report of a session.
    private func report(_ use: (Store<Cart>) -> Void) async throws -> String {
        let store = Store(Cart(total: 1)) { cart }
        let recorder = try SessionRecorder(store, at: folder + "/sessions")
        use(store)
        let session = try await recorder.session()
        await recorder.stop()
        let file = folder + "/problem.onwardreport"
        try session.unredacted.write(to: file)
        return file
    }

    @Test func `of a report each value is shown, after each entry`() async throws {
        let file = try await report { store in
            store.dispatch(CartAction.add(name: "pear", price: 3))
            store.dispatch(CartAction.add(name: "fig", price: 4))
        }
        let (code, diff) = await run([file, "diff", "1", "2"])
        #expect(code == 0)
        #expect(diff.output == [#"items.1: nothing → "fig""#, "total: 4 → 8"])
        let (_, who) = await run([file, "who", "total"])
        #expect(who.output.count == 2)
        #expect(who.output.first?.hasSuffix(": 1 → 4") == true)
    }

    @Test func `of a report, a state that a history has installed is shown as it was`() async throws
    {
        let file = try await report { store in
            let history = History(of: store)
            for price in [10, 20, 30] {
                store.dispatch(CartAction.add(name: "fig", price: price))
            }
            history.jump(to: 1)
            history.detach()
            store.dispatch(CartAction.add(name: "fig", price: 100))
        }
        let (code, who) = await run([file, "who", "total", "--json"])
        #expect(code == 0)
        #expect(
            who.output.compactMap { line in
                (try? DataFormat.json.value(of: Array(line.utf8)))?["new"]?.integer(as: Int.self)
            } == [11, 31, 61, 11, 111])
    }

    @Test func `what is wrong is said under the name of the tool`() async throws {
        let (missing, said) = await run([folder + "/none", "who", "total"])
        #expect(missing == 2 && said.errors.count == 1)
        let (wrong, usage) = await run([file, "sing"])
        #expect(wrong == 64)
        #expect(usage.errors.first?.contains("shop log") == true)
        #expect(await run(["--help"]).code == 0)
    }
}
#endif
