// SPDX-License-Identifier: MIT
#if Server

import InspectedShop
import Onward
import OnwardInspection
import OnwardJournal
import Testing

@testable import OnwardInspector

struct NeighbourTests {
    /// Of 30 entries each third one clears, the others visit.
    private let log: any InspectedLog

    init() throws {
        let (store, stores) = (makeShop(), StoreList())
        let name = stores.attach(store, as: "shop", limit: 100)
        for number in 1...30 {
            if number % 3 == 0 { store.dispatch(CartAction.clear) } else { store.dispatch(Visit()) }
        }
        log = try #require(stores[name]).log
    }

    @Test(arguments: [EntryQuery.Start.end, .before(20), .before(9), .after(12)])
    func `next to each entry are those of the filtered list, wherever the list's page ends`(
        start: EntryQuery.Start
    ) {
        var query = EntryQuery()
        query.types = ["CartAction/clear"]
        (query.start, query.limit) = (start, 3)
        let page = log.entries(query)
        for moment in 0...30 {
            let near = page.neighbours(of: moment, in: log, by: query)
            let before = (moment - 1) / 3 * 3
            let after = moment / 3 * 3 + 3
            #expect(near.before == (moment > 0 && before > 0 ? before : nil), "before \(moment)")
            #expect(near.after == (after > 30 ? nil : after), "after \(moment)")
        }
    }
}
#endif
