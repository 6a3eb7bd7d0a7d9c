// SPDX-License-Identifier: MIT
#if All

import Testing

@testable import OnwardPostgres

struct ConnectionPoolTests {
    private typealias Pool = ConnectionPool<String, Int>

    private func granted(_ answer: Pool.Answer) -> String? {
        guard case .granted(let connection) = answer else { return "not granted" }
        return connection
    }

    private func waits(_ answer: Pool.Answer) -> Bool {
        if case .waits = answer { true } else { false }
    }

    @Test func `gives no more connections than its size, and then in the order of the requests`() {
        var pool = Pool(size: 2)
        #expect(granted(pool.request(1, 1)) == nil)
        #expect(granted(pool.request(2, 2)) == nil)
        #expect(waits(pool.request(3, 3)))
        #expect(waits(pool.request(4, 4)))
        let next = pool.release("a")
        #expect(next?.waiter == 3)
        #expect(next?.connection == "a")
        // One that has ended leaves its place.
        let last = pool.release(nil)
        #expect(last?.waiter == 4)
        #expect(last?.connection == nil)
    }

    @Test func `an idle connection is used again`() {
        var pool = Pool(size: 2)
        _ = pool.request(1, 1)
        #expect(pool.release("a") == nil)
        #expect(granted(pool.request(2, 2)) == "a")
    }

    @Test func `a wait that has expired is not served`() {
        var pool = Pool(size: 1)
        _ = pool.request(1, 1)
        _ = pool.request(2, 2)
        #expect(pool.expire(2) == 2)
        #expect(pool.expire(2) == nil)
        #expect(pool.release("a") == nil)
    }

    @Test func `refuses one too many, and everybody once it is closed`() {
        var pool = Pool(size: 1)
        _ = pool.request(0, 0)
        for id in 1...Pool.waiterLimit { #expect(waits(pool.request(UInt64(id), id))) }
        guard case .refused = pool.request(.max, 0) else {
            Issue.record("one too many waits")
            return
        }
        #expect(pool.close().count == Pool.waiterLimit)
        #expect(pool.release("a") == nil)
        guard case .closed = pool.request(1, 1) else {
            Issue.record("a closed pool gives connections")
            return
        }
    }
}
#endif
