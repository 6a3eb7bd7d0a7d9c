// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import HummingbirdTesting
import NIOCore
import Onward
import Testing

@testable import OnwardServer

@Suite struct `What browsers and caches ask of files` {
    private func server() -> TestServer {
        var server = TestServer()
        server.assets = [
            .stylesheet("/style.css", "p { color: teal }" + String(repeating: " ", count: 4_000)),
            Asset(path: "/tune.ogg", contentType: "audio/ogg", bytes: Array("0123456789".utf8)),
        ]
        server.folders = [
            AssetFolder("/films/") { name in
                name == "gone"
                    ? nil
                    : .init(
                        Asset(
                            path: name, contentType: "video/mp4", bytes: Array("0123456789".utf8)),
                        tag: name == "untagged" ? nil : "abc")
            }
        ]
        return server
    }

    @Test(arguments: [
        ("/tune.ogg", ""), ("/onward.js", ""), ("/onward.js", "gzip"), ("/films/a", ""),
    ])
    func `a browser that has a file is sent nothing, however it says so`(
        path: String, coding: String
    )
        async throws
    {
        try await server().test { client in
            var headers: HTTPFields = [.acceptEncoding: coding]
            let tag = try #require(try await client.get(path, headers: headers).headers[.eTag])
            for held in [tag, "W/\(tag)", "\"x\", \(tag)", "\"x\",W/\(tag)", "*"] {
                headers[.ifNoneMatch] = held
                let answer = try await client.get(path, headers: headers)
                #expect(answer.status == .notModified && answer.text.isEmpty, "\(held)")
                #expect(answer.headers[.eTag] == tag)
            }
            headers[.ifNoneMatch] = "\"x\""
            #expect(try await client.get(path, headers: headers).status == .ok)
        }
    }

    @Test(arguments: [
        ("bytes=0-3", "0123", "bytes 0-3/10"), ("bytes=4-", "456789", "bytes 4-9/10"),
        ("bytes=-3", "789", "bytes 7-9/10"), ("bytes=9-99", "9", "bytes 9-9/10"),
        ("bytes=-99", "0123456789", "bytes 0-9/10"), ("Bytes=2-2", "2", "bytes 2-2/10"),
    ])
    func `a player gets the part that it asks for`(range: String, part: String, place: String)
        async throws
    {
        try await server().test { client in
            for path in ["/tune.ogg", "/films/a", "/films/untagged"] {
                #expect(try await client.get(path).headers[.acceptRanges] == "bytes")
                let answer = try await client.get(path, headers: [.range: range])
                #expect(answer.status == .partialContent && answer.text == part)
                #expect(answer.headers[.contentRange] == place)
                #expect(answer.headers[.contentLength] == "\(part.count)")
            }
        }
    }

    @Test(arguments: [
        "bytes=3-1", "bytes=a-b", "bytes=", "items=0-1", "bytes=0-1,3-4", "bytes=-", "0-1",
        "bytes=--1", "bytes=1-2-3", "bytes=0x1-2",
    ])
    func `what isn't one range of bytes gets the whole file`(range: String) async throws {
        try await server().test { client in
            let answer = try await client.get("/tune.ogg", headers: [.range: range])
            #expect(answer.status == .ok && answer.text == "0123456789")
        }
    }

    @Test(arguments: ["bytes=10-", "bytes=10-20", "bytes=-0", "bytes=99999999999999999999-"])
    func `a range behind the end is refused with the size`(range: String) async throws {
        try await server().test { client in
            let answer = try await client.get("/tune.ogg", headers: [.range: range])
            #expect(answer.status == .rangeNotSatisfiable)
            #expect(answer.headers[.contentRange] == "bytes */10")
        }
    }

    @Test func `a part of other content is of no use`() async throws {
        try await server().test { client in
            for (held, status) in [
                ("\"abc\"", HTTPResponse.Status.partialContent), ("W/\"abc\"", .ok), ("\"x\"", .ok),
            ] {
                let headers: HTTPFields = [.range: "bytes=0-1", .ifRange: held]
                #expect(try await client.get("/films/a", headers: headers).status == status)
            }
            let plain = try await client.get(
                "/style.css", headers: [.range: "bytes=0-1", .acceptEncoding: "gzip"])
            #expect(plain.text == "p " && plain.headers[.contentEncoding] == nil)
            let both = try await client.get(
                "/films/a", headers: [.range: "bytes=0-1", .ifNoneMatch: "\"abc\""])
            #expect(both.status == .notModified)
        }
    }

    @Test(arguments: [
        "/", "/onward.js", "/tune.ogg", "/style.css", "/films/a", "/films/gone", "/favicon.ico",
        "/nowhere",
    ])
    func `a HEAD has the status and the header of a GET`(path: String) async throws {
        try await server().test(.live) { client in
            for coding in ["", "gzip"] {
                let headers: HTTPFields = [.acceptEncoding: coding]
                let get = try await client.get(path, headers: headers)
                let head = try await client.execute(uri: path, method: .head, headers: headers)
                #expect(head.status == get.status && head.text.isEmpty)
                let own: Set<HTTPField.Name> = [.date, .setCookie, .transferEncoding]
                for field in get.headers where !own.contains(field.name) {
                    #expect(head.headers[field.name] == field.value, "\(field.name)")
                }
            }
        }
    }

    @Test(arguments: [
        ("/", "GET, HEAD, POST"), ("/onward.js", "GET, HEAD"), ("/events", "GET, HEAD"),
        ("/tune.ogg", "GET, HEAD"), ("/films/a", "GET, HEAD"), ("/favicon.ico", "GET, HEAD"),
    ])
    func `another method is refused with those that there are`(path: String, allowed: String)
        async throws
    {
        let server = server()
        try await server.test { client in
            for method in [HTTPRequest.Method.put, .delete, .patch, .options, .post]
            where !(method == .post && path == "/") {
                let answer = try await client.execute(
                    uri: path, method: method, headers: [.contentType: "application/json"],
                    body: ByteBuffer(string: play()))
                #expect(answer.status == .methodNotAllowed, "\(method)")
                #expect(answer.headers[.allow] == allowed)
            }
            let nothing = try await client.execute(uri: "/nowhere", method: .put)
            #expect(nothing.status == .notFound)
        }
        #expect(server.store.log.version == 0)
    }

    @Test func `documents load nothing from elsewhere, unless the app says so`() async throws {
        #expect(
            ContentSecurity().policy == """
                default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                font-src 'self'; media-src 'self'; connect-src 'self'; manifest-src 'self'; \
                form-action 'self'; base-uri 'none'; frame-ancestors 'none'
                """)
        var server = server()
        server.options.contentSecurity.allowsInlineStyles = true
        server.options.contentSecurity.allow(.images, from: "https://tile.example", "data:")
        server.options.contentSecurity.allow(.workers, from: "blob:")
        try await server.test { client in
            let policy = try #require(try await client.get().headers[.contentSecurityPolicy])
            #expect(policy.contains("style-src 'self' 'unsafe-inline';"))
            #expect(policy.contains("img-src 'self' https://tile.example data:;"))
            #expect(policy.contains("worker-src 'self' blob:;") && !policy.contains("frame-src"))
            #expect(policy.contains("script-src 'self';"))
        }
    }

    @Test func `a source of content is one word`() async {
        await #expect(processExitsWith: .failure) {
            var security = ContentSecurity()
            security.allow(.images, from: "https://a; script-src *")
        }
        await #expect(processExitsWith: .failure) {
            var security = ContentSecurity()
            security.allow(.images, from: "https://a https://b")
        }
    }
}
#endif
