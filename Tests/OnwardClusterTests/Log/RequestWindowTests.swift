// SPDX-License-Identifier: MIT

import Onward
import OnwardCluster
import OnwardJournal
import Testing

struct RequestWindowTests {
    @Test func `finds where a request is done`() {
        var window = RequestWindow(limit: 3)
        window.insert(id(1), at: 5)
        #expect(window.find(id(1), since: 0) == .done(5))
        #expect(window.find(id(2), since: 0) == .new)
    }

    @Test func `says of a request as old as what was forgotten that nobody knows`() {
        var window = RequestWindow(limit: 2)
        for number in 1...3 as ClosedRange<UInt64> {
            window.insert(id(number), at: CommitVersion(number * 10))
        }
        #expect(window.find(id(1), since: 9) == .forgotten)
        #expect(window.find(id(9), since: 9) == .forgotten)
        #expect(window.find(id(9), since: 10) == .new)
        #expect(window.find(id(2), since: 0) == .done(20))
    }
}
