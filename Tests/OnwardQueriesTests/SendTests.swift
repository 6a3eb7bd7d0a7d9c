// SPDX-License-Identifier: MIT
#if Testing

import Onward
import OnwardJournal
import OnwardTesting
import Testing

@testable import OnwardQueries

@Suite struct SendTests {
    struct App: Equatable, Sendable {
        var isShown = false
        var pages = QueryCache<Notes>()
        var server = Overlaid(Server())
    }
    enum AppAction: Action, Equatable { case show(Bool) }

    typealias Asked = ManualAnswers<Notes, Page, APIError>
    typealias Sent = ManualAnswers<Rename, Done, APIError>

    private let asked = Asked(cancelled: .cancelled)
    private let sent = Sent(cancelled: .cancelled)
    private let old = Page(notes: [Note(id: 1, title: "old")])
    private let new = Page(notes: [Note(id: 1, title: "new")])
    private let rename = Rename(id: 1, title: "new")

    private func feature(
        durable: Bool = false, stored: (@Sendable () async throws -> Void)? = nil
    ) -> Feature<App> {
        Feature { [asked, sent] in
            Reduce { (app: inout App, action: AppAction) in
                if case .show(let isShown) = action { app.isShown = isShown }
            }
            Fetch(\.pages, while: { $0.isShown ? [Notes()] : [] }) {
                notes, _ async throws(APIError) in try await asked.answer(to: notes)
            }
            .tags { _, page in page.notes.map { .note($0.id) } }
            .writes(\.server) { server, _, page in server.notes.upsert(contentsOf: page.notes) }
            Send(Rename.self, at: \.server, durable: durable, stored: stored) {
                rename, _ async throws(APIError) -> Done in try await sent.answer(to: rename)
            }
            .retry(attempts: 2, .constant(.seconds(1)), when: { $0 == .offline })
            Send(Delete.self, at: \.server) { _, _ async throws(APIError) in }
        }
    }

    private func title(_ store: Store<App>) -> String? {
        store.state.server.shown.notes[id: 1]?.title
    }

    /// A store that shows the page, with its first answer.
    private func shown() async -> Store<App> {
        let store = Store(App()) { feature() }
        store.dispatch(AppAction.show(true))
        #expect(await asked.isAsked(Notes()))
        asked.give(.success(old), to: Notes())
        _ = try? await store.wait { $0.server.shown.notes.count == 1 }
        return store
    }

    @Test func `a poll that left before a change never takes it back`() async {
        let store = await shown()
        let titles = Recorder(of: store, .selecting { $0.server.shown.notes[id: 1]?.title })
        store.dispatch(QueryAction.refetch(Notes()))
        #expect(await asked.isAsked(Notes()))
        store.dispatch(rename)
        #expect(title(store) == "new")
        #expect(await sent.isAsked(rename))
        sent.give(.success(Done()), to: rename)
        _ = try? await store.wait { $0.server.pending.isEmpty }
        // The poll's answer is older than the confirmation, and is asked for again.
        asked.give(.success(old), to: Notes())
        _ = try? await store.wait { $0.pages.requests.first?.id == 3 }
        #expect(await asked.isAsked(Notes()))
        asked.give(.success(new), to: Notes())
        _ = try? await store.wait { !($0.pages[Notes()]?.isFetching ?? true) }
        #expect(asked.asked.count == 3)
        #expect(title(store) == "new" && titles.values == ["new"])
        await store.shutdown()
    }

    @Test func `a confirmed mutation invalidates its tags, a refused one falls out`() async {
        let store = await shown()
        store.dispatch(rename)
        #expect(await sent.isAsked(rename))
        sent.give(.failure(.refused), to: rename)
        _ = try? await store.wait { $0.server.pending.isEmpty }
        #expect(title(store) == "old" && asked.questions.isEmpty)
        store.dispatch(rename)
        #expect(await sent.isAsked(rename))
        sent.give(.success(Done()), to: rename)
        #expect(await asked.isAsked(Notes()))
        asked.give(.success(new), to: Notes())
        _ = try? await store.wait { $0.pages.value(of: Notes()) == new }
        #expect(title(store) == "new")
        await store.shutdown()
    }

    @Test func `each attempt has the key of the mutation, and the clock says when`() async {
        let store = TestStore(App()) { feature() }
        // Three parts begin, each in a task of its own, in any order.
        await store.receive(MutationAction<Rename>.self, .partial)
        await store.dispatch(rename, .partial) {
            #expect($0.server.pending.count == 1 && $0.server.pending[0].key != nil)
        }
        await store.receive(MutationAction<Rename>.sent(1, at: .seconds(0)), .partial)
        sent.give(.failure(.offline), to: rename)
        await store.advance(by: .seconds(1))
        await store.receive(MutationAction<Rename>.sent(1, at: .seconds(1)), .partial)
        sent.give(.success(Done()), to: rename)
        await store.receive(MutationAction.confirmed(1, rename, Done()), .partial)
        await store.receive(ServerDataAction.invalidated([.note(1)]), .partial)
        await store.finish(.partial)
    }

