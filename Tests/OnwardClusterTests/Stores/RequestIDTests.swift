// SPDX-License-Identifier: MIT

import OnwardCluster
import OnwardJournal
import Testing

struct RequestIDTests {
    @Test func `is a text that can be read again`() {
        let request = RequestID(since: 42)
        #expect(RequestID("\(request)") == request)
        #expect(RequestID("\(RequestID(id: .none, since: .max))")?.since == .max)
    }

    @Test(arguments: [
        "", "-", "7-1", "\(EntryID.none)", "\(EntryID.none)--1", "\(EntryID.none)-1-2",
    ])
    func `any other text is none`(text: String) {
        #expect(RequestID(text) == nil)
    }
}
