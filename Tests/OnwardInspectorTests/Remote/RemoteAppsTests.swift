// SPDX-License-Identifier: MIT
#if Server

import InspectedShop
import Onward
import OnwardInspection
import OnwardJournal
import OnwardTesting
import Testing

@testable import OnwardInspector

/// An app and an inspector, with nothing between them but their messages.
struct RemoteAppsTests {
    private let stores = StoreList()
    private let apps: RemoteApps
    private let clock = ManualClock()
    private let shop = makeShop()

    init() { apps = RemoteApps(stores, clock: clock) }

    /// Runs an app while a test looks into its store.
    private func connected(
        after actions: [CartAction], pages: [InspectorPage] = [],
        _ work: () async throws -> Void
    ) async throws {
        let apps = apps
        let connection = InspectorConnection(
            Greeting(app: "Shop", process: 1), clock: ManualClock()
        ) { path, body in
            let reply = await apps.answer(path, body)
            return (reply.status, reply.bytes)
        }
        connection.attach(shop, as: "shop", pages: pages)
        for action in actions { shop.dispatch(action) }
        let running = Task { await connection.run() }
        defer { running.cancel() }
        try await work()
        running.cancel()
    }

    private var store: RemoteStore? { stores["shop"] as? RemoteStore }

    /// The store, which has come.
    private func found() throws -> RemoteStore {
        guard let store else { throw InspectorError(.missing, "There is no store.") }
        return store
    }

    /// Waits until something is so; fails where it isn't within a minute.
    private func until(
        _ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let limit = ContinuousClock.now + .seconds(60)
        while !condition() {
            guard ContinuousClock.now < limit else {
                Issue.record("It was not so within a minute.", sourceLocation: sourceLocation)
                return
            }
            await Task.yield()
        }
    }

    private func place(_ change: (inout Place) -> Void = { _ in }) -> Place {
        var place = Place()
        place.store = "shop"
        change(&place)
        return place
    }

    private func exchange(_ key: String, _ news: News) async throws -> InspectorReply {
        await apps.answer(
            "exchange/\(key)", DataFormat.json.bytes(of: try DataValue(encoding: news)))
    }

    private func connect(_ app: String, process: Int) async throws -> (Int, String) {
        let greeting = try DataValue(encoding: Greeting(app: app, process: process))
        let reply = await apps.answer("connect", DataFormat.json.bytes(of: greeting))
        let value = try DataFormat.json.value(of: reply.bytes)
        return (reply.status, value["key"]?.text ?? value["message"]?.text ?? "")
    }

    // MARK: What is seen

    @Test func `an app's store is listed, and its log is seen as that of any other`() async throws {
        let pears = (1...3).map { CartAction.add(id: $0, name: "Pear", price: $0) }
        try await connected(after: pears) {
            await until { store?.summary.count == 3 }
            apps.watch([place { $0.entry = 2 }, place { ($0.entry, $0.pane) = (2, .state) }])
            await until { (store?.arrivals ?? 0) > 1 }
            let log = try found().log
            let page = log.answering { $0.entries(EntryQuery()) }
            #expect(page?.entries.map(\.name) == Array(repeating: "CartAction/add", count: 3))
            let entry = log.answering { $0.entry(2)?.payload.parts.map(\.text) ?? [] }
            #expect(entry == ["2", "\"Pear\"", "2"])
            let state = log.answering {
                $0.state(at: 2, DataPath(), from: 0, limit: 100)?.parts.map(\.step) ?? []
            }
            #expect(state == ["cart", "visits"])
            // What no tab asks is not there.
            let other = log.answering { $0.entry(1) == nil }
            #expect(other == nil)
        }
    }

    @Test func `a command reaches the app, and what it refuses is said`() async throws {
        let pears = (1...3).map { CartAction.add(id: $0, name: "Pear", price: $0) }
        try await connected(after: pears) {
            await until { store?.summary.count == 3 }
            let known = try found()
            try known.perform(.jump(moment: 1))
            await until { shop.state.cart.items.count == 1 }
            await until { known.summary.cursor == 1 }
            #expect(known.notice == nil)
            try known.perform(.jump(moment: 7))
            await until { known.notice == "There is no moment 7." }
            try known.perform(.live)
            await until { shop.state.cart.items.count == 3 }
            #expect(known.notice == nil)
        }
    }

    @Test func `programs are answered by the app itself`() async throws {
        try await connected(after: [.add(id: 1, name: "Pear", price: 3)]) {
            await until { store != nil }
            let interface = InspectorInterface(stores: stores)
            let reply = await interface.answer(
                InspectorRequest(.get, "stores/shop/state?path=cart.items&whole=1"))
            let value = try DataFormat.json.value(of: reply.bytes)
            #expect(value["value"] == [["id": 1, "name": "Pear"]])
            shop.dispatch(CartAction.clear)
            let list = await interface.answer(InspectorRequest(.get, "stores"))
            let stores = try DataFormat.json.value(of: list.bytes)["stores"]
            #expect(stores?.list?.first?["log"]?["count"] == 2)
        }
    }

