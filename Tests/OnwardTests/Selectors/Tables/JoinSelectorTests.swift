// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import EntityTables
@testable import OnwardCore
@testable import TestSupport

@Suite struct JoinSelectorTests {
    @Test
    func `a joined row follows an id that comes later, goes, and comes again`() {
        let store = makeBook(3)
        let lines = { store.value(of: .selector(BookSelectors.lines)).map(\.text) }
        let token = store.subscribe(.selector(BookSelectors.lines)) { _, _ in }
        store.change { $0.bookings[id: 1]?.payee = 70 }
        #expect(lines() == ["0 to 0", "1 to nobody", "2 to 2"])
        store.change { $0.payees.append(Payee(id: 70, name: "late")) }
        #expect(lines() == ["0 to 0", "1 to late", "2 to 2"])
        store.change { $0.payees.remove(id: 70) }
        #expect(lines() == ["0 to 0", "1 to nobody", "2 to 2"])
        store.change { $0.payees.append(Payee(id: 70, name: "again")) }
        #expect(lines() == ["0 to 0", "1 to again", "2 to 2"])
        token.cancel()
    }

    @Test
    func `all rows that name one row follow it, and one that names another no longer does`() {
        let store = makeBook(10)
        let changes = Log<EntityChanges<Int>>()
        let token = store.subscribe(.table(BookSelectors.lines)) { old, new in
            changes.append(new.changes(since: old))
        }
        store.change { $0.payees[id: 2]?.name = "two" }
        store.change { $0.bookings[id: 7]?.payee = 3 }
        store.change { $0.payees[id: 2]?.name = "zwei" }
        #expect(changes.all.map { Set($0.updated) } == [[2, 7], [7], [2]])
        token.cancel()
    }

    @Test
    func `a row for which the closure returns nil comes and goes with the row it names`() {
        let store = makeBook(5)
        let paid = { store.value(of: .selector(BookSelectors.paid)).map(\.id) }
        let token = store.subscribe(.selector(BookSelectors.paid)) { _, _ in }
        store.change { $0.payees.remove(id: 2) }
        #expect(paid() == [0, 1, 3, 4])
        store.change { $0.payees.append(Payee(id: 2, name: "2")) }
        #expect(paid() == [0, 1, 2, 3, 4])
        token.cancel()
    }

    @Test
    func `a view that stays equal is compared with the one before, however long it does`() {
        struct Shown: Identifiable, Equatable, Sendable {
            static let looks = Guarded(0)
            let id: Int

            static func == (left: Self, right: Self) -> Bool {
                looks.withValue { $0 += 1 }
                return left.id == right.id
            }
        }
        let store = makeBook(1_000)
        let shown = BookSelectors.bookings.joined(with: BookSelectors.payees, on: { $0.payee }) {
            row, _ in
            Shown(id: row.id)
        }
        let token = store.subscribe(.selector(shown)) { _, _ in }
        for step in 0..<600 { store.change { $0.bookings[id: step * 7 % 1_000]?.cents = -step } }
        Shown.looks.withValue { $0 = 0 }
        store.change { $0.bookings[id: 3]?.cents = 7 }
        // The rows of one leaf at most.
        #expect(Shown.looks.withValue { $0 } <= 64)
        token.cancel()
    }

    @Test
    func `each closure is called once for a row that changed`() {
        let store = makeBook(100)
        let calls = Log<String>()
        let lines = BookSelectors.bookings.joined(
            with: BookSelectors.payees,
            on: { row in
                calls.append("on \(row.id)")
                return row.payee
            }
        ) { row, payee in
            calls.append("row \(row.id)")
            return BookSelectors.Line(id: row.id, text: payee?.name ?? "")
        }
        let token = store.subscribe(.selector(lines)) { _, _ in }
        let before = calls.all.count
        store.change { $0.bookings[id: 3]?.cents = 7 }
        #expect(Array(calls.all.dropFirst(before)) == ["on 3", "row 3"])
        token.cancel()
    }

    @Test
    func `both tables may change in one commit, and a row sees both as they are`() {
        let store = makeBook(3)
        let token = store.subscribe(.selector(BookSelectors.lines)) { _, _ in }
        store.change { book in
            book.bookings[id: 0]?.cents = 100
            book.payees[id: 0]?.name = "zero"
            book.bookings.remove(id: 1)
            book.payees.remove(id: 1)
            book.bookings[id: 2]?.payee = 0
        }
        #expect(
            store.value(of: .selector(BookSelectors.lines)).map(\.text) == [
                "100 to zero", "2 to zero",
            ])
        token.cancel()
    }

    @Test
    func `a joined row keeps its id`() async {
        await #expect(processExitsWith: .failure) {
            let store = makeBook(2)
            let wrong = BookSelectors.bookings.joined(with: BookSelectors.payees, on: { $0.payee })
            { row, _ in
                BookSelectors.Line(id: row.id + 1, text: "")
            }
            _ = store.value(of: .selector(wrong))
        }
    }
}
