// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Hummingbird
import Logging
import ToDoFiles
import ToDoService
import ToDoTasks

/// Serves the list until it is interrupted.
@main struct Service: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "todo-service", abstract: "A list of tasks behind HTTP, kept in SQLite.")

    @Option(help: "The port to serve on, at 127.0.0.1; 0 takes any free one.")
    var port: UInt16 = 8081

    @Option(help: "The file to keep the tasks in.", completion: .file())
    var database: String?

    @Option(help: "Fill an empty list with as many tasks, to try things with.")
    var samples = 0

    func validate() throws {
        guard 0...100_000 ~= samples else {
            throw ValidationError("--samples is a number from 0 to 100000.")
        }
    }

    func run() async throws {
        var logger = Logger(label: "todo-service")
        logger.logLevel = .warning
        let tasks = try TaskDatabase(path: path())
        if samples > 0, try await tasks.isEmpty() {
            try await tasks.fill(with: (1...samples).reversed().map(TaskItem.init(sample:)))
        }
        let application = TaskService(database: tasks, logger: logger).application(port: Int(port))
        {
            port in
            print("http://127.0.0.1:\(port)")
            fflush(nil)  // A program that started us through a pipe waits for this line.
        }
        try await application.runService()
    }

    /// The option, else a file where the platform keeps what belongs to apps.
    private func path() throws -> String {
        if let database { return database }
        let folder = DataFolder.standard()
        try DataFolder.make(folder)
        return folder.appendingPathComponent("tasks.sqlite").path
    }
}

extension TaskItem {
    /// A task of a long list, the same for a number at each launch.
    init(sample number: Int) {
        let verbs = ["Call", "Visit", "Write to", "Thank", "Pay", "Invite", "Ask"]
        let names = ["the bank", "Anna", "the garage", "grandma", "the library", "Tom"]
        let date = CalendarDate(year: 2027, month: number % 12 + 1, day: number % 28 + 1)
        self.init(
            id: "sample-\(number)",
            name: "\(verbs[number % verbs.count]) \(names[number % names.count]), number \(number)",
            dueDate: number.isMultiple(of: 3) ? nil : date,
            notes: number.isMultiple(of: 5) ? "Not before noon." : nil,
            state: number.isMultiple(of: 4) ? .done : .toDo)
    }
}
