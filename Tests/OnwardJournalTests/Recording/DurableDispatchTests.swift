// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import OnwardJournal
@testable import TestSupport

/// A dispatch returns once what it has changed is kept.
@Suite(.timeLimit(.minutes(5))) struct DurableDispatchTests {
    struct App: Codable, Equatable, Sendable { var notes: [String] = [] }
    enum NoteAction: Action, Codable { case add(String), send(String), sent(String) }

    static let notes = Feature<App> {
        Reduce { (app: inout App, action: NoteAction) in
            switch action {
            case .add(let text): app.notes.append(text)
            case .send: break
            case .sent(let text): app.notes.append("sent \(text)")
            }
        }
    }

    /// A journal that says what it survives.
    struct Kept: ForwardingJournal {
        let base = MemoryJournal()
        var durability = Durability.written
    }

    static func recorder(
        _ store: Store<App>, _ journal: some Journal
    ) async throws -> JournalRecorder<App> {
        try await JournalRecorder(of: store, into: journal, JournalCodec(for: store))
    }

    @Test func `when it returns the entry is in the journal`() async throws {
        let (store, journal) = (Store(App()) { Self.notes }, Kept())
        let recorder = try await Self.recorder(store, journal)
        for number in 1...20 {
            let result = try await store.dispatch(NoteAction.add("\(number)"), durable: .written)
            #expect(result == .accepted(CommitVersion(number)))
            #expect(try await journal.lastPosition().version == CommitVersion(number))
        }
        try await recorder.stop()
    }

    @Test func `where nothing keeps what is committed nothing is dispatched`() async throws {
        let store = Store(App()) { Self.notes }
        await #expect {
            try await store.dispatch(NoteAction.add("a"), durable: .written)
        } throws: {
            ($0 as? DurabilityError)?.code == .notKept && "\($0)".contains("`Persistence`")
        }
        #expect(store.version == 0)
        // So it is behind a recording that has ended.
        let recorder = try await Self.recorder(store, Kept())
        try await store.dispatch(NoteAction.add("a"), durable: .written)
        try await recorder.stop()
        await #expect(throws: DurabilityError.self) { try await store.flush() }
        #expect(store.version == 1)
    }

    @Test func `where what keeps it survives less nothing is dispatched`() async throws {
        let (store, journal) = (Store(App()) { Self.notes }, Kept())
        let recorder = try await Self.recorder(store, journal)
        await #expect {
            try await store.dispatch(NoteAction.add("a"), durable: .synced)
        } throws: {
            ($0 as? DurabilityError)?.code == .weaker(.written) && "\($0)".contains(".synced")
        }
        #expect(store.version == 0)
        try await recorder.stop()
    }

    @Test func `a journal that fails is said with what became of the action`() async throws {
        let store = Store(App()) { Self.notes }
        let broken = FaultInjectingJournal(Kept(), .init(), seed: 1)
        let recorder = try await Self.recorder(store, broken)
        await broken.close()
        do {
            try await store.dispatch(NoteAction.add("a"), durable: .written)
            Issue.record("It was kept.")
        } catch {
            #expect(error.code == .failed)
            #expect(error.result == .accepted(1))
            #expect((error.underlying as? JournalError)?.code == .closed)
        }
        #expect(store.state.notes == ["a"])
        try? await recorder.stop()
    }

    @Test func `an action that isn't accepted is not waited for`() async throws {
        struct Other: Action {}
        let store = Store(App(), options: Mistakes().options()) { Self.notes }
        let recorder = try await Self.recorder(store, Kept())
        #expect(try await store.dispatch(Other(), durable: .written) == .refused(.unhandled))
        try await recorder.stop()
    }

    @Test func `an effect sends once what started it is kept`() async throws {
        let journal = Kept()
        let sent = Log<CommitVersion>()
        let store = Store(App()) {
            Self.notes
            OnAction { (action: NoteAction, context) in
                guard case .send(let text) = action else { return .none }
                return .run {
                    try await context.flush()
                    sent.append(try await journal.lastPosition().version)
                    context.dispatch(NoteAction.sent(text))
                }
            }
        }
        let recorder = try await Self.recorder(store, journal)
        store.dispatch(NoteAction.add("a"))
        store.dispatch(NoteAction.send("a"))
        await store.waitUntilIdle()
        #expect(sent.all == [2])
        #expect(store.state.notes == ["a", "sent a"])
        try await recorder.stop()
    }

    @Test
    func
        `a keeper of one's own is waited for, and the one that keeps everything says what it survives`()
        async throws
    {
        final class Mirror: CommitKeeper {
            let flushes = Log<Int>()
            var durability: Durability { .synced }
            func flush() async throws { flushes.append(1) }
        }
        let store = Store(App()) { Self.notes }
        let recorder = try await Self.recorder(store, Kept())
        var mirror: Mirror? = Mirror()
        let flushes = mirror?.flushes
        if let mirror { store.log.attach(keeper: mirror) }
        try await store.dispatch(NoteAction.add("a"), durable: .synced)
        #expect(flushes?.all == [1])
        // Nobody keeps it alive.
        mirror = nil
        await #expect(throws: DurabilityError.self) { try await store.flush(.synced) }
        try await store.flush()
        try await recorder.stop()
    }
}
