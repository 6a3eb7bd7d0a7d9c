// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardTesting
import Testing

@testable import TestSupport

/// A journal that takes nothing while it is full.
private struct FullJournal: ForwardingJournal {
    let base = MemoryJournal()
    let isFull = Guarded(false)

    private func check() throws(JournalError) {
        guard isFull.withValue({ $0 }) else { return }
        throw JournalError(.full, version: try base.lastPosition().version, "No room.")
    }

    func append(
        _ entries: [JournalEntry], after expected: JournalPosition
    ) throws(JournalError) {
        try check()
        try base.append(entries, after: expected)
    }
    func store(_ snapshot: JournalSnapshot) throws(JournalError) {
        try check()
        try base.store(snapshot)
    }
    func close() {}
}

extension Basket {
    fileprivate var isFilled: Bool { !items.isEmpty }
}

struct PersistenceTests {
    private func open(
        _ journal: some Journal, _ options: PersistenceOptions<Basket> = PersistenceOptions(),
        seconds: Guarded<Int64>? = nil
    ) async throws -> Persistence<Basket> {
        var storeOptions = StoreOptions()
        if let seconds {
            storeOptions.wallClock = {
                Timestamp(nanosecondsSince1970: seconds.withValue { $0 } * 1_000_000_000)
            }
        }
        return try await Persistence(
            of: Basket(), in: Unclosed(base: journal), options: options, storeOptions: storeOptions
        ) {
            basket
        }
    }

    @Test func `a store goes on where it was`() async throws {
        let journal = MemoryJournal()
        let first = try await open(journal)
        try await first.dispatch(add("pear", 3))
        first.store.dispatch(add("fig"))
        try await first.shutdown()

        let second = try await open(journal)
        #expect(second.store.state == Basket(items: ["pear", "fig"], total: 4))
        #expect(second.restored.version == 2)
        try await second.dispatch(add("plum"))
        try await second.shutdown()
        #expect(try await journal.lastVersion() == 3)
    }

    @Test func `an awaited dispatch returns once its entry is stored`() async throws {
        let journal = MemoryJournal()
        let gate = Gate()
        let app = try await open(GatedJournal(base: journal, gate: gate))
        let stored = Task {
            try await app.dispatch(add("pear"))
            return try await journal.lastVersion()
        }
        await gate.waitForCaller()
        #expect(app.store.state.items == ["pear"])
        #expect(try await journal.lastVersion() == 0)
        gate.open()
        #expect(try await stored.value == 1)
        try await app.shutdown()
    }

    @Test func `restoring starts no effect, and what the state keeps alive starts afterwards`()
        async throws
    {
        let journal = MemoryJournal()
        let first = try await open(journal)
        try await first.dispatch(add("pear"))
        try await first.shutdown()

        let answers = Counter()
        let running = Gate()
        let second = try await Persistence(of: Basket(), in: journal) {
            basket
            OnAction { (_: BasketAction, _) -> Effect in
                answers.add(1)
                return .none
            }
            While(\.isFilled) { _, _ in running.open() }
            While(\.items.isEmpty) { _, _ in answers.add(1) }
        }
        await second.store.waitUntilIdle()
        #expect(answers.total == 0)
        await running.pass()
        try await second.shutdown()
    }

    @Test
    func `a store whose journal is full goes on, and its whole state is stored when there is room`()
        async throws
    {
        let journal = FullJournal()
        var options = PersistenceOptions<Basket>()
        let clock = ManualClock()
        let errors = Guarded<[JournalError]>([])
        options.recording.clock = clock
        options.recording.report = { error in errors.withValue { $0.append(error) } }
        let app = try await open(journal, options, seconds: Guarded(42))
        try await app.dispatch(add("pear"))
        journal.isFull.withValue { $0 = true }
        await #expect(throws: JournalError.self) { try await app.dispatch(add("fig")) }
        #expect(errors.withValue { $0 }.first?.code == .full)
        #expect(errors.withValue { $0 }.first?.version == 1)
        app.store.dispatch(add("plum"))
        #expect(app.store.state.items == ["pear", "fig", "plum"])

        journal.isFull.withValue { $0 = false }
        while app.status.failure != nil {
            clock.advance(by: .seconds(60))
            await Task.yield()
        }
        try await app.dispatch(add("kiwi"))
        try await app.shutdown()
        let entries = try await journal.entries(from: 1, limit: .max)
        #expect(entries.map(\.kind) == [.action, .install, .action])
        #expect(entries.allSatisfy { $0.time?.nanosecondsSince1970 == 42_000_000_000 })
        let next = try await open(journal)
        #expect(next.store.state.items == ["pear", "fig", "plum", "kiwi"])
    }

