// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Onward
import OnwardServer

/// A server of the card table for one test.
struct TestServer {
    let store = Table.store()
    let lines = LogLines()
    var options = ServerOptions(port: 0)
    var hosting: Hosting<Table>?
    var assets: [Asset] = []
    var folders: [AssetFolder] = []
    var endpoints: [Endpoint] = []
    var layout: String?
    /// Makes the fragment `clock` large.
    var padding = ""

    init() {
        options.logger = Logger(label: "test") { [lines] _ in LineCollector(lines: lines) }
        options.frame = .zero
    }

    func application() throws -> some ApplicationProtocol {
        try PageServer(
            Table.page(layout: layout, padding: padding), hosting: hosting ?? .shared(store),
            assets: assets, folders: folders, endpoints: endpoints, options: options
        ).application()
    }

    /// Runs a test against the routes, without a socket.
    func test<Value>(
        _ setup: TestingSetup = .router,
        _ body: @Sendable (any TestClientProtocol) async throws -> Value
    ) async throws -> Value {
        try await application().test(setup, body)
    }
}

extension TestClientProtocol {
    func get(_ uri: String = "/", headers: HTTPFields = [:]) async throws -> TestResponse {
        try await execute(uri: uri, method: .get, headers: headers)
    }

    /// Posts as the script does.
    func post(json: String, headers: HTTPFields = [:]) async throws -> TestResponse {
        try await post(body: ByteBuffer(string: json), type: "application/json", headers: headers)
    }

    /// Posts as a form without script does.
    func post(form: String, headers: HTTPFields = [:]) async throws -> TestResponse {
        try await post(
            body: ByteBuffer(string: form), type: "application/x-www-form-urlencoded",
            headers: headers)
    }

    func post(body: ByteBuffer, type: String?, headers: HTTPFields = [:]) async throws
        -> TestResponse
    {
        var headers = headers
        headers[.contentType] = type
        return try await execute(uri: "/", method: .post, headers: headers, body: body)
    }
}

extension TestResponse {
    var text: String { String(buffer: body) }

    /// The value of each hidden field of a name, in the order of the document.
    func fields(_ name: String) -> [String] {
        text.matches(of: /name="(\w+)" value="([^"]*)"/).filter { $0.1 == name }.map {
            String($0.2)
        }
    }
}

/// A play as the script posts it.
func play(_ card: String = "ace", request: String = "request-1", expects: String? = nil) -> String {
    let expects = expects.map { ",\"expects\":\"\($0)\"" } ?? ""
    return """
        {"type":"TableAction/play","request":"\(request)","card":"\(card)"\(expects)}
        """
}
#endif