    @Test func `a page that an app has is asked in the app, by the inspector's URL`() async throws {
        struct Least: Codable, Sendable { var price = 2 }
        let page = InspectorPage("dear", title: "Dear", asking: Least()) { least, context in
            [.note("\(least.price) \(context.state(as: Shop.self)?.cart.total ?? -1)")]
        }
        let pears = (1...3).map { CartAction.add(id: $0, name: "Pear", price: $0) }
        try await connected(after: pears, pages: [page]) {
            await until { store?.pages.count == 1 }
            let known = try found()
            let shown = place {
                $0.show(page: "dear")
                ($0.entry, $0.asked) = (2, ["price": "5"])
            }
            apps.watch([shown])
            let context = { PageContext(known.log, entry: 2) }
            await until {
                (try? known.pages.first?.blocks(asking: shown.asked, in: context()))
                    == [.note("5 3")]
            }
            // What the app refuses is why there is no answer.
            let wrong = place {
                $0.show(page: "dear")
                ($0.entry, $0.asked) = (2, ["price": "much"])
            }
            apps.watch([wrong])
            await until { known.notice == "\"price\" is no whole number: much" }
        }
    }

    // MARK: Coming and going

    @Test func `an app that was killed and comes back has its place again`() async throws {
        let (_, first) = try await connect("Shop", process: 1)
        let news = News(stores: [News.Store(name: "shop", log: LogSummary(), isEnded: false)])
        let held = Task { try await exchange(first, news) }
        await until { store != nil }
        let kept = store
        // Its question is held, and nobody is there any more. Another process comes.
        let second = Task { try await connect("Shop", process: 2) }
        _ = try await held.value
        await clock.sleeper(until: .seconds(1))
        clock.advance(by: .seconds(1))
        let (status, key) = try await second.value
        #expect(status == 200)
        #expect(stores.all.map(\.name) == ["shop"] && store === kept)
        #expect(try await exchange(first, news).status == 404)
        let again = Task { try await exchange(key, news) }
        await clock.sleeper(until: .seconds(11))
        #expect(kept?.notice == nil)
        clock.advance(by: .seconds(10))
        #expect(try await again.value.status == 200)
        clock.advance(by: .seconds(4))
        #expect(kept?.notice?.contains("Shop is away") == true)
        #expect(throws: InspectorError.self) { try kept?.perform(.live) }
    }

    @Test func `two processes of one app have a store each`() async throws {
        let (_, first) = try await connect("Shop", process: 1)
        let news = News(stores: [News.Store(name: "shop", log: LogSummary(), isEnded: false)])
        let held = Task { try await exchange(first, news) }
        await until { stores.all.count == 1 }
        // Its store is there before its request is held: only then does another process end that.
        await clock.sleeper(until: .seconds(10))
        let second = Task { try await connect("Shop", process: 2) }
        _ = try await held.value
        await clock.sleeper(until: .seconds(1))
        clock.advance(by: .milliseconds(500))
        // The first one comes again, as apps do.
        let again = Task { try await exchange(first, news) }
        await clock.sleeper(until: .milliseconds(10_500))
        clock.advance(by: .milliseconds(500))
        let (_, key) = try await second.value
        #expect(key != first)
        let other = Task { try await exchange(key, news) }
        await clock.sleeper(until: .seconds(11))
        #expect(stores.all.map(\.name) == ["shop", "shop-2"])
        clock.advance(by: .seconds(10))
        _ = try await (again.value, other.value)
    }

    /// The reply to a question that is asked while an app's request is held, and its next questions.
    private func asked(_ key: String, _ path: String) async throws -> (
        reply: Task<InspectorReply, Never>, orders: Orders
    ) {
        let news = News(stores: [News.Store(name: "shop", log: LogSummary(), isEnded: false)])
        let held = Task { try await exchange(key, news) }
        await until { store != nil }
        let known = try found()
        let reply = Task { await known.answer(InspectorRequest(.get, path)) }
        let bytes = try await held.value.bytes
        return (reply, try DataFormat.json.value(of: bytes).decoded())
    }

    @Test func `an app whose connection closes is away at once, and everything says so alike`()
        async throws
    {
        let (_, key) = try await connect("Shop", process: 1)
        let (reply, orders) = try await asked(key, "entries")
        #expect(orders.requests.map(\.path) == ["stores/shop/entries"])
        let id = try #require(orders.requests.first?.id)
        let news = News(
            stores: [News.Store(name: "shop", log: LogSummary(), isEnded: false)], pending: [id])
        let held = Task { try await exchange(key, news) }
        await clock.sleeper(until: ConnectionLimits.watch)
        held.cancel()
        let sentence =
            "Shop is away. This is what it sent last; it goes on once the app is back."
        let answer = await reply.value
        #expect(answer.status == 503)
        #expect(try DataFormat.json.value(of: answer.bytes)["message"]?.text == sentence)
        let known = try found()
        #expect(known.notice == sentence)
        do {
            try known.perform(.live)
            Issue.record("It was steered.")
        } catch {
            #expect(error.description == sentence)
        }
        _ = try await held.value
        // It is back with its next request.
        let again = Task { try await exchange(key, News(stores: news.stores)) }
        await until { known.notice == nil }
        again.cancel()
        _ = try await again.value
    }

