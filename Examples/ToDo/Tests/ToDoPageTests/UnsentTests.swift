// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import Synchronization
import Testing
import ToDoSync
import ToDoTasks

@testable import OnwardServer
@testable import ToDoPage

/// What can't be sent lies in a folder.
@Suite struct UnsentTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("todo-\(UUID())")
    private let change = Change.sample

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    @Test func `a visitor's changes and answered requests come back from its file`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (visitor, other) = (VisitorID(), VisitorID())
        let requests = ProcessedRequests.sample(["request-1", "request-2"])
        let unsent = try UnsentFolder(folder)
        await save([change], in: unsent.changes(of: visitor, requests))
        #expect(try files == ["\(visitor.fileName).json"])

        let restored = ProcessedRequests.sample([])
        #expect(try unsent.changes(of: visitor, restored).load() == [change])
        #expect(restored.ids == ["request-1", "request-2"])
        #expect(try unsent.changes(of: other, restored).load() == nil)
    }

    @Test func `there is a file only while something waits`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let saved = try UnsentFolder(folder).changes(of: VisitorID(), .sample([]))
        await save([], in: saved)
        #expect(try files == [])
        await save([change], in: saved)
        #expect(try files.count == 1)
        await save([], in: saved)
        #expect(try files == [])
    }

    @Test func `nobody else may enter the folder`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try UnsentFolder(folder)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test func `a file that can't be read is reported and set aside`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let notified = Mutex<[String]>([])
        let visitor = VisitorID()
        let unsent = try UnsentFolder(folder) { error in notified.withLock { $0.append("\(error)") }
        }
        let file = folder.appendingPathComponent("\(visitor.fileName).json")
        try Data("<nonsense".utf8).write(to: file)
        #expect(try unsent.changes(of: visitor, .sample([])).load() == nil)
        #expect(notified.withLock { $0.count } == 1)
        #expect(try files == ["\(visitor.fileName).json.broken-1"])
    }

    @Test func `of too many files the oldest go`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try UnsentFolder(folder)
        for number in 1...4 {
            let file = folder.appendingPathComponent("\(number).json")
            try Data().write(to: file)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(number))],
                ofItemAtPath: file.path)
        }
        _ = try UnsentFolder(folder, limit: 2)
        #expect(try files == ["3.json", "4.json"])
    }

    private enum Edit: Action { case set([Change]) }

    /// Saves as a store does that has other changes to send.
    private func save(_ changes: [Change], in saved: SavedValue<[Change]>) async {
        let store = Store([Change]()) {
            Reduce { (changes: inout [Change], edit: Edit) in
                switch edit {
                case .set(let new): changes = new
                }
            }
            Saving(\.self, as: saved, after: .zero)
        }
        store.dispatch(Edit.set(changes))
        await store.shutdown()
    }
}

extension Change {
    /// A change as it is saved.
    fileprivate static var sample: Change {
        Change(
            .create,
            TaskItem(
                id: "a", name: "Buy “milk”", dueDate: CalendarDate("2028-02-29"), notes: "Two\n",
                state: .done))
    }
}

extension ProcessedRequests {
    /// Those of a visitor.
    fileprivate static func sample(_ ids: [String]) -> ProcessedRequests {
        let requests = ProcessedRequests()
        requests.restore(ids)
        return requests
    }
}
