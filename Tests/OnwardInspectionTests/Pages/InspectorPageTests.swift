// SPDX-License-Identifier: MIT

import InspectedShop
import Onward
import OnwardInspection
import OnwardJournal
import Testing

struct InspectorPageTests {
    private struct Least: Codable, Sendable {
        var price = 2
        var name = "a"
        var isOpen = true
        var after: Int?
        var word: String?
    }

    private let shop = makeShop()
    private let stores = StoreList()

    init() { _ = stores.attach(shop, as: "shop", limit: 100) }

    private func context(
        after entry: Int? = nil, within limits: QuestionLimits = QuestionLimits()
    ) throws -> PageContext {
        let store = try #require(stores["shop"])
        return PageContext(store.log.within(limits), entry: entry, within: limits) {
            store.activity
        }
    }

    /// A page that shows what it was asked.
    private let echo = InspectorPage("echo", title: "Echo", asking: Least()) { least, _ in
        [.note("\(least)")]
    }

    // MARK: Questions

    @Test func `a question's texts, numbers and truth values are fields, and nothing else is`() {
        #expect(echo.fields.map(\.name) == ["isOpen", "name", "price"])
        #expect(echo.fields.map(\.kind) == [.truth, .text, .integer])
        #expect(echo.fields.map(\.text) == ["true", "a", "2"])
    }

    @Test func `what isn't asked otherwise is as usual`() throws {
        let asked = try echo.blocks(asking: ["name": "12", "other": "x"], in: context())
        var least = Least()
        least.name = "12"
        #expect(asked == [.note("\(least)")])
    }

    @Test func `a field of the wrong kind is named`() throws {
        let context = try context()
        let problem = #expect(throws: InspectorError.self) {
            try echo.blocks(asking: ["price": "much"], in: context)
        }
        #expect(problem?.description == "\"price\" is no whole number: much")
    }

    @Test func `a link asks for anything, also what is no field`() throws {
        var least = Least()
        (least.after, least.word, least.price) = (7, "12", 3)
        guard case .question(let texts) = PageLink.asking(least) else {
            Issue.record("It leads elsewhere.")
            return
        }
        #expect(try echo.blocks(asking: texts, in: context()) == [.note("\(least)")])
    }

    // MARK: Asking the store

    @Test func `a page asks the log, and the state after the selected entry`() throws {
        let page = InspectorPage("prices", title: "Prices") { context in
            let count = context.log.entries(EntryQuery()).entries.count
            let total = context.state(as: Shop.self)?.cart.total
            let other = context.state(as: Int.self)
            return [.note("\(count) \(total ?? -1) \(other ?? -1) \(context.entry)")]
        }
        shop.dispatch(CartAction.add(id: 1, name: "Pear", price: 3))
        shop.dispatch(CartAction.add(id: 2, name: "Fig", price: 4))
        #expect(try page.blocks(in: context()) == [.note("2 7 -1 2")])
        #expect(try page.blocks(in: context(after: 1)) == [.note("2 3 -1 1")])
        #expect(try page.blocks(in: context(after: 9)) == [.note("2 -1 -1 9")])
    }

    @Test func `what a page throws is why it has no answer`() throws {
        struct Shut: Error, CustomStringConvertible { let description = "The shop is shut." }
        let page = InspectorPage("shut", title: "Shut") { _ in throw Shut() }
        let context = try context()
        let problem = #expect(throws: InspectorError.self) { try page.blocks(in: context) }
        #expect(problem?.description == "The shop is shut.")
    }

    // MARK: Bounds

    @Test func `an answer has as many rows and letters as a page has room for, and says so`() throws
    {
        let page = InspectorPage("long", title: "Long") { _ in
            [
                .table(["Number"], (0..<2_000).map { ["\($0)"] }),
                .note(String(repeating: "x", count: 2_000)), .note("\u{202E}<b>"),
            ]
        }
        let blocks = try page.blocks(in: context())
        guard case .table(let table)? = blocks.first else {
            Issue.record("There is no table.")
            return
        }
        #expect(table.rows.count == InspectorPage.mostRows)
        #expect(blocks.last == .note("There is more than a page has room for."))
        let texts = InspectorPage("texts", title: "Texts") { _ in
            [.note(String(repeating: "x", count: 2_000)), .note("\u{202E}<b>")]
        }
        #expect(
            try texts.blocks(in: context())
                == [.note(String(repeating: "x", count: 1_000) + "…"), .note("\\u202e<b>")])
    }

    @Test func `an answer that took too long is not shown`() throws {
        let time = Guarded(Duration.zero)
        let limits = QuestionLimits(.seconds(3), now: { time.withValue { $0 } })
        limits.begin()
        let page = InspectorPage("slow", title: "Slow") { _ in
            time.withValue { $0 = .seconds(4) }
            return [.note("At last")]
        }
        let context = try context(within: limits)
        let problem = #expect(throws: InspectorError.self) { try page.blocks(in: context) }
        #expect(problem?.description.contains("longer than the 3 seconds") == true)
    }

    @Test func `the first page of a name is shown, and not too many are`() {
        let pages = (0..<40).map { number in
            InspectorPage("a/\(number % 30)", title: "\(number)") { _ in [] }
        }
        #expect(pages.different.map(\.name).prefix(2) == ["a-0", "a-1"])
        #expect(pages.different.map(\.title) == (0..<16).map { "\($0)" })
    }

    // MARK: Programs

    @Test func `blocks are what they were when they have been written and read`() throws {
        let blocks: [PageBlock] = [
            .heading("H"), .note("N"), .links([PageCell("L", link: .question(["a": "b"]))]),
            .table(
                PageTable(
                    columns: ["A", PageColumn("B", hasWords: true, isMinor: true)],
                    rows: [
                        [
                            PageCell("1", aside: "x", hint: "y", isCode: true, link: .entry(7)),
                            PageCell("2", link: .entries(text: "t")),
                        ], [PageCell("3", link: .state(path: "cart.items"))],
                    ],
                    sum: ["All"])),
        ]
        #expect(try DataValue(encoding: blocks).decoded() == blocks)
        #expect(try DataValue(encoding: PageBlock.note("N")) == ["note": "N"])
    }

    @Test func `programs ask a page as they ask anything else`() async throws {
        let pages = StoreList(pages: [echo])
        _ = pages.attach(
            shop, as: "shop", limit: 100,
            pages: [InspectorPage("own", title: "Own", isLive: true) { _ in [.heading("Own")] }])
        let interface = InspectorInterface(stores: pages)
        func get(_ path: String) async throws -> (status: Int, value: DataValue) {
            let reply = await interface.answer(InspectorRequest(.get, "stores/shop/" + path))
            return (reply.status, try DataFormat.json.value(of: reply.bytes))
        }
        let list = try await get("pages").value["pages"]?.list ?? []
        #expect(list.map { $0["name"] } == ["echo", "own"])
        #expect(list.map { $0["isLive"] } == [false, true])
        var least = Least()
        least.price = 5
        let asked = try await get("pages/echo?ask.price=5")
        #expect(asked.value["blocks"] == [["note": .text("\(least)")]])
        #expect(try await get("pages/echo?ask.price=x").status == 400)
        #expect(try await get("pages/none").status == 404)
        #expect(try await get("pages/own").value["blocks"] == [["heading": "Own"]])
    }
}
