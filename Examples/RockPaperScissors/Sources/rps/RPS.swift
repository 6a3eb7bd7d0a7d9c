// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Logging
import Onward
import OnwardInspection
import OnwardInspector
import OnwardJournal
import OnwardSQLite
import OnwardServer
import RPSPage
import RockPaperScissorsCore

/// Serves the game until it is interrupted.
@main struct RPS: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rps",
        abstract: "Rock, paper, scissors for two players at one screen, in the browser.")

    @Option(help: "The port to serve on, at 127.0.0.1; 0 takes any free one.")
    var port: UInt16 = 8080

    @Option(help: "A folder in which the game is kept: it goes on when the program starts again.")
    var data: String?

    @Option(help: "A folder in which the game is recorded, so that players can report a problem.")
    var reports: String?

    @Option(help: "A port for time travel through the game, at 127.0.0.1; 0 takes any free one.")
    var inspector: UInt16?

    #if Cluster
    @OptionGroup(title: "On several servers")
    var several: SeveralServers
    #endif

    func run() async throws {
        #if Cluster
        if let count = several.cluster {
            return try await GameCluster(count, behind: port).run()
        }
        #endif
        var options = ServerOptions(port: Int(port))
        options.logger.logLevel = .warning
        options.onListening = { port in
            print("http://127.0.0.1:\(port)")
            fflush(nil)  // A program that started us through a pipe waits for this line.
        }
        do {
            #if Cluster
            if let node = try several.node() { return try await node.run(options) }
            #endif
            let kept = try await keptGame()
            let store = kept?.store ?? Store(Game()) { rockPaperScissors }
            let recording = try reports.map { try GameReports(of: store, in: $0) }
            let server = try PageServer.rockPaperScissors(
                hosting: kept.map { .shared($0) } ?? .shared(store), reports: recording,
                options: options)
            try await serve(server, store)
            try await kept?.shutdown()
        } catch let error as ServerError where error.code == .addressInUse {
            let option = error.port == Int(port) ? "--port" : "--inspector"
            throw Refusal(
                description: "Port \(error.port) is in use; choose another one with \(option).")
        }
    }
}

extension RPS {
    /// The game as it was when the program ended, and from now on kept.
    private func keptGame() async throws -> Persistence<Game>? {
        guard let data else { return nil }
        var options = PersistenceOptions<Game>()
        options.retention = .newest(10_000)
        let journals = try SQLiteJournals(in: data)
        return try await Persistence(
            of: Game(), in: journals.journal(named: "game"), options: options
        ) { rockPaperScissors }
    }

    /// Serves the page, and time travel if it is asked for.
    private func serve(_ server: PageServer<Game>, _ store: Store<Game>) async throws {
        guard let port = inspector else { return try await serveConnected(server, store) }
        let address = InspectorColumn("Page") { entry in entry.page ?? "" }
        let inspector = Inspector(pages: [.weapons], columns: [address])
        inspector.attach(store, as: "rps")
        try await inspector.run(at: Int(port), beside: server) { address in
            print("inspector \(address)")
            fflush(nil)
        }
    }
}

extension RPS {
    /// Serves the page, and shows the game in an inspector that runs elsewhere: where ONWARD_INSPECTOR says.
    private func serveConnected(_ server: PageServer<Game>, _ store: Store<Game>) async throws {
        let connection = InspectorConnection(app: "rps")
        connection.attach(store, as: "rps")
        async let _: Void = connection.run()
        try await server.run()
    }
}

/// Why the game can't be served, in one sentence.
struct Refusal: Error, CustomStringConvertible {
    let description: String
}
