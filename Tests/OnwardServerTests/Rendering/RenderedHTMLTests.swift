// SPDX-License-Identifier: MIT
#if Server

import Testing

@testable import OnwardServer

struct CutHTMLTests {
    @Test(arguments: [
        ("", ""), ("<p>é</p>", "<p>é</p>"), ("00", "!"), ("<p>00é00</p>", "<p>!é!</p>"),
        ("0000", "!!"), ("0", "0"), ("a0", "a0"), ("0a00", "0a!"), ("000", "!0"),
    ])
    func `a placeholder is found wherever it stands, and nothing else`(html: String, cut: String) {
        #expect(CutHTML(html, at: "00").joined(by: "!") == cut)
    }

    @Test func `what begins like a placeholder is none`() {
        #expect(CutHTML("aab aaab ab", at: "aab").joined(by: "!") == "! a! ab")
    }
}
#endif
