// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import HummingbirdTesting
import OnwardServer
import Testing

struct AccessTokenTests {
    private let token = "a-long-random-text"

    private func server() -> TestServer {
        var server = TestServer()
        server.options.accessToken = token
        return server
    }

    @Test func `without the token nothing is shown, and nothing done`() async throws {
        let token = token
        try await server().test { client in
            for headers: HTTPFields in [
                [:], [.authorization: "Bearer a-long-random-texu"], [.authorization: token],
                [.cookie: "onward-access=other"], [.authorization: "Bearer "],
            ] {
                for url in ["/", "/events", "/?token=other"] {
                    let answer = try await client.get(url, headers: headers)
                    #expect(answer.status == .unauthorized)
                }
            }
        }
    }

    @Test func `a program sends it with each request`() async throws {
        let token = token
        try await server().test { client in
            let answer = try await client.get(headers: [.authorization: "Bearer \(token)"])
            #expect(answer.status == .ok)
        }
    }

    @Test func `a browser comes with it once, and its address forgets it`() async throws {
        let token = token
        try await server().test { client in
            let answer = try await client.get("/?token=\(token)&page=2")
            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location] == "/?page=2")
            let cookie = try #require(answer.headers[.setCookie])
            #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
            let pair = String(cookie.prefix { $0 != ";" })
            #expect(try await client.get(headers: [.cookie: "other=1; \(pair)"]).status == .ok)
        }
    }
}
#endif
