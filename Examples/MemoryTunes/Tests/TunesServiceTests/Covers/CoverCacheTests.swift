// SPDX-License-Identifier: MIT

import Foundation
import Hummingbird
import Logging
import MemoryTunesCore
import Testing

@testable import TunesService

@Suite struct CoverCacheTests {
    private let temporary = TemporaryFolder()

    private func cache(
        for server: TestServer, memoryLimit: Int = 1 << 20, bytes: Int = 1_000
    ) throws -> CoverCache {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let fetcher = Fetcher(
            trusted: [try server.address().origin], limits: .init(bytes: bytes))
        return CoverCache(
            folder: temporary.url, diskLimit: 1 << 20, memoryLimit: memoryLimit, fetcher: fetcher,
            logger: logger)
    }

    private func cover(_ server: TestServer, _ path: String) -> (Cover, CoverName) {
        let cover = Cover(address: server.root + path, title: "")
        return (cover, CoverName(address: cover.address))
    }

    @Test func `a cover is fetched once, however often and by however many it is asked for`()
        async throws
    {
        try await TestServer.serve { _ in
            .bytes(picture(), type: "text/html")
        } _: { server in
            let cache = try cache(for: server)
            let (cover, name) = cover(server, "/1.png")
            cache.expect([cover, cover])
            let images = try await withThrowingTaskGroup(of: CoverImage?.self) { group in
                for _ in 0..<20 { group.addTask { try await cache.image(name) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(images.count == 20)
            #expect(images.allSatisfy { $0?.bytes == picture() })
            #expect(images.first??.contentType == "image/png")
            #expect(server.requests == ["/1.png"])
        }
    }

    @Test func `the next launch finds it on disk`() async throws {
        try await TestServer.serve { _ in
            .bytes(picture(), type: "image/png")
        } _: { server in
            let (cover, name) = cover(server, "/1.png")
            for _ in 0..<2 {
                let cache = try cache(for: server)
                cache.expect([cover])
                #expect(try await cache.image(name)?.bytes == picture())
            }
            #expect(server.requests == ["/1.png"])
        }
    }

    @Test func `what memory has no room for comes from disk`() async throws {
        try await TestServer.serve { _ in
            .bytes(picture(), type: "image/png")
        } _: { server in
            let cache = try cache(for: server, memoryLimit: 0)
            let (cover, name) = cover(server, "/1.png")
            cache.expect([cover])
            for _ in 0..<3 { #expect(try await cache.image(name) != nil) }
            #expect(server.requests == ["/1.png"])
        }
    }

    @Test func `a cover that nobody mentioned is unknown, and nothing is fetched`() async throws {
        try await TestServer.serve { _ in
            .bytes(picture(), type: "image/png")
        } _: { server in
            let cache = try cache(for: server)
            let (_, name) = cover(server, "/1.png")
            await #expect(throws: UnknownCover.self) { try await cache.image(name) }
            #expect(server.requests == [])
        }
    }

    @Test(arguments: ["<svg onload=\"alert(1)\"/>", "", "<html>", "not a picture"])
    func `what is no picture isn't let in, whatever it is called`(text: String) async throws {
        try await TestServer.serve { _ in
            .text(text, type: "image/png")
        } _: { server in
            let cache = try cache(for: server)
            let (cover, name) = cover(server, "/1.png")
            cache.expect([cover])
            #expect(try await cache.image(name) == nil)
            #expect(temporary.files == [])
        }
    }

    @Test func `a picture beyond the limit isn't let in`() async throws {
        try await TestServer.serve { _ in
            .bytes(picture(count: 2_000), type: "image/png")
        } _: { server in
            let cache = try cache(for: server, bytes: 1_999)
            let (cover, name) = cover(server, "/1.png")
            cache.expect([cover])
            #expect(try await cache.image(name) == nil)
        }
    }

    @Test(arguments: [
        "http://127.0.0.1:1/x", "http://169.254.169.254/x", "http://[::1]/", "ftp://x/",
    ])
    func `a cover that leads elsewhere by a redirect isn't let in`(link: String) async throws {
        try await TestServer.serve { _ in
            .redirect(link)
        } _: { server in
            let cache = try cache(for: server)
            let (cover, name) = cover(server, "/1.png")
            cache.expect([cover])
            #expect(try await cache.image(name) == nil)
        }
    }

    @Test func `a cover that failed is tried again when it is asked for again`() async throws {
        let tries = Tries()
        try await TestServer.serve { _ in
            await tries.next() == 1
                ? Response(status: .badGateway) : .bytes(picture(), type: "image/png")
        } _: { server in
            let cache = try cache(for: server)
            let (cover, name) = cover(server, "/1.png")
            cache.expect([cover])
            _ = try await cache.image(name)  // may be the first try or the second
            #expect(try await cache.image(name) != nil)
            #expect(server.requests.count == 2)
        }
    }

    @Test func `without a folder that can be used, covers come all the same`() async throws {
        try Data().write(to: temporary.url)
        try await TestServer.serve { _ in
            .bytes(picture(), type: "image/png")
        } _: { server in
            let cache = try cache(for: server)
            let (cover, name) = cover(server, "/1.png")
            cache.expect([cover])
            #expect(try await cache.image(name) != nil)
        }
    }
}

private actor Tries {
    private var count = 0

    func next() -> Int {
        count += 1
        return count
    }
}
