// SPDX-License-Identifier: MIT

import EntityTables
import Onward

/// An entry of an account, as the tests of folds and joins use it.
struct Booking: Identifiable, Equatable, Sendable {
    let id: Int
    var account = 0
    var payee: Int?
    var cents = 0
    var euros = 0.0
}

struct Payee: Identifiable, Equatable, Sendable {
    let id: Int
    var name = ""
}

struct Book: Equatable, Sendable {
    var bookings: EntityTable<Booking> = []
    var payees: EntityTable<Payee> = []
    var least = 0
    var isRising = true
}

struct BookAction: Action {
    let change: @Sendable (inout Book) -> Void

    init(_ change: @escaping @Sendable (inout Book) -> Void) {
        self.change = change
    }
}

extension Store<Book> {
    func change(_ change: @escaping @Sendable (inout Book) -> Void) {
        dispatch(BookAction(change))
    }
}

func makeBook(_ count: Int) -> Store<Book> {
    var book = Book()
    for id in 0..<count {
        book.bookings.append(
            Booking(id: id, account: id % 7, payee: id % 5, cents: id, euros: Double(id) / 10))
    }
    for id in 0..<5 { book.payees.append(Payee(id: id, name: "\(id)")) }
    return Store(book) { Reduce { (book: inout Book, action: BookAction) in action.change(&book) } }
}
