// SPDX-License-Identifier: MIT
#if Server

import Mustache
import NIOCore
import Onward
import Testing

@testable import OnwardServer

@Suite struct `Rendering rows` {
    struct Item: Identifiable, Equatable {
        let id: String
        var text = CountedText("", .init())
    }

    @Test func `renders the rows whose models changed and no other`() throws {
        let drawn = Drawings()
        var renderer = try renderer()
        var items = (0..<100).map { Item(id: "\($0)", text: CountedText("old", drawn)) }
        _ = try renderer.render(items, version: 1)
        #expect(drawn.count == 100)
        items[7].text = CountedText("new", drawn)
        _ = try renderer.render(items, version: 2)
        #expect(drawn.count == 101)
        items.insert(items.remove(at: 90), at: 3)
        items.remove(at: 50)
        _ = try renderer.render(items, version: 3)
        #expect(drawn.count == 101)
        items.insert(Item(id: "new", text: CountedText("new", drawn)), at: 0)
        _ = try renderer.render(items, version: 4)
        #expect(drawn.count == 102)
    }

    @Test func `a reader of a version in which the list looked as before its last change gets it`()
        throws
    {
        var renderer = try renderer()
        let pages = [
            try renderer.render([Item(id: "a")], version: 1),
            try renderer.render([Item(id: "a")], version: 2),
            try renderer.render([Item(id: "b"), Item(id: "a")], version: 3),
        ]
        let events = pages.map { pages[2].event(after: $0.id).map { String(buffer: $0) } }
        #expect(events[0]?.contains(#""rows":[{"after":null,"#) == true)
        #expect(events[0] == events[1] && events[2] == nil)
    }

    @Test func `a row that gets another id is renamed in the page, not replaced`() throws {
        var library = MustacheLibrary()
        try library.register("<li {{> onward/row}}>{{text}}</li>", named: "list")
        let page = try Page<EntityTable<Letter>>(title: "", templates: library, accepts: []) {
            [Fragment("list", rows: $0), Fragment("views", template: "list", rows: $0) { $0 }]
        }
        var renderer = PageRenderer(page, epoch: "e")
        var letters: EntityTable = [Letter(id: "a"), Letter(id: "new 1"), Letter(id: "c")]
        let first = try renderer.render(letters, version: 1)
        letters.rename(id: "new 1", to: Letter(id: "7"))
        letters.append(Letter(id: "new 1"))
        let second = try renderer.render(letters, version: 2)
        let event = try #require(second.event(after: first.id).map { String(buffer: $0) })
        #expect(event.ranges(of: #"{"now":"7","row":"new%201"}"#).count == 2)
        #expect(event.contains(#""row":"7"}"#) && event.contains(#"{"after":"c""#))
        let before = letters
        letters = [Letter(id: "a"), Letter(id: "b"), Letter(id: "c"), Letter(id: "new 1")]
        let third = try renderer.render(letters, version: 3)
        #expect(third.event(after: second.id).map { String(buffer: $0) }?.contains("now") == false)
        _ = try renderer.render(before, version: 4)
    }

    struct Letter: Identifiable, Equatable {
        let id: String
        var text = ""
    }

    @Test func `a fragment that becomes a list, or another list, is sent whole`() throws {
        var library = MustacheLibrary()
        try library.register("<li {{> onward/row}}></li>", named: "list")
        let page = try Page<Int>(title: "", templates: library, accepts: []) { step in
            switch step {
            case 0: [Fragment("list", model: 0)]
            case 1: [Fragment("list", rows: [Item(id: "a")])]
            case 2: [Fragment("list", in: .ol, rows: [Item(id: "a")])]
            default: [Fragment("list", in: .ol, rows: [Number(id: 1)])]
            }
        }
        var renderer = PageRenderer(page, epoch: "e")
        var known = try renderer.render(0, version: 0).id
        for (step, tag) in [(1, "ul"), (2, "ol"), (3, "ol")] {
            let next = try renderer.render(step, version: CommitVersion(step))
            let event = next.event(after: known).map { String(buffer: $0) }
            #expect(event?.contains("\"tag\":\"\(tag)\"") == true)
            known = next.id
        }
    }

