// SPDX-License-Identifier: MIT

import Onward
import OnwardQueries
import Testing

@testable import OnwardInspection

struct ServerDataPageTests {
    private struct Notes: Query {
        static let name = "notes"
        typealias Answer = [String]
        typealias Failure = Offline
        var page = 1
    }

    private struct Offline: Error, Codable, Equatable {}

    private struct Board: Equatable, Sendable { var title = "" }

    private struct Rename: Mutation {
        static let name = "rename"
        typealias Failure = Offline
        let title: String
        func apply(to board: inout Board) { board.title = title }
    }

    private struct App: Sendable {
        var pages = QueryCache<Notes>()
        var board = Overlaid(Board())
    }

    private let store: Store<App>
    private let stores = StoreList()
    private let page = InspectorPage.serverData(
        [.answers(\App.pages), .pending(\App.board)], now: { Self.second(61) })

    private static func second(_ number: Int64) -> Timestamp {
        Timestamp(nanosecondsSince1970: number * 1_000_000_000)
    }

    init() {
        // A second for each entry.
        let seconds = Guarded<Int64>(0)
        let options = StoreOptions(wallClock: {
            seconds.withValue { seconds in
                seconds += 1
                return Self.second(seconds)
            }
        })
        let silence = AsyncStream<Void>.makeStream()
        store = Store(App(), options: options) {
            Fetch(\App.pages, while: { _ in [] }) { _, _ async throws(Offline) in throw Offline() }
                .tags { _, titles in titles.map { QueryTag("note", $0) } }
            Send(Rename.self, at: \App.board) { (_, _) async throws(Offline) in
                // Until the store ends.
                for await _ in silence.stream {}
                withExtendedLifetime(silence) {}
                throw Offline()
            }
        }
        _ = stores.attach(store, as: "app", limit: 100)
    }

    private func blocks(
        asking texts: [String: String] = [:], after entry: Int? = nil
    ) throws -> [PageBlock] {
        let log = try #require(stores["app"]?.log)
        return try page.blocks(
            asking: texts, in: PageContext(log, entry: entry ?? log.summary.newestID))
    }

    private func table(_ title: String, in blocks: [PageBlock]) -> [[PageCell]] {
        for case .table(let table) in blocks where table.columns.first?.title == title {
            return table.rows
        }
        return []
    }

    @Test func `keys have what their answers are worth, their age and their tags`() throws {
        store.dispatch(QueryAction.set(Notes(page: 7), ["a", "b"], at: Self.second(1)))
        let rows = table("Key", in: try blocks())
        #expect(rows.count == 1)
        #expect(rows.first?.map(\.text) == ["{page: 7}", "fresh", "1 min", "", "note a, note b"])
        store.dispatch(ServerDataAction.invalidated([QueryTag("note", "a")]))
        #expect(table("Key", in: try blocks()).first?[1].text == "stale")
        // At an earlier entry it is as it was then.
        #expect(table("Key", in: try blocks(after: 0)).isEmpty)
    }

    @Test func `a question leaves keys out`() throws {
        for number in 1...3 {
            store.dispatch(QueryAction.set(Notes(page: number), [], at: Self.second(1)))
        }
        #expect(table("Key", in: try blocks()).count == 3)
        #expect(table("Key", in: try blocks(asking: ["key": "PAGE: 2"])).count == 1)
        #expect(table("Key", in: try blocks(asking: ["wanted": "true"])).isEmpty)
    }

    @Test func `requests are on one axis, each with its attempts and what came of it`() throws {
        let (one, two) = (Notes(page: 1), Notes(page: 2))
        store.dispatch(QueryAction.asked(one, request: 1, at: Self.second(1)))
        store.dispatch(QueryAction.asked(two, request: 2, at: Self.second(1)))
        store.dispatch(QueryAction.asked(two, request: 2, at: Self.second(1)))
        store.dispatch(QueryAction.answered(one, request: 1, ["a"], at: Self.second(1)))
        let rows = table("Request", in: try blocks())
        #expect(rows.map { $0[0].text } == ["2", "1"])
        #expect(rows.map { $0[4].text } == ["under way", "answered"])
        #expect(rows.map { $0[4].aside } == ["2 attempts", ""])
        #expect(rows.last?[3].bar?.start == 0 && rows.allSatisfy { $0[3].bar?.end == 1_000 })
    }

    @Test func `mutations are pending until the server has confirmed them`() throws {
        #expect(try blocks().contains(.note("The server has confirmed all.")))
        store.dispatch(Rename(title: "New"))
        let rows = table("Number", in: try blocks())
        #expect(rows.map { $0[1].text } == ["rename"])
        #expect(rows.first?[1].aside == #"{title: "New"}"#)
    }

    @Test func `a pause is said`() throws {
        let note = PageBlock.note("Paused: nothing more is sent until the app sends again.")
        store.dispatch(Rename(title: "New"))
        #expect(try !blocks().contains(note))
        store.dispatch(MutationAction<Rename>.started(UniqueID(number: 1)))
        store.dispatch(MutationAction<Rename>.paused(1, Offline()))
        #expect(try blocks().contains(note))
        store.dispatch(MutationAction<Rename>.resume)
        #expect(try !blocks().contains(note))
    }

    @Test func `a store of another state has no such page`() throws {
        let other = Store(0) { Reduce { (_: inout Int, _: Rename) in } }
        let name = stores.attach(other, as: "other", limit: 10)
        let log = try #require(stores[name]?.log)
        let blocks = try page.blocks(in: PageContext(log))
        #expect(blocks == [.note("The log has no state here, or one of another type.")])
    }
}
