// SPDX-License-Identifier: MIT

import Foundation
import Onward
import Testing

@testable import OnwardQueries

/// The machine alone: events in, requests out.
@Suite struct QueryCacheTests {
    private var rules = QueryRules<Notes>()
    private let one = Notes(page: 1)
    private let two = Notes(page: 2)

    init() {
        rules.tags = { _, page in page.notes.map { .note($0.id) } }
    }

    private func page(_ titles: String...) -> Page {
        Page(notes: titles.enumerated().map { Note(id: $0.offset, title: $0.element) })
    }

    private func asked(_ cache: QueryCache<Notes>) -> [Notes] { cache.requests.map(\.key) }

    /// Answers the request of a key.
    private func answer(
        _ cache: inout QueryCache<Notes>, _ key: Notes, _ page: Page, at time: Double
    ) {
        guard let request = cache.requests.first(where: { $0.key == key }) else { return }
        _ = cache.reduce(.answered(key, request: request.id, page, at: .seconds(time)), rules)
    }

    @Test func `whoever wants a key that is being asked for shares the request`() {
        var cache = QueryCache<Notes>()
        _ = cache.reduce(.wanted([one, one], at: .seconds(0)), rules)
        _ = cache.reduce(.wanted([one, two], at: .seconds(1)), rules)
        _ = cache.reduce(.refetch(one), rules)
        #expect(asked(cache) == [one, two])
        #expect(cache.status(of: one) == .loading)
    }

    @Test func `an answer is not taken once the mutations confirmed since are forgotten`() throws {
        var cache = QueryCache<Notes>()
        _ = cache.reduce(.wanted([one], at: .seconds(0)), rules)
        var confirmations = 0
        func answer(_ title: String, after confirmed: Int) throws {
            let request = try #require(cache.requests.first).id
            _ = cache.reduce(
                .asked(one, request: request, at: .seconds(0)), rules, confirmations: confirmations)
            confirmations += confirmed
            _ = cache.reduce(
                .answered(one, request: request, page(title), at: .seconds(1)), rules,
                confirmations: confirmations)
        }
        for _ in 0..<4 {
            try answer("old", after: 101)
            #expect(cache.value(of: one) == nil)
        }
        try answer("new", after: 100)
        #expect(cache.value(of: one) == page("new"))
    }

