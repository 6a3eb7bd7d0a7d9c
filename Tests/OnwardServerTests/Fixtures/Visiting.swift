// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import HummingbirdTesting
import Testing

extension TestClientProtocol {
    /// Loads the page for the first time, and keeps the cookie.
    func enter() async throws -> HTTPFields {
        [.cookie: try await get().cookie()]
    }
}

extension TestResponse {
    /// The cookie it gives out: its name and its value.
    func cookie() throws -> String {
        String(try #require(headers[.setCookie]?.split(separator: ";").first))
    }

    /// The tag of the visitor for whom the page was drawn.
    var visit: String? {
        text.firstMatch(of: /&amp;visit=([0-9a-f]+)/).map { String($0.1) }
    }
}
#endif
