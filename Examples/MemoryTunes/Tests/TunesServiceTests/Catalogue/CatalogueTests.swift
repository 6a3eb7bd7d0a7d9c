// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import MemoryTunesCore
import NIOCore
import OnwardTesting
import Testing

@testable import TunesService

@Suite struct CatalogueTests {
    /// An answer with these addresses of covers.
    static func answer(_ addresses: [String]) -> String {
        let results = addresses.map { #"{"artworkUrl100": "\#($0)", "collectionName": "Album"}"# }
        return
            #"{"resultCount": \#(results.count), "results": [\#(results.joined(separator: ","))]}"#
    }

    /// What a catalogue that answers so leads to.
    private func problem(
        _ answer: @escaping @Sendable (Request) async throws -> Response
    ) async throws -> Problem? {
        try await TestServer.serve(answer) { server -> Problem? in
            let catalogue = Catalogue(at: try server.address())
            do throws(Problem) {
                _ = try await catalogue.covers(for: .pop)
                return nil
            } catch { return error }
        }
    }

    @Test(arguments: Category.allCases)
    func `a search asks for the category's music`(category: Category) async throws {
        try await TestServer.serve { _ in
            .text(Self.answer([]))
        } _: { server in
            _ = try await Catalogue(at: server.address("/")).covers(for: category)
            #expect(server.requests == ["/search?term=\(category.rawValue)&media=music"])
        }
    }

    @Test func `a base address may have a path`() async throws {
        try await TestServer.serve { _ in
            .text(Self.answer([]))
        } _: { server in
            _ = try await Catalogue(at: server.address("/shop/")).covers(for: .rap)
            #expect(server.requests == ["/shop/search?term=Rap&media=music"])
        }
    }

    @Test func `covers and titles come in the catalogue's order, with repetitions`() async throws {
        let json = """
            {"resultCount": 4, "results": [
                {"artworkUrl100": "https://a.example/2.jpg", "collectionName": "Two"},
                {"artworkUrl100": "https://a.example/1.jpg", "trackName": "One"},
                {"artworkUrl100": "https://a.example/2.jpg", "collectionName": "Two"},
                {"artworkUrl100": "http://a.example/3.jpg"}]}
            """
        try await TestServer.serve { _ in
            .text(json, type: "text/javascript")
        } _: { server in
            let covers = try await Catalogue(at: server.address()).covers(for: .pop)
            #expect(
                covers == [
                    Cover(address: "https://a.example/2.jpg", title: "Two"),
                    Cover(address: "https://a.example/1.jpg", title: "One"),
                    Cover(address: "https://a.example/2.jpg", title: "Two"),
                    Cover(address: "http://a.example/3.jpg", title: ""),
                ])
        }
    }

    @Test func `results without a cover and foreign fields are left out`() async throws {
        let json = """
            {"results": [{}, 7, null, [], {"artworkUrl100": null}, {"artworkUrl100": 3},
                {"artworkUrl100": "https://a.example/1.jpg", "collectionName": {"a": 1}, "x": [1]}]}
            """
        try await TestServer.serve { _ in
            .text(json)
        } _: { server in
            let covers = try await Catalogue(at: server.address()).covers(for: .pop)
            #expect(covers == [Cover(address: "https://a.example/1.jpg", title: "")])
        }
    }

    @Test(arguments: [
        "file:///etc/passwd", "javascript:alert(1)", "data:image/png;base64,AA", "/covers/1.png",
        "http://127.0.0.1:1/x", "http://localhost.:1/\\", "http://2130706433/x", "http://0x7f.1/",
        "http://[::1]/", "http://[::ffff:10.0.0.1]/x", "http://169.254.169.254/latest/meta-data",
        "http://10.0.0.1/x", "http://user@example.com/x", "ftp://example.com/x",
    ])
    func `a cover whose address nobody may ask is left out`(address: String) async throws {
        let json = Self.answer([
            address.replacing("\\", with: "\\\\"), "https://a.example/good.jpg",
        ])
        try await TestServer.serve { _ in
            .text(json)
        } _: { server in
            let covers = try await Catalogue(at: server.address()).covers(for: .pop)
            #expect(covers.map(\.address) == ["https://a.example/good.jpg"])
        }
    }

    @Test func `of very many covers the first 200 are taken`() async throws {
        let addresses = (0..<5_000).map { "https://a.example/\($0).jpg" }
        try await TestServer.serve { _ in
            .text(Self.answer(addresses))
        } _: { server in
            let covers = try await Catalogue(at: server.address()).covers(for: .pop)
            #expect(covers.map(\.address) == Array(addresses.prefix(200)))
        }
    }

    @Test func `a cover at the configured catalogue is let in, private as it is`() async throws {
        try await TestServer.serve { request in
            .text(Self.answer(["http://\(request.head.authority ?? "")/1.png"]))
        } _: { server in
            let covers = try await Catalogue(at: server.address()).covers(for: .pop)
            #expect(covers.map(\.address) == ["\(server.root)/1.png"])
        }
    }