    @Test(arguments: [
        ("7", "7"), ("A-b_c.d", "A-b_c.d"), ("a b", "a%20b"), ("\"><i>", "%22%3e%3ci%3e"),
        ("é\u{0}\r\n", "%c3%a9%00%0d%0a"), ("%41", "%2541"), ("", ""),
    ])
    func `an id stands in the page without anything to escape`(id: String, key: String) throws {
        var renderer = try renderer()
        let page = try renderer.render([Item(id: id)], version: 1)
        #expect(page.lines[1].contains("<li data-row=\\\"\(key)\\\">"))
        #expect(page.fragments[0].element(placeholder: "?").contains("<li data-row=\"\(key)\">"))
    }

    @Test func `a property of a row's model may have any name`() throws {
        struct Row: Identifiable, Equatable {
            let id = 1
            let row = "its own"
        }
        var library = MustacheLibrary()
        try library.register("<li {{> onward/row}}>{{row}}</li>", named: "list")
        let page = try Page<Int>(title: "", templates: library, accepts: []) { _ in
            [Fragment("list", rows: [Row()])]
        }
        var renderer = PageRenderer(page, epoch: "e")
        let element = try renderer.render(0, version: 0).fragments[0].element(placeholder: "?")
        #expect(element == "<ul data-fragment=\"list\"><li data-row=\"1\">its own</li></ul>")
    }

    @Test func `a row's id is drawn as an address has it`() throws {
        struct Place: Codable, Hashable { var city: String }
        struct Lot: Identifiable, Equatable { let id: Place }
        var library = MustacheLibrary()
        try library.register(
            "<li {{> onward/row}}><input name=\"address\" value=\"lots/#{{onward.id}}\"></li>",
            named: "list")
        let page = try Page<Int>(title: "", templates: library, accepts: []) { _ in
            [Fragment("list", rows: [Lot(id: Place(city: "a/#"))])]
        }
        var renderer = PageRenderer(page, epoch: "e")
        let element = try renderer.render(0, version: 0).fragments[0].element(placeholder: "?")
        #expect(
            element.contains("<li data-row=\"%7b%22city%22%3a%22a%2f%23%22%7d\">")
                && element.contains("lots/#{&quot;city&quot;:&quot;a%2F%23&quot;}"))
    }

    @Test func `two rows of one id are a mistake that is named`() throws {
        var renderer = try renderer()
        let error = #expect(throws: PageError(.duplicateRow, key: "a%20b")) {
            try renderer.render([Item(id: "a b"), Item(id: "a b")], version: 1)
        }
        #expect(error?.description.contains("To fix this,") == true)
        _ = try renderer.render([Item(id: "a"), Item(id: "b")], version: 2)
        #expect(throws: PageError(.duplicateRow, key: "b")) {
            try renderer.render([Item(id: "b"), Item(id: "b")], version: 3)
        }
    }

    @Test(arguments: ["", "row", "<li></li>", "a <li {{> onward/row}}></li>"])
    func `a template whose element doesn't name itself is a mistake that is named`(
        template: String
    ) throws {
        var renderer = try renderer(template)
        let error = #expect(throws: PageError(.namelessRow, key: "item")) {
            try renderer.render([Item(id: "a")], version: 1)
        }
        #expect(error?.description.contains("{{> onward/row}}") == true)
    }

    struct Number: Identifiable, Equatable { let id: Int }

    private func renderer(
        _ template: String = "\n <li {{> onward/row}}>{{text}}</li>\n"
    ) throws -> PageRenderer<[Item]> {
        var library = MustacheLibrary()
        try library.register(template, named: "item")
        let page = try Page<[Item]>(title: "", templates: library, accepts: []) { items in
            [Fragment("items", template: "item", rows: items)]
        }
        return PageRenderer(page, epoch: "e")
    }
}
#endif
