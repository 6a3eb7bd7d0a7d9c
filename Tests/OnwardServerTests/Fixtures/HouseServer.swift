// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Onward
import OnwardNavigation
import OnwardServer

/// A server of the house for one test.
struct HouseServer {
    let store = House.store()
    var options = ServerOptions(port: 0)
    var hosting: Hosting<House>?

    init() {
        options.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        options.frame = .zero
    }

    /// Runs a test against the routes, without a socket.
    func test<Value>(
        _ setup: TestingSetup = .router,
        _ body: @Sendable (any TestClientProtocol) async throws -> Value
    ) async throws -> Value {
        try await PageServer(House.page(), hosting: hosting ?? .shared(store), options: options)
            .application().test(setup, body)
    }

    /// Where a tab is.
    func rooms(of tab: String) -> [Room]? { store.state.tabs[tab]?.screens }
}

extension TestClientProtocol {
    /// Posts fields as the script does, from a screen.
    func send(
        _ fields: [String: String], from uri: String = "/", headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        let all = fields.merging(["request": "request-\(fields.hashValue.magnitude)"]) { own, _ in
            own
        }
        let json = all.map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",")
        var headers = headers
        headers[.contentType] = "application/json"
        return try await execute(
            uri: uri, method: .post, headers: headers, body: ByteBuffer(string: "{\(json)}"))
    }

    /// Posts a form without script, from a screen.
    func submit(
        _ form: String, request: String = "request-form", from uri: String = "/"
    ) async throws -> TestResponse {
        try await execute(
            uri: uri, method: .post,
            headers: [.contentType: "application/x-www-form-urlencoded"],
            body: ByteBuffer(string: "\(form)&request=\(request)"))
    }
}
#endif
