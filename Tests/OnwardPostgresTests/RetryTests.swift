// SPDX-License-Identifier: MIT
#if All

import Testing

@testable import OnwardPostgres

struct RetryTests {
    @Test func `tries again at once, then after pauses that double, until the time is over`() {
        var retry = Retry(limit: .seconds(1))
        let now = retry.deadline - .seconds(1)
        #expect(retry.next(at: now) == .zero)
        #expect(retry.next(at: now) == .milliseconds(20))
        #expect(retry.next(at: now) == .milliseconds(40))
        #expect(retry.next(at: now + .milliseconds(950)) == nil)
    }
}
#endif
