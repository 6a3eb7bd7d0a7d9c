// SPDX-License-Identifier: MIT

import GRDB
public import ToDoTasks

/// The tasks in a file of SQLite.
///
/// What was acknowledged is on the disk: the log is written ahead (WAL) and synchronised at each commit
/// (`synchronous = FULL`), so neither the end of the process nor that of the machine loses it.
public struct TaskDatabase: Sendable {
    private let queue: DatabaseQueue

    /// The largest number of tasks.
    let limit: Int

    /// Opens the file, which is made if it isn't there.
    ///
    /// - Throws: GRDB's error when it can't be opened.
    public init(path: String, limit: Int = 100_000) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        }
        queue = try DatabaseQueue(path: path, configuration: configuration)
        self.limit = limit
        var migrator = DatabaseMigrator()
        migrator.registerMigration("tasks") { database in
            try database.execute(
                sql: """
                    CREATE TABLE task (
                        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
                        name TEXT NOT NULL, dueDate TEXT, notes TEXT, state INTEGER NOT NULL
                    ) STRICT
                    """)
        }
        try migrator.migrate(queue)
    }

    /// All tasks, the newest first.
    func tasks() async throws -> [TaskItem] {
        try await queue.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM task ORDER BY number DESC")
                .map(TaskItem.init)
        }
    }

    /// Adds a task; one that is there already, just like it, stays.
    ///
    /// - Returns: Whether it is new.
    /// - Throws: ``Refusal`` when there is another one of its id, or there are too many.
    func create(_ task: TaskItem) async throws -> Bool {
        try await queue.write { database in
            let old = try Row.fetchOne(
                database, sql: "SELECT * FROM task WHERE id = ?", arguments: [task.id])
            if let old {
                guard TaskItem(old) == task else { throw Refusal.idInUse }
                return false
            }
            let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM task") ?? 0
            guard count < limit else { throw Refusal.full }
            try Self.insert(task, into: database)
            return true
        }
    }

    /// Puts a task in the place of the one with its id.
    ///
    /// - Throws: ``Refusal`` when there is none.
    func update(_ task: TaskItem) async throws {
        try await queue.write { database in
            try database.execute(
                sql: "UPDATE task SET name = ?, dueDate = ?, notes = ?, state = ? WHERE id = ?",
                arguments: [
                    task.name, task.dueDate?.description, task.notes, task.state.rawValue, task.id,
                ])
            guard database.changesCount == 1 else { throw Refusal.unknownTask }
        }
    }

    /// Removes a task.
    ///
    /// - Throws: ``Refusal`` when there is none.
    func delete(_ id: TaskItem.ID) async throws {
        try await queue.write { database in
            try database.execute(sql: "DELETE FROM task WHERE id = ?", arguments: [id])
            guard database.changesCount == 1 else { throw Refusal.unknownTask }
        }
    }

    /// Adds many tasks at once, the last one on top; for a list to try things with.
    public func fill(with tasks: [TaskItem]) async throws {
        try await queue.write { database in
            for task in tasks { try Self.insert(task, into: database) }
        }
    }

    /// Whether there is no task.
    public func isEmpty() async throws -> Bool {
        try await queue.read { database in
            try Row.fetchOne(database, sql: "SELECT 1 FROM task LIMIT 1") == nil
        }
    }

    /// How SQLite keeps the file.
    func settings() async throws -> (journal: String?, synchronous: Int?) {
        try await queue.read { database in
            (
                try String.fetchOne(database, sql: "PRAGMA journal_mode"),
                try Int.fetchOne(database, sql: "PRAGMA synchronous")
            )
        }
    }

    private static func insert(_ task: TaskItem, into database: Database) throws {
        try database.execute(
            sql: "INSERT INTO task (id, name, dueDate, notes, state) VALUES (?, ?, ?, ?, ?)",
            arguments: [
                task.id, task.name, task.dueDate?.description, task.notes, task.state.rawValue,
            ])
    }
}

extension TaskItem {
    /// Reads a row of the table.
    fileprivate init(_ row: Row) {
        self.init(
            id: row["id"], name: row["name"],
            dueDate: (row["dueDate"] as String?).flatMap { CalendarDate($0) }, notes: row["notes"],
            state: State(rawValue: row["state"]) ?? .unknown)
    }
}
