// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@Suite struct CoverPageTests {
    private let temporary = TemporaryFolder()

    /// A visitor who sees one cover, and where that is.
    private func withCover<Result: Sendable>(
        _ body: @Sendable (Visitor, _ cover: String) async throws -> Result
    ) async throws -> Result {
        try await App.run(in: temporary.url) { app in
            let visitor = app.visitor()
            try await visitor.press("to/game", on: "/")
            _ = try await visitor.game()
            try await visitor.press("card-0", on: "/game")
            let cover = try #require(try await visitor.page("/game").pictures.first)
            return try await body(visitor, cover)
        }
    }

    @Test func `a cover is a picture with its own type, its tag and its age`() async throws {
        try await withCover { visitor, cover in
            let response = try await visitor.get(cover)
            #expect(response.status == .ok)
            #expect(response.headers[.contentType] == "image/png")
            #expect(response.headers[.cacheControl] == "private, max-age=86400")
            #expect(response.headers[.eTag]?.count == 34)
            #expect(response.headers[.xContentTypeOptions] == "nosniff")
            #expect(
                response.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
            #expect(response.body.readableBytes > 10_000)
        }
    }

    @Test func `a browser that has the cover isn't sent it again`() async throws {
        try await withCover { visitor, cover in
            let tag = try #require(try await visitor.get(cover).headers[.eTag])
            for held in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
                let response = try await visitor.get(cover, headers: [.ifNoneMatch: held])
                #expect(response.status == .notModified)
                #expect(response.headers[.eTag] == tag)
                #expect(response.body.readableBytes == 0)
            }
            let response = try await visitor.get(cover, headers: [.ifNoneMatch: "\"other\""])
            #expect(response.status == .ok)
        }
    }

    @Test(arguments: [
        "/covers/", "/covers/x", "/covers/00000000000000000000000000000000",
        "/covers/..%2F..%2Fetc%2Fpasswd", "/covers/http:%2F%2F127.0.0.1%2F",
    ])
    func `a cover nobody was shown isn't there`(path: String) async throws {
        try await withCover { visitor, _ in
            let response = try await visitor.get(path, headers: [.accept: "image/*"])
            #expect(response.status == .notFound)
        }
    }

    @Test func `a cover that fails is a placeholder that isn't kept, and the game goes on`()
        async throws
    {
        let cookie = try await withCover { visitor, _ in visitor.cookie }
        // The next launch has another catalogue, and nothing is left of the pictures.
        try FileManager.default.removeItem(at: temporary.url.appendingPathComponent("covers"))
        try await App.run(in: temporary.url, catalogue: "http://127.0.0.1:1") { app in
            let visitor = app.visitor(cookie: cookie)
            let page = try await visitor.page("/game")
            #expect(page.cards.count { $0 == "open" } == 1)
            let response = try await visitor.get(try #require(page.pictures.first))
            #expect(response.status == .ok)
            #expect(response.headers[.contentType] == "image/svg+xml")
            #expect(response.headers[.cacheControl] == "no-store")
            #expect(String(buffer: response.body).hasPrefix("<svg"))
            try await visitor.press("card-1", on: "/game")
            #expect(try await visitor.page("/game").pictures.count == 2)
        }
    }
}
