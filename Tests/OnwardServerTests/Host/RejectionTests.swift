// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import HummingbirdTesting
import NIOCore
import Onward
import OnwardServer
import Testing

/// A post that must not get in.
struct HostilePost: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let status: HTTPResponse.Status
    var type: String? = "application/json"
    var headers: HTTPFields = [:]
    let body: [UInt8]

    init(
        _ description: String, _ body: String, status: HTTPResponse.Status = .badRequest,
        type: String? = "application/json", headers: HTTPFields = [:]
    ) {
        self.init(
            description, bytes: Array(body.utf8), status: status, type: type, headers: headers)
    }

    init(
        _ description: String, bytes: [UInt8], status: HTTPResponse.Status = .badRequest,
        type: String? = "application/json", headers: HTTPFields = [:]
    ) {
        self.testDescription = description
        self.status = status
        self.type = type
        self.headers = headers
        self.body = bytes
    }

    static let form = "application/x-www-form-urlencoded"

    /// A bet with a number that isn't one.
    static func bet(_ description: String, _ amount: String) -> HostilePost {
        HostilePost(
            description,
            #"{"type":"TableAction/bet","request":"request-1","blind":true,"amount":\#(amount)}"#)
    }

    static let all = names + fields + numbers + texts + forms + types + origins

    static let names = [
        HostilePost("an unknown type", #"{"type":"Nothing/play","request":"request-1"}"#),
        HostilePost("an unknown case", #"{"type":"TableAction/cheat","request":"request-1"}"#),
        HostilePost(
            "a handled type the page doesn't accept",
            #"{"type":"SecretAction","request":"request-1"}"#),
        HostilePost(
            "an accepted type that nobody handles",
            #"{"type":"OrphanAction","request":"request-1"}"#),
        HostilePost(
            "an address where nobody is",
            #"{"type":"TableAction/tick","request":"request-1","address":"left"}"#),
        HostilePost(
            "no address", #"{"type":"TableAction/tick","request":"request-1","address":"//"}"#),
    ]

    static let fields = [
        HostilePost("no type", #"{"request":"request-1"}"#),
        HostilePost("a type that is a number", #"{"type":7,"request":"request-1"}"#),
        HostilePost("no request id", #"{"type":"TableAction/tick"}"#),
        HostilePost(
            "a request id that is too short", #"{"type":"TableAction/tick","request":"1"}"#),
        HostilePost(
            "a request id with a line break", #"{"type":"TableAction/tick","request":"request\n1"}"#
        ),
        HostilePost("a missing field", #"{"type":"TableAction/play","request":"request-1"}"#),
        HostilePost(
            "a field of another kind",
            #"{"type":"TableAction/play","request":"request-1","card":[]}"#),
    ]

    static let numbers = [
        bet("NaN as a word", "NaN"), bet("NaN as a text", #""NaN""#),
        bet("a huge integer", "123456789012345678901234567890"),
        bet("a huge exponent", "1e400"), bet("a fraction", "1.5"), bet("null", "null"),
        bet("an integer just too large", "9223372036854775808"),
    ]

    static let texts = [
        HostilePost("no JSON", "{"), HostilePost("nothing", ""), HostilePost("a list", "[]"),
        HostilePost("two values", "{}{}"),
        HostilePost("deep nesting", String(repeating: "[", count: 60_000)),
        HostilePost("deep nesting in an object", String(repeating: #"{"a":"#, count: 100)),
        HostilePost("very many elements", "[1" + String(repeating: ",1", count: 20_000) + "]"),
        HostilePost("bad UTF-8", bytes: Array(#"{"type":""#.utf8) + [0xFF, 0x22, 0x7D]),
        HostilePost(
            "too large a body", play(String(repeating: "a", count: 64 * 1_024)),
            status: .contentTooLarge),
    ]

    static let forms = [
        HostilePost("bad UTF-8 in a form", "type=%FF&request=request-1", type: form),
        HostilePost(
            "two request ids", "type=TableAction/tick&request=request-1&request=request-2",
            type: form),
        HostilePost(
            "very many values",
            "type=TableAction/tick&request=request-1"
                + String(repeating: "&f=", count: 300), type: form),
        HostilePost(
            "very many fields", (0..<300).map { "f\($0)=" }.joined(separator: "&"), type: form),
    ]

    static let types = [
        HostilePost("no content type", play(), status: .unsupportedMediaType, type: nil),
        HostilePost("a text", play(), status: .unsupportedMediaType, type: "text/plain"),
        HostilePost(
            "a multipart form", play(), status: .unsupportedMediaType, type: "multipart/form-data"),
        HostilePost(
            "another character set", play(), status: .unsupportedMediaType,
            type: "application/json; charset=utf-16"),
        HostilePost(
            "a body that says that it is compressed", play(), status: .unsupportedMediaType,
            headers: [.contentEncoding: "gzip"]),
    ]

    static let origins = [
        from("a foreign origin", "http://evil.example"),
        from("a null origin", "null"),
        from("an origin on another port", "http://localhost:1"),
        from("an origin that only begins like ours", "http://localhost.evil.example"),
    ]

    private static func from(_ description: String, _ origin: String) -> HostilePost {
        HostilePost(description, play(), status: .forbidden, headers: [.origin: origin])
    }
}

@Suite struct `Refusing what is hostile` {
    @Test(arguments: HostilePost.all)
    func `a 4xx with a sentence, nothing dispatched, one log line`(post: HostilePost) async throws {
        let server = TestServer()
        try await server.test { client in
            let answer = try await client.post(
                body: ByteBuffer(bytes: post.body), type: post.type, headers: post.headers)
            #expect(answer.status == post.status)
            #expect(answer.text.contains(/[A-Z][^<>{}]{10,}\./))
        }
        #expect(server.store.log.version == 0)
        #expect(server.lines.all.count == 1)
    }

    @Test func `our own origin is let in`() async throws {
        let server = TestServer()
        try await server.test { client in
            let answer = try await client.post(
                json: play(), headers: [.origin: "http://localhost"])
            #expect(answer.status == .ok)
        }
    }

    @Test func `a cross-site request is refused also when it hides its origin`() async throws {
        let server = TestServer()
        let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
        try await server.test { client async throws in
            #expect(
                try await client.post(json: play(), headers: [site: "cross-site"]).status
                    == .forbidden)
        }
        #expect(server.store.log.version == 0)
    }

    @Test func `a foreign name is for the log alone, and forges no line there`() async throws {
        let server = TestServer()
        try await server.test { client in
            let answer = try await client.post(
                form: "type=%3Cscript%3E%0Aforged&request=request-1")
            #expect(answer.status == .badRequest)
            #expect(answer.text.contains("This page can&#39;t do that."))
            #expect(!answer.text.contains("forged"))
        }
        #expect(server.lines.all.contains { $0.contains("no action named \"<script>forged\".") })
        #expect(server.lines.all.allSatisfy { !$0.contains("\n") })
    }

    @Test func `a form that is refused shows the page as it is`() async throws {
        try await TestServer().test { client in
            let answer = try await client.post(form: "type=TableAction/play&request=request-1")
            #expect(answer.status == .badRequest)
            #expect(answer.text.contains("Card: Please fill in this field."))
            #expect(answer.text.contains("<time>0</time>"))
        }
    }

    @Test(arguments: [
        post("Host: localhost", "Content-Length: 900"),
        post("Host: localhost", "Content-Length: -1"),
        post("Host: localhost", "Content-Length: 5", "Content-Length: 80"),
        post("Host: localhost", "Transfer-Encoding: chunked"),
        post("Content-Length: \(play().utf8.count)"),
        post("Host: evil.example", "Content-Length: \(play().utf8.count)"),
        post("Host: localhost", "X: " + String(repeating: "x", count: 100_000)),
        "\u{0}\u{1}\u{2} nonsense\r\n\r\n",
    ])
    func `a connection that lies gets nothing dispatched, and the next one is served`(
        request: String
    ) async throws {
        let server = TestServer()
        try await server.test(.live) { client in
            let port = try #require(client.port)
            try await RawConnection.with(port: port, send: request) { _ in }
            #expect(try await client.get().status == .ok)
        }
        #expect(server.store.log.version == 0)
    }

    @Test(arguments: [
        ["Host: localhost", "Host: localhost"], ["Host: localhost", "Host: evil.example"],
        ["Host: evil.example", "host: localhost"], [], ["Host:"], ["Host: localhost:evil"],
        ["Host: localhost:80@evil.example"],
    ])
    func `a request that doesn't name exactly one host is refused`(hosts: [String]) async throws {
        let server = TestServer()
        try await server.test(.live) { client in
            let length = "Content-Length: \(play().utf8.count)"
            let lines =
                ["POST / HTTP/1.1", "Content-Type: application/json", "Connection: close", length]
                + hosts
            let request = lines.joined(separator: "\r\n") + "\r\n\r\n" + play()
            try await RawConnection.with(port: #require(client.port), send: request) { reader in
                let answer = try await reader.readToEnd()
                #expect(answer.hasPrefix("HTTP/1.1 400"))
            }
        }
        #expect(server.store.log.version == 0)
    }

    @Test(arguments: [
        "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: chunked, gzip",
        "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked",
    ])
    func `a body in another coding than chunks gets nothing dispatched`(coding: String) async throws
    {
        let server = TestServer()
        try await server.test(.live) { client in
            let chunk = String(play().utf8.count, radix: 16) + "\r\n" + play() + "\r\n0\r\n\r\n"
            let request =
                "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Connection: close\r\n\(coding)\r\n\r\n" + chunk
            let answer = try await RawConnection.rest(port: #require(client.port), send: request)
            #expect(answer.hasPrefix("HTTP/1.1 501") || answer.hasPrefix("HTTP/1.1 400"))
        }
        #expect(server.store.log.version == 0)
    }

    @Test(arguments: [
        ("http://localhost/", "localhost", 200), ("http://evil.example/", "localhost", 421),
        ("http://localhost/", "evil.example", 200), ("http://user@localhost/", "localhost", 421),
        ("http://localhost?a=b", "localhost", 200), ("evil://evil.example/", "localhost", 421),
        ("/a://evil.example/", "localhost", 404), ("http:///", "localhost", 400),
    ])
    func `a target that names a host means that one`(
        target: String, host: String, status: Int
    ) async throws {
        try await TestServer().test(.live) { client in
            let request = "GET \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
            let answer = try await RawConnection.rest(port: #require(client.port), send: request)
            #expect(answer.hasPrefix("HTTP/1.1 \(status)"))
        }
    }

    @Test(arguments: ["Content-Length: 5", "Transfer-Encoding: chunked"])
    func `a GET with a body is refused, and the connection closed`(length: String) async throws {
        try await TestServer().test(.live) { client in
            for path in ["/", "/events", "/onward.js"] {
                let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(length)\r\n\r\n"
                let answer = try await RawConnection.rest(
                    port: #require(client.port), send: request + "5\r\nGET /\r\n0\r\n\r\n")
                #expect(answer.hasPrefix("HTTP/1.1 400"))
                #expect(answer.matches(of: /HTTP\/1\.1/).count == 1)
            }
            let empty = try await RawConnection.rest(
                port: #require(client.port),
                send: """
                    GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n
                    """)
            #expect(empty.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test(arguments: ["/events", "/events?since=x-1"])
    func `a stream is for this site alone`(path: String) async throws {
        let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
        try await TestServer().test { client in
            for headers: HTTPFields in [[.origin: "http://evil.example"], [site: "cross-site"]] {
                let answer = try await client.get(path, headers: headers)
                #expect(answer.status == .forbidden)
            }
        }
    }

    /// A post as bytes on the wire.
    private static func post(_ headers: String...) -> String {
        let lines = ["POST / HTTP/1.1", "Content-Type: application/json"] + headers
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + play()
    }
}
#endif
