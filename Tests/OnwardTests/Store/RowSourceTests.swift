// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import TestSupport

/// Rows that consist of slices, and that note each read of their computed pages.
private struct Shelf: Sendable {
    var books: EntityTable<Book> = [Book(id: 1), Book(id: 2)]

    struct Book: Identifiable, Equatable, Sendable {
        let id: Int
        var price = 0
        var title = Title()
        var note: Title?
        var pages: EntityTable<Page> = [Page(id: 1)]
        var marks = [Page(id: 1)]
        let reads = Reads()
        /// The pages, computed.
        var readPages: EntityTable<Page> {
            reads.log.append(id)
            return pages
        }
    }

    struct Title: Equatable, Sendable { var text = "" }

    struct Page: Identifiable, Equatable, Sendable {
        let id: Int
        var text = ""
    }

    struct Reads: Equatable, Sendable {
        let log = Log<Int>()
        static func == (left: Reads, right: Reads) -> Bool { true }
    }
}

private struct Edit: Action {
    let id: Int
    let change: @Sendable (inout Shelf.Book) -> Void
}

@Suite struct RowSourceTests {
    private let store = Store(Shelf()) {
        Reduce { (shelf: inout Shelf, action: Edit) in
            if var book = shelf.books[id: action.id] {
                action.change(&book)
                shelf.books[id: action.id] = book
            }
        }
    }
    private let evaluations = Log<Int>()

    private func edit(_ id: Int, _ change: @escaping @Sendable (inout Shelf.Book) -> Void) {
        store.dispatch(Edit(id: id, change: change))
    }

    @Test
    func `a skipped value is not what the next one is compared with`() {
        let book = store.scoped(to: .row(\.books, id: 1))
        let notified = Recorder<Int>()
        let token = book.subscribe(
            .selecting({ $0?.price ?? 0 }, removingDuplicatesBy: { abs($0 - $1) < 5 }),
            notified.record
        )
        for price in [3, 6, 9, 12, 15, 30, 33, 60] { edit(1) { $0.price = price } }
        #expect(notified.values == [6, 12, 30, 60])
        #expect(notified.changes.map(\.old) == [0, 6, 12, 30])
        token.cancel()
    }

    @Test
    func `nor after a first call with the value at subscription, or while the row is away`() {
        let book = store.scoped(to: .row(\.books, id: 1)).unwrapped()
        let notified = Recorder<Int>()
        let token = book?.subscribe(
            .selecting(\.price, removingDuplicatesBy: { abs($0 - $1) < 5 }), initially: true,
            notified.record)
        for price in [4, 5, 9] { edit(1) { $0.price = price } }
        #expect(notified.values == [0, 5])
        #expect(notified.changes.map(\.old) == [0, 0])
        token?.cancel()
    }

    @Test
    func `a store of a part of a row is asked only when the row changed`() throws {
        let book = store.scoped(to: .row(\.books, id: 1))
        let shown = try #require(store.scoped(to: .row(\.books, id: 1)).unwrapped())
        edit(1) { $0.note = Shelf.Title(text: "note") }
        let note = try #require(shown.scoped(to: \.note).unwrapped())
        let page = try #require(shown.scoped(to: .row(\.pages, id: 1)).unwrapped())
        let mark = try #require(shown.scoped(to: .row(\.marks, id: 1)).unwrapped())
        let tokens = [
            book.subscribe(.selecting(count { $0?.title.text ?? "" }), ignore),
            shown.scoped(to: \.title).subscribe(.selecting(count(\.text)), ignore),
            shown.scoped(to: \.note).subscribe(.selecting(count { $0?.text ?? "" }), ignore),
            shown.scoped(to: .row(\.pages, id: 1)).subscribe(
                .selecting(count { $0?.text ?? "" }), ignore),
            shown.scoped(to: .row(\.marks, id: 1)).subscribe(
                .selecting(count { $0?.text ?? "" }), ignore),
            note.subscribe(.selecting(count(\.text)), ignore),
            page.subscribe(.selecting(count(\.text)), ignore),
            mark.subscribe(.selecting(count(\.text)), ignore),
            shown.subscribe(.row(\.readPages, id: 1)) { _, _ in },
            shown.subscribe(.table(\.readPages)) { _, _ in },
        ]
        let before = (evaluations.all.count, store.state.books[id: 1]?.reads.log.all.count)
        for price in 1...3 { edit(2) { $0.price = price } }
        #expect(evaluations.all.count == before.0)
        #expect(store.state.books[id: 1]?.reads.log.all.count == before.1)
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `and it is notified of what changed in it, with what it was delivered last`() throws {
        let shown = try #require(store.scoped(to: .row(\.books, id: 1)).unwrapped())
        let (title, page, mark) = (Recorder<String>(), Recorder<String>(), Recorder<String>())
        let (note, tables) = (Recorder<String?>(), Recorder<Shelf.Page?>())
        let changes = Log<EntityChanges<Int>>()
        let tokens = [
            shown.scoped(to: \.title).subscribe(\.text, initially: true, title.record),
            shown.scoped(to: \.note).subscribe(\.?.text, note.record),
            try #require(shown.scoped(to: .row(\.pages, id: 1)).unwrapped()).subscribe(
                \.text, page.record),
            try #require(shown.scoped(to: .row(\.marks, id: 1)).unwrapped()).subscribe(
                \.text, mark.record),
            shown.subscribe(.row(\.pages, id: 1), tables.record),
            shown.subscribe(.table(\.pages)) { old, new in
                changes.append(new.changes(since: old))
            },
        ]
        edit(1) { $0.price = 1 }
        edit(1) { $0.title.text = "t" }
        edit(1) { $0.note = Shelf.Title(text: "n") }
        edit(1) { $0.note = nil }
        edit(1) { $0.pages[id: 1]?.text = "p" }
        edit(1) { $0.pages.remove(id: 1) }
        edit(1) { $0.pages.append(Shelf.Page(id: 1, text: "q")) }
        edit(1) { $0.marks[0].text = "m" }
        #expect(title.values == ["", "t"])
        #expect(note.values == ["n", nil])
        #expect(page.values == ["p", "q"])
        #expect(page.changes.map(\.old) == ["", "p"])
        #expect(mark.values == ["m"])
        #expect(tables.values.map { $0?.text } == ["p", nil, "q"])
        #expect(changes.all.map(\.updated) == [[1], [], []])
        #expect(changes.all.map(\.removed) == [[], [1], []])
        #expect(changes.all.map(\.inserted) == [[], [], [1]])
        withExtendedLifetime(tokens) {}
    }

    private func count<Value>(
        _ select: @escaping @Sendable (Value) -> String
    ) -> @Sendable (Value) -> String {
        { [evaluations] value in
            evaluations.append(1)
            return select(value)
        }
    }
}

private let ignore: @Sendable (String, String) -> Void = { _, _ in }
