// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore
@testable import OnwardSelectors
@testable import TestSupport

@Suite struct SelectorCostTests {
    private let store = makeShop()
    private let cheap = StateSelector<Shop, [Int]>(\.prices, \.limit) { prices, limit in
        prices.filter { $0 <= limit }
    }

    @Test func `nothing is measured unless somebody asks for it`() {
        _ = store.value(of: .selector(cheap))
        #expect(store.diagnostics.selectorCosts.map(\.cost) == [nil])
    }

    @Test func `selectors are measured that were there before, and that come`() {
        _ = store.value(of: .selector(cheap))
        store.diagnostics.measureSelectors()
        store.dispatch(ShopAction.limit(3))
        _ = store.value(of: .selector(cheap))
        let other = StateSelector<Shop, Int>(\.limit) { $0 * 10 }
        _ = store.value(of: .selector(other))
        _ = store.value(of: .selector(other))
        let costs = store.diagnostics.selectorCosts
        #expect(costs.map(\.cost?.count) == [1, 1])
        #expect(costs.allSatisfy { ($0.cost?.total ?? 0) > 0 })
    }
}
