// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardTesting
import Synchronization
import Testing

@testable import OnwardSync

@Suite(.timeLimit(.minutes(2))) struct EncodedPartsTests {
    private final class Count: Sendable {
        private let count = Mutex(0)
        var sum: Int { count.withLock(\.self) }
        func add(_ number: Int) { count.withLock { $0 += number } }
    }

    private static func bytes(_ value: DataValue) -> [UInt8] { DataFormat.cbor.bytes(of: value) }

    private static let table: DataValue = [["id": 1, "n": "a"], ["id": 2, "n": "b"]]

    /// Each turns into each other one.
    static let states: [DataValue] = [
        ["a": 1], ["a": 2, "b": nil], ["b": ["c": 1, "d": ["e": "x"]]], ["b": ["c": 1]], ["b": [:]],
        [:], 7, nil, ["t": table], ["t": []], ["t": [["id": 2, "n": "b"], ["id": 1, "n": "A"]]],
        ["t": [["id": 1, "n": "a"], ["id": 1, "n": "b"]]], ["t": ["x": table]], ["t": [1, 2]],
        ["a/b": 1, "~": ["~1": 2], "": ["": 3]], table, ["a": [["id": ["x": 1]], ["id": nil]]],
    ]

    @Test(arguments: states) func `changes turn any state into any other one`(
        new: DataValue
    ) throws {
        for old in Self.states {
            let (older, newer) = (EncodedParts(old), EncodedParts(new))
            let places = newer.places(differingFrom: older)
            #expect(places.isEmpty == (old == new))
            var parts = older
            let isRead = parts.apply(places.map { newer.change(at: $0) })
            #expect(isRead)
            #expect(parts.bytes == Self.bytes(new), "from \(old)")
        }
    }

    @Test func `a row that has changed is a part, whatever others there are`() throws {
        var newer = Self.table.list ?? []
        newer[1]["n"] = "c"
        let (old, new) = (EncodedParts(["t": Self.table]), EncodedParts(["t": .list(newer)]))
        let changes = new.places(differingFrom: old).map { new.change(at: $0) }
        #expect(changes == [SyncChange(part: "#/t", row: [2], value: Self.bytes(newer[1]))])
    }

    @Test func `whatever was changed since a version is sent, even if it is as before`() {
        var recent = RecentChanges()
        for (index, value) in ([["a": 1], ["a": 2], ["a": 1], ["a": 1, "b": 1]] as [DataValue])
            .enumerated()
        {
            let isRead = recent.note(Self.bytes(value), at: UInt64(index * 2 + 2))
            #expect(isRead)
        }
        func parts(_ version: UInt64) -> Set<String>? {
            recent.changes(since: version).map { Set($0.map(\.part)) }
        }
        #expect(parts(1) == nil)
        #expect(parts(2) == ["/a", "/b"])
        #expect(parts(4) == ["/a", "/b"])
        #expect(parts(6) == ["/b"])
        #expect(parts(8) == [])
    }

    @Test func `a client with other reducers gets what has changed of a large state`()
        async throws
    {
        let shared = Store(TodoList()) { todoList }
        for number in 0..<200 {
            let text = String(repeating: "\(number)", count: 50)
            shared.dispatch(TodoAction.add(id: "old \(number)", title: text))
        }
        let server = try await SyncServer.inMemory(shared)
        let received = Count()
        let network = MemoryTransport {
            let connection = await server.connect()
            let (messages, outlet) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
            let task = Task {
                do {
                    for try await message in connection.messages {
                        received.add(message.count)
                        outlet.yield(message)
                    }
                } catch {}
                outlet.finish()
            }
            return SyncConnection(messages: messages) {
                try await connection.send($0)
            } close: {
                connection.close()
                task.cancel()
            }
        }
        let client = try await TodoClient(over: network, revision: "newer")
        func update(_ title: String) async throws {
            shared.dispatch(TodoAction.rename(id: "old 7", title: title))
            _ = try await client.store.wait { $0.items[id: "old 7"]?.title == title }
        }
        _ = try await client.store.wait { $0.items.count == 200 }
        // From the first change on the server knows what this client has.
        try await update("a")
        let before = received.sum
        try await update("b")
        let version = client.add("own")
        #expect(await client.synced.outcome(of: version) == .confirmed)
        #expect(received.sum - before < 8_000)
        #expect(client.store.state == shared.state)
    }
}
