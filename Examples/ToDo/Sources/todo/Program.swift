// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Logging
import Onward
import OnwardInspector
import OnwardSQLite
import OnwardServer
import ToDoClient
import ToDoFiles
import ToDoPage

/// Serves the app until it is interrupted.
@main struct Program: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "todo", abstract: "A list of tasks in the browser, kept on a server.")

    @Option(help: "The port to serve on, at 127.0.0.1; 0 takes any free one.")
    var port: UInt16 = 8080

    @Option(
        help: """
            The address of the server that keeps the list, without "/tasks"; also by the environment \
            variable TODO_SERVICE_URL. By default that of todo-service.
            """)
    var serviceURL: String?

    @Option(help: "A port for time travel through the lists, at 127.0.0.1; 0 takes any free one.")
    var inspector: UInt16?

    @Option(
        help: "A folder in which sessions are recorded, so that users can report a problem.",
        completion: .directory)
    var reports: String?

    @Option(
        help: """
            A folder in which each user's app is kept step by step, in place of what isn't sent yet in \
            $XDG_DATA_HOME: whatever becomes of the program, open pages go on.
            """, completion: .directory)
    var data: String?

    @Flag(
        help: """
            One list for everybody, which this program keeps itself: for pages, and for clients that have it as \
            a store, such as todo-terminal.
            """)
    var sync = false

    func validate() throws {
        guard !sync || serviceURL == nil && reports == nil else {
            throw ValidationError(
                "--sync keeps the list here: --service-url and --reports are for the other one.")
        }
        _ = try address()
    }

    func run() async throws {
        var logger = Logger(label: "todo")
        logger.logLevel = .warning
        let logged = logger
        var serving = ServerOptions(port: Int(port))
        serving.logger = logger
        serving.cookieName = "todo-\(port)"  // Browsers send cookies to all ports of a host.
        serving.onListening = { port in
            print("http://127.0.0.1:\(port)")
            fflush(nil)  // A program that started us through a pipe waits for this line.
        }
        let storing = StoreOptions(
            effectError: { failure in
                guard !failure.isAfterCancellation else { return }
                logged.error("An effect failed.", metadata: ["reason": "\(failure)"])
            })
        let journals = try sync ? nil : data.map { try SQLiteJournals(in: $0) }
        do {
            if sync {
                let program = SharedProgram(data: data, inspector: inspector)
                return try await program.run(serving, storing)
            }
            let recording = try reports.map { try ListReports(in: $0) }
            let inspector = Inspector()
            let isInspected = self.inspector != nil
            let server = try PageServer.toDo(
                on: HTTPTaskServer(at: address()),
                keeping: journals == nil ? unsent(logger) : nil, in: journals, reports: recording,
                store: storing,
                onOpen: { if isInspected { inspector.attach($0, as: "todo") } }, options: serving)
            if let port = self.inspector {
                try await inspector.run(at: Int(port), beside: server) { address in
                    print("inspector \(address)")
                    fflush(nil)
                }
            } else {
                try await server.run()
            }
            await journals?.close()
        } catch let error as ServerError where error.code == .addressInUse {
            let option = error.port == Int(port) ? "--port" : "--inspector"
            throw Refusal(
                description: "Port \(error.port) is in use; choose another one with \(option).")
        }
    }

    /// Where what can't be sent is kept: a folder of the port's name, which one program has at a time.
    private func unsent(_ logger: Logger) -> UnsentFolder? {
        let folder = DataFolder.standard().appendingPathComponent("unsent-\(port)")
        let report = { @Sendable (error: any Error) in
            logger.warning(
                "What isn't sent yet can't be kept.",
                metadata: ["folder": "\(folder.path)", "reason": "\(error)"])
        }
        do {
            return try UnsentFolder(folder, report: report)
        } catch {
            report(error)
            return nil
        }
    }

    /// The address of the service: the option, else the environment variable, else the standard one.
    private func address() throws -> ServerAddress {
        let variable = ProcessInfo.processInfo.environment["TODO_SERVICE_URL"]
        let text = serviceURL ?? variable ?? "http://127.0.0.1:8081"
        guard let address = ServerAddress(text) else {
            let name = serviceURL == nil ? "TODO_SERVICE_URL" : "--service-url"
            throw ValidationError("\(name) is no http or https address: \(text)")
        }
        return address
    }
}

/// Why the app can't be served, in one sentence.
struct Refusal: Error, CustomStringConvertible {
    let description: String
}
