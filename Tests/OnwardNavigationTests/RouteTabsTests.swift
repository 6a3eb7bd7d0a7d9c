// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardNavigation
import Testing

struct RouteTabsTests {
    private enum Place: String, Codable { case home, shop, basket }

    private typealias Tabs = RouteTabs<Place>

    private func tabs(_ ids: [String], limit: Int = 64) -> Tabs {
        let store = Store(Tabs(limit: limit)) { TabNavigation<Place>() }
        for id in ids { store.dispatch(TabAction<Place>.open(id, at: RouteStack(.home, .shop))) }
        return store.state
    }

    @Test func `tabs are written and read again, in their order`() throws {
        let tabs = tabs(["second", "first", "third"], limit: 8)
        let read = try JSONDecoder().decode(Tabs.self, from: JSONEncoder().encode(tabs))
        #expect(read == tabs)
        #expect(read.open.map(\.id) == ["second", "first", "third"])
        #expect(read["first"] == RouteStack(.home, .shop))
    }

    @Test func `of more tabs than the limit that was written, the oldest are left out`() throws {
        let text = try #require(
            String(data: JSONEncoder().encode(tabs(["one", "two", "three"])), encoding: .utf8))
        let lower = text.replacingOccurrences(of: "\"limit\":64", with: "\"limit\":2")
        let read = try JSONDecoder().decode(Tabs.self, from: Data(lower.utf8))
        #expect(read.open.map(\.id) == ["two", "three"])
    }
}