    @Test func `a key that nobody wants is not asked for any longer`() {
        var cache = QueryCache<Notes>()
        _ = cache.reduce(.wanted([one], at: .seconds(0)), rules)
        let request = cache.requests[0].id
        _ = cache.reduce(.wanted([], at: .seconds(1)), rules)
        #expect(cache.requests.isEmpty && cache.entries.isEmpty)
        _ = cache.reduce(.answered(one, request: request, page("a"), at: .seconds(2)), rules)
        #expect(
            cache
                == {
                    var empty = QueryCache<Notes>(); empty.nextRequest = 2; return empty
                }())
    }

    @Test mutating func `an answer is fresh for its time, then asked for by whoever comes next`() {
        rules.freshFor = .seconds(10)
        var cache = QueryCache<Notes>()
        _ = cache.reduce(.wanted([one], at: .seconds(0)), rules)
        answer(&cache, one, page("a"), at: 1)
        #expect(cache.status(of: one) == .fresh)
        #expect(cache.nextDeadline == .seconds(11))
        _ = cache.reduce(.wanted([], at: .seconds(2)), rules)
        _ = cache.reduce(.wanted([one], at: .seconds(3)), rules)
        #expect(cache.requests.isEmpty)
        _ = cache.reduce(.elapsed(at: .seconds(11)), rules)
        #expect(cache.status(of: one) == .stale && cache.requests.isEmpty)
        _ = cache.reduce(.wanted([], at: .seconds(12)), rules)
        _ = cache.reduce(.wanted([one], at: .seconds(13)), rules)
        #expect(asked(cache) == [one] && cache.value(of: one) == page("a"))
    }

    @Test mutating func `a wanted key is polled, and not while the app is out of sight`() {
        rules.interval = .seconds(30)
        var cache = QueryCache<Notes>()
        _ = cache.reduce(.wanted([one], at: .seconds(0)), rules)
        answer(&cache, one, page("a"), at: 1)
        cache.reduce(.inSight(false), rules)
        #expect(cache.nextDeadline == nil)
        cache.reduce(.inSight(true), rules)
        #expect(cache.nextDeadline == .seconds(31))
        _ = cache.reduce(.elapsed(at: .seconds(31)), rules)
        #expect(asked(cache) == [one])
        let request = cache.requests[0].id
        _ = cache.reduce(.failed(one, request: request, .offline, at: .seconds(32)), rules)
        #expect(cache.status(of: one) == .failed(.offline) && cache.value(of: one) == page("a"))
        #expect(cache.nextDeadline == .seconds(62))
    }

    @Test func `invalidated tags make their answers stale, and ask for those that are wanted`() {
        var cache = QueryCache<Notes>()
        _ = cache.reduce(.wanted([one, two], at: .seconds(0)), rules)
        answer(&cache, one, page("a"), at: 1)
        answer(&cache, two, page("a", "b"), at: 1)
        cache.reduce(.invalidated([.note(1)]), rules)
        #expect(asked(cache) == [two])
        _ = cache.reduce(.wanted([one], at: .seconds(2)), rules)
        cache.reduce(.invalidated([.note(0)]), rules)
        #expect(asked(cache) == [one] && cache.status(of: two) == .stale)
    }

    @Test func `an answer that was invalidated on its way is asked for again, at most twice`() {
        var cache = QueryCache<Notes>()
        _ = cache.reduce(.wanted([one], at: .seconds(0)), rules)
        for time in 1...2 {
            cache.reduce(.invalidated([.note(0)]), rules)
            answer(&cache, one, page("old"), at: Double(time))
            #expect(cache.value(of: one) == nil && asked(cache) == [one])
        }
        cache.reduce(.invalidated([.note(0)]), rules)
        answer(&cache, one, page("old"), at: 3)
        #expect(cache.value(of: one) == page("old") && cache.status(of: one) == .stale)
        answer(&cache, one, page("new"), at: 4)
        #expect(cache.value(of: one) == page("new") && cache.status(of: one) == .fresh)
        #expect(cache.requests.isEmpty)
    }

    @Test
    mutating func `unwanted answers are dropped after their time, or when there are too many`() {
        rules.count = 2
        var cache = QueryCache<Notes>()
        for number in 1...3 {
            _ = cache.reduce(.wanted([Notes(page: number)], at: .seconds(Double(number))), rules)
            answer(&cache, Notes(page: number), page("a"), at: Double(number))
        }
        #expect(cache.entries.map(\.id) == [two, Notes(page: 3)])
        #expect(cache.nextDeadline == .seconds(303))
        _ = cache.reduce(.elapsed(at: .seconds(303)), rules)
        #expect(cache.entries.map(\.id) == [Notes(page: 3)])
    }

    @Test mutating func `answers are kept up to a number of bytes`() {
        rules.bytes = 10
        rules.measure = { $0.notes.reduce(0) { $0 + $1.title.utf8.count } }
        var cache = QueryCache<Notes>()
        _ = cache.reduce(.wanted([one], at: .seconds(0)), rules)
        answer(&cache, one, page("123456"), at: 0)
        _ = cache.reduce(.wanted([two], at: .seconds(1)), rules)
        #expect(cache.byteCount == 6)
        answer(&cache, two, page("123456"), at: 1)
        #expect(cache.entries.map(\.id) == [two] && cache.byteCount == 6)
    }

    @Test mutating func `only so many requests are sent at a time, in the order of what is wanted`()
    {
        rules.requests = 2
        var cache = QueryCache<Notes>()
        let keys = (1...4).map { Notes(page: $0) }
        _ = cache.reduce(.wanted(keys, at: .seconds(0)), rules)
        #expect(asked(cache) == Array(keys[..<2]))
        answer(&cache, keys[1], page("a"), at: 1)
        #expect(asked(cache) == [keys[0], keys[2]])
        cache.reduce(.online(false), rules)
        answer(&cache, keys[0], page("a"), at: 1)
        #expect(asked(cache) == [keys[2]])
        cache.reduce(.online(true), rules)
        #expect(asked(cache) == [keys[2], keys[3]])
    }

    @Test func `a logout forgets all answers, and takes none that comes late`() {
        var cache = QueryCache<Notes>()
        _ = cache.reduce(.wanted([one, two], at: .seconds(0)), rules)
        let request = cache.requests[1].id
        answer(&cache, one, page("a"), at: 1)
        cache.reduce(.loggedOut, rules)
        #expect(cache.entries.isEmpty && cache.requests.isEmpty && cache.tagged.isEmpty)
        _ = cache.reduce(.answered(two, request: request, page("b"), at: .seconds(2)), rules)
        #expect(cache.entries.isEmpty)
        _ = cache.reduce(.wanted([two], at: .seconds(3)), rules)
        #expect(cache.requests[0].id > request)
    }

    @Test func `handles are counted, and those of an earlier process don't count`() {
        var cache = QueryCache<Notes>()
        for _ in 1...2 { _ = cache.reduce(.held(one, by: 1), rules) }
        _ = cache.reduce(.held(two, by: 2), rules)
        _ = cache.reduce(.released(one, by: 1), rules)
        #expect(cache.held == [one, two])
        _ = cache.reduce(.started(without: [1]), rules)
        #expect(cache.held == [two])
        _ = cache.reduce(.released(two, by: 2), rules)
        _ = cache.reduce(.released(two, by: 2), rules)
        #expect(cache.held.isEmpty && cache.holds.isEmpty)
    }

    @Test func `a saved cache is read as it was`() throws {
        var cache = QueryCache<Notes>()
        _ = cache.reduce(.wanted([one, two], at: .seconds(0)), rules)
        _ = cache.reduce(.held(one, by: 7), rules)
        answer(&cache, one, page("a"), at: 1)
        var read = try JSONDecoder().decode(
            QueryCache<Notes>.self, from: JSONEncoder().encode(cache))
        #expect(read == cache && asked(read) == [two])
        read.reduce(.invalidated([.note(0)]), rules)
        #expect(asked(read) == [two, one])
    }
}
