// SPDX-License-Identifier: MIT
#if Server

import InspectedShop
import Onward
import OnwardInspection
import OnwardJournal
import OnwardNavigation
import Testing

@testable import OnwardInspector

struct PlaceTests {
    @Test(
        arguments: [
            "/", "/shop", "/shop/state", "/shop/entries/4711", "/shop/entries/4711/diff?path=cart",
            "/shop/entries/0/state?path=cart.items&first=100",
            "/shop?text=a%20b&type=Cart%2Fadd&changed=1&touched=cart.total&end=300",
            "/shop/entries/7/diff?base=3", "/shop/entries/7/test?base=3", "/shop/activity",
            "/shop/entries/7/state?path=cart&as=chart&pin=cart.total&pin=visits",
            "/shop/state?as=table",
            "/shop/state?find=pear", "/shop/effects", "/shop/entries/7/effects?span=10-seconds",
            "/shop/pages/routes?ask.until=300", "/shop/entries/7/pages/costs",
            "/shop/pages/slow?ask.least=3&ask.name=a%20b", "/shop?ask=reset",
            "/shop?hide=Cart%2Fadd&hide=Visit", "/shop/effects?until=70&without=A.swift%3A1",
            "/shop/effects?origin=Saving.swift%3A98", "/shop/dispatch?action=CartAction%2Fadd",
        ])
    func `a URL means a place, which has that URL`(url: String) throws {
        let place = try #require(Place.codec.find(url))
        #expect(place.url == url)
    }

    @Test(
        arguments: [
            "/shop/nothing", "/shop/entries/x", "/shop/entries/-1", "/a/entries/1/b", "/1/2/3/4/5",
            "/shop/pages", "/shop/entries/7/pages", "/shop/entries/7/diff/costs",
        ])
    func `any other URL means none`(url: String) {
        #expect(Place.codec.find(url) == nil)
        #expect(Place.codec.route(at: url) == Place())
    }

    @Test func `a URL has each pin once, and not too many`() {
        let pins = (0..<20).flatMap { ["pin=a.\($0)", "pin=a.\($0)"] }.joined(separator: "&")
        let place = Place.codec.route(at: "/shop?pin=&\(pins)")
        #expect(place.pins.count <= Place.mostPins)
        #expect(Set(place.pins).count == place.pins.count)
    }

    @Test func `a URL asks no question that there isn't`() {
        #expect(Place.codec.route(at: "/shop?ask=delete") == Place.codec.route(at: "/shop"))
    }

    @Test func `below a path all URLs begin with it`() throws {
        let codec = Place.codec(at: "/tools/inspector")
        let place = try #require(codec.find("/tools/inspector/shop/entries/7/diff?path=a.b"))
        #expect(place.store == "shop" && place.entry == 7 && place.pane == .diff)
        #expect(place.url == "/tools/inspector/shop/entries/7/diff?path=a.b")
        #expect(codec.text(of: place) == place.url)
        #expect(codec.find("/tools/inspector")?.store == nil)
        #expect(codec.find("/shop/entries/7") == nil)
    }

    @Test func `only a live page is drawn again when the log stays the same`() throws {
        let pages = [
            InspectorPage("live", title: "Live", isLive: true) { _ in [] },
            InspectorPage("still", title: "Still") { _ in [] },
        ]
        let isLive = try ["live", "still", "none"].map { name in
            try #require(Place.codec.find("/shop/pages/\(name)")).watchesActivity(with: pages)
        }
        #expect(isLive == [true, false, false])
    }

    @Test func `a place says what its list shows`() throws {
        let place = try #require(Place.codec.find("/s?text=x&type=T&changed=1&touched=a.b&end=9"))
        let query = place.entryQuery
        #expect(query.text == "x" && query.types == ["T"] && query.hidesUnchanged)
        #expect(query.path == "a.b" && query.start == .before(9))
        let hiding = try #require(Place.codec.find("/s?hide=T&hide=T&hide=U"))
        #expect(hiding.hiddenTypes == ["T", "U"] && !hiding.entryQuery.isUnfiltered)
    }
}
#endif