    @Test func `a catalogue where nobody listens can't be reached`() async throws {
        let port = try await TestServer.closedPort()
        let catalogue = Catalogue(at: try #require(WebAddress("http://127.0.0.1:\(port)")))
        await #expect(throws: Problem.unreachable) { try await catalogue.covers(for: .pop) }
    }

    @Test func `a catalogue that doesn't answer in ten seconds took too long`() async throws {
        let clock = ManualClock()
        let asked = AsyncStream.makeStream(of: Void.self)
        let silence = AsyncStream.makeStream(of: Void.self)
        try await TestServer.serve { _ in
            asked.continuation.yield()
            for await _ in silence.stream {}
            return .text("")
        } _: { server in
            let catalogue = Catalogue(at: try server.address(), clock: clock)
            let search = Task { try await catalogue.covers(for: .pop) }
            for await _ in asked.stream { break }
            await clock.sleepers(1)
            clock.advance(by: .seconds(10))
            await #expect(throws: Problem.timedOut) { try await search.value }
            silence.continuation.finish()
        }
    }

    @Test(arguments: [500, 503, 404, 403, 204, 304])
    func `a status that is no answer is reported`(code: Int) async throws {
        let problem = try await problem { _ in Response(status: .init(code: code)) }
        #expect(problem == .status(code))
    }

    @Test(arguments: [
        "", "<html></html>", "{", "[]", "7", "null", "{}", #"{"results": 7}"#,
        #"{"results": {"a": 1}}"#, String(repeating: "[", count: 100_000),
    ])
    func `what is no search result makes no sense`(text: String) async throws {
        #expect(try await problem { _ in .text(text) } == .unreadable)
    }

    @Test func `bytes that are no UTF-8 make no sense`() async throws {
        #expect(try await problem { _ in .bytes([0x7B, 0xFF, 0xFE], type: "x") } == .unreadable)
    }

    @Test func `an answer of 20 megabytes is too large, announced or not`() async throws {
        let announced = try await problem { _ in
            .bytes(Array(repeating: 0x20, count: 20 << 20), type: "application/json")
        }
        #expect(announced == .tooLarge)
        let streamed = try await problem { _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    let chunk = ByteBuffer(repeating: 0x20, count: 1 << 20)
                    for _ in 0..<20 { try await writer.write(chunk) }
                    try await writer.finish(nil)
                })
        }
        #expect(streamed == .tooLarge)
    }

    @Test(arguments: [
        "no HTTP at all\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{", "",
    ])
    func `what answers without HTTP, or breaks off, makes no sense`(bytes: String) async throws {
        try await TestServer.sendRaw(bytes) { port in
            let catalogue = Catalogue(at: try #require(WebAddress("http://127.0.0.1:\(port)")))
            await #expect(throws: Problem.unreadable) { try await catalogue.covers(for: .pop) }
        }
    }

    @Test func `redirects within the catalogue are followed`() async throws {
        try await TestServer.serve { request in
            request.uri.path == "/search"
                ? .redirect("/moved?\(request.uri.query ?? "")")
                : .text(Self.answer(["https://a.example/1.jpg"]))
        } _: { server in
            let covers = try await Catalogue(at: server.address()).covers(for: .pop)
            #expect(covers.count == 1)
            #expect(server.requests.last == "/moved?term=Pop&media=music")
        }
    }

    @Test(arguments: [
        "http://127.0.0.1:1/", "http://169.254.169.254/", "http://[::1]:1/", "file:///etc/passwd",
        "http://2130706433:1/", "http://localhost:1/",
    ])
    func `redirects to where nobody may go aren't followed`(link: String) async throws {
        #expect(try await problem { _ in .redirect(link) } == .sentElsewhere)
    }

    @Test func `redirects without end are given up`() async throws {
        try await TestServer.serve { _ in
            .redirect("/again")
        } _: { server in
            let catalogue = Catalogue(at: try server.address())
            await #expect(throws: Problem.sentElsewhere) { try await catalogue.covers(for: .pop) }
            #expect(server.requests.count == 6)
        }
    }

    @Test func `a cancelled search ends`() async throws {
        let asked = AsyncStream.makeStream(of: Void.self)
        let silence = AsyncStream.makeStream(of: Void.self)
        try await TestServer.serve { _ in
            asked.continuation.yield()
            for await _ in silence.stream {}
            return .text("")
        } _: { server in
            let catalogue = Catalogue(at: try server.address(), clock: ManualClock())
            let search = Task { try await catalogue.covers(for: .pop) }
            for await _ in asked.stream { break }
            search.cancel()
            await #expect(throws: Problem.self) { try await search.value }
            silence.continuation.finish()
        }
    }
}
