// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting

@testable import EntityTables
@testable import OnwardCore
@testable import TestSupport

/// Random changes of a book whose values are compared with plain loops after each.
struct BookRun {
    /// By the name of the value, the first step after which it was wrong.
    var faults: [String: Int] = [:]
    private let store = makeBook(60)
    private let controller: CommitGateController<Book>
    private var states: [Book] = []
    private var random: SeededGenerator
    private var tokens: [Subscription] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        controller = store.log.attach(gate: AcceptAll())
        // A third of the runs have no subscribers, so that values are computed by reads alone.
        guard seed % 3 != 0 else { return }
        tokens = [
            store.subscribe(.selector(BookSelectors.list)) { _, _ in },
            store.subscribe(.selector(BookSelectors.euros)) { _, _ in },
            store.subscribe(.selector(BookSelectors.least)) { _, _ in },
            store.subscribe(.selector(BookSelectors.balances)) { _, _ in },
            store.subscribe(.selector(BookSelectors.leastOfEach)) { _, _ in },
            store.subscribe(.selector(BookSelectors.lines)) { _, _ in },
            store.subscribe(.selector(BookSelectors.paid)) { _, _ in },
            store.subscribe(.selector(BookSelectors.chosen)) { _, _ in },
        ]
    }

    mutating func perform(steps: Int) {
        for step in 1...steps {
            performOne()
            for fault in BookSelectors.faults(in: store) { faults[fault] = faults[fault] ?? step }
            if step % 10 == 0 { states.append(store.state) }
        }
    }

    private mutating func performOne() {
        let id = Int.random(in: 0..<90, using: &random)
        let number = Int.random(in: 0..<200, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0: store.change { $0.bookings = [] }
        case 1: store.change { $0.least = number }
        case 2: store.change { $0.isRising.toggle() }
        case 3:
            if let state = states.randomElement(using: &random) {
                controller.install(state, replacing: store.log.version)
            }
        case 4 where number % 4 == 0:
            // More than the log remembers, in both tables.
            let ids = (0..<1_200).map { _ in Int.random(in: 0..<90, using: &random) }
            store.change { book in
                for id in ids { Self.change(&book, id, id * 7) }
            }
        case 5: store.change { $0.payees.remove(id: id % 8) }
        case 6: store.change { $0.payees.append(Payee(id: id % 8, name: "\(number)")) }
        case 7: store.change { $0.payees[id: id % 8]?.name = "\(number)" }
        case 8: store.change { $0.payees = [] }
        case 9:
            store.change { book in
                book.least = number % 60
                Self.change(&book, id, number)
            }
        case 10:
            store.batch {
                for step in 0..<5 {
                    store.change { Self.change(&$0, (id + step * 13) % 90, number + step) }
                }
            }
        case 11:
            // A copy that changed separately.
            let old = store.state.bookings
            store.change { book in
                book.bookings = old
                Self.change(&book, id, number)
            }
        case 12, 13:
            store.change { book in
                for step in 0..<8 { Self.change(&book, (id + step * step) % 90, number + step) }
            }
        default: store.change { Self.change(&$0, id, number) }
        }
    }

    private static func change(_ book: inout Book, _ id: Int, _ number: Int) {
        switch number % 9 {
        case 0: book.bookings.remove(id: id)
        case 1, 2: book.bookings[id: id]?.cents = number
        case 3: book.bookings[id: id]?.account = number % 6
        case 4: book.bookings[id: id]?.payee = number % 4 == 0 ? nil : number % 8
        case 5 where !book.bookings.isEmpty:
            book.bookings.move(id: id, to: number % book.bookings.count)
        case 6: book.bookings[id: id]?.euros = Double(number) * 1e10 + 0.1
        default:
            book.bookings.append(
                Booking(
                    id: id, account: number % 7, payee: number % 6, cents: number,
                    euros: Double(number) / 10))
        }
    }
}
