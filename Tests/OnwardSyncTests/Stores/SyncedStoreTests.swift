// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardSync
import OnwardTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct SyncedStoreTests {
    private let shared = Store(TodoList()) { todoList }

    private func server() async throws -> SyncServer<TodoList> { try await .inMemory(shared) }

    @Test func `an own action shows at once, and its confirmation is no commit`() async throws {
        let client = try await TodoClient(of: server())
        // What came with the connection.
        let before = client.store.log.version
        let version = client.add("milk")
        #expect(client.store.state.titles == ["milk"])
        #expect(await client.synced.outcome(of: version) == .confirmed)
        #expect(shared.state.titles == ["milk"])
        #expect(client.store.log.version == before + 1)
        #expect(client.synced.status.state.pending == 0)
    }

    @Test func `what one client does, another one shows`() async throws {
        let server = try await server()
        let ann = try await TodoClient(of: server)
        let bob = try await TodoClient(of: server)
        ann.add("milk")
        try await bob.shows(["milk"])
        bob.add("bread")
        try await ann.shows(["milk", "bread"])
        shared.dispatch(TodoAction.add(id: "eggs", title: "eggs"))
        try await ann.shows(["milk", "bread", "eggs"])
        try await bob.shows(["milk", "bread", "eggs"])
    }

    @Test func `without a network actions show, and are proposed in order when there is one`()
        async throws
    {
        let client = try await TodoClient(of: server(), isConnected: false)
        let versions = ["a", "b", "c"].map { client.add($0) }
        #expect(client.store.state.titles == ["a", "b", "c"])
        #expect(client.synced.status.state.pending == 3)
        shared.dispatch(TodoAction.add(id: "x", title: "x"))
        try await client.reconnect()
        for version in versions {
            #expect(await client.synced.outcome(of: version) == .confirmed)
        }
        #expect(shared.state.titles == ["x", "a", "b", "c"])
        try await client.shows(["x", "a", "b", "c"])
    }

    @Test func `a refusal has the check's reason and leaves no trace`() async throws {
        let client = try await TodoClient(of: server())
        try await client.cut()
        let first = client.add("milk")
        let second = client.add("bread")
        shared.dispatch(TodoAction.add(id: "milk", title: "oat milk"))
        try await client.reconnect()
        let outcome = await client.synced.outcome(of: first)
        guard case .refused(let refusal?) = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
        #expect(refusal.reason() == TodoRefusal.taken(by: "oat milk"))
        #expect(refusal.sentence == "There is oat milk already.")
        #expect(await client.synced.outcome(of: second) == .confirmed)
        try await client.shows(["oat milk", "bread"])
        #expect(shared.state.titles == ["oat milk", "bread"])
        #expect(client.synced.status.state.refused == 1)
        #expect(client.synced.status.state.lastRefusal == refusal)
    }

    @Test func `what others do is one commit, notifies of differences and starts no effect`()
        async throws
    {
        let answered = Mutex<[String]>([])
        let started = Mutex(0)
        let server = try await server()
        shared.dispatch(TodoAction.add(id: "old", title: "old"))
        let effects = Feature<TodoList> {
            OnAction { (action: TodoAction, _) -> Effect in
                answered.withLock { $0.append("\(action)") }
                return .none
            }
            While(\.isOpen) { _, context in
                started.withLock { $0 += 1 }
                for await _ in context.clock.ticks(every: .seconds(3_600)) {}
            }
        }
        let client = try await TodoClient(of: server, effects)
        try await client.shows(["old"])
        try await client.cut()
        client.add("own")
        let row = Mutex(0)
        let token = client.store.subscribe(.row(\.items, id: "old")) { _, _ in
            row.withLock { $0 += 1 }
        }
        await client.clock.sleepers(3)
        for name in ["a", "b", "c"] { shared.dispatch(TodoAction.add(id: name, title: name)) }
        let before = client.store.log.version
        try await client.reconnect()
        try await client.shows(["old", "a", "b", "c", "own"])
        #expect(client.store.log.version == before + 1)
        #expect(row.withLock(\.self) == 0)
        #expect(answered.withLock(\.count) == 1)
        #expect(started.withLock(\.self) == 1)
        token.cancel()
    }

    @Test func `effects run on the side that they are for, once for what was done there`()
        async throws
    {
        let log = Mutex<[String]>([])
        func note(_ side: String) -> OnAction<TodoList, TodoAction> {
            OnAction { (action: TodoAction, _) -> Effect in
                if case .add(let id, _) = action { log.withLock { $0.append("\(side) \(id)") } }
                return .none
            }
        }
        let effects = Feature<TodoList> {
            OnServer { note("server") }
            OnClient { note("client") }
        }
        let shared = Store(TodoList()) {
            todoList
            effects
        }
        let server = try await SyncServer.inMemory(shared)
        let journal = MemoryJournal()
        let client = try await TodoClient(of: server, in: journal, effects)
        #expect(await client.synced.outcome(of: client.add("a")) == .confirmed)
        try await client.cut()
        client.add("b")
        #expect(log.withLock { $0 } == ["client a", "server a", "client b"])
        // It is decided again on this, after a restart, and confirmed.
        shared.dispatch(TodoAction.add(id: "c", title: "c"))
        try await client.store.flush(.memory)
        await client.synced.stop()
        let again = try await TodoClient(of: server, in: journal, effects)
        _ = try await again.synced.status.wait { $0.pending == 0 }
        try await again.shows(["a", "c", "b"])
        #expect(
            log.withLock { $0 } == ["client a", "server a", "client b", "server c", "server b"])
    }

    @Test func `what is pending outlives the program`() async throws {
        let server = try await server()
        let journal = MemoryJournal()
        shared.dispatch(TodoAction.add(id: "x", title: "x"))
        do {
            let client = try await TodoClient(of: server, in: journal)
            try await client.shows(["x"])
            try await client.cut()
            try await client.store.dispatch(
                TodoAction.add(id: "a", title: "a"), durable: .memory)
            await client.synced.stop()
        }
        let client = try await TodoClient(of: server, isConnected: false, in: journal)
        #expect(client.store.state.titles == ["x", "a"])
        client.add("b")
        try await client.reconnect()
        _ = try await client.synced.status.wait { $0.pending == 0 }
        #expect(shared.state.titles == ["x", "a", "b"])
        try await client.shows(["x", "a", "b"])
    }

    @Test func `a journal of something else is refused, and not changed`() async throws {
        let journal = MemoryJournal()
        try journal.append(
            [JournalEntry(version: 1, name: "TodoAction/add")], after: .start)
        let server = try await server()
        let error = await #expect(throws: JournalError.self) {
            _ = try await TodoClient(of: server, in: journal)
        }
        #expect(error?.code == .foreign)
        #expect(
            error?.description == """
                The journal of a synced store has something else at version 1. Nothing was changed. Give the \
                SyncedStore a journal of its own: what it keeps there is no log of a store.
                """)
        #expect(try await journal.lastVersion() == 1)
    }

    @Test func `what is local stays on its client`() async throws {
        let server = try await server()
        let ann = try await TodoClient(of: server)
        let bob = try await TodoClient(of: server)
        let version = ann.store.dispatch(DraftAction.typed("Mil")).version ?? 0
        #expect(await ann.synced.outcome(of: version) == nil)
        bob.add("bread")
        try await ann.shows(["bread"])
        #expect(ann.store.state.draft == "Mil")
        #expect(bob.store.state.draft == "")
        #expect(shared.state.draft == "")
    }

    @Test func `while another gate shows another moment, what others do waits`() async throws {
        let server = try await server()
        let client = try await TodoClient(of: server)
        let history = History(of: client.store)
        let version = client.add("a")
        #expect(await client.synced.outcome(of: version) == .confirmed)
        history.jump(to: 0)
        #expect(client.store.state.titles == [])
        shared.dispatch(TodoAction.add(id: "b", title: "b"))
        _ = try await client.synced.status.wait { $0.confirmed == 2 }
        #expect(client.store.state.titles == [])
        history.jumpToEnd()
        try await client.shows(["a", "b"])
    }

    @Test func `what others did is a part of the moments that a history shows`() async throws {
        let server = try await server()
        let client = try await TodoClient(of: server)
        let history = History(of: client.store)
        let shown = Mutex<[[String]]>([])
        let token = client.store.subscribe(\.titles) { _, titles in
            shown.withLock { $0.append(titles) }
        }
        #expect(await client.synced.outcome(of: client.add("a")) == .confirmed)
        shared.dispatch(TodoAction.add(id: "b", title: "b"))
        try await client.shows(["a", "b"])
        let rename = TodoAction.rename(id: "b", title: "B")
        let version = client.store.dispatch(rename).version ?? 0
        #expect(await client.synced.outcome(of: version) == .confirmed)
        shown.withLock { $0 = [] }
        history.jump(to: 0)
        history.jump(to: 1)
        history.jump(to: 2)
        history.jump(to: 0)
        history.jumpToEnd()
        await client.store.log.waitUntilNotified(of: client.store.log.version)
        // At no time what only the own actions lead to.
        #expect(shown.withLock(\.self) == [[], ["a", "b"], ["a", "B"], [], ["a", "B"]])
        token.cancel()
    }

    @Test func `while another gate shows another moment, own actions are withheld for good`()
        async throws
    {
        let client = try await TodoClient(of: server())
        let history = History(of: client.store)
        #expect(await client.synced.outcome(of: client.add("a")) == .confirmed)
        let shown = Mutex<[[String]]>([])
        let token = client.store.subscribe(\.titles) { _, titles in
            shown.withLock { $0.append(titles) }
        }
        history.jump(to: 0)
        let withheld = client.store.dispatch(TodoAction.add(id: "b", title: "b"))
        #expect(withheld == .withheld)
        #expect(client.synced.status.state.pending == 0)
        history.jumpToEnd()
        #expect(history.log.staged.count == 1)
        #expect(await client.synced.outcome(of: client.add("c")) == .confirmed)
        #expect(shared.state.titles == ["a", "c"])
        #expect(shown.withLock(\.self) == [[], ["a"], ["a", "c"]])
        token.cancel()
    }

    @Test func `own actions are confirmed while another moment is shown`() async throws {
        let client = try await TodoClient(of: server())
        let history = History(of: client.store)
        try await client.cut()
        let (first, second) = (client.add("a"), client.add("b"))
        shared.dispatch(TodoAction.add(id: "b", title: "their b"))
        history.jump(to: 1)
        try await client.reconnect()
        #expect(await client.synced.outcome(of: first) == .confirmed)
        guard case .refused = await client.synced.outcome(of: second) else {
            Issue.record("it was not refused")
            return
        }
        #expect(client.store.state.titles == ["a"])
        history.jumpToEnd()
        try await client.shows(["their b", "a"])
    }

    @Test func `an entry that a history skips is there again when the client follows the server`()
        async throws
    {
        let client = try await TodoClient(of: server())
        let history = History(of: client.store)
        #expect(await client.synced.outcome(of: client.add("a")) == .confirmed)
        #expect(await client.synced.outcome(of: client.add("b")) == .confirmed)
        history.jump(to: 1)
        history.toggle(1)
        #expect(client.store.state.titles == [])
        // Live, only what is confirmed and pending shows.
        history.jumpToEnd()
        try await client.shows(["a", "b"])
        shared.dispatch(TodoAction.add(id: "c", title: "c"))
        try await client.shows(["a", "b", "c"])
        #expect(history.log.skipped == [1])
        history.jump(to: 1)
        #expect(client.store.state.titles == [])
        history.jumpToEnd()
        try await client.shows(["a", "b", "c"])
    }

    @Test func `ids that are drawn on a client are those of the server, whose author it is`()
        async throws
    {
        let client = try await TodoClient(of: server(), as: "ann")
        try await client.cut()
        let first = client.store.dispatch(TodoAction.note(title: "milk")).version ?? 0
        let id = try #require(client.store.state.items.first?.id)
        let second = client.store.dispatch(TodoAction.rename(id: id, title: "oat milk")).version
        try await client.reconnect()
        #expect(await client.synced.outcome(of: first) == .confirmed)
        #expect(await client.synced.outcome(of: second ?? 0) == .confirmed)
        let expected = [TodoList.Item(id: id, title: "oat milk", by: "ann")]
        #expect(Array(shared.state.items) == expected)
        _ = try await client.store.wait { Array($0.items) == expected }
    }

    @Test func `more than may be pending is withheld`() async throws {
        var options = SyncOptions<TodoList>()
        options.limits.pending = 2
        let network = MemoryTransport(to: try await server())
        network.isConnected = false
        let synced = try await SyncedStore(
            of: TodoList(), over: network, in: MemoryJournal(), options: options,
            storeOptions: StoreOptions(clock: ManualClock())
        ) { todoList }
        for id in ["a", "b"] {
            #expect(synced.store.dispatch(TodoAction.add(id: id, title: id)).version != nil)
        }
        #expect(synced.store.dispatch(TodoAction.add(id: "c", title: "c")) == .withheld)
    }

    @Test func `without a limit of what may be pending nothing is withheld`() async throws {
        var options = SyncOptions<TodoList>()
        options.limits.pending = .max
        let synced = try await SyncedStore(
            of: TodoList(), over: MemoryTransport(to: try await server()), in: MemoryJournal(),
            options: options, storeOptions: StoreOptions(clock: ManualClock())
        ) { todoList }
        let version = try #require(
            synced.store.dispatch(TodoAction.add(id: "a", title: "a")).version)
        #expect(await synced.outcome(of: version) == .confirmed)
        await synced.stop()
    }

    @Test func `what a dispatch has added is pending when it returns`() async throws {
        let server = try await server()
        let journal = MemoryJournal()
        let client = try await TodoClient(of: server, isConnected: false, in: journal)
        for (index, id) in ["a", "b", "c"].enumerated() {
            client.add(id)
            #expect(client.synced.status.state.pending == index + 1)
        }
        client.store.dispatch(DraftAction.typed("d"))
        #expect(client.synced.status.state.pending == 3)
        await client.synced.stop()
        let again = try await TodoClient(of: server, isConnected: false, in: journal)
        #expect(again.synced.status.state.pending == 3)
        again.add("e")
        #expect(again.synced.status.state.pending == 4)
        try await again.reconnect()
        _ = try await again.synced.status.wait { $0.pending == 0 }
        #expect(shared.state.titles == ["a", "b", "c", "e"])
    }

    @Test func `what is pending is never counted below nothing`() async throws {
        let client = try await TodoClient(of: server())
        let least = Mutex(0)
        let token = client.synced.status.subscribe(\.pending) { _, pending in
            least.withLock { $0 = min($0, pending) }
        }
        var last: CommitVersion = 0
        for number in 0..<200 { last = client.add("\(number)") }
        #expect(await client.synced.outcome(of: last) == .confirmed)
        #expect(client.synced.status.state.pending == 0)
        #expect(least.withLock(\.self) == 0)
        token.cancel()
    }

    @Test func `an action that can't be written is withheld and reported`() async throws {
        let mistakes = Mutex<[ProgrammerError]>([])
        let network = MemoryTransport(to: try await server())
        network.isConnected = false
        let options = StoreOptions(
            clock: ManualClock(),
            onProgrammerError: { mistake in mistakes.withLock { $0.append(mistake) } })
        let synced = try await SyncedStore(
            of: TodoList(), over: network, in: MemoryJournal(), storeOptions: options
        ) {
            todoList
            Reduce { (list: inout TodoList, _: Bare) in list.draft = "bare" }
        }
        let result = synced.store.dispatch(Bare.bare, file: "A/b.swift", line: 7)
        #expect(result == .withheld)
        #expect(synced.store.state.draft == "")
        #expect(synced.status.state.pending == 0)
        let first = mistakes.withLock { $0.first }
        let mistake = try #require(first)
        #expect(mistake.kind == .uncodedSyncedAction)
        #expect(
            mistake.description == """
                SyncedStoreTests.Bare/bare was dispatched to the store of a SyncedStore, at A/b.swift:7. \
                SyncedStoreTests.Bare isn't Codable, so it can be neither kept nor proposed to the server, and what it \
                does would be taken back. The action was withheld. To fix this, declare `extension \
                SyncedStoreTests.Bare: Codable {}`; if it changes what only concerns this device, write \
                `options.keepLocal(\\.slice, changedBy: SyncedStoreTests.Bare.self)`.
                """)
    }

    private enum Bare: Action { case bare }

    @Test func `an action that can't be written may be local`() async throws {
        let network = MemoryTransport(to: try await server())
        network.isConnected = false
        var options = SyncOptions<TodoList>()
        options.keepLocal(\.draft, changedBy: Bare.self)
        let synced = try await SyncedStore(
            of: TodoList(), over: network, in: MemoryJournal(), options: options,
            storeOptions: StoreOptions(clock: ManualClock())
        ) { Reduce { (list: inout TodoList, _: Bare) in list.draft = "bare" } }
        synced.store.dispatch(Bare.bare)
        #expect(synced.store.state.draft == "bare")
    }

    @Test func `OnChange follows what shows on a client, and the log on a server`() async throws {
        let seen = Mutex<[String]>([])
        func note(_ side: String) -> OnChange<TodoList> {
            OnChange(of: \.titles) { _, titles, _ in
                seen.withLock { $0.append("\(side) \(titles.joined())") }
                return .none
            }
        }
        let follow = Feature<TodoList> {
            OnServer { note("server") }
            OnClient { note("client") }
        }
        let shared = Store(TodoList()) {
            todoList
            follow
        }
        let client = try await TodoClient(of: .inMemory(shared), follow)
        #expect(await client.synced.outcome(of: client.add("a")) == .confirmed)
        try await client.cut()
        client.add("b")
        shared.dispatch(TodoAction.add(id: "c", title: "c"))
        try await client.reconnect()
        try await client.shows(["a", "c", "b"])
        _ = try await client.synced.status.wait { $0.pending == 0 }
        await client.store.log.waitUntilNotified(of: client.store.log.version)
        let (clients, servers) = seen.withLock { seen in
            (seen.filter { $0.hasPrefix("client") }, seen.filter { $0.hasPrefix("server") })
        }
        #expect(clients == ["client a", "client ab", "client acb"])
        #expect(servers == ["server a", "server ac", "server acb"])
    }

    @Test func `what is confirmed and what is pending are told apart, and fold to what shows`()
        async throws
    {
        let client = try await TodoClient(of: server(), as: "ann")
        #expect(await client.synced.outcome(of: client.add("a")) == .confirmed)
        try await client.cut()
        client.add("b")
        client.store.dispatch(TodoAction.note(title: "c"))
        client.store.dispatch(TodoAction.rename(id: "a", title: "A"))
        let parts = try await client.synced.parts()
        #expect(parts.confirmed.titles == ["a"])
        let names = ["TodoAction/add", "TodoAction/note", "TodoAction/rename"]
        #expect(parts.pending.map(\.entry.name) == names)
        #expect(parts.pending.map(\.isHidden) == [false, false, false])
        #expect(parts.pending.map(\.id.number) == [2, 3, 4])
        // As one who gets a report does.
        let codec = JournalCodec(for: client.store)
        #expect(parts.snapshot.version == 1)
        #expect(parts.shownEntries.map(\.version) == [2, 3, 4])
        let entries = try codec.actions.decode(parts.shownEntries)
        let shown = client.store.log.replay(entries, from: try codec.states.decode(parts.snapshot))
        #expect(shown == client.store.state)
    }

    @Test func `a client that is told to tries to reach its server at once`() async throws {
        let client = try await TodoClient(of: server(), isConnected: false)
        client.network.isConnected = true
        client.synced.retry()
        try await client.online()
        try await client.cut()
        // Pauses are as long as at first.
        await client.clock.sleepers(2)
        client.network.isConnected = true
        client.clock.advance(by: .milliseconds(250))
        try await client.online()
    }

    @Test func `a client that is stopped has kept all that it took, and takes no more`()
        async throws
    {
        let server = try await server()
        let journal = MemoryJournal()
        var accepted: [String] = []
        for run in 0..<10 {
            let client = try await TodoClient(of: server, isConnected: run % 2 == 0, in: journal)
            async let others = withTaskGroup(of: [String].self) { group in
                for task in 0..<3 {
                    group.addTask {
                        (0..<200).map { "\(run) \(task) \($0)" }.filter { id in
                            let action = TodoAction.add(id: id, title: id)
                            return client.store.dispatch(action).version != nil
                        }
                    }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
            await client.synced.stop()
            let late = client.store.dispatch(TodoAction.add(id: "late \(run)", title: "late"))
            #expect(late == .withheld)
            #expect(client.store.dispatch(DraftAction.typed("a draft")).version != nil)
            accepted += await others
        }
        let last = try await TodoClient(of: server, in: journal)
        _ = try await last.synced.status.wait { $0.pending == 0 }
        #expect(shared.state.items.map(\.id).sorted() == accepted.sorted())
        // What one task has dispatched is in its order.
        for run in 0..<10 {
            for task in 0..<3 {
                let own = shared.state.items.map(\.id).filter { $0.hasPrefix("\(run) \(task) ") }
                let expected = accepted.filter { $0.hasPrefix("\(run) \(task) ") }
                #expect(own == expected)
            }
        }
    }

    @Test func `nobody waits for an outcome when the client is stopped`() async throws {
        let client = try await TodoClient(of: server(), isConnected: false)
        let version = client.add("a")
        async let outcome = client.synced.outcome(of: version)
        await client.synced.stop()
        #expect(await outcome == nil)
    }

    @Test func `what stands for the action before it is proposed alone`() async throws {
        let client = try await TodoClient(of: server())
        #expect(await client.synced.outcome(of: client.add("a")) == .confirmed)
        try await client.cut()
        let versions = ["M", "Mi", "Milk"].map { title in
            client.store.dispatch(TodoAction.rename(id: "a", title: title)).version ?? 0
        }
        #expect(client.store.state.titles == ["Milk"])
        #expect(await client.synced.outcome(of: versions[0]) == .replaced)
        #expect(await client.synced.outcome(of: versions[1]) == .replaced)
        let before = shared.log.version
        try await client.reconnect()
        #expect(await client.synced.outcome(of: versions[2]) == .confirmed)
        #expect(shared.log.version == before + 1)
        #expect(shared.state.titles == ["Milk"])
    }

    @Test func `a client with other reducers gets states, and its actions are decided`()
        async throws
    {
        let server = try await server()
        let client = try await TodoClient(of: server, revision: "newer")
        #expect(await client.synced.outcome(of: client.add("a")) == .confirmed)
        shared.dispatch(TodoAction.add(id: "b", title: "b"))
        try await client.shows(["a", "b"])
        try await client.cut()
        let version = client.add("c")
        shared.dispatch(TodoAction.add(id: "d", title: "d"))
        try await client.reconnect()
        #expect(await client.synced.outcome(of: version) == .confirmed)
        try await client.shows(["a", "b", "d", "c"])
    }

    @Test func `a state that a gate of the server installs reaches its clients`() async throws {
        let server = try await server()
        let history = History(of: shared)
        let client = try await TodoClient(of: server)
        #expect(await client.synced.outcome(of: client.add("a")) == .confirmed)
        history.jump(to: 0)
        try await client.shows([])
        history.jumpToEnd()
        try await client.shows(["a"])
    }

    @Test func `an action too large to be sent is taken back`()
        async throws
    {
        let client = try await TodoClient(of: server())
        let text = String(repeating: "long ", count: 220_000)
        let large = client.store.dispatch(TodoAction.add(id: "l", title: text)).version ?? 0
        guard case .refused(let refusal?) = await client.synced.outcome(of: large) else {
            Issue.record("it was not refused")
            return
        }
        #expect(refusal.kind == .tooLarge)
        #expect(refusal.sentence == "This is too large to be sent.")
        try await client.shows([])
        #expect(shared.state.titles == [])
    }

    @Test func `an action is measured alone, whatever is dispatched with it`() async throws {
        var options = SyncOptions<TodoList>()
        options.limits.messageBytes = 4_096
        let server = try await SyncServer(
            of: shared, accepting: .actions(TodoAction.self), options: options)
        let synced = try await SyncedStore(
            of: TodoList(), over: MemoryTransport(to: server), in: MemoryJournal(),
            options: options, storeOptions: StoreOptions(clock: ManualClock())
        ) { todoList }
        let versions = [3_500, 5_000, 3_600, 10, 4_200, 3_500].enumerated().map { index, size in
            let title = String(repeating: "x", count: size)
            return synced.store.dispatch(TodoAction.add(id: "\(index)", title: title)).version ?? 0
        }
        var kinds: [SyncRefusal.Kind?] = []
        for version in versions {
            switch await synced.outcome(of: version) {
            case .confirmed: kinds.append(nil)
            case .refused(let refusal?): kinds.append(refusal.kind)
            case let outcome: Issue.record("\(String(describing: outcome))")
            }
        }
        #expect(kinds == [nil, .tooLarge, nil, nil, .tooLarge, nil])
        #expect(shared.state.items.map(\.id) == ["0", "2", "3", "5"])
    }

    @Test func `a client that is released ends, and its store with it`() async throws {
        weak var store: Store<TodoList>?
        do {
            let client = try await TodoClient(of: server())
            #expect(await client.synced.outcome(of: client.add("a")) == .confirmed)
            store = client.store
        }
        for _ in 0..<1_000_000 where store != nil { await Task.yield() }
        #expect(store == nil)
    }
}
