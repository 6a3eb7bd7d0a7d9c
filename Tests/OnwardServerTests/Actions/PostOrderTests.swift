// SPDX-License-Identifier: MIT
#if Server

import Testing

@testable import OnwardServer

@Suite struct `Keeping the order of a page's posts` {
    @Test func `a page's posts may leave numbers out, and never go back`() {
        var order = PostOrder()
        let numbers = [2, 2, 1, 5, 4, 6]
        let isAdmitted = numbers.map { order.admit(PostNumber(sender: "a", number: $0)) }
        #expect(isAdmitted == [true, false, false, true, false, true])
        let isOthers = order.admit(PostNumber(sender: "b", number: 1))
        #expect(isOthers)
    }

    @Test func `only so many pages are remembered`() {
        var order = PostOrder(limit: 2)
        let isAdmitted = ["a", "b", "c", "b", "c", "a"].map {
            order.admit(PostNumber(sender: $0, number: 7))
        }
        #expect(isAdmitted == [true, true, true, false, false, true])
    }
}
#endif