    @Test func `mutations of several types change the same data`() async {
        let store = await shown()
        store.dispatch(rename)
        #expect(await sent.isAsked(rename))
        store.dispatch(Delete(id: 1))
        #expect(store.state.server.shown.notes.isEmpty)
        _ = try? await store.wait { $0.server.pending.count == 1 }
        #expect(store.state.server.pending[0].mutation is Rename)
        sent.give(.success(Done()), to: rename)
        let state = try? await store.wait { $0.server.pending.isEmpty }
        #expect(state?.server.shown.notes.isEmpty == true)
        await store.shutdown()
    }

    @Test func `an outbox sends nothing before it is stored`() async {
        let disk = ManualAnswers<Int, Done, APIError>(cancelled: .cancelled)
        let store = Store(App()) {
            feature(durable: true, stored: { _ = try await disk.answer(to: 1) })
        }
        store.dispatch(rename)
        #expect(await disk.isAsked(1))
        #expect(sent.asked.isEmpty)
        disk.give(.failure(.offline), to: 1)
        _ = try? await store.wait { $0.server.pending.first?.phase == .blocked }
        #expect(sent.asked.isEmpty)
        store.dispatch(ServerDataAction.online(true))
        #expect(await disk.isAsked(1))
        disk.give(.success(Done()), to: 1)
        #expect(await sent.isAsked(rename))
        await store.shutdown()
    }

    @Test func `what no longer is to be sent once it is stored isn't sent`() async {
        let (begun, disk) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
        let store = Store(App()) {
            feature(
                durable: true,
                stored: {
                    begun.continuation.yield()
                    // Ends without an error when it is cancelled, too.
                    for await _ in disk.stream { return }
                })
        }
        store.dispatch(rename)
        for await _ in begun.stream { break }
        // From here on it may merge with another mutation, which then has its key.
        store.dispatch(ServerDataAction.online(false))
        await store.shutdown()
        #expect(sent.asked.isEmpty)
        #expect(store.state.server.pending[0].attempts == 0)
    }

    @Test func `by default an outbox waits for what keeps the store, and sends nothing without it`()
        async
    {
        final class Disk: CommitKeeper {
            var durability: Durability { .written }
            func flush() async throws {}
        }
        let store = Store(App()) { feature(durable: true) }
        store.dispatch(rename)
        _ = try? await store.wait { $0.server.pending.first?.phase == .blocked }
        #expect(sent.asked.isEmpty)
        let disk = Disk()
        store.log.attach(keeper: disk)
        store.dispatch(ServerDataAction.online(true))
        #expect(await sent.isAsked(rename))
        await store.shutdown()
        withExtendedLifetime(disk) {}
    }

    @Test func `a mutation that was being sent when the program ended is sent with its key again`()
        async
    {
        let store = Store(App()) { feature(durable: true, stored: {}) }
        store.dispatch(rename)
        #expect(await sent.isAsked(rename))
        let state = store.state
        await store.shutdown()
        let next = Store(state) { feature(durable: true, stored: {}) }
        #expect(await sent.isAsked(rename))
        #expect(sent.asked.count == 2)
        #expect(next.state.server.pending[0].key == state.server.pending[0].key)
        await next.shutdown()
    }

    @Test func `what can't be sent keeps its place, and is sent again when the app says so`()
        async
    {
        let store = Store(App()) { [sent] in
            Send(Rename.self, at: \.server) { rename, _ async throws(APIError) -> Done in
                try await sent.answer(to: rename)
            }
            .pausing(when: { $0 == .offline })
        }
        store.dispatch(rename)
        #expect(await sent.isAsked(rename))
        let key = store.state.server.pending[0].key
        sent.give(.failure(.offline), to: rename)
        _ = try? await store.wait { $0.server.isPaused }
        #expect(store.state.server.pending[0].phase == .waiting)
        store.dispatch(MutationAction<Rename>.resume)
        #expect(await sent.isAsked(rename))
        #expect(store.state.server.pending[0].key == key)
        sent.give(.failure(.refused), to: rename)
        _ = try? await store.wait { $0.server.pending.isEmpty }
        #expect(!store.state.server.isPaused)
        await store.shutdown()
    }

    @Test func `a logout cancels what is being sent`() async {
        let store = Store(App()) { feature() }
        store.dispatch(rename)
        #expect(await sent.isAsked(rename))
        store.dispatch(ServerDataAction.loggedOut)
        #expect(store.state.server.pending.isEmpty)
        await store.waitUntilIdle()
        #expect(sent.questions.isEmpty)
        await store.shutdown()
    }
}
#endif
