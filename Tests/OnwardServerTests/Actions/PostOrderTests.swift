// SPDX-License-Identifier: MIT
#if Server

import Testing

@testable import OnwardServer

@Suite struct `Keeping the order of a page's posts` {
    @Test func `a page's posts may leave numbers out, and never go back`() {
        var order = PostOrder(limit: 10)
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

    @Test func `a page that goes on posting is remembered, however many come after it`() {
        var order = PostOrder(limit: 10)
        for number in 1...100 {
            let isAdmitted = order.admit(PostNumber(sender: "old", number: number))
            let isNewAdmitted = order.admit(PostNumber(sender: "new \(number)", number: 1))
            #expect(isAdmitted && isNewAdmitted)
            let isAdmittedAgain = order.admit(PostNumber(sender: "old", number: number))
            #expect(!isAdmittedAgain)
        }
    }

    @Test func `one page takes no more room, however much it posts`() {
        var order = PostOrder(limit: 10)
        for number in 1...1_000 { _ = order.admit(PostNumber(sender: "a", number: number)) }
        #expect(order.admitted.count <= 20)
    }
}
#endif
