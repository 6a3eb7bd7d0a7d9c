// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import Testing
import ToDoClient
import ToDoSync
import ToDoTasks

/// The service as a process of its own, which can be killed.
@Suite(.serialized) struct CrashTests {
    private final class Process: Sendable {
        let address: ServerAddress
        private let process: Mutex<Foundation.Process>

        init(database: String) throws {
            let process = Foundation.Process()
            process.executableURL = try #require(
                Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent(
                    "todo-service"))
            process.arguments = ["--port", "0", "--database", database]
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            var line = Data()
            while line.last != UInt8(ascii: "\n") {
                let more = pipe.fileHandleForReading.availableData
                guard !more.isEmpty else { break }
                line += more
            }
            let text = String(decoding: line, as: UTF8.self)
            address = try #require(
                ServerAddress(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            self.process = Mutex(process)
        }

        /// Ends it at once: it can't do anything more.
        func kill() {
            process.withLock { process in
                Foundation.kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
            }
        }
    }

    /// What the service acknowledged, and what it may have done or not.
    private final class Log: Sendable {
        private let kept = Mutex<(entries: [(TaskItem.ID, TaskItem?)], doubtful: [TaskItem.ID])>(
            ([], []))

        var entries: [(TaskItem.ID, TaskItem?)] { kept.withLock { $0.entries } }
        var doubtful: [TaskItem.ID] { kept.withLock { $0.doubtful } }

        /// The number of acknowledged changes.
        func add(_ change: Change) -> Int {
            kept.withLock { kept in
                kept.entries.append((change.task.id, change.kind == .delete ? nil : change.task))
                return kept.entries.count
            }
        }

        func add(doubtful id: TaskItem.ID) { kept.withLock { $0.doubtful.append(id) } }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a service that is killed has lost nothing that it acknowledged`() async throws {
        let folder = TemporaryFolder()
        let path = folder.file("tasks.sqlite")
        var expected: [TaskItem.ID: TaskItem?] = [:]
        for round in 0..<5 {
            let process = try Process(database: path)
            let server = HTTPTaskServer(at: process.address)
            try await check(expected, on: server)
            // Several write at once, until the service is gone; none knows what became of its last.
            let log = Log()
            await withTaskGroup { group in
                for writer in 0..<4 {
                    group.addTask {
                        for number in 0... {
                            let id = "\(round)-\(writer)-\(number)"
                            for change in Self.changes(id) {
                                do {
                                    try await server.perform(change)
                                } catch {
                                    return log.add(doubtful: id)
                                }
                                if log.add(change) == 40 { process.kill() }
                            }
                        }
                    }
                }
            }
            log.entries.forEach { expected[$0] = .some($1) }
            log.doubtful.forEach { expected[$0] = nil }
        }
        #expect(expected.count > 60)
        let process = try Process(database: path)
        try await check(expected, on: HTTPTaskServer(at: process.address))
        process.kill()
        withExtendedLifetime(folder) {}
    }

    /// A task that is made and changed; three of ten are deleted again.
    private static func changes(_ id: String) -> [Change] {
        let task = TaskItem(id: id, name: "Task \(id)")
        let done = TaskItem(id: id, name: "Task \(id)", notes: "Done", state: .done)
        let all: [(Change.Kind, TaskItem)] = [(.create, task), (.update, done), (.delete, done)]
        let isDeleted = id.last == "0" || id.last == "3" || id.last == "6"
        return all.prefix(isDeleted ? 3 : 2).map {
            Change($0.0, $0.1, isFollowedByList: false)
        }
    }

    private func check(
        _ expected: [TaskItem.ID: TaskItem?], on server: HTTPTaskServer
    ) async throws {
        let tasks = try await server.tasks()
        let kept = Dictionary(uniqueKeysWithValues: tasks.map { ($0.id, $0) })
        for (id, task) in expected { #expect(kept[id] == task) }
    }
}
