// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import EntityTables
@testable import OnwardCore
@testable import TestSupport

@Suite struct FoldSelectorTests {
    @Test
    func `one changed row is one look at it, not at the others`() {
        let looks = Guarded(0)
        let store = makeBook(1_000)
        @Sendable func look<Value>(_ value: Value) -> Value {
            looks.withValue { $0 += 1 }
            return value
        }
        let sum = BookSelectors.bookings.sum { look($0.cents) }
        let balances = BookSelectors.accounts.sum { look($0.cents) }
        let lines = BookSelectors.bookings.joined(with: BookSelectors.payees, on: { $0.payee }) {
            booking, payee in
            look(BookSelectors.Line(id: booking.id, text: payee?.name ?? ""))
        }
        let tokens = [
            store.subscribe(.selector(sum)) { _, _ in },
            store.subscribe(.selector(balances)) { _, _ in },
            store.subscribe(.selector(lines)) { _, _ in },
        ]
        looks.withValue { $0 = 0 }
        store.change { $0.bookings[id: 7]?.cents = 1 }
        #expect(looks.withValue { $0 } == 3)
        store.change { $0.payees[id: 3]?.name = "new" }
        // The bookings that name the payee.
        #expect(looks.withValue { $0 } == 203)
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `a sum of doubles is zero again when all rows are gone, whatever came and went`() {
        let store = makeBook(0)
        let token = store.subscribe(.selector(BookSelectors.euros)) { _, _ in }
        for id in 0..<300 {
            let euros = id % 3 == 0 ? 1e16 : 0.1 * Double(id)
            store.change { $0.bookings.append(Booking(id: id, euros: euros)) }
        }
        for id in 0..<300 { store.change { $0.bookings.remove(id: id) } }
        #expect(store.value(of: .selector(BookSelectors.euros)) == 0)
        token.cancel()
    }

    @Test
    func `a sum with an infinity or a nan in it recovers when that goes`() {
        let store = makeBook(10)
        let sum = store.value(of: .selector(BookSelectors.euros))
        store.change { $0.bookings[id: 3]?.euros = .infinity }
        #expect(store.value(of: .selector(BookSelectors.euros)) == .infinity)
        store.change { $0.bookings[id: 4]?.euros = -.infinity }
        #expect(store.value(of: .selector(BookSelectors.euros)).isNaN)
        store.change { book in
            book.bookings[id: 3]?.euros = 0.3
            book.bookings[id: 4]?.euros = 0.4
        }
        #expect(store.value(of: .selector(BookSelectors.euros)) == sum)
    }

    @Test
    func `the least is found again, however many of the least ones go`() {
        let store = makeBook(2_000)
        let token = store.subscribe(.selector(BookSelectors.least)) { _, _ in }
        for id in 0..<2_000 {
            #expect(store.value(of: .selector(BookSelectors.least)) == id)
            store.change { $0.bookings.remove(id: id) }
        }
        #expect(store.value(of: .selector(BookSelectors.least)) == nil)
        token.cancel()
    }

    @Test
    func `a value that is not a number is left out, and the least of the others is found`() {
        let store = makeBook(0)
        let least = BookSelectors.bookings.min { $0.euros }
        let greatest = BookSelectors.bookings.max { $0.euros }
        let tokens = [
            store.subscribe(.selector(least)) { _, _ in },
            store.subscribe(.selector(greatest)) { _, _ in },
        ]
        for id in 0..<200 {
            let euros = id % 3 == 0 ? Double.nan : Double(id)
            store.change { $0.bookings.append(Booking(id: id, euros: euros)) }
        }
        #expect(store.value(of: .selector(least)) == 1)
        #expect(store.value(of: .selector(greatest)) == 199)
        store.change { book in
            book.bookings[id: 1]?.euros = .nan
            book.bookings[id: 0]?.euros = 0
        }
        #expect(store.value(of: .selector(least)) == 0)
        store.change { $0.bookings[id: 0]?.euros = .nan }
        #expect(store.value(of: .selector(least)) == 2)
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `a sum near the end of its type does not overflow while a row changes`() {
        let store = makeBook(0)
        store.change { $0.bookings.append(Booking(id: 0, cents: .max - 1)) }
        let token = store.subscribe(.selector(BookSelectors.cents)) { _, _ in }
        store.change { $0.bookings[id: 0]?.cents = .max }
        #expect(store.value(of: .selector(BookSelectors.cents)) == .max)
        token.cancel()
    }

    @Test
    func `a sum may leave the range of its type on the way, and has to be in it when it is read`()
        async
    {
        let store = makeBook(2)
        store.change { $0.bookings[id: 0]?.cents = 254 }
        let small = BookSelectors.bookings.sum { UInt8($0.cents) }
        let signed = BookSelectors.bookings.sum { Int8($0.cents / 2 - 100) }
        let tokens = [
            store.subscribe(.selector(small)) { _, _ in },
            store.subscribe(.selector(signed)) { _, _ in },
        ]
        for (first, second) in [(200, 50), (50, 200), (0, 255), (107, 93), (2, 180)] {
            store.change { book in
                book.bookings[id: 0]?.cents = first
                book.bookings[id: 1]?.cents = second
            }
            #expect(store.value(of: .selector(small)) == UInt8(first + second))
            #expect(store.value(of: .selector(signed)) == Int8(first / 2 + second / 2 - 200))
        }
        withExtendedLifetime(tokens) {}
        await #expect(processExitsWith: .failure) {
            let store = makeBook(2)
            _ = store.value(of: .selector(BookSelectors.bookings.sum { Int8($0.cents + 100) }))
        }
        #expect(
            EntityTableMistake.sumOutOfRange(Int8.self) == """
                The sum that a selector was asked for is out of the range of Int8. There is no value \
                to go on with. To fix this, sum up a wider type: `Int64(row.number)`, \
                `Int128(row.number)` or `Double(row.number)`.
                """)
    }

    @Test
    func `a row is taken off as it was added`() {
        let store = makeBook(3)
        let calls = Log<String>()
        let selector = BookSelectors.bookings.reduced(
            into: 0,
            adding: { total, row in
                calls.append("+\(row.cents)")
                total += row.cents
            },
            removing: { total, row in
                calls.append("-\(row.cents)")
                total -= row.cents
            })
        let token = store.subscribe(.selector(selector)) { _, _ in }
        store.change { $0.bookings[id: 1]?.cents = 10 }
        store.change { $0.bookings.remove(id: 1) }
        #expect(calls.all == ["+0", "+1", "+2", "-1", "+10", "-10"])
        token.cancel()
    }

    @Test
    func `a table with a fold that is subscribed to is not copied by the next commit`() {
        let store = makeBook(1_000)
        let tokens = [
            store.subscribe(.selector(BookSelectors.cents)) { _, _ in },
            store.subscribe(.selector(BookSelectors.least)) { _, _ in },
            store.subscribe(.selector(BookSelectors.balances)) { _, _ in },
            store.subscribe(.selector(BookSelectors.lines)) { _, _ in },
        ]
        store.change { $0.bookings[id: 7]?.cents = 1 }
        let places = Log<UInt>()
        for number in 0..<3 {
            store.change { book in
                book.bookings.update(id: 7) { row in
                    row.cents = number
                    places.append(withUnsafePointer(to: &row) { UInt(bitPattern: $0) })
                }
            }
        }
        #expect(Set(places.all).count == 1)
        withExtendedLifetime(tokens) {}
    }
}
