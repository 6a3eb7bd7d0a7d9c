// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import MemoryTunesCore
import Testing
import TunesService

@testable import OfflineCatalogue

@Suite struct OfflineServiceTests {
    private func serve<Result: Sendable>(
        _ setup: TestingSetup = .router,
        _ body: @Sendable (any TestClientProtocol) async throws -> Result
    ) async throws -> Result {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return try await OfflineService(logger: logger).application().test(setup) { client in
            try await body(client)
        }
    }

    @Test(arguments: Category.allCases)
    func `the app's own client finds enough different covers`(category: Category) async throws {
        try await serve(.live) { client in
            let base = try #require(WebAddress("http://127.0.0.1:\(client.port ?? 0)"))
            let covers = try await Catalogue(at: base).covers(for: category)
            #expect(Set(covers.map(\.address)).count == 10)
            #expect(covers.count > 10)
            #expect(covers.allSatisfy { !$0.title.isEmpty })
        }
    }

    @Test(arguments: Category.allCases)
    func `every cover is a picture, and no two look alike`(category: Category) async throws {
        try await serve { client in
            var drawings: Set<[UInt8]> = []
            for album in Album.all(of: category) {
                let response = try await client.executeRequest(
                    uri: album.path, method: .get, headers: [:], body: nil)
                #expect(response.status == .ok)
                #expect(response.headers[.contentType] == "image/png")
                drawings.insert(Array(response.body.readableBytesView))
            }
            #expect(drawings.count == 10)
        }
    }

    @Test(arguments: [
        "/covers/pop/10.png", "/covers/pop/-1.png", "/covers/pop/x.png", "/covers/jazz/1.png",
        "/covers/pop/1.svg", "/covers/pop", "/covers/pop/..%2F1.png", "/",
    ])
    func `what isn't there isn't found`(path: String) async throws {
        try await serve { client in
            let response = try await client.executeRequest(
                uri: path, method: .get, headers: [:], body: nil)
            #expect(response.status == .notFound)
        }
    }

    @Test(arguments: ["/search", "/search?term=Jazz&media=music", "/search?term="])
    func `another search finds nothing`(path: String) async throws {
        try await serve { client in
            let response = try await client.executeRequest(
                uri: path, method: .get, headers: [:], body: nil)
            #expect(response.status == .ok)
            #expect(String(buffer: response.body).contains(#""resultCount":0"#))
        }
    }
}
