// SPDX-License-Identifier: MIT

internal import Foundation
import Onward
import OnwardJournal
public import OnwardReports
import OnwardServer
import Synchronization
public import ToDoCore
import ToDoSync
import ToDoTasks

/// Records the sessions of visitors, so that each can read what happened before a problem, download it and send it.
///
/// A recording ends with the visitor's store, and goes. What a crash has left stays for the operator, the newest
/// hundred; only the user's own account may read it.
public final class ListReports: Sendable {
    /// What may leave the device: no text that a user has entered but days and blanks.
    public static let redaction = Redaction<ToDo>()
        // A day is read, and a title of blanks is none.
        .allowingTexts { CalendarDate($0) != nil || $0.allSatisfy(\.isWhitespace) }
        .checking("tasks") { $0.list.tasks.map(\.state) }
        .checking("changes to send") { $0.list.changes.map(\.kind) }
        .checking("can undo") { $0.steps.count }
        .checking("is alerting") { $0.alert != nil }

    private let folder: String
    private let recorders = Mutex<[String: SessionRecorder<ToDo>]>([:])

    /// Begins to record those who come.
    ///
    /// - Parameter folder: Where the last ten minutes of each are kept; it is made where it isn't there.
    /// - Throws: The system's error when the folder can't be made or read.
    public init(in folder: String) throws {
        self.folder = folder
        let files = FileManager.default
        try files.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        func date(_ path: String) -> Date {
            (try? files.attributesOfItem(atPath: path)[.modificationDate] as? Date) ?? .distantPast
        }
        let left = try files.contentsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }
        for path in left.sorted(by: { date($0) < date($1) }).dropLast(100) {
            try? files.removeItem(atPath: path)
        }
    }

    /// Records the store of a visitor until it ends; where nothing can be written, there is no report.
    func record(_ store: Store<ToDo>, of visitor: VisitorID) {
        var options = SessionOptions()
        options.app = "To-do"
        // A store that comes back has another folder than the one that is ending.
        let path = "\(folder)/\(UUID().uuidString)"
        guard
            let recorder = try? SessionRecorder(
                store, at: path, keeping: .minutes(10), options: options)
        else { return }
        recorders.withLock { $0[visitor.fileName] = recorder }
        let values = store.values(of: \.alert)
        Task {
            // They end with the store.
            for await _ in values {}
            recorders.withLock { recorders in
                if recorders[visitor.fileName] === recorder { recorders[visitor.fileName] = nil }
            }
            await recorder.stop()
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// The session of a visitor up to now; nil for one that isn't recorded.
    ///
    /// - Throws: `ReportError` where the recording can't be read.
    func report(of visitor: VisitorID) async throws -> Report? {
        guard let recorder = recorders.withLock({ $0[visitor.fileName] }) else { return nil }
        return try await recorder.session().report(in: toDoReducers, redacting: Self.redaction)
    }

    /// The reports as files of the page: each visitor's own, to read and to send.
    var files: AssetFolder {
        AssetFolder("/reports/") { name, visitors in
            for visitor in visitors {
                guard let report = try await self.report(of: visitor) else { continue }
                switch name {
                case "problem.onwardreport":
                    return .init(
                        Asset(
                            path: name, contentType: "application/octet-stream",
                            bytes: try report.bytes()))
                case "problem.txt":
                    return .init(
                        Asset(
                            path: name, contentType: "text/plain; charset=utf-8",
                            bytes: Array(report.text().utf8)))
                default: return nil
                }
            }
            return nil
        }
    }
}
