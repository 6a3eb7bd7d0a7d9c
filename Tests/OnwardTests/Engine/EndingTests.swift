// SPDX-License-Identifier: MIT

import Onward
import OnwardCore
import Testing

@testable import TestSupport

@Suite struct EndingTests {
    private final class Owner: Sendable {}

    @Test func `what waits for the end of a store is told in the order in which it began`() async {
        let store = Store(0) { Reduce { (count: inout Int, _: CounterAction) in count += 1 } }
        let owners = (0..<50).map { _ in Owner() }
        let told = Log<Int>()
        for (number, owner) in owners.enumerated() {
            #expect(store.engine.atEnd(of: owner) { told.append(number) })
        }
        store.engine.forgetEnd(of: owners[7])
        await store.shutdown()
        #expect(told.all == (0..<50).filter { $0 != 7 })
        #expect(!store.engine.atEnd(of: owners[7]) {})
    }
}
