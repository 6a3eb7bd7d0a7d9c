// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import EntityTables
@testable import OnwardCore
@testable import OnwardSelectors
@testable import TestSupport

@Suite struct ParameterSelectorTests {
    @Test
    func `another parameter that changes few rows reports those rows alone`() {
        let store = makeBook(100)
        let sets = Log<EntityChanges<Int>>()
        let token = store.subscribe(.table(BookSelectors.great)) { old, new in
            sets.append(new.changes(since: old))
        }
        store.change { $0.least = 2 }
        store.change { $0.least = 1 }
        store.change { book in
            book.least = 3
            book.bookings[id: 50]?.euros = 7
        }
        #expect(sets.all.map(\.removed.count) == [2, 0, 2])
        #expect(sets.all.map(\.inserted) == [[], [1], []])
        #expect(sets.all.map(\.updated) == [[], [], [50]])
        token.cancel()
    }

    @Test
    func `a family follows the parameter that a selector has at the time`() {
        let store = makeBook(10)
        let least = StateSelector<Book, Int>(\.least) { $0 / 10 }
        let chosen = BookSelectors.atLeast(least)
        let recorder = Recorder<Int>()
        let token = store.subscribe(.selector(chosen.count()), recorder.record)
        store.change { $0.least = 35 }
        store.change { $0.least = 39 }
        store.change { $0.bookings.remove(id: 9) }
        store.change { $0.least = 0 }
        #expect(recorder.values == [7, 6, 9])
        #expect(store.diagnostics.statistics(of: BookSelectors.atLeast(3)).evaluations == 0)
        token.cancel()
    }

    @Test
    func `a parameter that comes with an equal value asks no row`() {
        let store = makeBook(100)
        let looks = Guarded(0)
        let tens = StateSelector<Book, Int>(\.least) { $0 / 10 }
        let great = BookSelectors.bookings.filter(with: tens) { row, tens in
            looks.withValue { $0 += 1 }
            return row.cents >= tens * 10
        }
        let token = store.subscribe(.selector(great)) { _, _ in }
        looks.withValue { $0 = 0 }
        store.change { $0.least = 9 }
        #expect(looks.withValue { $0 } == 0)
        store.change { $0.least = 10 }
        #expect(looks.withValue { $0 } == 100)
        #expect(store.value(of: .selector(great)).count == 90)
        token.cancel()
    }

    @Test
    func `a changed row is looked at alone, with the parameter of the time`() {
        let store = makeBook(100)
        let looks = Log<String>()
        let great = BookSelectors.bookings.filter(with: \.least) { row, least in
            looks.append("\(row.id) \(least)")
            return row.cents >= least
        }
        let token = store.subscribe(.selector(great)) { _, _ in }
        store.change { $0.least = 50 }
        let before = looks.all.count
        store.change { $0.bookings[id: 7]?.cents = 70 }
        #expect(Array(looks.all.dropFirst(before)) == ["7 50"])
        token.cancel()
    }

    @Test
    func `a parameter that cannot be compared is looked at with each change of it`() {
        struct Opaque: Sendable { let least: Int }
        let store = makeBook(100)
        let opaque = StateSelector<Book, Opaque>(\.least) { Opaque(least: $0) }
        let great = BookSelectors.bookings.filter(with: opaque) { $0.cents >= $1.least }
        let token = store.subscribe(.selector(great)) { _, _ in }
        store.change { $0.least = 50 }
        #expect(store.value(of: .selector(great)).count == 50)
        store.change { book in
            book.least = 20
            book.bookings.remove(id: 99)
        }
        #expect(store.value(of: .selector(great)).count == 79)
        token.cancel()
    }

    @Test
    func `a parameter that does not equal itself has a selector of its own each time, which goes`()
    {
        let store = makeBook(10)
        let above = SelectorFamily<Book, Double, Int> { least in
            BookSelectors.bookings.count { !($0.euros < least) }
        }
        let limit = StateSelector<Book, Double>(\.least) { $0 == 0 ? .nan : Double($0) / 10 }
        let token = store.subscribe(.selector(above(limit))) { _, _ in }
        for _ in 0..<50 {
            store.change { $0.bookings[id: 3]?.cents += 1 }
            #expect(store.value(of: .selector(above(.nan))) == 10)
        }
        #expect(store.diagnostics.selectors.count < 40)
        token.cancel()
    }

    @Test
    func `the member that a parameter chose before is forgotten`() {
        let store = makeBook(10)
        let token = store.subscribe(.selector(BookSelectors.chosen)) { _, _ in }
        #expect(store.diagnostics.statistics(of: BookSelectors.atLeast(0)).evaluations == 1)
        store.change { $0.least = 5 }
        store.change { $0.least = 6 }
        #expect(store.diagnostics.statistics(of: BookSelectors.atLeast(0)).evaluations == 0)
        #expect(store.diagnostics.statistics(of: BookSelectors.atLeast(6)).evaluations == 1)
        token.cancel()
    }

    @Test
    func `a table that a family passes on is changed in place by the next commit's member`() {
        let store = makeBook(1_000)
        let token = store.subscribe(.selector(BookSelectors.chosen)) { _, _ in }
        let sum = BookSelectors.chosen.sum { $0.cents }
        let other = store.subscribe(.selector(sum)) { _, _ in }
        store.change { $0.bookings[id: 7]?.cents = 1_000 }
        #expect(store.value(of: .selector(sum)) == 499_500 - 7 + 1_000)
        store.change { $0.least = 990 }
        #expect(store.value(of: .selector(sum)) == (990..<1_000).reduce(0, +) + 1_000)
        token.cancel()
        other.cancel()
    }
}
