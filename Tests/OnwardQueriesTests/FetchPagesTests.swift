// SPDX-License-Identifier: MIT
#if Testing

import Onward
import OnwardQueries
import OnwardTesting
import Testing

@Suite struct FetchPagesTests {
    struct App: Equatable, Sendable {
        var search: String? = ""
        var feed = PagedList<Feed>()
    }
    enum AppAction: Action, Equatable { case search(String?) }

    typealias Server = ManualAnswers<PageQuery<Feed>, Feed.Page, APIError>

    private func key(_ cursor: Int, _ search: String = "") -> PageQuery<Feed> {
        PageQuery(Feed(search: search), at: cursor)
    }

    private func page(_ ids: Int...) -> Feed.Page {
        Feed.Page(notes: ids.map { Note(id: $0, title: "note \($0)") })
    }

    private func store(_ server: Server) -> Store<App> {
        Store(App()) {
            Reduce { (app: inout App, action: AppAction) in
                if case .search(let search) = action { app.search = search }
            }
            FetchPages(\.feed, while: { $0.search.map { Feed(search: $0) } }) {
                page, _ async throws(APIError) in try await server.answer(to: page)
            }
            .fetching { $0.tags { _, _ in ["feed"] } }
        }
    }

    @Test func `pages are asked for as the user goes on, and refetched in their order`() async {
        let server = Server(cancelled: .cancelled)
        let store = store(server)
        #expect(await server.isAsked(key(1)))
        server.give(.success(page(1, 2)), to: key(1))
        _ = try? await store.wait { $0.feed.hasNext }
        store.dispatch(PagedAction<Feed>.next)
        #expect(await server.isAsked(key(2)))
        server.give(.success(page(3)), to: key(2))
        _ = try? await store.wait { $0.feed.rows.count == 3 }
        store.dispatch(ServerDataAction.invalidated(["feed"]))
        #expect(await server.isAsked(key(1)))
        #expect(server.questions == [key(1)] && store.state.feed.rows.count == 3)
        server.give(.success(page(1, 2)), to: key(1))
        #expect(await server.isAsked(key(2)))
        await store.shutdown()
    }

    @Test func `another search cancels the pages of the last one`() async {
        let server = Server(cancelled: .cancelled)
        let store = store(server)
        #expect(await server.isAsked(key(1)))
        store.dispatch(AppAction.search("a"))
        #expect(await server.isAsked(key(1, "a")))
        store.dispatch(AppAction.search(nil))
        await store.waitUntilIdle()
        #expect(server.questions.isEmpty && store.state.feed.shown.isEmpty)
        await store.shutdown()
    }

    @Test func `a logout leaves no rows`() async {
        let server = Server(cancelled: .cancelled)
        let store = store(server)
        #expect(await server.isAsked(key(1)))
        server.give(.success(page(1, 2)), to: key(1))
        _ = try? await store.wait { $0.feed.hasNext }
        store.dispatch(ServerDataAction.loggedOut)
        #expect(store.state.feed.rows.isEmpty)
        #expect(await server.isAsked(key(1)))
        await store.shutdown()
    }
}
#endif
