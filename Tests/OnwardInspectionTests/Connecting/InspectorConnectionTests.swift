// SPDX-License-Identifier: MIT

import InspectedShop
import Onward
import OnwardJournal
import OnwardTesting
import Testing

@testable import OnwardInspection

struct InspectorConnectionTests {
    private let clock = ManualClock()
    private let script = Script()
    private let shop = makeShop()

    /// An inspector that answers as a test says, request by request.
    private actor Script {
        private(set) var news: [News] = []
        private(set) var paths: [String] = []
        var answers: [(Int, [UInt8])] = []

        func then(_ status: Int, _ answer: some Encodable) throws {
            answers.append((status, DataFormat.json.bytes(of: try DataValue(encoding: answer))))
        }

        /// The next answer; with none left the inspector is away.
        func answer(_ path: String, _ body: [UInt8]) throws -> (status: Int, bytes: [UInt8]) {
            paths.append(path)
            if path != "connect" {
                news.append(try DataFormat.json.value(of: body).decoded())
            }
            guard !answers.isEmpty else { throw Gone() }
            return answers.removeFirst()
        }

        struct Gone: Error {}
    }

    private func connection() -> InspectorConnection {
        InspectorConnection(Greeting(app: "Shop", process: 1), clock: clock) { [script] in
            try await script.answer($0, $1)
        }
    }

    /// Runs a connection until the script has ended.
    private func run(_ connection: InspectorConnection) async {
        let (ended, end) = AsyncStream<Void>.makeStream()
        let task = Task {
            await connection.run { status in
                if case .away = status { end.finish() }
            }
        }
        for await _ in ended {}
        task.cancel()
        await task.value
    }

    private func orders(_ requests: InspectorRequest...) -> Orders {
        Orders(
            requests: requests.enumerated().map { Orders.Request(id: $0.offset, $0.element) })
    }

    @Test func `it says what is new, and answers what it is asked`() async throws {
        let connection = connection()
        connection.attach(shop, as: "shop")
        shop.dispatch(CartAction.add(id: 1, name: "Pear", price: 3))
        try await script.then(200, Welcome(key: "k"))
        try await script.then(
            200,
            orders(
                InspectorRequest(.get, "stores/shop/entries"), InspectorRequest(.get, "nowhere"),
                InspectorRequest(
                    .post, "stores/shop/commands",
                    body: Array(#"{"command":"jump","moment":0}"#.utf8))))
        await run(connection)
        let news = await script.news
        #expect(await script.paths == ["connect", "exchange/k", "exchange/k"])
        #expect(news[0].stores.map(\.log.count) == [1] && news[0].answers.isEmpty)
        // Each is ready when it is.
        let answers = news[1].answers.sorted { $0.id < $1.id }
        #expect(answers.map(\.status) == [200, 404, 200])
        #expect(answers[0].json.contains("CartAction/add"))
        #expect(news[1].stores[0].log.cursor == 0)
        #expect(shop.state.cart.items.isEmpty)
        #expect(!connection.status.reason.isEmpty)
    }

    @Test func `it comes again when the inspector was away, and later each time`() async throws {
        let connection = connection()
        let task = Task { await connection.run() }
        for pause in [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000] {
            await clock.sleepers(1)
            clock.advance(by: .milliseconds(pause - 1))
            #expect(clock.sleeperCount == 1)
            clock.advance(by: .milliseconds(1))
        }
        await clock.sleepers(1)
        #expect(await script.paths.count == 8)
        // An inspector that has begun anew doesn't know it.
        try await script.then(200, Welcome(key: "a"))
        try await script.then(404, ["message": "unknown"])
        clock.advance(by: .seconds(10))
        await clock.sleepers(1)
        #expect(connection.status == .away(reason: "unknown"))
        try await script.then(200, Welcome(key: "b"))
        clock.advance(by: .milliseconds(500))
        await clock.sleepers(1)
        #expect(await script.paths.suffix(4) == ["connect", "exchange/a", "connect", "exchange/b"])
        task.cancel()
        await task.value
    }

    @Test func `without an address nothing is recorded or sent`() async {
        let connection = InspectorConnection(to: "nonsense")
        connection.attach(shop)
        #expect(connection.status == .off)
        await connection.run()
        shop.dispatch(Visit())
        #expect(shop.state.visits == 1)
    }

    @Test func `an answer that is too long says so, and the next ones come`() async throws {
        let large = makeShop()
        let connection = connection()
        connection.attach(large, as: "shop")
        large.dispatch(
            CartAction.add(id: 1, name: String(repeating: "<b>", count: 1_500_000), price: 3))
        try await script.then(200, Welcome(key: "k"))
        try await script.then(
            200,
            orders(
                InspectorRequest(.get, "stores/shop/state?whole=1"),
                InspectorRequest(.get, "stores/shop/state?path=cart.total")))
        await run(connection)
        let answers = await script.news[1].answers.sorted { $0.id < $1.id }
        #expect(answers.map(\.status) == [409, 200])
        #expect(answers[0].json.contains("Ask for a part of the state"))
    }

    @Test func `it doesn't keep a store alive, and stores that were never used are not shown`()
        async throws
    {
        let connection = connection()
        weak var gone: Store<Shop>?
        do {
            let store = makeShop()
            gone = store
            connection.attach(store)
        }
        #expect(gone == nil)
        try await script.then(200, Welcome(key: "k"))
        await run(connection)
        #expect(await script.news[0].stores.isEmpty)
    }
}

extension InspectorConnection.Status {
    /// Why it is away.
    fileprivate var reason: String {
        guard case .away(let reason) = self else { return "" }
        return reason
    }
}
