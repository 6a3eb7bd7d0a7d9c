// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import TunesService

/// What the program is given at its start.
struct Options: ParsableArguments {
    @Option(help: "The port to serve on, at 127.0.0.1; 0 takes any free one.")
    var port: UInt16 = 8080

    @Flag(
        inversion: .prefixedNo,
        help: """
            Play with covers that the program draws itself; with --no-offline never do. Otherwise it \
            does while the standard catalogue can't be reached.
            """)
    var offline: Bool?

    @Option(
        help: """
            The address of the catalogue, without "/search"; also by the environment variable \
            MEMORYTUNES_CATALOGUE_URL.
            """)
    var catalogueURL: CatalogueAddress?

    @Option(help: "The folder for the pictures of covers.", completion: .directory)
    var cache: String?

    @Option(
        help: "A folder in which games are recorded, so that players can report a problem.",
        completion: .directory)
    var reports: String?

    @Option(
        help: """
            A folder in which each player's game is kept move by move, in place of the files in \
            $XDG_DATA_HOME: whatever becomes of the program, open pages go on.
            """, completion: .directory)
    var data: String?

    @Option(help: "Deal the cards in the same order at each launch: any number.")
    var seed: UInt64?

    @Option(help: "A port for time travel through the games, at 127.0.0.1; 0 takes any free one.")
    var inspector: UInt16?

    /// The address of the catalogue: the option, else the environment variable, if there is one.
    ///
    /// - Throws: `ValidationError` when the environment variable is no address.
    func chosenCatalogue() throws -> WebAddress? {
        if let catalogueURL { return catalogueURL.address }
        let name = "MEMORYTUNES_CATALOGUE_URL"
        guard let text = ProcessInfo.processInfo.environment[name], !text.isEmpty else {
            return nil
        }
        guard let address = WebAddress(text) else {
            throw ValidationError("\(name) is no http or https address: \(text)")
        }
        return address
    }

    /// The folder for the pictures: the option, else the platform's (XDG Base Directory
    /// Specification on Linux).
    var cacheFolder: URL {
        if let cache { return URL(fileURLWithPath: cache, isDirectory: true) }
        if let path = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"], path.hasPrefix("/") {
            return URL(fileURLWithPath: path).appendingPathComponent("MemoryTunes")
        }
        let home = FileManager.default.homeDirectoryForCurrentUser
        #if os(macOS)
        return home.appendingPathComponent("Library/Caches/MemoryTunes")
        #else
        return home.appendingPathComponent(".cache/MemoryTunes")
        #endif
    }
}

/// An address given as an option.
struct CatalogueAddress: ExpressibleByArgument {
    let address: WebAddress

    init?(argument: String) {
        guard let address = WebAddress(argument) else { return nil }
        self.address = address
    }
}
