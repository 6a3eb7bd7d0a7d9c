// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardSync
import OnwardTesting
import Synchronization
import Testing

/// Limits at their edges: whoever can't be in step says why.
@Suite(.timeLimit(.minutes(2))) struct SyncLimitTests {
    private let shared = Store(TodoList()) { todoList }
    private let clock = ManualClock()

    private func server(_ change: (inout SyncLimits) -> Void) async throws -> SyncServer<TodoList> {
        var options = SyncOptions<TodoList>()
        change(&options.limits)
        return try await SyncServer(
            of: shared, accepting: .actions(TodoAction.self), options: options)
    }

    private func client(
        of server: SyncServer<TodoList>, _ change: (inout SyncLimits) -> Void = { _ in }
    ) async throws -> SyncedStore<TodoList> {
        var options = SyncOptions<TodoList>()
        change(&options.limits)
        return try await SyncedStore(
            of: TodoList(), over: MemoryTransport(to: server), in: MemoryJournal(),
            options: options, storeOptions: StoreOptions(clock: clock)
        ) { todoList }
    }

    @Test func `a client to which nothing may be pending reads what others do`() async throws {
        let reader = try await client(of: server { _ in }) { $0.pending = 0 }
        _ = try await reader.status.wait { $0.isOnline }
        shared.dispatch(TodoAction.add(id: "a", title: "a"))
        _ = try await reader.store.wait { $0.titles == ["a"] }
        #expect(reader.store.dispatch(TodoAction.add(id: "b", title: "b")) == .withheld)
    }

    @Test func `a client that the server has no session for says so, and gets one later`()
        async throws
    {
        let server = try await server { $0.sessions = 1 }
        let first = try await client(of: server)
        _ = try await first.status.wait { $0.isOnline }
        let second = try await client(of: server)
        let status = try await second.status.wait { $0.problem == .tooManySessions }
        #expect(status.problem?.description == "The server has as many clients as it may.")
        #expect(!second.status.state.isOnline)
        second.store.dispatch(TodoAction.add(id: "a", title: "a"))
        await first.stop()
        await clock.sleepers(2)
        clock.advance(by: .seconds(20))
        _ = try await second.status.wait { $0.isOnline && $0.pending == 0 }
        #expect(second.status.state.problem == nil)
        #expect(shared.state.titles == ["a"])
    }

    @Test func `a client whose run the server can't remember says so`() async throws {
        let server = try await server { $0.runs = 1 }
        let first = try await client(of: server)
        first.store.dispatch(TodoAction.add(id: "a", title: "a"))
        _ = try await first.status.wait { $0.isOnline && $0.pending == 0 }
        let second = try await client(of: server)
        second.store.dispatch(TodoAction.add(id: "b", title: "b"))
        _ = try await second.status.wait { $0.problem == .tooManyRuns }
        #expect(second.status.state.pending == 1)
        // It follows what others do.
        first.store.dispatch(TodoAction.add(id: "c", title: "c"))
        _ = try await second.store.wait { $0.titles == ["a", "c", "b"] }
        #expect(shared.state.titles == ["a", "c"])
    }

    @Test func `a client that isn't let in says so until it is`() async throws {
        let server = try await server { _ in }
        let isKnown = Guarded(false)
        let network = MemoryTransport {
            guard isKnown.withValue(\.self) else { throw SyncProblem.notAdmitted }
            return await server.connect()
        }
        let client = try await SyncedStore(
            of: TodoList(), over: network, in: MemoryJournal(),
            storeOptions: StoreOptions(clock: clock)
        ) { todoList }
        let status = try await client.status.wait { $0.problem != nil }
        #expect(status.problem == .notAdmitted)
        #expect(!status.isOnline)
        isKnown.withValue { $0 = true }
        await clock.sleepers(2)
        clock.advance(by: .seconds(20))
        _ = try await client.status.wait { $0.isOnline && $0.problem == nil }
    }

    @Test func `a state larger than the server may send is said on both sides`() async throws {
        let server = try await server { $0.stateBytes = 4_096 }
        shared.dispatch(TodoAction.add(id: "a", title: String(repeating: "long ", count: 1_000)))
        let client = try await client(of: server)
        _ = try await client.status.wait { $0.problem == .tooLarge }
        let failure = "What a client has to get is larger than SyncLimits.stateBytes."
        #expect(await server.status.failure == failure)
    }

    @Test func `a state larger than the client may read is said there`() async throws {
        let server = try await server { _ in }
        shared.dispatch(TodoAction.add(id: "a", title: String(repeating: "long ", count: 1_000)))
        let client = try await client(of: server) { $0.stateBytes = 4_096 }
        _ = try await client.status.wait { $0.problem == .unreadable }
    }

    @Test func `a limit with which nothing is ever in step is a mistake, and the least one taken`()
        async throws
    {
        let mistakes = Mutex<[ProgrammerError]>([])
        var options = SyncOptions<TodoList>()
        options.limits.window = 0
        options.limits.entriesPerMessage = -1
        options.limits.proposalsPerMessage = 0
        options.limits.messageBytes = 10
        options.limits.patience = .zero
        options.limits.history = .max
        let client = try await SyncedStore(
            of: TodoList(), over: MemoryTransport(to: server { _ in }), in: MemoryJournal(),
            options: options,
            storeOptions: StoreOptions(
                clock: clock,
                onProgrammerError: { mistake in mistakes.withLock { $0.append(mistake) } })
        ) { todoList }
        let version = client.store.dispatch(TodoAction.add(id: "a", title: "a")).version ?? 0
        #expect(await client.outcome(of: version) == .confirmed)
        let found = mistakes.withLock(\.self)
        #expect(found.count == 5)
        #expect(found.allSatisfy { $0.kind == .unusableSyncLimit })
        let window = try #require(found.first { $0.description.contains("window") })
        #expect(
            window.description == """
                SyncLimits.window is 0, with which a client and its server are never in step. 1 is taken instead. To \
                fix this, set at least 1, or leave the limit out: the default suits most apps.
                """)
    }
}