    @Test func `a journal of actions that no feature handles is refused, and says what is missing`()
        async throws
    {
        let journal = MemoryJournal()
        try journal.append([JournalEntry(version: 1, name: "Gone/away")], after: .start)
        let error = await #expect(throws: JournalError.self) { _ = try await open(journal) }
        #expect(error?.code == .unreadable)
        #expect(error?.description.contains("Gone/away") == true)
    }

    @Test func `a store is recorded for as long as it is there, whoever keeps its persistence`()
        async throws
    {
        let journal = MemoryJournal()
        weak var released: Store<Basket>?
        do {
            let store = try await open(journal).store
            released = store
            store.dispatch(add("pear"))
            store.dispatch(add("fig"))
            await store.waitUntilIdle()
            while try await journal.lastVersion() < 2 { await Task.yield() }
        }
        #expect(released == nil)
        #expect(try await open(journal).store.state.items == ["pear", "fig"])
    }

    @Test func `an entry for a scope that has another name is refused, or goes where that is now`()
        async throws
    {
        struct Desk: Codable, Equatable, Sendable { var basket = Basket() }
        let journal = MemoryJournal()
        func open(
            as name: String, _ options: PersistenceOptions<Desk> = PersistenceOptions()
        ) async throws -> Persistence<Desk> {
            try await Persistence(of: Desk(), in: Unclosed(base: journal), options: options) {
                Scope(\.basket, name: name, basket)
            }
        }
        let first = try await open(as: "basket")
        try await first.dispatch(add("pear"), to: .child(\.basket))
        try await first.shutdown()

        let error = await #expect(throws: JournalError.self) { _ = try await open(as: "cart") }
        #expect(error?.code == .unreadable && error?.version == 1)
        #expect(
            error?.description.contains(#"`migrations.rename(scope: "basket", to: …)`"#) == true)

        var options = PersistenceOptions<Desk>()
        options.migrations.rename(scope: "basket", to: "cart")
        #expect(try await open(as: "cart", options).store.state.basket.items == ["pear"])

        let quarantined = Log<CommitVersion>()
        options = PersistenceOptions()
        options.whenUnreadable = .quarantine { quarantined.append($0.entry.version) }
        #expect(try await open(as: "cart", options).store.state == Desk())
        #expect(quarantined.all == [1])
    }

    @Test func `what is no longer to be kept is forgotten with the next snapshot`() async throws {
        let journal = MemoryJournal()
        var options = PersistenceOptions<Basket>()
        options.recording.snapshotSpacing = 10
        options.retention = .compacted
        let app = try await open(journal, options)
        for _ in 0..<35 { try await app.dispatch(add("pear")) }
        try await app.shutdown()
        #expect(try await journal.firstVersion() > 1)
        let next = try await open(journal)
        #expect(next.store.state.total == 35)
    }

    @Test func `the newest entries are kept`() async throws {
        let journal = MemoryJournal()
        var options = PersistenceOptions<Basket>()
        options.recording.snapshotSpacing = 10
        options.retention = .newest(15)
        let app = try await open(journal, options)
        for _ in 0..<45 { try await app.dispatch(add("pear")) }
        try await app.shutdown()
        let first = try await journal.firstVersion()
        #expect((2...31).contains(first))
    }

    @Test func `entries of the last time are kept, by the store's clock`() async throws {
        let journal = MemoryJournal()
        let seconds = Guarded<Int64>(0)
        let clock = ManualClock()
        func pass(_ minutes: Int64) {
            seconds.withValue { $0 += minutes * 60 }
            clock.advance(by: .seconds(minutes * 60))
        }
        var options = PersistenceOptions<Basket>()
        options.recording.snapshotSpacing = 10
        options.recording.clock = clock
        options.retention = .recent(.seconds(3_600))
        let app = try await open(journal, options, seconds: seconds)
        for _ in 0..<30 { try await app.dispatch(add("pear")) }
        // By the time of this machine, they would be decades old.
        pass(30)
        for _ in 0..<30 { try await app.dispatch(add("fig")) }
        #expect(try await journal.firstVersion() == 1)
        pass(40)
        for _ in 0..<30 { try await app.dispatch(add("plum")) }
        #expect(try await journal.firstVersion() == 1)
        pass(60)
        for _ in 0..<30 { try await app.dispatch(add("kiwi")) }
        try await app.shutdown()
        let first = try await journal.firstVersion()
        #expect((2...31).contains(first))
    }

    @Test func `transient parts of the state begin anew, and progress is reported`() async throws {
        let journal = MemoryJournal()
        let first = try await open(journal)
        for _ in 0..<3 { try await first.dispatch(add("pear")) }
        try await first.shutdown()
        var options = PersistenceOptions<Basket>()
        let progress = Guarded<[CommitVersion]>([])
        options.progress = { step in progress.withValue { $0 += [step.version, step.last] } }
        options.resetting = { $0.items = [] }
        let second = try await open(journal, options)
        #expect(second.store.state == Basket(items: [], total: 3))
        #expect(progress.withValue { $0 } == [3, 3])
    }

    @Test func `actions that aren't recorded change nothing that is restored`() async throws {
        let journal = MemoryJournal()
        var options = PersistenceOptions<Basket>()
        options.recorded = { action in
            if case .discount = action as? BasketAction { nil } else { action }
        }
        options.recording.snapshotSpacing = 3
        let first = try await open(Unclosed(base: journal), options)
        for number in 1...10 {
            try await first.dispatch(add("pear", 10))
            try await first.dispatch(BasketAction.discount(50))
            #expect(first.status.version == CommitVersion(number))
        }
        #expect(first.store.state.total < 100)
        try await first.shutdown()
        #expect(try await journal.lastVersion() == 10)
        let newest = try #require(try journal.snapshot(at: 10))
        #expect(newest.version > 3)
        let second = try await open(Unclosed(base: journal), options)
        #expect(second.store.state == Basket(items: first.store.state.items, total: 100))
        try await second.shutdown()
    }

    @Test func `what is redacted is nowhere in the journal`() async throws {
        let journal = MemoryJournal()
        var options = PersistenceOptions<Basket>()
        options.recorded = { action in
            guard case .add(_, let price) = action as? BasketAction else { return action }
            return BasketAction.add(name: "something", price: price)
        }
        options.recording.snapshotSpacing = 2
        let app = try await open(Unclosed(base: journal), options)
        for _ in 1...5 { try await app.dispatch(add("a-secret-thing", 10)) }
        #expect(app.store.state.items.first == "a-secret-thing")
        try await app.shutdown()
        let snapshot = try #require(try journal.snapshot(at: 5))
        #expect(snapshot.version > 0)
        let payloads = try journal.entries(from: 1, limit: .max).map(\.payload)
        for payload in payloads + [snapshot.payload] {
            let text = String(decoding: payload, as: UTF8.self)
            #expect(!text.contains("secret"))
            #expect(text.contains("something"))
        }
        let next = try await open(Unclosed(base: journal), options)
        #expect(next.store.state.items == Array(repeating: "something", count: 5))
        try await next.shutdown()
    }

    @Test func `what begins anew is in the journal, so later entries are run on it`() async throws {
        let journal = MemoryJournal()
        let first = try await open(Unclosed(base: journal))
        for _ in 0..<3 { try await first.dispatch(add("pear")) }
        try await first.shutdown()
        var options = PersistenceOptions<Basket>()
        options.makeTransient(\.items)
        let second = try await open(Unclosed(base: journal), options)
        try await second.dispatch(add("fig"))
        #expect(second.store.state == Basket(items: ["fig"], total: 4))
        try await second.shutdown()
        #expect(try journal.entries(from: 4, limit: 1).map(\.name) == ["Recording/reset"])
        let third = try await open(Unclosed(base: journal))
        #expect(third.store.state == Basket(items: ["fig"], total: 4))
        try await third.shutdown()
        let last = try await journal.lastVersion()
        let fourth = try await open(Unclosed(base: MemoryJournal()), options)
        #expect(fourth.store.state == Basket())
        #expect(last == 5)
    }

    @Test func `a launch that fails lets go of its journal, so that the next one can open it`()
        async throws
    {
        struct Handle: Hashable, Sendable { var value = 0 }
        struct Paper: Codable, Identifiable, Sendable {
            var value = 0
            var id: Handle { Handle(value: value) }
        }
        struct Desk: Codable, Sendable { var papers: [Paper] = [] }
        struct Turn: Action, Codable {}
        let journal = MemoryJournal()
        let failure = await #expect(throws: JournalError.self) {
            _ = try await Persistence(of: Desk(), in: journal) {
                Feature<Desk> {
                    Scope(each: \.papers) { Reduce { (_: inout Paper, _: Turn) in } }
                }
            }
        }
        #expect(failure?.code == .invalid)
        let later = #expect(throws: JournalError.self) { try journal.lastPosition() }
        #expect(later?.code == .closed)
    }
}

/// A journal that stays open, for the next store.
struct Unclosed<Base: Journal>: ForwardingJournal {
    let base: Base

    func close() {}
}
