// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import OnwardTesting
import Testing

@testable import OnwardReports

/// What came with actions is in reports and in the tests made of them, but for names.
struct StampedReportTests {
    struct Row: Codable, Equatable, Sendable, Identifiable {
        let id: UniqueID
        var author: String?
        var isDone = false
    }
    struct Board: Codable, Equatable, Sendable { var rows: EntityTable<Row> = [] }
    enum BoardAction: Action, Codable, Equatable { case add, done(UniqueID) }
    enum Mark: String, Action, Codable { case one, two }

    static let board = Feature<Board> {
        Reduce { (board: inout Board, action: BoardAction, stamp) in
            switch action {
            case .add: board.rows.append(Row(id: stamp.id(), author: stamp.author))
            case .done(let id): board.rows[id: id]?.isDone = true
            }
        }
        Reduce { (board: inout Board, mark: Mark) in if mark == .two { board.rows = [] } }
    }

    private func session() async throws -> (RecordedSession, Store<Board>) {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("onward-stamps-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = Store(Board()) { Self.board }
        let recorder = try SessionRecorder(store, at: folder.path)
        await recorder.flush()
        for _ in 0..<3 {
            ActionAuthor.$current.withValue("annabel") { _ = store.dispatch(BoardAction.add) }
        }
        if let id = store.state.rows.first?.id { store.dispatch(BoardAction.done(id)) }
        let session = try await recorder.session()
        await recorder.stop()
        return (session, store)
    }

    @Test func `a redacted report has no author, and takes the same course`() async throws {
        let (session, store) = try await session()
        let report = try session.report(in: Self.board)
        let text = String(decoding: try report.bytes(), as: UTF8.self)
        #expect(!text.contains("annabel"))
        #expect(!report.text().contains("annabel"))
        let replayed = try report.replayed(in: Self.board).store.state
        #expect(replayed.rows.map(\.id) == store.state.rows.map(\.id))
        #expect(replayed.rows.map(\.isDone) == [true, false, false])
        let authors = Set(replayed.rows.map(\.author))
        #expect(authors.count == 1 && authors != ["annabel"] && authors != [nil])
    }

    @Test
    func `the shortest test keeps the stamps that the fault needs, and cases with raw values`()
        async throws
    {
        let (session, _) = try await session()
        let found = try session.unredacted.shortest(in: Self.board) {
            $0.rows.contains { $0.author == "annabel" }
        }
        let source = try found.testSource(named: "a", making: "store()")
        #expect(source.contains(#""author":"annabel""#))
        let store = Store(Board()) { Self.board }
        let marks = try Replay.shortest(
            of: [LogEntry(version: 1, action: Mark.two)],
            from: Board(rows: [Row(id: UniqueID(number: 1))]), by: store
        ) { $0.rows.isEmpty }
        #expect(
            try marks.testSource(named: "a", making: "store()").contains(
                ##".init("StampedReportTests.Mark/two", "null")"##))
    }
}
