// SPDX-License-Identifier: MIT

import Foundation
import Onward
import Testing

@Suite struct RedactedTests {
    struct Account: Codable, Equatable {
        var name = "Ada"
        @Redacted var token = "secret"
    }

    @Test
    func `does not show in anything that prints`() {
        let account = Account()
        #expect("\(account)" == "Account(name: \"Ada\", _token: ‹redacted›)")
        #expect(!String(reflecting: account).contains("secret"))
        var dumped = ""
        dump(account, to: &dumped)
        #expect(!dumped.contains("secret"))
        #expect(account.token == "secret")
    }

    @Test
    func `is exported as its placeholder, unless the encoder reveals it`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let shown = String(decoding: try encoder.encode(Account()), as: UTF8.self)
        #expect(shown == #"{"name":"Ada","token":"‹redacted›"}"#)
        encoder.userInfo[.revealsRedacted] = true
        let kept = try encoder.encode(Account())
        #expect(try JSONDecoder().decode(Account.self, from: kept) == Account())
    }
}
