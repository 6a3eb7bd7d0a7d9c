// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import HummingbirdTesting
import OnwardServer
import Testing

@Suite struct `Files that are looked for` {
    private func server() -> TestServer {
        var server = TestServer()
        let folder = AssetFolder("/pictures/") { name in
            let asset = Asset(path: name, contentType: "image/png", bytes: Array(name.utf8))
            return switch name {
            case "kept": .init(asset, tag: "abc", maximumAge: .seconds(60))
            case "fleeting", "Züri 1%41": .init(asset)
            default: nil
            }
        }
        server.folders = [folder]
        return server
    }

    @Test func `a file comes with its type, its tag, its age and the page's strict headers`()
        async throws
    {
        try await server().test { client in
            let file = try await client.get("/pictures/kept")
            #expect(file.status == .ok)
            #expect(file.text == "kept")
            #expect(file.headers[.contentType] == "image/png")
            #expect(file.headers[.eTag] == "\"abc\"")
            #expect(file.headers[.cacheControl] == "private, max-age=60")
            #expect(file.headers[.xContentTypeOptions] == "nosniff")
            #expect(file.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
        }
    }

    @Test func `a visitor finds files of its own, and nobody else's`() async throws {
        let folder = AssetFolder("/notes/") { name, visitors in
            guard let visitor = visitors.first else { return nil }
            return .init(
                Asset(path: name, contentType: "text/plain", bytes: Array(visitor.fileName.utf8)))
        }
        var server = TestServer()
        server.folders = [folder]
        server.hosting = .perVisitor(limit: 2, idle: .seconds(60)) { Table.store() }
        try await server.test { client in
            #expect(try await client.get("/notes/mine").status == .notFound)
            var found: Set<String> = []
            for _ in 0..<2 {
                let cookie = try #require(try await client.get().headers[.setCookie])
                    .prefix { $0 != ";" }
                for _ in 0..<2 {
                    let file = try await client.get(
                        "/notes/mine", headers: [.cookie: String(cookie)])
                    #expect(file.status == .ok && file.text.count == 32)
                    #expect(!cookie.contains(file.text))
                    found.insert(file.text)
                }
                let changed = String(cookie.dropLast()) + (cookie.hasSuffix("0") ? "1" : "0")
                let file = try await client.get("/notes/mine", headers: [.cookie: changed])
                #expect(file.status == .notFound)
            }
            #expect(found.count == 2)
        }
    }

    @Test func `a file without age isn't kept`() async throws {
        try await server().test { client in
            let file = try await client.get("/pictures/fleeting")
            #expect(file.headers[.cacheControl] == "no-store")
            #expect(file.headers[.eTag] == nil)
        }
    }

    @Test(arguments: [
        ("\"abc\"", true), ("W/\"abc\"", true), ("\"x\", \"abc\"", true), ("*", true),
        ("\"x\"", false), ("abc", false), ("", false),
    ])
    func `a browser that has it is notified so and sent nothing`(held: String, has: Bool)
        async throws
    {
        try await server().test { client in
            let file = try await client.get("/pictures/kept", headers: [.ifNoneMatch: held])
            #expect(file.status == (has ? .notModified : .ok))
            #expect(file.text == (has ? "" : "kept"))
            #expect(file.headers[.eTag] == "\"abc\"")
        }
    }

    @Test func `a name is decoded once`() async throws {
        try await server().test { client in
            let file = try await client.get("/pictures/Z%C3%BCri%201%2541")
            #expect(file.text == "Züri 1%41")
        }
    }

    @Test(arguments: [
        "/pictures/..%2Fkept", "/pictures/%2e%2e", "/pictures/.", "/pictures/a%5Ckept",
        "/pictures/kept%00", "/pictures/kept%0A", "/pictures/kept%7F", "/pictures/kept%C2%85",
        "/pictures/%2Fetc%2Fpasswd", "/pictures/%C3", "/pictures/%4", "/pictures/%",
    ])
    func `no name leads out of the folder`(path: String) async throws {
        var server = TestServer()
        server.folders = [
            AssetFolder("/pictures/") { name in
                Issue.record("\(name) is asked for")
                return nil
            }
        ]
        try await server.test { client in
            let answer = try await client.get(path)
            #expect(answer.status == .notFound)
        }
    }

    @Test(arguments: ["/pictures/other", "/pictures/", "/pictures", "/pictures/a/kept"])
    func `what isn't found is answered with 404`(path: String) async throws {
        try await server().test { client in
            let answer = try await client.get(path)
            #expect(answer.status == .notFound)
        }
    }
}
#endif
