// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Logging
import MemoryTunesPage
import OfflineCatalogue
import Onward
import OnwardInspector
import OnwardSQLite
import OnwardServer
import TunesService

/// Serves the app until it is interrupted.
@main struct Memorytunes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memorytunes",
        abstract: "A game of pairs with album covers, in the browser.")

    @OptionGroup var options: Options

    func validate() throws { _ = try options.chosenCatalogue() }

    func run() async throws {
        var logger = Logger(label: "memorytunes")
        logger.logLevel = .warning
        let logged = logger
        let offline = try await RunningCatalogue.start(logger: logger)
        let own = Catalogue(at: offline.address)
        let chosen = try options.chosenCatalogue()
        guard let standard = WebAddress(Catalogue.standard) else { return }
        let address = options.offline == true ? offline.address : chosen ?? standard
        // A catalogue that was named should not fail in silence.
        let journals = try options.data.map { try SQLiteJournals(in: $0) }
        let kept = journals == nil ? try savedGames(logger) : nil
        defer { withExtendedLifetime(kept?.lock) {} }
        let mayFallBack = options.offline == nil && chosen == nil
        let source = CoverSource(
            Catalogue(at: address), substitute: mayFallBack ? own : nil)
        let cache = CoverCache(
            folder: options.cacheFolder, catalogues: [address, offline.address], logger: logger)

        var serving = ServerOptions(port: Int(options.port))
        serving.logger = logger
        serving.cookieName = kept?.games.cookieName
        serving.onListening = { port in
            print("http://127.0.0.1:\(port)")
            fflush(nil)  // A program that started us through a pipe waits for this line.
        }
        let storing = StoreOptions(
            effectError: { failure in
                guard !failure.isAfterCancellation else { return }
                logged.error("An effect failed.", metadata: ["reason": "\(failure)"])
            },
            random: options.seed.map(RandomSource.init) ?? RandomSource())
        do {
            let reports = try options.reports.map { try GameReports(in: $0) }
            let inspector = Inspector()
            let isInspected = options.inspector != nil
            let server = try PageServer.memoryTunes(
                source: source, cache: cache, saved: kept?.games, journals: journals,
                reports: reports, store: storing,
                onOpen: { if isInspected { inspector.attach($0, as: "memorytunes") } },
                options: serving)
            if let port = options.inspector {
                try await inspector.run(at: Int(port), beside: server) { address in
                    print("inspector \(address)")
                    fflush(nil)
                }
            } else {
                try await server.run()
            }
        } catch let error as ServerError where error.code == .addressInUse {
            let option = error.port == Int(options.port) ? "--port" : "--inspector"
            throw Refusal(
                description: "Port \(error.port) is in use; choose another one with \(option).")
        }
        await journals?.close()
        await offline.stop()
    }

    /// Where games are kept, which is then this program's alone; the app is played without that, too.
    private func savedGames(_ logger: Logger) throws -> (games: SavedGames, lock: FolderLock)? {
        let folder = SavedGames.standardFolder()
        do {
            return (try SavedGames(in: folder), try FolderLock(folder))
        } catch let error as FolderLock.InUse {
            throw Refusal(
                description: """
                    \(error) Two would overwrite each other's games; give this one another folder by \
                    the environment variable XDG_DATA_HOME.
                    """)
        } catch {
            logger.warning(
                "Games aren't kept.", metadata: ["folder": "\(folder.path)", "reason": "\(error)"])
            return nil
        }
    }
}

/// Why the app can't be served, in one sentence.
struct Refusal: Error, CustomStringConvertible {
    let description: String
}
