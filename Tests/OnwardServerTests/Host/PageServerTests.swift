// SPDX-License-Identifier: MIT
#if Server

import HummingbirdTesting
import Mustache
import OnwardServer
import Testing

@Suite struct `Running a server` {
    @Test func `a port in use is reported in one sentence`() async throws {
        let server = TestServer()
        try await server.test(.live) { client in
            var options = server.options
            options.host = "localhost"
            options.port = try #require(client.port)
            let second = try PageServer(
                Table.page(), hosting: .shared(server.store), options: options)
            let error = try await #require(throws: ServerError.self) { try await second.run() }
            #expect(error.code == .addressInUse)
            #expect(
                "\(error)" == "Port \(options.port) of localhost is in use by another program.")
        }
    }

    @Test func `a page that can't be drawn is reported before the first visitor`() async throws {
        let page = try Page<Table>(title: "", templates: MustacheLibrary(), accepts: []) { _ in
            [Fragment("board", model: 0)]
        }
        let server = PageServer(
            page, hosting: .shared(Table.store()), options: TestServer().options)
        let error = try await #require(throws: PageError.self) { try await server.run() }
        #expect(error.code == .missingTemplate && error.key == "board")
    }

    @Test func `unless notified otherwise it binds to loopback`() {
        #expect(ServerOptions().host == "127.0.0.1")
        #expect(ServerOptions().hostNames == ["localhost", "127.0.0.1", "[::1]"])
    }
}
#endif
