// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import EntityTables
@testable import OnwardCore
@testable import TestSupport

@Suite struct GroupValueSelectorTests {
    @Test
    func `a group that goes and comes again has the value of its rows`() {
        let store = makeBook(14)
        let token = store.subscribe(.selector(BookSelectors.balances)) { _, _ in }
        let balances = { store.value(of: .selector(BookSelectors.balances)) }
        #expect(balances()[3] == 3 + 10)
        store.change { book in for id in [3, 10] { book.bookings.remove(id: id) } }
        #expect(balances()[3] == 0)
        #expect(!balances().keys.contains(3))
        store.change { $0.bookings.append(Booking(id: 50, account: 3, cents: 5)) }
        #expect(balances()[3] == 5)
        token.cancel()
    }

    @Test
    func `a group without rows has the value of no rows`() {
        let store = makeBook(14)
        #expect(store.value(of: .selector(BookSelectors.balances))[99] == 0)
        #expect(store.value(of: .selector(BookSelectors.leastOfEach))[99] == nil)
        #expect(store.value(of: .selector(BookSelectors.counts))[99] == 0)
    }

    @Test
    func `a row that goes to another group is taken off the one and added to the other, once`() {
        let store = makeBook(14)
        let calls = Log<String>()
        let sums = BookSelectors.accounts.reduced(
            into: 0,
            adding: { total, row in
                calls.append("+\(row.id) in \(row.account)")
                total += row.cents
            },
            removing: { total, row in
                calls.append("-\(row.id) in \(row.account)")
                total -= row.cents
            })
        let token = store.subscribe(.selector(sums)) { _, _ in }
        let before = calls.all.count
        store.change { $0.bookings[id: 3]?.account = 4 }
        #expect(Set(calls.all.dropFirst(before)) == ["-3 in 3", "+3 in 4"])
        #expect(calls.all.count == before + 2)
        token.cancel()
    }

    @Test
    func `a row whose key does not equal itself is in no group, and leaves nothing behind`() {
        let store = makeBook(10)
        let groups = BookSelectors.bookings.grouped { $0.euros }
        let token = store.subscribe(.selector(groups.mapValues { $0.count })) { _, _ in }
        for euros in [.nan, 3, .nan, .nan, 0.5] {
            store.change { $0.bookings[id: 4]?.euros = euros }
            let counts = store.value(of: .selector(groups)).map { $0.rows.count }
            #expect(counts.reduce(0, +) == (euros.isNaN ? 9 : 10))
        }
        store.change { $0.bookings = [] }
        #expect(store.value(of: .selector(groups)).isEmpty)
        token.cancel()
    }

    @Test
    func `only the groups that changed are summed up anew`() {
        let store = makeBook(700)
        let looks = Guarded(0)
        let counts = BookSelectors.accounts.mapValues { rows in
            looks.withValue { $0 += 1 }
            return rows.count
        }
        let token = store.subscribe(.selector(counts)) { _, _ in }
        looks.withValue { $0 = 0 }
        store.change { $0.bookings.remove(id: 3) }
        #expect(looks.withValue { $0 } == 1)
        #expect(store.value(of: .selector(counts))[3] == 99)
        token.cancel()
    }

    @Test
    func `more changed groups than the log remembers are found by their tables`() {
        let store = makeBook(0)
        store.change { book in
            for id in 0..<4_000 { book.bookings.append(Booking(id: id, account: id / 2, cents: 1)) }
        }
        let looks = Guarded(0)
        let sums = BookSelectors.accounts.sum { row in
            looks.withValue { $0 += 1 }
            return row.cents
        }
        _ = store.value(of: .selector(sums))
        // Each commit moves the groups on by itself, and nothing reads their sums.
        for id in 0..<1_500 {
            store.change { $0.bookings[id: id]?.cents = 2 }
            _ = store.value(of: .selector(BookSelectors.accounts))
        }
        looks.withValue { $0 = 0 }
        let values = store.value(of: .selector(sums))
        #expect(looks.withValue { $0 } == 1_500)
        #expect(values[0] == 4 && values[749] == 4 && values[750] == 2)
    }
}
