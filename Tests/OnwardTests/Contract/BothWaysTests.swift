// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore
@testable import TestSupport

@Suite struct BothWaysTests {
    @Test(.bothWays)
    func `a store waits with its commits if the way says so that it was made on`() {
        let store = Store(Bank()) { bank }
        let waits = Turn.waitsAlways
        #expect(store.engine.withLock { $0.state.turn.isFree } == !waits)
    }
}
