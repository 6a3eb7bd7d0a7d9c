// SPDX-License-Identifier: MIT

import OnwardJournal
import Testing

@testable import OnwardCluster

struct OutboxTests {
    @Test func `what comes while something is on its way is sent together`() {
        var outbox = Outbox(limit: 10)
        #expect(outbox.add(["n": 1]) == true)
        #expect(outbox.next() == [["n": 1]])
        #expect(outbox.add(["n": 2]) == false)
        #expect(outbox.add(["n": 3]) == false)
        #expect(outbox.next() == [["n": 2], ["n": 3]])
        #expect(outbox.next() == nil)
        #expect(outbox.add(["n": 4]) == true)
    }

    @Test func `of more than the limit the oldest are lost`() {
        var outbox = Outbox(limit: 2)
        for number in 1...5 { _ = outbox.add(["n": DataValue(number)]) }
        #expect(outbox.next() == [["n": 4], ["n": 5]])
    }
}
