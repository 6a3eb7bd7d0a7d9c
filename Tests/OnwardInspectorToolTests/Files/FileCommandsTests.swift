// SPDX-License-Identifier: MIT
#if All

import Foundation
import Onward
import OnwardJournal
import OnwardReports
import OnwardSQLite
import Testing

@testable import OnwardInspectorTool

private struct Unwritable: Action {}

struct FileCommandsTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    // MARK: Journals

    @Test func `imports what was exported, byte for byte`() async throws {
        let file = try await folder.journal()
        let (_, exported) = await onward("inspect", file, "export")
        let text = folder.path + "/exported.jsonl"
        try Data(exported.output.joined(separator: "\n").utf8).write(to: URL(filePath: text))
        let (code, said) = await onward("inspect", folder.path + "/copy.journal", "import", text)
        #expect(code == 0)
        #expect(said.output == ["3 entries imported"])
        let (one, other) = (
            try await SQLiteJournal(reading: file),
            try await SQLiteJournal(reading: folder.path + "/copy.journal")
        )
        #expect(
            try await one.entries(from: 1, limit: 9) == other.entries(from: 1, limit: 9))
        #expect(await onward("inspect", folder.path + "/copy.journal", "import", text).code == 2)
        #expect(await onward("inspect", folder.path + "/other.journal", "import", file).code == 2)
    }

    @Test func `says what is whole, and what is damaged`() async throws {
        let file = try await folder.journal()
        let (code, said) = await onward("inspect", file, "verify")
        #expect(code == 0)
        #expect(said.output.first?.hasPrefix("3 entries from 1 to 3") == true)
        let (_, json) = await onward("inspect", file, "verify", "--json")
        #expect(json.output.first?.contains(#""entries":3"#) == true)
        let handle = try FileHandle(forUpdating: URL(filePath: file))
        let bytes = try handle.readToEnd() ?? Data()
        let place = try #require(bytes.range(of: Data("Ada's".utf8)))
        try handle.seek(toOffset: UInt64(place.lowerBound))
        try handle.write(contentsOf: Data("Bob's".utf8))
        try handle.close()
        let (damaged, found) = await onward("inspect", file, "verify")
        #expect(damaged == 1)
        #expect(found.errors.first?.hasPrefix("Entry 2 of the journal is damaged") == true)
    }

    @Test func `erases a text from every byte of the file, and compacts it`() async throws {
        let file = try await folder.journal()
        let (whole, left) = await onward("inspect", file, "erase", "Ada")
        #expect(whole == 1)
        #expect(
            left.output == [
                "erased from 0 entries; the file still has the text, within other texts at 1 versions; see --parts"
            ])
        let (code, said) = await onward("inspect", file, "erase", "Ada", "--parts")
        #expect(code == 0)
        #expect(said.output == ["erased from 1 entries; the file no longer has the text"])
        #expect(try Data(contentsOf: URL(filePath: file)).range(of: Data("Ada".utf8)) == nil)
        let (compacted, _) = await onward("inspect", file, "compact", "--forget")
        #expect(compacted == 0)
        #expect(await onward("inspect", file, "verify").code == 0)
    }

    @Test func `a file that is missing, no journal, or in use is one clear line`() async throws {
        let file = try await folder.journal()
        let (missing, said) = await onward("inspect", folder.path + "/none", "verify")
        #expect(missing == 2)
        #expect(said.errors.count == 1)
        try Data("Dear diary".utf8).write(to: URL(filePath: folder.path + "/diary"))
        let (foreign, diary) = await onward("inspect", folder.path + "/diary", "verify")
        #expect(foreign == 2)
        #expect(diary.errors.first?.contains("is no journal") == true)
        let writer = try await SQLiteJournal(at: file)
        #expect(await onward("inspect", file, "compact").code == 3)
        #expect(await onward("inspect", file, "list").code == 0)
        await writer.close()
        #expect(await onward("inspect", file, "sing").code == 64)
        #expect(await onward("inspect", "--help").code == 0)
    }

    // MARK: Reports

    private func recorded(_ use: (Store<Cart>) -> Void) async throws -> RecordedSession {
        let store = Store(Cart(total: 1)) {
            cart
            Reduce { (cart: inout Cart, _: Unwritable) in cart.total += 1 }
        }
        let recorder = try SessionRecorder(store, at: folder.path + "/sessions")
        use(store)
        let session = try await recorder.session()
        await recorder.stop()
        return session
    }

    /// The report of a session with two fruits, of which names are replaced.
    private func report(ending: Report.Ending = Report.Ending()) async throws -> String {
        let session = try await recorded { store in
            store.dispatch(CartAction.add(name: "pear", price: 3))
            store.dispatch(CartAction.add(name: "Ada's fig", price: 4))
        }
        var report = try session.report(in: cart)
        report.ending = ending
        let file = folder.path + "/problem.onwardreport"
        try report.write(to: file)
        return file
    }

    @Test func `the entries of a report are listed as those of a journal, and its ending`()
        async throws
    {
        var ending = Report.Ending()
        ending.missing = 2
        let file = try await report(ending: ending)
        let (code, said) = await onward("inspect", file, "list")
        #expect(code == 0)
        #expect(said.output.count == 3)
        #expect(said.output[0].contains("CartAction/add"))
        #expect(said.output[0].contains("price: 3"))
        #expect(said.output[2] == "4  the 2 entries that came last are missing")
        #expect(!said.output.joined().contains("Ada"))
        let (_, start) = await onward("inspect", file, "state", "--entry", "0")
        #expect(start.output.contains("total: 1"))
    }

    @Test func `without the app's types the digests say what has changed, and where about`()
        async throws
    {
        let session = try await recorded { store in
            for _ in 0..<150 { store.dispatch(CartAction.add(name: "", price: 0)) }
            store.dispatch(CartAction.add(name: "", price: 5))
            for _ in 0..<100 { store.dispatch(CartAction.add(name: "", price: 0)) }
        }
        let file = folder.path + "/problem.onwardreport"
        try session.report(in: cart).write(to: file)
        let (code, said) = await onward("inspect", file, "diff", "120", "180")
        #expect(code == 0)
        #expect(
            said.output == [
                "items: one value after 100 → another after 200",
                "total: one value after 100 → another after 200",
            ])
        let (_, part) = await onward("inspect", file, "diff", "120", "180", "--path", "total")
        #expect(part.output == ["total: one value after 100 → another after 200"])
        let (_, who) = await onward("inspect", file, "who", "total")
        #expect(who.output.count == 1)
        #expect(who.output.first?.hasPrefix("200  CartAction/add") == true)
        #expect(
            who.output.first?.contains(
                "one value after 100 → another after 200 (or an entry after 100)") == true)
        // A part that is too deep or too wide for a digest: the one around it.
        #expect(await onward("inspect", file, "who", "total.cents").said.output == who.output)
        #expect(await onward("inspect", file, "diff", "7", "7").said.output.isEmpty)
        let (_, changed) = await onward("inspect", file, "list", "--changed", "--after", "199")
        #expect(changed.output.first?.hasPrefix("200  ") == true)
    }

    @Test func `all of a report can be read and exported, and nothing in it be changed`()
        async throws
    {
        let file = try await report()
        let (code, text) = await onward("inspect", file, "text")
        #expect(code == 0)
        #expect(text.output.contains("  state.total: 1"))
        let (_, exported) = await onward("inspect", file, "export")
        #expect(exported.output.count == 4)
        #expect(exported.output[0].contains(#""report":1"#))
        #expect(exported.output[1].contains(#""snapshot":0"#))
        let lines = folder.path + "/exported.jsonl"
        try Data(exported.output.joined(separator: "\n").utf8).write(to: URL(filePath: lines))
        let (imported, refusal) = await onward(
            "inspect", folder.path + "/copy.journal", "import", lines)
        #expect(imported == 2)
        #expect(refusal.errors.first?.contains("comes from a report") == true)
        let before = try Data(contentsOf: URL(filePath: file))
        for verb in [["compact"], ["erase", "fig"]] {
            let (code, said) = await onward(["inspect", file] + verb)
            #expect(code == 2)
            #expect(said.errors.first?.contains("is a report, which can only be read") == true)
        }
        #expect(try Data(contentsOf: URL(filePath: file)) == before)
    }

    @Test func `what is whole is said, and what is missing or damaged`() async throws {
        let file = try await report()
        let (code, said) = await onward("inspect", file, "verify")
        #expect(code == 0)
        #expect(said.output == ["2 entries from 1 to 2 and 1 snapshots are whole"])
        var bytes = try Data(contentsOf: URL(filePath: file))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(filePath: file))
        let (damaged, found) = await onward("inspect", file, "verify")
        #expect(damaged == 1)
        #expect(found.errors.first?.contains("damaged") == true)
        bytes[7] = 200
        try bytes.write(to: URL(filePath: file))
        #expect(await onward("inspect", file, "list").code == 2)
        let session = try await recorded { store in
            store.dispatch(CartAction.clear)
            store.dispatch(Unwritable())
            store.dispatch(CartAction.clear)
        }
        for report in [session.unredacted, try session.report(in: cart)] {
            try report.write(to: file)
            let (missing, said) = await onward("inspect", file, "verify")
            #expect(missing == 1)
            let error = try #require(said.errors.first)
            #expect(error.hasPrefix("1 of 3 entries are not in the report, first 2"))
            #expect(await onward("inspect", file, "list").said.output.count == 3)
        }
    }
}
#endif
