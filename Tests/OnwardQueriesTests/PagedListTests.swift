// SPDX-License-Identifier: MIT

import Foundation
import Onward
import Testing

@testable import OnwardQueries

struct Feed: PagedQuery {
    struct Page: Codable, Equatable, Sendable {
        var notes: [Note]
        var isLast = false
    }

    static let name = "feed"
    typealias Failure = APIError
    var search = ""
    var firstCursor: Int { 1 }
    static func items(of page: Page) -> [Note] { page.notes }
    static func cursor(after page: Page, at cursor: Int) -> Int? { page.isLast ? nil : cursor + 1 }
    static func cursor(before page: Page, at cursor: Int) -> Int? { cursor > 1 ? cursor - 1 : nil }
}

@Suite struct PagedListTests {
    private func page(_ ids: Int..., isLast: Bool = false) -> Feed.Page {
        Feed.Page(notes: ids.map { Note(id: $0, title: "note \($0)") }, isLast: isLast)
    }

    /// The server has answered a page.
    private func answer(_ list: inout PagedList<Feed>, _ cursor: Int, _ page: Feed.Page) {
        let key = PageQuery(list.query ?? Feed(), at: cursor)
        _ = list.pages.reduce(.set(key, page, at: .seconds(0)), QueryRules())
        list.update()
    }

    private func shown(_ list: PagedList<Feed>) -> [Int] { list.shown.map(\.cursor) }

    @Test func `pages are shown one after another, as one list`() {
        var list = PagedList<Feed>()
        list.reduce(.show(Feed()), keeping: 10)
        list.reduce(.next, keeping: 10)
        #expect(shown(list) == [1] && !list.hasNext)
        answer(&list, 1, page(1, 2))
        #expect(shown(list) == [1] && list.hasNext)
        list.reduce(.next, keeping: 10)
        list.reduce(.next, keeping: 10)
        #expect(shown(list) == [1, 2])
        answer(&list, 2, page(3, 4, isLast: true))
        #expect(list.rows.map(\.id) == [1, 2, 3, 4] && !list.hasNext)
    }

    @Test func `only so many pages are shown, and one comes back when the user goes back`() {
        var list = PagedList<Feed>()
        list.reduce(.show(Feed()), keeping: 2)
        for cursor in 1...3 {
            answer(&list, cursor, page(cursor * 10))
            list.reduce(.next, keeping: 2)
        }
        answer(&list, 4, page(40))
        #expect(shown(list) == [3, 4] && list.rows.map(\.id) == [30, 40] && list.hasPrevious)
        list.reduce(.previous, keeping: 2)
        #expect(shown(list) == [2, 3] && list.rows.map(\.id) == [20, 30])
    }

    @Test func `an item on two pages is one row, where it was first and as it came last`() {
        var list = PagedList<Feed>()
        list.reduce(.show(Feed()), keeping: 10)
        answer(&list, 1, page(1, 2))
        list.reduce(.next, keeping: 10)
        var second = page(2, 3)
        second.notes[0].title = "newer"
        answer(&list, 2, second)
        #expect(list.rows.map(\.id) == [1, 2, 3] && list.rows[1].title == "newer")
    }

    @Test func `an answer changes the rows that differ and no others`() {
        var list = PagedList<Feed>()
        list.reduce(.show(Feed()), keeping: 10)
        answer(&list, 1, page(1, 2, 3))
        let old = list.rows
        var new = page(3, 1, 4)
        new.notes[1].title = "changed"
        answer(&list, 1, new)
        let changes = list.rows.changes(since: old)
        #expect(list.rows.map(\.id) == [3, 1, 4])
        #expect(changes.inserted == [4] && changes.removed == [2] && changes.updated == [1])
    }

    @Test func `rows stay while a page between others is asked for again`() {
        var list = PagedList<Feed>()
        list.reduce(.show(Feed()), keeping: 3)
        answer(&list, 1, page(1))
        list.reduce(.next, keeping: 3)
        answer(&list, 2, page(2))
        list.reduce(.next, keeping: 3)
        #expect(list.rows.map(\.id) == [1, 2])
        _ = list.pages.reduce(.elapsed(at: .seconds(0)), QueryRules())
        answer(&list, 1, page(1, 5))
        #expect(list.rows.map(\.id) == [1, 5, 2])
    }

    @Test func `another search begins anew, and no list shows nothing`() {
        var list = PagedList<Feed>()
        list.reduce(.show(Feed()), keeping: 10)
        answer(&list, 1, page(1))
        list.reduce(.show(Feed(search: "a")), keeping: 10)
        #expect(shown(list) == [1] && list.rows.isEmpty)
        list.reduce(.show(nil), keeping: 10)
        #expect(shown(list).isEmpty)
        list.reduce(.show(Feed()), keeping: 10)
        #expect(list.rows.map(\.id) == [1])
    }

    @Test func `a saved list is read with the pages that were shown`() throws {
        var list = PagedList<Feed>()
        list.reduce(.show(Feed()), keeping: 10)
        answer(&list, 1, page(1))
        list.reduce(.next, keeping: 10)
        answer(&list, 2, page(2))
        let read = try JSONDecoder().decode(
            PagedList<Feed>.self, from: JSONEncoder().encode(list))
        #expect(read.rows == list.rows && read.shown == list.shown && read.query == Feed())
    }

    @Test func `cursors that lead in a circle end`() {
        struct Circle: PagedQuery {
            static let name = "circle"
            typealias Failure = APIError
            var firstCursor: Int { 1 }
            static func items(of page: Page) -> [Note] { page.notes }
            static func cursor(after page: Page, at cursor: Int) -> Int? { 3 - cursor }
        }
        var list = PagedList<Circle>()
        list.reduce(.show(Circle()), keeping: 10)
        for _ in 1...4 {
            for cursor in 1...2 {
                let key = PageQuery(Circle(), at: cursor)
                _ = list.pages.reduce(.set(key, Page(notes: []), at: .seconds(0)), QueryRules())
            }
            list.update()
            list.reduce(.next, keeping: 10)
        }
        #expect(list.shown.map(\.cursor) == [1, 2])
    }
}
