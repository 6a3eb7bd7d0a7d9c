// SPDX-License-Identifier: MIT
#if Server

import Mustache
import Onward
import Testing

@testable import OnwardServer

@Suite struct `Reading selectors in a page` {
    struct Shop: Sendable {
        var prices: EntityTable<Price> = []
        var isClosed = false
    }

    struct Price: Identifiable, Equatable, Sendable {
        let id: Int
        var cents: Int
    }

    struct Change: Action {
        let body: @Sendable (inout Shop) -> Void
    }

    static let sums = (0..<20).map { factor in
        StateSelector<Shop, EntityTable<Price>>(\.prices).sum { $0.cents * factor }
    }

    private func page() throws -> Page<Shop> {
        var library = MustacheLibrary()
        try library.register("{{sums}}", named: "sums")
        return try Page<Shop>(title: "", templates: library, accepts: []) { shop, reader in
            guard !shop.isClosed else { return [] }
            let sums = Self.sums.map { String(reader.value(of: $0)) }
            return [Fragment("sums", model: ["sums": sums.joined(separator: " ")])]
        }
    }

    private func shop(_ cents: Int) -> Store<Shop> {
        Store(Shop(prices: [Price(id: 1, cents: cents)])) {
            Reduce { (shop: inout Shop, change: Change) in change.body(&shop) }
        }
    }

    private func evaluations(in store: Store<Shop>) -> [Int] {
        Self.sums.map { store.diagnostics.statistics(of: $0).evaluations }
    }

    @Test func `shows the values of the store whose page it is, and of the state that is drawn`()
        throws
    {
        let page = try page()
        for cents in [3, 5] {
            var cache = RendererCache(page)
            let store = shop(cents)
            let reader = store.reader
            store.dispatch(Change { $0.prices[id: 1]?.cents = 100 })
            let drawn = try cache.render(reader, at: page.location(at: "/"))
            let element = drawn.fragments[0].element(placeholder: "?")
            #expect(element.contains("0 \(cents) \(cents * 2)"))
        }
    }

    @Test func `remembers what a page reads until the next drawing, however many selectors`() throws
    {
        let store = shop(3)
        let page = try page()
        var cache = RendererCache(page)
        _ = try cache.render(store.reader, at: page.location(at: "/"))
        store.dispatch(Change { $0.isClosed = false })
        _ = try cache.render(store.reader, at: page.location(at: "/"))
        #expect(evaluations(in: store) == Array(repeating: 1, count: 20))
    }

    @Test func `releases what a page no longer reads`() throws {
        let store = shop(3)
        let page = try page()
        var cache = RendererCache(page)
        _ = try cache.render(store.reader, at: page.location(at: "/"))
        store.dispatch(Change { $0.isClosed = true })
        _ = try cache.render(store.reader, at: page.location(at: "/"))
        #expect(evaluations(in: store) == Array(repeating: 0, count: 20))
    }

    @Test func `keeps no state, so that the next commit changes its tables in place`() throws {
        let store = shop(3)
        let page = try page()
        var cache = RendererCache(page)
        _ = try cache.render(store.reader, at: page.location(at: "/"))
        let lineage = store.state.prices.mark
        store.dispatch(Change { $0.prices[id: 1]?.cents = 4 })
        _ = try cache.render(store.reader, at: page.location(at: "/"))
        store.dispatch(Change { $0.prices[id: 1]?.cents = 5 })
        #expect(store.state.prices.loggedChanges(since: lineage)?.updated == [1])
    }

    @Test func `a state that is in no store can be read, for tests of pages`() {
        let reader = SelectorReader(Shop(prices: [Price(id: 1, cents: 7), Price(id: 2, cents: 1)]))
        #expect(reader.value(of: Self.sums[2]) == 16)
        #expect(reader.state.prices.count == 2)
        #expect(reader.version == 0)
    }
}
#endif
