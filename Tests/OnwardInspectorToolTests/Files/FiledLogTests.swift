// SPDX-License-Identifier: MIT
#if All

import Foundation
import Onward
import OnwardInspection
import OnwardInspector
import OnwardJournal
import OnwardReports
import Testing

@testable import OnwardInspectorTool

struct FiledLogTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func names(_ log: FiledLog) -> [String] {
        log.entries(EntryQuery()).entries.map(\.name)
    }

    private static let all = ["CartAction/add", "CartAction/add", "CartAction/clear"]

    // MARK: Redux DevTools

    @Test func `a file of Redux DevTools has each state, and who changed what`() async throws {
        let log = try await FiledLog.read(folder.devTools())
        #expect(names(log) == Self.all)
        #expect(log.summary.cursor == 2)
        #expect(log.value(at: 1, "total") == 3)
        #expect(log.changes(from: 1, to: 2, in: "total", limit: 9).map(\.new) == ["7"])
        let who = log.changes(of: "total").entries
        #expect(who.map(\.id) == [1, 2, 3])
        #expect(who.map { $0.change?.old } == ["0", "3", "7"])
        #expect(who.allSatisfy { $0.since == nil })
        let first = try #require(log.entry(1))
        #expect(first.line.file.hasSuffix("Fixtures.swift") && first.line.line > 0)
        #expect(first.payload.parts.map(\.text) == [#""pear""#, "3"])
    }

    @Test func `actions without states are listed with the state that they began with`()
        async throws
    {
        let file = try folder.write(
            #"{"payload": "[{\"type\":\"A\"},{\"type\":\"B\",\"x\":1}]", "preloadedState": "{\"n\":5}"}"#
                .utf8, to: "bare.json")
        let log = try await FiledLog.read(file)
        #expect(names(log) == ["A", "B"])
        #expect(log.entry(1)?.line.file == "" && log.entry(1)?.line.line == 0)
        #expect(log.value(at: 2, "n") == 5)
        #expect(log.knownMoment(upTo: 2) == 0)
    }

    // MARK: Journals and reports

    @Test func `a journal is read with its versions as ids, and the states of its snapshots`()
        async throws
    {
        let log = try await FiledLog.read(folder.journal())
        #expect(names(log) == Self.all)
        #expect(log.entry(2)?.line.preview == #"{name: "Ada's <b>fig</b>", price: 4}"#)
        #expect(log.entry(2)?.version == 2)
        #expect(log.entry(4) == nil && log.moment(after: 3) == 3)
    }

    @Test func `between two states that are known, a change is that of an entry or one before it`()
        async throws
    {
        let journal: any Journal = MemoryJournal()
        let entries = [1, 2, 3, 4].map { JournalEntry(version: $0, name: "A") }
        try await journal.append(entries, after: .start)
        for (version, total) in [(UInt64(1), Int64(1)), (3, 1), (4, 9)] {
            try await journal.store(
                JournalSnapshot(
                    version: version, fingerprint: FeatureFingerprint(rawValue: 1),
                    payload: DataFormat.cbor.bytes(of: ["total": .integer(total)])))
        }
        let log = try await FiledLog(journal)
        #expect((0...4).map { log.knownMoment(upTo: $0) } == [nil, 1, 1, 3, 4])
        #expect(log.value(at: 0, "total") == nil)
        #expect(log.value(at: 2, "total") == 1)
        let who = log.changes(of: "total").entries
        #expect(who.map(\.id) == [4])
        #expect(who.first?.since == nil)
        #expect(log.changes(from: 0, to: 4, in: DataPath(), limit: 9).isEmpty)
        let few = try await FiledLog(journal, limit: 2)
        #expect(few.entries(EntryQuery()).entries.map(\.id) == [3, 4])
    }

    @Test func `a change between states far apart says since when`() {
        let entries = (1...3).map { FiledLog.Entry(id: $0, name: "A", payload: .known(.null)) }
        let log = FiledLog(
            entries,
            states: [
                .init(moment: 0, state: .known(["n": 1])),
                .init(moment: 3, state: .known(["n": 2])),
            ])
        let who = log.changes(of: "n").entries
        #expect(who.map(\.id) == [3] && who.first?.since == 0)
        var query = EntryQuery()
        query.hidesUnchanged = true
        #expect(log.entries(query).entries.map(\.isChange) == [nil, nil, true])
    }

    @Test func `a report shows the action in which the program died`() async throws {
        let store = Store(Cart(total: 1)) { cart }
        let recorder = try SessionRecorder(store, at: folder.path + "/sessions")
        await fill { store.dispatch($0) }
        var report = try await recorder.session().report(in: cart)
        await recorder.stop()
        var ending = Report.Ending()
        ending.reduced = Report.ReducedAction(
            name: "CartAction", origin: ActionOrigin(file: "Shop/Cart.swift", line: 7), version: 4,
            payload: nil)
        report.ending = ending
        let file = folder.path + "/problem.onwardreport"
        try report.write(to: file)
        let log = try await FiledLog.read(file)
        let last = try #require(log.entries(EntryQuery()).entries.last)
        #expect(last.name == "CartAction (the program ended while it reduced this)")
        #expect(last.file == "Shop/Cart.swift" && last.id == 4)
        #expect(log.value(at: 0, "total") == 1)
    }

    // MARK: Anything else

    @Test(
        arguments: [
            "", "{", "{}", "[1]", #"{"actionsById": 1}"#, #"{"payload": 3}"#, "\u{0}\u{1}",
            String(repeating: "{\"a\":", count: 10_000),
        ])
    func `what is no such file is refused with a reason`(text: String) async throws {
        let file = try folder.write(text.utf8, to: "other")
        let error = await #expect(throws: (any Error).self) { try await FiledLog.read(file) }
        #expect("\(String(describing: error))".count > 20)
    }

    @Test func `a file that is missing is named`() async {
        let error = await #expect(throws: FileProblem.self) { try await FiledLog.read("/no/file") }
        #expect(error?.description == "/no/file can't be read: there is no such file.")
    }
}
#endif
