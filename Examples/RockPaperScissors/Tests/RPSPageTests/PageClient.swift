// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Onward
import OnwardServer
import RPSPage
import RockPaperScissorsCore
import Testing

/// A browser without script: reads the page and posts its forms.
struct PageClient: Sendable {
    let client: any TestClientProtocol
    let store: Store<Game>

    /// Serves a new game for the time of `body`.
    static func play<Result: Sendable>(
        _ setup: TestingSetup = .router, _ body: @Sendable (PageClient) async throws -> Result
    ) async throws -> Result {
        let store = Store(Game()) { rockPaperScissors }
        let server = try PageServer.rockPaperScissors(
            hosting: .shared(store), options: ServerOptions(port: 0))
        return try await server.application().test(setup) { client in
            try await body(PageClient(client: client, store: store))
        }
    }

    func page() async throws -> String {
        let response = try await client.executeRequest(
            uri: "/", method: .get, headers: [:], body: nil)
        #expect(response.status == .ok)
        return String(buffer: response.body)
    }

    func get(_ path: String) async throws -> TestResponse {
        try await client.executeRequest(uri: path, method: .get, headers: [:], body: nil)
    }

    /// Presses a button of the page as it is now.
    @discardableResult
    func press(_ button: Button) async throws -> TestResponse {
        try await post(button.fields(in: page()))
    }

    @discardableResult
    func post(_ fields: String) async throws -> TestResponse {
        try await client.executeRequest(
            uri: "/", method: .post,
            headers: [.contentType: "application/x-www-form-urlencoded"],
            body: ByteBuffer(string: fields))
    }
}

/// A button of the page.
enum Button {
    case weapon(Weapon)
    case playAgain

    /// What the browser posts when this button of `page` is pressed.
    func fields(in page: String) throws -> String {
        let request = try #require(page.firstMatch(of: /name="request" value="([^"]+)"/)?.1)
        let expects = try #require(page.firstMatch(of: /name="expects" value="([^"]+)"/)?.1)
        let context = "request=\(request)&expects=\(expects.replacing(" ", with: "+"))"
        return switch self {
        case .weapon(let weapon): context + "&type=GameAction%2Fchoose&weapon=\(weapon.rawValue)"
        case .playAgain: context + "&type=GameAction%2FplayAgain"
        }
    }
}