    @Test func `an app that stops coming is away after three seconds`() async throws {
        let (_, key) = try await connect("Shop", process: 1)
        let (reply, _) = try await asked(key, "entries")
        let status = Guarded<Int?>(nil)
        let asking = Task {
            let answer = await reply.value.status
            status.withValue { $0 = answer }
        }
        // Whoever waits for seconds may look a little later each time.
        while status.withValue({ $0 }) == nil {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
        await asking.value
        #expect(status.withValue { $0 } == 503)
    }

    @Test func `an answer may come later than the next request, and the app stays there`()
        async throws
    {
        let (_, key) = try await connect("Shop", process: 1)
        let (reply, orders) = try await asked(key, "test?shortest=1")
        let id = try #require(orders.requests.first?.id)
        let stores = [News.Store(name: "shop", log: LogSummary(), isEnded: false)]
        let busy = Task { try await exchange(key, News(stores: stores, pending: [id])) }
        await clock.sleeper(until: ConnectionLimits.watch)
        clock.advance(by: ConnectionLimits.watch)
        _ = try await busy.value
        let answer = News.Answer(id: id, status: 200, json: #"{"source":"x"}"#)
        let last = Task { try await exchange(key, News(stores: stores, answers: [answer])) }
        #expect(await reply.value.status == 200)
        last.cancel()
        _ = try await last.value
    }

    @Test func `a question whose sender leaves is withdrawn from the app`() async throws {
        let (_, key) = try await connect("Shop", process: 1)
        let (reply, orders) = try await asked(key, "test?shortest=1")
        let id = try #require(orders.requests.first?.id)
        reply.cancel()
        _ = await reply.value
        let stores = [News.Store(name: "shop", log: LogSummary(), isEnded: false)]
        let bytes = try await exchange(key, News(stores: stores, pending: [id])).bytes
        let next: Orders = try DataFormat.json.value(of: bytes).decoded()
        #expect(next.cancelled == [id] && next.requests.isEmpty)
    }

    // MARK: Hostile apps

    @Test func `there are at most so many apps, and one that is away makes room`() async throws {
        for number in 0..<RemoteApps.limit {
            #expect(try await connect("App \(number)", process: number).0 == 200)
        }
        let (status, reason) = try await connect("One more", process: 99)
        #expect(status == 409 && reason.contains("32 apps are connected"))
        clock.advance(by: .seconds(4))
        #expect(try await connect("One more", process: 99).0 == 200)
    }

    @Test func `an app with a hundred thousand stores learns why they are not shown`() async throws
    {
        let (_, key) = try await connect("Shop", process: 1)
        let log = String(
            decoding: DataFormat.json.bytes(of: try DataValue(encoding: LogSummary())),
            as: UTF8.self)
        for count in [100, 100_000] {
            let item = #"{"isEnded":false,"name":"store","log":\#(log)},"#
            let list = String(repeating: item, count: count).dropLast()
            let body = #"{"answers":[],"stores":[\#(list)]}"#
            let reply = await apps.answer("exchange/\(key)", Array(body.utf8))
            #expect(reply.status == 400)
        }
        #expect(stores.all.isEmpty)
    }

    @Test(
        arguments: [
            "", "nonsense", "[]", "{}", #"{"stores": 1, "answers": []}"#,
            String(repeating: "[", count: 100_000),
        ])
    func `a message that can't be read is refused, and the app stays`(body: String) async throws {
        let (_, key) = try await connect("Shop", process: 1)
        for path in ["exchange/\(key)", "connect"] {
            #expect(await apps.answer(path, Array(body.utf8)).status == 400)
        }
        for path in ["", "exchange", "exchange/x/y", "nowhere", "exchange/unknown"] {
            #expect(try await exchange("unknown", News()).status == 404)
            #expect(await apps.answer(path, Array("{}".utf8)).status >= 400)
        }
    }

    @Test func `an app that never answers is asked only so much, and what was dropped is counted`()
        async throws
    {
        let (_, key) = try await connect("<b>Shop</b>", process: 1)
        let news = News(stores: [News.Store(name: "shop", log: LogSummary(), isEnded: false)])
        let held = Task { try await exchange(key, news) }
        await until { store != nil }
        let known = try found()
        try known.perform(.live)
        _ = try await held.value
        // It has its question, and takes no other before it comes again.
        for _ in 0..<100 { try known.perform(.live) }
        #expect(known.notice?.contains("Too much waits for the app") == true)
        _ = try await exchange(key, news)
        try known.perform(.lock)
        #expect(known.notice?.contains("questions were dropped") == true)
    }
}
#endif
