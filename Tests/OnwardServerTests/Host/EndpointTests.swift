// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import HummingbirdTesting
import NIOCore
import OnwardServer
import Testing

struct EndpointTests {
    /// A server with an endpoint that answers with what it was asked.
    private func server() -> TestServer {
        var server = TestServer()
        server.endpoints = [
            Endpoint("/api/", bodyLimit: 8) { request in
                Endpoint.Answer(
                    status: request.method == .post ? 201 : 200, contentType: "application/json",
                    bytes: Array(request.path.utf8) + request.body, fileName: "a \"b.json")
            }
        ]
        return server
    }

    @Test func `a question is answered with what stands behind its path`() async throws {
        try await server().test { client in
            let answer = try await client.get("/api/v1/x?y=%2F")
            #expect(String(buffer: answer.body) == "v1/x?y=%2F")
            #expect(answer.headers[.contentType] == "application/json")
            #expect(answer.headers[.contentDisposition] == "attachment; filename=\"ab.json\"")
            #expect(answer.headers[.xContentTypeOptions] == "nosniff")
        }
    }

    @Test func `a command comes as JSON, from this site, and not too large`() async throws {
        try await server().test { client in
            let json: HTTPFields = [.contentType: "application/json"]
            var foreign = json
            foreign[.origin] = "http://example.org"
            let posts: [(body: String, headers: HTTPFields, status: Int)] = [
                ("{}", json, 201), ("{}", [:], 415), ("{}", [.contentType: "text/plain"], 415),
                ("{}", foreign, 403), ("123456789", json, 413),
            ]
            for post in posts {
                let answer = try await client.execute(
                    uri: "/api/x", method: .post, headers: post.headers,
                    body: ByteBuffer(string: post.body))
                #expect(answer.status.code == post.status)
            }
        }
    }
}
#endif
