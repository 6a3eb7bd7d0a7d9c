// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Logging
import Onward
import OnwardServer

/// Serves the gallery until it is interrupted, to each visitor its own.
@main struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gallery",
        abstract: "Screens with addresses: links, back, forward, reload, several tabs.")

    @Option(help: "The port to serve on, at 127.0.0.1; 0 takes any free one.")
    var port: UInt16 = 8080

    func run() async throws {
        var options = ServerOptions(port: Int(port))
        options.logger.logLevel = .warning
        options.onListening = { port in
            print("http://127.0.0.1:\(port)")
            fflush(nil)  // A program that started us through a pipe waits for this line.
        }
        let uploads = Uploads()
        let album = Album(uploads)
        options.uploads = uploads
        options.limits.uploads.bytesPerFile = 8 * 1_024 * 1_024
        options.limits.uploads.filesPerPost = 1
        try await PageServer(
            .gallery(),
            hosting: .perVisitor(limit: 100, idle: .seconds(3_600)) { .gallery(album) },
            assets: [
                Asset(
                    path: "/page.css", contentType: "text/css; charset=utf-8",
                    bytes: PackageResources.page_css),
                Asset(
                    path: "/icon.svg", contentType: "image/svg+xml",
                    bytes: PackageResources.icon_svg),
            ]
                + Picture.all.map {
                    Asset(path: $0.path, contentType: "image/svg+xml", bytes: $0.bytes)
                },
            folders: [AssetFolder("/album/") { name in try await album.picture(named: name) }],
            options: options
        ).run()
    }
}
