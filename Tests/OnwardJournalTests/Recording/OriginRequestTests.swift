// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import Testing

/// What an entry says of the request that brought its action.
struct OriginRequestTests {
    @Test(arguments: [("/game", "/game"), ("/", "/"), ("/a b?q=secret", "/a b"), ("", "")])
    func `an origin has the request, and the path of its page without a query`(
        url: String, page: String
    ) throws {
        let file = ActionOrigin.file(ofRequest: "3f-a-v7", from: url)
        let request = try #require(ActionOrigin(file: file, line: 0).request)
        #expect(request.id == "3f-a-v7" && request.page == page)
    }

    @Test func `a path of any length is kept in part`() {
        let file = ActionOrigin.file(ofRequest: "3f", from: String(repeating: "/a", count: 10_000))
        #expect(file.count < 220)
    }

    @Test func `a place in the source is no request`() {
        #expect(ActionOrigin().request == nil)
        #expect(ActionOrigin(file: "request 3f", line: 1).request == nil)
        #expect(ActionOrigin(file: "request ", line: 0).request == nil)
    }
}
