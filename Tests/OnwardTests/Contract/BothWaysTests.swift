// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore
@testable import TestSupport

@Suite struct BothWaysTests {
    @Test(.bothWays)
    func `a store says as the way says that it was made on`() {
        let store = Store(Bank()) { bank }
        let isQueued = DeliveryQueue.queuesAll
        let depths = Log<Bool>()
        let token = store.subscribe(\.balance) { _, _ in
            depths.append(store.engine.whole { $0.state.deliveryQueue.notifiesAlone })
        }
        store.dispatch(BankAction.deposit(1))
        #expect(depths.all == [!isQueued])
        token.cancel()
    }
}
