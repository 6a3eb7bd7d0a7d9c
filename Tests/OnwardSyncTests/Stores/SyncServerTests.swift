// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardSync
import OnwardTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct SyncServerTests {
    @Test func `a server that starts again does nothing twice and loses nothing`() async throws {
        let journal = MemoryJournal()
        let current = Mutex<SyncServer<TodoList>?>(nil)
        let network = MemoryTransport {
            guard let server = current.withLock(\.self) else { throw MemoryTransport.CutOff() }
            return await server.connect()
        }
        func start() async throws -> Persistence<TodoList> {
            let kept = try await Persistence(of: TodoList(), in: journal) { todoList }
            let server = try await SyncServer(
                of: kept.store, accepting: .actions(TodoAction.self), journal: journal)
            current.withLock { $0 = server }
            return kept
        }
        var kept = try await start()
        let client = try await TodoClient(over: network)
        let first = client.add("a")
        #expect(await client.synced.outcome(of: first) == .confirmed)
        // It goes down, having accepted something that the client doesn't know of.
        await current.withLock(\.self)?.stop()
        _ = try await client.synced.status.wait { !$0.isOnline }
        current.withLock { $0 = nil }
        let second = client.add("b")
        try await kept.flush()
        kept = try await start()
        try await client.reconnect()
        #expect(await client.synced.outcome(of: second) == .confirmed)
        #expect(kept.store.state.titles == ["a", "b"])
        #expect(await current.withLock(\.self)?.status.runs == 1)
        try await client.shows(["a", "b"])
    }

    @Test func `a server in memory that starts again gets what is pending`() async throws {
        let current = Mutex<SyncServer<TodoList>?>(nil)
        let network = MemoryTransport {
            guard let server = current.withLock(\.self) else { throw MemoryTransport.CutOff() }
            return await server.connect()
        }
        let old = try await SyncServer.inMemory(Store(TodoList()) { todoList })
        current.withLock { $0 = old }
        let client = try await TodoClient(over: network)
        #expect(await client.synced.outcome(of: client.add("a")) == .confirmed)
        await old.stop()
        _ = try await client.synced.status.wait { !$0.isOnline }
        let version = client.add("b")
        let store = Store(TodoList()) { todoList }
        let new = try await SyncServer.inMemory(store)
        current.withLock { $0 = new }
        try await client.reconnect()
        #expect(await client.synced.outcome(of: version) == .confirmed)
        #expect(store.state.titles == ["b"])
        try await client.shows(["b"])
    }

    @Test func `what a client may not send is refused`() async throws {
        let store = Store(TodoList()) { todoList }
        let server = try await SyncServer(
            of: store,
            accepting: ClientRules { action, _, identity in
                action is TodoAction && identity == "ann"
            })
        let ann = try await TodoClient(of: server, as: "ann")
        let bob = try await TodoClient(of: server, as: "bob")
        #expect(await ann.synced.outcome(of: ann.add("a")) == .confirmed)
        let outcome = await bob.synced.outcome(of: bob.add("b"))
        guard case .refused(let refusal?) = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
        #expect(refusal.kind == .forbidden)
        try await bob.shows(["a"])
        #expect(store.state.titles == ["a"])
    }

    @Test func `nothing is sent before it is kept`() async throws {
        final class Keeper: CommitKeeper {
            let gate = AsyncStream<Void>.makeStream()
            var durability: Durability { .memory }
            func flush() async throws { for await _ in gate.stream { return } }
        }
        let keeper = Keeper()
        let store = Store(TodoList()) { todoList }
        store.log.attach(keeper: keeper)
        let server = try await SyncServer.inMemory(store)
        let client = try await TodoClient(of: server)
        let version = client.add("a")
        _ = try await store.wait { $0.titles == ["a"] }
        #expect(await server.status.version == 0)
        #expect(client.synced.status.state.pending == 1)
        keeper.gate.continuation.finish()
        #expect(await client.synced.outcome(of: version) == .confirmed)
    }

    @Test func `a message that is none ends its connection only`() async throws {
        let server = try await SyncServer.inMemory(Store(TodoList()) { todoList })
        let client = try await TodoClient(of: server)
        let hostile = await server.connect()
        await #expect(throws: SyncMessageError.self) { try await hostile.send([0xFF, 0, 1]) }
        await #expect(throws: SyncMessageError.self) {
            for try await _ in hostile.messages {}
        }
        #expect(await client.synced.outcome(of: client.add("a")) == .confirmed)
    }

    @Test func `a journal that has forgotten what clients proposed is served with a ledger only`()
        async throws
    {
        let journal = MemoryJournal()
        let ledger = MemoryValue()
        func serve(_ ledger: MemoryValue?) async throws -> Int {
            // Closed with its store, so each has one of its own with the same entries.
            let store = Store(TodoList()) { todoList }
            let server = try await SyncServer(
                of: store, accepting: .actions(TodoAction.self), journal: journal, ledger: ledger)
            let runs = await server.status.runs
            await server.stop()
            return runs
        }
        func entry(_ version: CommitVersion, by client: UInt64) -> JournalEntry {
            JournalEntry(
                version: version, name: "TodoAction/open",
                origin: ActionOrigin(file: "sync \(ClientID(high: 0, low: client))", line: 1))
        }
        try journal.append([entry(1, by: 1), entry(2, by: 2)], after: .start)
        #expect(try await serve(ledger) == 2)
        let snapshot = JournalSnapshot(
            version: 2, fingerprint: FeatureFingerprint(rawValue: 1), payload: [])
        try journal.store(snapshot)
        try journal.truncate(before: 3)
        try journal.append([entry(3, by: 3)], after: journal.lastPosition())
        #expect(try await serve(ledger) == 3)
        let error = await #expect(throws: JournalError.self) { try await serve(nil) }
        #expect(error?.code == .truncated)
    }
}
