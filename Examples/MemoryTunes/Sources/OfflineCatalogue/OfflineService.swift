// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
public import Hummingbird
public import Logging
import MemoryTunesCore

/// A small catalogue that needs no internet, served on this machine.
///
/// It answers `GET /search?term=…&media=music` as the real one does, and draws the covers itself, at
/// `/covers/<category>/<number>.png`.
public struct OfflineService: Sendable {
    private let logger: Logger
    private let drawings = Drawings()

    /// A catalogue that isn't served yet.
    public init(logger: Logger) { self.logger = logger }

    /// The catalogue as an application that listens on loopback.
    ///
    /// - Parameters:
    ///   - port: The port; 0 takes any free one.
    ///   - onListening: Called once it answers, with its port.
    /// - Returns: The application, to run in a service group.
    public func application(
        port: Int = 0, onListening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let router = Router()
        router.get("/search") { request, _ in try search(request) }
        router.get("/covers/:category/:file") { _, context in try await cover(context.parameters) }
        return Application(
            router: router,
            server: .http1(configuration: .init(idleTimeout: .seconds(15))),
            configuration: .init(
                address: .hostname("127.0.0.1", port: port),
                // Only the app itself asks, and over few connections at once.
                availableConnectionsDelegate: .maximum(64, logger: logger)),
            onServerRunning: { channel in
                if let port = channel.localAddress?.port { await onListening(port) }
            },
            logger: logger)
    }

    private func search(_ request: Request) throws -> Response {
        guard let host = request.head.authority else { throw HTTPError(.badRequest) }
        let term = request.uri.queryParameters.get("term")
        let results = SearchResults(term.flatMap(Category.init(term:)), origin: "http://\(host)")
        return Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONEncoder().encode(results))))
    }

    private func cover(_ parameters: Parameters) async throws -> Response {
        guard let category = parameters.get("category").flatMap(Category.init(term:)),
            let file = parameters.get("file"), file.hasSuffix(".png"),
            let number = Int(file.dropLast(4)),
            let album = Album.all(of: category).first(where: { $0.number == number })
        else { throw HTTPError(.notFound) }
        let png = await drawings.png(of: album)
        return Response(
            status: .ok, headers: [.contentType: "image/png"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: png)))
    }
}

extension Category {
    /// The category that is searched for, however it is written.
    fileprivate init?(term: some StringProtocol) {
        let name = term.lowercased()
        guard let category = Self.allCases.first(where: { $0.rawValue.lowercased() == name }) else {
            return nil
        }
        self = category
    }
}
