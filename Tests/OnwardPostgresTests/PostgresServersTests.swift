// SPDX-License-Identifier: MIT
#if All

import Testing

@testable import OnwardPostgres

struct PostgresServersTests {
    @Test func `a server on an older timeline is refused, one that says none is not`() {
        var newest = NewestTimeline()
        #expect(newest.accept(2) == true)
        #expect(newest.accept(3) == true)
        #expect(newest.accept(2) == false)
        #expect(newest.accept(nil) == true)
        #expect(newest.accept(3) == true)
    }
}
#endif
