// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import MemoryTunesCore
import MemoryTunesPage
import NIOCore
import OfflineCatalogue
import Onward
import OnwardServer
import Synchronization
import Testing
import TunesService

/// The app with a catalogue of its own, for one test.
struct App: Sendable {
    let client: any TestClientProtocol
    let folder: URL

    /// Runs the app in a folder, which a second run finds as the first left it.
    static func run<Result: Sendable>(
        in folder: URL, catalogue: String? = nil, fallsBack: Bool = false, canReport: Bool = false,
        _ body: @Sendable (App) async throws -> Result
    ) async throws -> Result {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let quiet = logger
        return try await OfflineService(logger: logger).application().test(.live) { own in
            let ownAddress = try #require(WebAddress("http://127.0.0.1:\(own.port ?? 0)"))
            let address = try catalogue.map { try #require(WebAddress($0)) } ?? ownAddress
            let substitute = fallsBack ? Catalogue(at: ownAddress) : nil
            var options = ServerOptions(port: 0)
            options.logger = quiet
            let server = try PageServer.memoryTunes(
                source: CoverSource(Catalogue(at: address), substitute: substitute),
                cache: CoverCache(
                    folder: folder.appendingPathComponent("covers"),
                    catalogues: [address, ownAddress],
                    logger: quiet),
                saved: SavedGames(in: folder.appendingPathComponent("games")),
                reports: canReport
                    ? GameReports(in: folder.appendingPathComponent("reports").path) : nil,
                store: StoreOptions(random: RandomSource(seed: 7)), options: options)
            return try await server.application().test(.router) { client in
                try await body(App(client: client, folder: folder))
            }
        }
    }

    func visitor(cookie: String? = nil) -> Visitor { Visitor(client: client, cookie: cookie) }
}

/// A browser without script, which keeps its cookie.
final class Visitor: Sendable {
    private let client: any TestClientProtocol
    private let kept: Mutex<String?>

    init(client: any TestClientProtocol, cookie: String?) {
        self.client = client
        kept = Mutex(cookie)
    }

    var cookie: String? { kept.withLock { $0 } }

    func get(_ path: String, headers: HTTPFields = [:]) async throws -> TestResponse {
        try await execute(path, .get, headers: headers)
    }

    func page(_ path: String = "/") async throws -> String {
        String(buffer: try await get(path).body)
    }

    /// Presses the button of a page, known by its id.
    @discardableResult
    func press(_ id: String, on path: String) async throws -> TestResponse {
        let page = try await page(path)
        let form = try #require(page.form(of: id))
        return try await execute(
            path, .post, headers: [.contentType: "application/x-www-form-urlencoded"], body: form)
    }

    @discardableResult
    func post(_ form: String, to path: String = "/") async throws -> TestResponse {
        try await execute(
            path, .post, headers: [.contentType: "application/x-www-form-urlencoded"], body: form)
    }

    /// The game's page once its cards are there, or the reason why they aren't.
    func game() async throws -> String {
        while true {
            let page = try await page("/game")
            if !page.contains("Loading covers…") { return page }
            await Task.yield()
        }
    }

    private func execute(
        _ path: String, _ method: HTTPRequest.Method, headers: HTTPFields, body: String? = nil
    ) async throws -> TestResponse {
        var headers = headers
        if let cookie { headers[.cookie] = cookie }
        let response = try await client.executeRequest(
            uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        if let new = response.headers[.setCookie]?.split(separator: ";").first {
            kept.withLock { $0 = String(new) }
        }
        return response
    }
}

extension String {
    /// What a browser posts when the button with an id is pressed.
    fileprivate func form(of id: String) -> String? {
        guard let button = firstRange(of: "id=\"\(id)\""),
            let form = self[..<button.lowerBound].ranges(of: "<form").last
        else { return nil }
        var fields = self[form.lowerBound..<button.lowerBound]
            .matches(of: /name="([^"]+)" value="([^"]*)">/)
            .map { "\($0.1)=\($0.2.replacing(" ", with: "+").replacing("/", with: "%2F"))" }
        let rest = self[button.lowerBound...].prefix { $0 != ">" }
        if let own = rest.firstMatch(of: /name="([^"]+)" value="([^"]*)"/) {
            fields.append("\(own.1)=\(own.2)")
        }
        return fields.joined(separator: "&")
    }

    /// The looks of the cards in their places.
    var cards: [String] { matches(of: /<button class="card ([a-z]+)"/).map { String($0.1) } }

    /// The pictures that the page shows or points to.
    var pictures: [String] { matches(of: /\/covers\/[0-9a-f]+/).map { String($0.0) } }
}

/// A folder for one test, which goes with it.
final class TemporaryFolder: Sendable {
    let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("memorytunes-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: url) }
}
