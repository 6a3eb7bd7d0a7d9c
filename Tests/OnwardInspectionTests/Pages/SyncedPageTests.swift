// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardSync
import OnwardTesting
import Testing

@testable import OnwardInspection

@Suite(.timeLimit(.minutes(1))) struct SyncedPageTests {
    private struct Seats: Codable, Equatable, Sendable {
        var taken: [String: String] = [:]
    }

    private enum SeatAction: Action, Codable {
        case take(seat: String, by: String)
    }

    private enum SeatRefusal: RefusalReason {
        case taken(by: String)
        var sentence: String {
            switch self {
            case .taken(let name): "\(name) has that seat."
            }
        }
    }

    private static let seats = Feature<Seats> {
        Check { (seats: Seats, action: SeatAction) throws(SeatRefusal) in
            guard case .take(let seat, let name) = action else { return }
            if let other = seats.taken[seat], other != name { throw .taken(by: other) }
        }
        Reduce { (seats: inout Seats, action: SeatAction) in
            guard case .take(let seat, let name) = action else { return }
            seats.taken[seat] = name
        }
    }

    private struct WeakClient { weak var client: SyncedStore<Seats>? }

    /// A client of a server in the same program, and its page.
    private struct Desk {
        let shared = Store(Seats()) { SyncedPageTests.seats }
        let isMute = Guarded(false)
        /// What the client has sent and the server doesn't hear.
        let unheard = AsyncStream.makeStream(of: [UInt8].self)
        let network: MemoryTransport
        let client: SyncedStore<Seats>
        let clock = ManualClock()
        let stores = StoreList()
        let page: InspectorPage
        let server: SyncServer<Seats>

        init() async throws {
            server = try await SyncServer(of: shared, accepting: .actions(SeatAction.self))
            network = MemoryTransport { [server, isMute, unheard = unheard.continuation] in
                let connection = await server.connect()
                return SyncConnection(messages: connection.messages) { bytes in
                    if isMute.withValue(\.self) {
                        unheard.yield(bytes)
                    } else {
                        try await connection.send(bytes)
                    }
                } close: {
                    connection.close()
                }
            }
            client = try await SyncedStore(
                of: Seats(), over: network, in: MemoryJournal(),
                storeOptions: StoreOptions(clock: clock)
            ) { SyncedPageTests.seats }
            _ = try await client.status.wait { $0.isOnline }
            page = await .synced(client)
            _ = stores.attach(client.store, as: "seats", limit: 100, pages: [page])
        }

        func take(_ seat: String, by name: String) {
            client.store.dispatch(SeatAction.take(seat: seat, by: name))
        }

        /// Waits until the mute client has sent a message about a seat.
        func sent(_ seat: String) async {
            for await bytes in unheard.stream
            where String(decoding: bytes, as: UTF8.self).contains(seat) {
                return
            }
        }

        /// Cuts the connection, and waits until the client knows.
        func cut() async throws {
            network.isConnected = false
            _ = try await client.status.wait { !$0.isOnline }
        }

        func reconnect() async throws {
            await clock.sleepers(2)
            network.isConnected = true
            clock.advance(by: .seconds(20))
            _ = try await client.status.wait { $0.isOnline }
        }

        func blocks() throws -> [PageBlock] {
            let log = try #require(stores["seats"]?.log)
            return try page.blocks(in: PageContext(log))
        }

        /// The rows of the table whose first column has a title, each cell with what stands beside it.
        func table(_ title: String) throws -> [[String]] {
            for case .table(let table) in try blocks() where table.columns.first?.title == title {
                return table.rows.map { row in
                    row.map { $0.aside.isEmpty ? $0.text : "\($0.text) \($0.aside)" }
                }
            }
            return []
        }
    }

    @Test func `a client that is in step has nothing pending and shows what is confirmed`()
        async throws
    {
        let desk = try await Desk()
        desk.shared.dispatch(SeatAction.take(seat: "A1", by: "Ann"))
        _ = try await desk.client.store.wait { $0.taken["A1"] == "Ann" }
        _ = try await desk.client.status.wait { $0.confirmed == 1 }
        #expect(
            try desk.table("Client") == [
                ["Server", "answers"], ["Confirmed", "version 1"], ["Pending", "0"],
                ["Refused", "0"],
            ])
        let blocks = try desk.blocks()
        #expect(blocks.contains(.note("The server has decided all.")))
        #expect(blocks.contains(.note("What shows is what is confirmed.")))
    }

    @Test func `what is pending is in order, with where it makes a difference`() async throws {
        let desk = try await Desk()
        desk.shared.dispatch(SeatAction.take(seat: "B1", by: "Bob"))
        _ = try await desk.client.status.wait { $0.confirmed == 1 }
        try await desk.cut()
        desk.take("A1", by: "Ann")
        desk.take("A2", by: "Ann")
        // What was dispatched is taken over by then.
        _ = try await desk.client.parts()
        let facts = try desk.table("Client").prefix(3)
        #expect(
            facts == [
                ["Server", "doesn't answer"], ["Confirmed", "version 1"], ["Pending", "2"],
            ])
        let rows = try desk.table("Number")
        #expect(rows.map { $0[0] } == ["1", "2"])
        #expect(rows.map(\.last) == ["shows", "shows"])
        #expect(rows.first?[1].hasSuffix(#"SeatAction/take {by: "Ann", seat: "A1"}"#) == true)
        let differences = try desk.table("Where")
        #expect(differences == ["A1", "A2"].map { ["taken.\($0)", "", #""Ann""#] })
    }

    @Test func `what others made impossible is hidden until the server refuses it`() async throws {
        let desk = try await Desk()
        // The server hears nothing of this client, which hears what others do.
        desk.isMute.withValue { $0 = true }
        desk.take("A1", by: "Ann")
        desk.take("A2", by: "Ann")
        desk.shared.dispatch(SeatAction.take(seat: "A1", by: "Bob"))
        _ = try await desk.client.status.wait { $0.hidden == 1 }
        await desk.sent("A2")
        let rows = try desk.table("Number")
        #expect(rows.map(\.last) == ["hidden sent", "shows sent"])
        #expect(try desk.table("Where") == [["taken.A2", "", #""Ann""#]])
        desk.isMute.withValue { $0 = false }
        try await desk.cut()
        try await desk.reconnect()
        _ = try await desk.client.status.wait { $0.refused == 1 && $0.pending == 0 }
        let facts = try desk.table("Client")
        #expect(facts.dropLast().last == ["Refused", "1"])
        #expect(facts.last?.last?.hasPrefix("Bob has that seat. ") == true)
        #expect(try desk.table("Number").isEmpty && desk.table("Where").isEmpty)
    }

    @Test func `a confirmation, which is no commit, has the page drawn again`() async throws {
        let desk = try await Desk()
        let store = try #require(desk.stores["seats"])
        try await desk.cut()
        desk.take("A1", by: "Ann")
        _ = try await desk.client.parts()
        let (summary, activity) = (store.summary, store.activity)
        try await desk.reconnect()
        _ = try await desk.client.status.wait { $0.pending == 0 }
        #expect(store.summary == summary)
        #expect(store.activity.pageRevision > activity.pageRevision)
        #expect(desk.page.isLive)
    }

    @Test func `another moment is said to hold up what comes`() async throws {
        let desk = try await Desk()
        desk.take("A1", by: "Ann")
        let note = PageBlock.note(
            "Another moment is shown: until then, what comes from the server waits.")
        #expect(try !desk.blocks().contains(note))
        try desk.stores["seats"]?.perform(.jump(moment: 0))
        #expect(try desk.blocks().contains(note))
    }

    @Test func `a page doesn't keep its client alive`() async throws {
        func open() async throws -> (page: InspectorPage, client: WeakClient) {
            let desk = try await Desk()
            return (desk.page, WeakClient(client: desk.client))
        }
        let (page, client) = try await open()
        #expect(client.client == nil)
        #expect(page.name == "synced")
    }
}
