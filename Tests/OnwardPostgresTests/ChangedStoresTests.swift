// SPDX-License-Identifier: MIT
#if All

import Testing

@testable import OnwardPostgres

struct ChangedStoresTests {
    @Test func `stores that change while others are handed on go together, each once`() {
        var stores = ChangedStores()
        #expect(stores.add([1]) == true)
        #expect(stores.next() == [1])
        #expect(stores.add([3]) == false)
        #expect(stores.add([2, 3]) == false)
        #expect(stores.next() == [2, 3])
        #expect(stores.next() == nil)
        #expect(stores.add([1]) == true)
    }
}
#endif
