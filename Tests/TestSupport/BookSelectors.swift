// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting

@testable import EntityTables
@testable import OnwardCore
@testable import OnwardSelectors

/// One selector of each kind.
enum BookSelectors {
    struct Line: Identifiable, Equatable, Sendable {
        let id: Int
        let text: String
    }

    static let bookings = StateSelector<Book, EntityTable<Booking>>(\.bookings)
    static let payees = StateSelector<Book, EntityTable<Payee>>(\.payees)
    static let great = bookings.filter(with: \.least) { $0.cents >= $1 }
    static let list = great.sorted(with: \.isRising) { first, second, isRising in
        isRising ? first.cents < second.cents : first.cents > second.cents
    }
    static let cents = bookings.sum { $0.cents }
    static let euros = bookings.sum { $0.euros }
    static let greatCents = great.sum { $0.cents }
    static let xor = bookings.reduced(
        into: 0, adding: { $0 ^= $1.cents }, removing: { $0 ^= $1.cents })
    static let least = bookings.min { $0.cents }
    static let greatest = bookings.max { $0.cents }
    static let accounts = bookings.grouped { $0.account }
    static let balances = accounts.sum { $0.cents }
    static let euroBalances = accounts.sum { $0.euros }
    static let leastOfEach = accounts.min { $0.cents }
    static let counts = accounts.mapValues { $0.count }
    static let lines = bookings.joined(with: payees, on: { $0.payee }) { booking, payee in
        Line(id: booking.id, text: "\(booking.cents) to \(payee?.name ?? "nobody")")
    }
    static let paid = bookings.joined(with: payees, on: { $0.payee }) { booking, payee in
        payee.map { Line(id: booking.id, text: $0.name) }
    }
    static let atLeast = SelectorFamily<Book, Int, EntityTable<Booking>> { least in
        bookings.filter { $0.cents >= least }
    }
    static let chosen = atLeast(\.least)

    /// What is wrong with the values of a store, compared with plain loops over its state.
    static func faults(in store: Store<Book>) -> [String] {
        let book = store.state
        let rows = Array(book.bookings)
        let great = rows.filter { $0.cents >= book.least }
        let list = great.sorted {
            book.isRising ? $0.cents < $1.cents : $0.cents > $1.cents
        }
        let accounts = Dictionary(grouping: rows, by: \.account)
        func name(_ row: Booking) -> String? { row.payee.flatMap { book.payees[id: $0]?.name } }
        let lines = rows.map {
            Line(id: $0.id, text: "\($0.cents) to \(name($0) ?? "nobody")")
        }
        let paid = rows.compactMap { row in name(row).map { Line(id: row.id, text: $0) } }
        let values = [
            "filter": store.value(of: .selector(BookSelectors.great)).elementsEqual(great),
            "sorted": store.value(of: .selector(BookSelectors.list)).elementsEqual(list),
            "sum": store.value(of: .selector(cents)) == rows.reduce(0) { $0 + $1.cents },
            "sum of doubles": store.value(of: .selector(euros)) == exactSum(rows.map(\.euros)),
            "sum of a filter": store.value(of: .selector(greatCents))
                == great.reduce(0) { $0 + $1.cents },
            "reduced": store.value(of: .selector(xor)) == rows.reduce(0) { $0 ^ $1.cents },
            "min": store.value(of: .selector(least)) == rows.map(\.cents).min(),
            "max": store.value(of: .selector(greatest)) == rows.map(\.cents).max(),
            "sums": isSame(store.value(of: .selector(balances)), accounts) {
                $0.reduce(0) { $0 + $1.cents }
            },
            "sums of doubles": isSame(store.value(of: .selector(euroBalances)), accounts) {
                exactSum($0.map(\.euros))
            },
            "mins": isSame(store.value(of: .selector(leastOfEach)), accounts) {
                $0.map(\.cents).min()
            },
            "counts": isSame(store.value(of: .selector(counts)), accounts, \.count),
            "joined": store.value(of: .selector(BookSelectors.lines)).elementsEqual(lines),
            "joined, some": store.value(of: .selector(BookSelectors.paid)).elementsEqual(paid),
            "family": store.value(of: .selector(chosen)).elementsEqual(great),
        ]
        store.value(of: .selector(BookSelectors.great)).checkInvariants()
        store.value(of: .selector(BookSelectors.list)).checkInvariants()
        store.value(of: .selector(BookSelectors.lines)).checkInvariants()
        return values.filter { !$0.value }.keys.sorted()
    }

    private static func isSame<Value: Equatable>(
        _ values: GroupValues<Int, Value>, _ plain: [Int: [Booking]],
        _ value: ([Booking]) -> Value
    ) -> Bool {
        values.count == plain.count && plain.allSatisfy { values[$0.key] == value($0.value) }
            && values[-1] == value([])
    }

    /// The sum rounded once; that it is right is tested with the sum itself.
    private static func exactSum(_ numbers: [Double]) -> Double {
        var sum = ExactSum()
        for number in numbers { sum.add(number) }
        return sum.value
    }
}
