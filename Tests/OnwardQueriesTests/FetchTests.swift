// SPDX-License-Identifier: MIT
#if Testing

import Onward
import OnwardQueries
import OnwardTesting
import Testing

@testable import TestSupport

@Suite struct FetchTests {
    struct App: Equatable, Sendable {
        var wanted = [Notes()]
        var pages = QueryCache<Notes>()
    }
    enum AppAction: Action, Equatable { case want([Notes]) }

    typealias Server = ManualAnswers<Notes, Page, APIError>

    private let one = Notes(page: 1)
    private let page = Page(notes: [Note(id: 1, title: "a")])

    private func feature(
        _ server: Server, _ change: (Fetch<App, Notes>) -> Fetch<App, Notes> = { $0 }
    ) -> Feature<App> {
        Feature {
            Reduce { (app: inout App, action: AppAction) in
                if case .want(let keys) = action { app.wanted = keys }
            }
            change(
                Fetch(\.pages, while: \.wanted) { notes, _ async throws(APIError) in
                    try await server.answer(to: notes)
                }
                .tags { _, page in page.notes.map { .note($0.id) } })
        }
    }

    private func begin(_ store: TestStore<App>) async {
        await store.receive(QueryAction<Notes>.started(without: []), .partial)
        await store.receive(QueryAction.wanted([one], at: .seconds(0)), .partial) {
            #expect($0.pages.status(of: one) == .loading)
        }
        await store.receive(QueryAction<Notes>.asked(one, request: 1, at: .seconds(0)), .partial)
    }

    @Test func `what the state wants is asked for, and the answer is in the log`() async {
        let server = Server(cancelled: .cancelled)
        let store = TestStore(App()) { feature(server) }
        await begin(store)
        #expect(await server.isAsked(one))
        server.give(.success(page), to: one)
        await store.receive(
            QueryAction.answered(one, request: 1, page, at: .seconds(0)), .partial
        ) {
            #expect($0.pages.value(of: one) == page && $0.pages.status(of: one) == .fresh)
        }
        await store.dispatch(AppAction.want([]), .partial)
        await store.receive(QueryAction<Notes>.wanted([], at: .seconds(0)), .partial)
        await store.finish(.partial)
    }

    @Test func `what was wanted before is never wanted for good, whoever comes last`() {
        let executor = LastFirst()
        let store = Store(App(), options: StoreOptions(effectExecutor: executor)) {
            feature(Server(cancelled: .cancelled))
        }
        executor.run()
        for number in 2...5 { store.dispatch(AppAction.want([Notes(page: number)])) }
        executor.run()
        #expect(store.state.pages.entries.filter(\.isWanted).map(\.id.page) == [5])
    }

    @Test func `a request that nobody wants any more is cancelled`() async {
        let server = Server(cancelled: .cancelled)
        let store = TestStore(App()) { feature(server) }
        await begin(store)
        #expect(await server.isAsked(one))
        await store.dispatch(AppAction.want([]), .partial)
        await store.receive(QueryAction<Notes>.wanted([], at: .seconds(0)), .partial)
        #expect(server.questions.isEmpty)
        await store.finish(.partial)
    }

