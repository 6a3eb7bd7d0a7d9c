// SPDX-License-Identifier: MIT

import Hummingbird
import Synchronization
import Testing

@testable import TunesService

@Suite struct FetcherTests {
    /// A fetcher that trusts no origin, and resolves every name to these addresses.
    private func fetcher(_ addresses: [String]) -> Fetcher {
        let addresses = addresses.compactMap { IPAddress(v4: $0) ?? IPAddress(v6: $0) }
        return Fetcher(
            trusted: [], limits: .init(bytes: 1_000), resolver: Resolver { _ in addresses })
    }

    @Test(arguments: [
        ["127.0.0.1"], ["::1"], ["10.0.0.7"], ["169.254.169.254"], ["fe80::1"],
        ["::ffff:127.0.0.1"], ["1.1.1.1", "127.0.0.1"], ["2606:4700::1", "fd00::1"],
    ])
    func `a name with a private address isn't asked, and no connection is made`(
        addresses: [String]
    ) async throws {
        try await TestServer.serve { _ in
            .text("secret")
        } _: { server in
            let address = try #require(WebAddress("http://covers.example:\(server.port)/"))
            await #expect(throws: FetchError.refused) {
                try await fetcher(addresses).fetch(address)
            }
            #expect(server.requests == [])
        }
    }

    @Test func `a name without an address can't be reached`() async throws {
        let address = try #require(WebAddress("http://covers.example/"))
        await #expect(throws: FetchError.unreachable) { try await fetcher([]).fetch(address) }
    }

    @Test func `localhost is private to this machine's own resolver, too`() async throws {
        try await TestServer.serve { _ in
            .text("secret")
        } _: { server in
            let address = try #require(WebAddress("http://localhost:\(server.port)/"))
            let fetcher = Fetcher(trusted: [], limits: .init(bytes: 1_000))
            await #expect(throws: FetchError.refused) { try await fetcher.fetch(address) }
            #expect(server.requests == [])
        }
    }

    @Test func `a name is resolved once for each request, so no second answer counts`() async throws
    {
        let questions = Mutex<[String]>([])
        let resolver = Resolver { host in
            questions.withLock { $0.append(host) }
            return [IPAddress(v4: 0x7F00_0001)]
        }
        let fetcher = Fetcher(trusted: [], limits: .init(bytes: 1_000), resolver: resolver)
        let address = try #require(WebAddress("http://rebind.example/"))
        await #expect(throws: FetchError.refused) { try await fetcher.fetch(address) }
        #expect(questions.withLock { $0 } == ["rebind.example"])
    }

    @Test func `the connection goes to the address that was checked`() async throws {
        // The name means nothing to this machine, so only the given address can lead there.
        try await TestServer.serve { request in
            .text(request.head.authority ?? "")
        } _: { server in
            let address = try #require(WebAddress("http://covers.example:\(server.port)/x"))
            var fetcher = fetcher(["127.0.0.1"])
            fetcher.checks = { _ in true }
            let bytes = try await fetcher.fetch(address)
            #expect(String(decoding: bytes, as: UTF8.self) == "covers.example:\(server.port)")
        }
    }

    @Test func `trust is for one origin: another port of the same host isn't asked`() async throws {
        try await TestServer.serve { _ in
            .text("secret")
        } _: { server in
            let trusted = try #require(WebAddress("http://127.0.0.1:1"))
            let fetcher = Fetcher(trusted: [trusted.origin], limits: .init(bytes: 1_000))
            await #expect(throws: FetchError.refused) { try await fetcher.fetch(server.address()) }
            #expect(server.requests == [])
        }
    }
}
