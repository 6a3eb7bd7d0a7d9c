// SPDX-License-Identifier: MIT
#if Server

import Foundation
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
            // Whoever sees the cookie doesn't know the token.
            #expect(!cookie.contains(token))
            let pair = String(cookie.prefix { $0 != ";" })
            let forged = String(pair.prefix { $0 != "=" }) + "=\(token)"
            #expect(
                try await client.get(headers: [.cookie: forged]).status == .unauthorized)
            #expect(try await client.get(headers: [.cookie: "other=1; \(pair)"]).status == .ok)
        }
    }

    @Test func `two apps on one host don't take the cookie from each other`() async throws {
        let token = token
        try await server().test(.live) { client in
            let port = try #require(client.port)
            func answer(_ url: String, cookie: String = "") async throws -> String {
                try await RawConnection.rest(
                    port: port,
                    send: """
                        GET \(url) HTTP/1.1\r\nHost: localhost:8081\r\nCookie: \(cookie)\r\n\
                        Connection: close\r\n\r\n
                        """)
            }
            let entrance = try await answer("/?token=\(token)")
            let start = try #require(entrance.range(of: "onward-access-8081=")?.lowerBound)
            let own = String(entrance[start...].prefix { $0 != ";" })
            let both = try await answer("/", cookie: "onward-access-8082=other; \(own)")
            #expect(both.hasPrefix("HTTP/1.1 200"))
            let others = try await answer("/", cookie: own.replacing("8081", with: "8082"))
            #expect(others.hasPrefix("HTTP/1.1 401"))
        }
    }

    @Test func `an address with the token leads to no other host`() async throws {
        let token = token
        try await server().test { client in
            let answer = try await client.get("//evil.example/?token=\(token)")
            #expect(answer.headers[.location] == "/evil.example/")
        }
    }

    @Test func `behind HTTPS its cookie is kept from plain HTTP`() async throws {
        let token = token
        var server = server()
        server.options.cookiesAreSecure = true
        try await server.test { client in
            let answer = try await client.get("/?token=\(token)")
            #expect(answer.headers[.setCookie]?.hasSuffix("; Secure") == true)
        }
    }
}
#endif