    @Test func `a failed request is retried with the policy of effects, and polled by the clock`()
        async
    {
        let server = Server(cancelled: .cancelled)
        let store = TestStore(App()) {
            feature(server) {
                $0.retry(attempts: 2, .constant(.seconds(1))).every(.seconds(30))
            }
        }
        await begin(store)
        server.give(.failure(.offline), to: one)
        await store.advance(by: .seconds(1))
        await store.receive(QueryAction<Notes>.asked(one, request: 1, at: .seconds(1)), .partial)
        server.give(.failure(.refused), to: one)
        await store.receive(
            QueryAction<Notes>.failed(one, request: 1, .refused, at: .seconds(1)), .partial
        ) { #expect($0.pages.status(of: one) == .failed(.refused)) }
        await store.advance(by: .seconds(30))
        await store.receive(QueryAction<Notes>.elapsed(at: .seconds(31)), .partial)
        await store.receive(QueryAction<Notes>.asked(one, request: 2, at: .seconds(31)), .partial)
        await store.dispatch(AppAction.want([]), .partial)
        await store.receive(QueryAction<Notes>.wanted([], at: .seconds(31)), .partial)
        await store.finish(.partial)
    }

    @Test func `a user who returns gets what became too old while the program slept`() async {
        let server = Server(cancelled: .cancelled)
        let seconds = Guarded<Double>(0)
        var options = StoreOptions()
        options.clock = ManualClock()  // sleeps for ever
        options.wallClock = { Timestamp.seconds(seconds.withValue { $0 }) }
        let store = Store(App(), options: options) {
            feature(server) { $0.fresh(for: .seconds(30)) }
        }
        #expect(await server.isAsked(one))
        server.give(.success(page), to: one)
        _ = try? await store.wait { $0.pages.status(of: one) == .fresh }
        seconds.withValue { $0 = 29 }
        store.dispatch(ServerDataAction.returned)
        await store.waitUntilIdle()
        #expect(store.state.pages.status(of: one) == .fresh)
        seconds.withValue { $0 = 30 }
        store.dispatch(ServerDataAction.returned)
        #expect(await server.isAsked(one))
        #expect(server.asked.count == 2)
        await store.shutdown()
    }

    @Test func `a handle wants a key as long as it is kept`() async {
        let server = Server(cancelled: .cancelled)
        let store = Store(App(wanted: [])) { feature(server) }
        let two = Notes(page: 2)
        var handle: QueryHandle? = store.hold(two, in: \.pages)
        _ = await server.isAsked(two)
        server.give(.success(page), to: two)
        _ = try? await store.wait { $0.pages.value(of: two) != nil }
        #expect(store.state.pages[two]?.isWanted == true)
        handle = nil
        #expect(handle == nil)
        let state = try? await store.wait { $0.pages[two]?.isWanted == false }
        #expect(state?.pages.value(of: two) == page)
        await store.shutdown()
    }

    @Test func `a feature inside another one talks to its own cache`() async {
        struct Outer: Equatable, Sendable { var left = App(), right = App(wanted: []) }
        let server = Server(cancelled: .cancelled)
        let store = Store(Outer()) {
            Scope(\.left, feature(server))
            Scope(\.right, feature(server))
        }
        _ = await server.isAsked(one)
        server.give(.success(page), to: one)
        _ = try? await store.wait { $0.left.pages.value(of: Notes()) != nil }
        #expect(store.state.right.pages.entries.isEmpty && server.asked == [one])
        await store.shutdown()
    }

    @Test func `a replay asks nothing and shows what the server said`() async {
        let server = Server(cancelled: .cancelled)
        let store = Store(App()) { feature(server) }
        let log = LogRecorder(of: store)
        _ = await server.isAsked(one)
        server.give(.success(page), to: one)
        _ = try? await store.wait { $0.pages.value(of: Notes()) != nil }
        let replayed = store.log.replay(log.entries, from: App())
        #expect(replayed.pages.value(of: one) == page && server.asked == [one])
        await store.shutdown()
    }

    @Test func `one renewal serves all requests that failed for lack of it`() async {
        actor Session {
            var isValid = false
            var renewals = 0
            var requests = 0
            func renew() { (isValid, renewals) = (true, renewals + 1) }
            func get() -> Bool {
                requests += 1
                return isValid
            }
        }
        let session = Session()
        let renewal = Renewal<APIError>(when: { $0 == .unauthorized }) {
            () async throws(APIError) in await session.renew()
        }
        let keys = (1...5).map { Notes(page: $0) }
        let store = Store(App(wanted: keys)) {
            Fetch(\.pages, while: \.wanted) { _, _ async throws(APIError) in
                guard await session.get() else { throw .unauthorized }
                return Page(notes: [])
            }
            .renewing(renewal)
        }
        _ = try? await store.wait { app in keys.allSatisfy { app.pages.value(of: $0) != nil } }
        #expect(await session.renewals == 1)
        await store.shutdown()
    }
}
#endif
