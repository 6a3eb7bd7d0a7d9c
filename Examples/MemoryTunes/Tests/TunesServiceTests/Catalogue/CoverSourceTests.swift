// SPDX-License-Identifier: MIT

import Hummingbird
import MemoryTunesCore
import Testing

@testable import TunesService

@Suite struct CoverSourceTests {
    private let found = CatalogueTests.answer(["https://a.example/1.jpg"])

    @Test func `the catalogue is asked first, and its covers are not our own`() async throws {
        let found = found
        try await TestServer.serve { _ in
            .text(found)
        } _: { server in
            let source = CoverSource(
                Catalogue(at: try server.address("/real")),
                substitute: Catalogue(at: try server.address("/own")))
            let answer = try await source.covers(for: .pop)
            #expect(!answer.isOwn)
            #expect(answer.covers.count == 1)
            #expect(server.requests.allSatisfy { $0.hasPrefix("/real") })
        }
    }

    @Test func `when it can't be reached, the substitute is asked, and that is reported`()
        async throws
    {
        let found = found
        let port = try await TestServer.closedPort()
        let nobody = try #require(WebAddress("http://127.0.0.1:\(port)"))
        try await TestServer.serve { _ in
            .text(found)
        } _: { server in
            let source = CoverSource(
                Catalogue(at: nobody), substitute: Catalogue(at: try server.address()))
            #expect(try await source.covers(for: .pop).isOwn)
        }
        await #expect(throws: Problem.unreachable) {
            try await CoverSource(Catalogue(at: nobody)).covers(for: .pop)
        }
    }

    @Test func `an answer that makes no sense is reported, not replaced`() async throws {
        try await TestServer.serve { _ in
            .text("?")
        } _: { server in
            let source = CoverSource(
                Catalogue(at: try server.address("/real")),
                substitute: Catalogue(at: try server.address("/own")))
            await #expect(throws: Problem.unreadable) { try await source.covers(for: .pop) }
            #expect(server.requests.count == 1)
        }
    }
}
