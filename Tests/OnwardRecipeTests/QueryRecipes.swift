// SPDX-License-Identifier: MIT
#if Testing

import Foundation
import Onward
import OnwardQueries
import OnwardTesting
import Testing

// What stands between the comments is shown in Documentation/Learn/ServerData.md.
struct QueryRecipes {
    @Test func `what the state wants is fetched and shown`() async {
        // recipe: queries-begin with OnwardQueries
        struct Weather: Query {
            static let name = "weather"
            typealias Answer = Int
            typealias Failure = Offline
            let city: String
        }
        struct Offline: Error, Codable, Equatable {}
        struct App: Sendable {
            var city = "Oslo"
            var weather = QueryCache<Weather>()
        }

        func app(_ degrees: @escaping @Sendable (String) async throws(Offline) -> Int) -> Feature<
            App
        > {
            Feature {
                Fetch(\.weather, while: { [Weather(city: $0.city)] }) {
                    weather, _ async throws(Offline) in try await degrees(weather.city)
                }
            }
        }
        // end
        let store = Store(App()) { app { city async throws(Offline) in city.count } }
        let state = try? await store.wait { $0.weather.value(of: Weather(city: "Oslo")) == 4 }
        #expect(state?.weather.status(of: Weather(city: "Oslo")) == .fresh)
        await store.shutdown()
    }

    struct Note: Codable, Equatable, Identifiable, Sendable {
        let id: Int
        var title: String
    }
    enum APIError: Error, Codable, Equatable { case offline, refused, unauthorized, cancelled }
    struct NoteList: Query {
        static let name = "noteList"
        typealias Answer = [Note]
        typealias Failure = APIError
        var search = ""
    }
    struct Author: Query {
        static let name = "author"
        typealias Answer = String
        typealias Failure = APIError
        let note: Int
    }
    typealias Lists = ManualAnswers<NoteList, [Note], APIError>

    @Test func `answers grow stale by age and by tag, and are polled in sight`() async {
        // recipe: queries-fresh with OnwardQueries
        struct App: Sendable { var notes = QueryCache<NoteList>() }

        func app(_ notes: @escaping @Sendable (NoteList) async throws(APIError) -> [Note])
            -> Feature<App>
        {
            Feature {
                Fetch(\.notes, while: { _ in [NoteList()] }) { list, _ async throws(APIError) in
                    try await notes(list)
                }
                .tags { _, notes in notes.map { QueryTag("note", $0.id) } + ["notes"] }
                .fresh(for: .seconds(30))
                .every(.seconds(60))
                .retry(attempts: 3, .exponential(from: .seconds(1)))
            }
        }
        // end
        let server = Lists(cancelled: .cancelled)
        let store = Store(App()) {
            app { list async throws(APIError) in try await server.answer(to: list) }
        }
        #expect(await server.isAsked(NoteList()))
        server.give(.success([Note(id: 7, title: "Milk")]), to: NoteList())
        _ = try? await store.wait { $0.notes.status(of: NoteList()) == .fresh }
        store.dispatch(ServerDataAction.invalidated([QueryTag("note", 7)]))
        #expect(store.state.notes.status(of: NoteList()) == .stale)
        #expect(await server.isAsked(NoteList()))
        await store.shutdown()
    }

    @Test func `a query whose key is in another's answer waits for it`() async {
        // recipe: queries-dependent with OnwardQueries
        struct App: Sendable {
            var notes = QueryCache<NoteList>()
            var authors = QueryCache<Author>()
        }

        let app = Feature<App> {
            Fetch(\.notes, while: { _ in [NoteList()] }) { _, _ async throws(APIError) in
                [Note(id: 7, title: "Milk")]
            }
            Fetch(
                \.authors,
                while: { app in
                    (app.notes.value(of: NoteList()) ?? []).map { Author(note: $0.id) }
                }
            ) { author, _ async throws(APIError) in
                "author of \(author.note)"
            }
        }
        // end
        let store = Store(App()) { app }
        let state = try? await store.wait { $0.authors.value(of: Author(note: 7)) != nil }
        #expect(state?.authors.value(of: Author(note: 7)) == "author of 7")
        await store.shutdown()
    }

    @Test func `a view's handle wants a key, and what comes next is fetched before`() async {
        struct App: Sendable { var notes = QueryCache<NoteList>() }
        let store = Store(App()) {
            Fetch(\.notes, while: { _ in [] }) { list, _ async throws(APIError) in
                [Note(id: 1, title: list.search)]
            }
        }
        // recipe: queries-handles with OnwardQueries
        let milk = NoteList(search: "milk")
        let handle = store.hold(milk, in: \.notes)  // as long as the view is there
        let token = store.subscribe(.row(\.notes.entries, id: milk)) { _, entry in
            print(entry?.value ?? [], entry?.status ?? .idle)
        }
        store.dispatch(QueryAction.prefetch(NoteList(search: "bread")))
        // end
        let state = try? await store.wait { $0.notes.value(of: milk) != nil }
        #expect(state?.notes.value(of: milk)?.first?.title == "milk")
        _ = try? await store.wait { $0.notes.value(of: NoteList(search: "bread")) != nil }
        handle.cancel()
        token.cancel()
        let left = try? await store.wait { $0.notes[milk]?.isWanted == false }
        #expect(left != nil)
        await store.shutdown()
    }

    // recipe: queries-mutation with OnwardQueries
    // tested: a change shows at once, and falls out when it is refused
    struct Library: Equatable, Sendable { var notes: EntityTable<Note> = [] }

    struct Rename: Mutation {
        static let name = "rename"
        typealias Failure = APIError
        let id: Int, title: String
        func apply(to library: inout Library) { library.notes[id: id]?.title = title }
        var invalidates: [QueryTag] { [QueryTag("note", id)] }
    }

    struct Shelf: Equatable, Sendable {
        var notes = QueryCache<NoteList>()
        var library = Overlaid(Library())
    }

    static func shelf(
        _ notes: @escaping @Sendable (NoteList) async throws(APIError) -> [Note],
        rename: @escaping @Sendable (Rename, _ key: String) async throws(APIError) -> Void
    ) -> Feature<Shelf> {
        Feature {
            Fetch(\.notes, while: { _ in [NoteList()] }) { list, _ async throws(APIError) in
                try await notes(list)
            }
            .tags { _, notes in notes.map { QueryTag("note", $0.id) } }
            .writes(\.library) { library, _, notes in library.notes.upsert(contentsOf: notes) }
            Send(Rename.self, at: \.library) { mutation, context async throws(APIError) in
                try await rename(mutation, context.key)
            }
        }
    }
    // end

    @Test func `a change shows at once, and falls out when it is refused`() async {
        let server = Lists(cancelled: .cancelled)
        let store = Store(Shelf()) {
            Self.shelf { list async throws(APIError) in
                try await server.answer(to: list)
            } rename: { _, _ async throws(APIError) in
                throw .refused
            }
        }
        #expect(await server.isAsked(NoteList()))
        server.give(.success([Note(id: 7, title: "Milk")]), to: NoteList())
        _ = try? await store.wait { !$0.library.shown.notes.isEmpty }
        let titles = Recorder(of: store, .selecting { $0.library.shown.notes[id: 7]?.title })
        store.dispatch(Rename(id: 7, title: "Bread"))
        _ = try? await store.wait { $0.library.pending.isEmpty }
        await titles.waitUntilCalled(2)
        #expect(titles.values == ["Bread", "Milk"])
        await store.shutdown()
    }

    @Test func `an outbox stores a change before it sends it, and keeps what was refused`() async {
        struct App: Sendable {
            var library = Overlaid(Library(notes: [Note(id: 7, title: "Milk")]))
        }
        // recipe: queries-outbox with OnwardQueries
        func outbox(
            stored: @escaping @Sendable () async throws -> Void,
            _ rename: @escaping @Sendable (Rename, _ key: String) async throws(APIError) -> Void
        ) -> Feature<App> {
            Feature {
                Send(Rename.self, at: \.library, durable: true, stored: stored) {
                    mutation, context async throws(APIError) in
                    try await rename(mutation, context.key)  // the server applies a key once
                }
                .retry(attempts: .max, when: { $0 == .offline })
            }
        }
        // end
        let store = Store(App()) {
            outbox(stored: {}) { rename, _ async throws(APIError) in
                if rename.title.isEmpty { throw .refused }
            }
        }
        store.dispatch(ServerDataAction.online(false))
        store.dispatch(Rename(id: 7, title: ""))
        #expect(store.state.library.pending.map(\.phase) == [.waiting])
        store.dispatch(ServerDataAction.online(true))
        _ = try? await store.wait { $0.library.pending.first?.phase == .refused }
        #expect(store.state.library.shown.notes[0].title == "Milk")
        // recipe: queries-refused with OnwardQueries
        for refused in store.state.library.pending where refused.phase == .refused {
            print(refused.failure(of: Rename.self) ?? .cancelled)
            store.dispatch(MutationAction.resend(refused.id, Rename(id: 7, title: "Bread")))
            // or MutationAction<Rename>.drop(refused.id)
        }
        // end
        _ = try? await store.wait { $0.library.pending.isEmpty }
        #expect(store.state.library.shown.notes[0].title == "Bread")
        await store.shutdown()
    }

    @Test func `a transient answer is shown, and written nowhere`() async throws {
        // recipe: queries-transient with OnwardQueries
        struct Pin: Query {
            static let name = "pin"
            static let isTransient = true
            typealias Answer = String
            typealias Failure = APIError
            let card: Int
        }
        // end
        struct App: Codable, Equatable, Sendable { var pins = QueryCache<Pin>() }
        let store = Store(App()) {
            Fetch(\.pins, while: { _ in [Pin(card: 1)] }) { _, _ async throws(APIError) in "2580" }
        }
        let state = try await store.wait { $0.pins.value(of: Pin(card: 1)) == "2580" }
        let saved = String(decoding: try JSONEncoder().encode(state), as: UTF8.self)
        #expect(!saved.contains("2580"))
        await store.shutdown()
    }

    @Test func `an expired token is renewed once for all`() async {
        actor Session {
            var isValid = false, renewals = 0
            func renew() { (isValid, renewals) = (true, renewals + 1) }
        }
        struct App: Sendable { var notes = QueryCache<NoteList>() }
        let session = Session()
        let load: @Sendable (NoteList) async throws(APIError) -> [Note] = {
            _ async throws(APIError) in
            guard await session.isValid else { throw .unauthorized }
            return []
        }
        let refresh: @Sendable () async throws(APIError) -> Void = { await session.renew() }
        // recipe: queries-token with OnwardQueries
        let token = Renewal<APIError>(when: { $0 == .unauthorized }, refresh)
        let app = Feature<App> {
            Fetch(\.notes, while: { _ in [NoteList(), NoteList(search: "milk")] }) {
                list, _ async throws(APIError) in try await load(list)
            }
            .renewing(token)
        }
        // end
        let store = Store(App()) { app }
        _ = try? await store.wait {
            $0.notes.entries.allSatisfy { $0.value != nil } && $0.notes.entries.count == 2
        }
        #expect(await session.renewals == 1)
        await store.shutdown()
    }

    @Test
    func `the app says when the user returns, the network comes and goes, and who is logged in`()
        async
    {
        struct App: Sendable { var notes = QueryCache<NoteList>() }
        let store = Store(App()) {
            Fetch(\.notes, while: { _ in [NoteList()] }) { _, _ async throws(APIError) in
                [Note(id: 1, title: "a")]
            }
        }
        _ = try? await store.wait { $0.notes.value(of: NoteList()) != nil }
        // recipe: queries-events with OnwardQueries
        store.dispatch(ServerDataAction.returned)  // asks for what is stale or failed
        store.dispatch(ServerDataAction.inSight(false))  // polls nothing
        store.dispatch(ServerDataAction.online(false))  // sends nothing, and later what waits
        store.dispatch(ServerDataAction.loggedOut)  // forgets answers and outboxes
        // end
        #expect(store.state.notes.entries.allSatisfy { $0.value == nil })
        await store.shutdown()
    }

    @Test func `answers are given by key`() async {
        struct App: Equatable, Sendable { var notes = QueryCache<NoteList>() }
        // recipe: queries-test with OnwardQueries, OnwardTesting
        let server = ManualAnswers<NoteList, [Note], APIError>(cancelled: .cancelled)
        let store = TestStore(App()) {
            Fetch(\.notes, while: { _ in [NoteList()] }) { list, _ async throws(APIError) in
                try await server.answer(to: list)
            }
            .every(.seconds(60))
        }
        await store.receive(QueryAction<NoteList>.started(without: []), .partial)
        await store.receive(QueryAction<NoteList>.self, .partial)  // wanted
        await store.receive(QueryAction<NoteList>.self, .partial)  // asked
        server.give(.success([]), to: NoteList())
        await store.receive(QueryAction<NoteList>.self, .partial) { app in
            #expect(app.notes.status(of: NoteList()) == .fresh)
        }
        await store.advance(by: .seconds(60))
        #expect(server.questions == [NoteList()])
        // end
        await store.receive(QueryAction<NoteList>.self, .partial)
        await store.receive(QueryAction<NoteList>.self, .partial)
        server.give(.success([]), to: NoteList())
        await store.receive(QueryAction<NoteList>.self, .partial)
        await store.live.shutdown()
    }

    // recipe: queries-notes with OnwardQueries
    // tested: the notes app pages, polls, shows edits at once, and sends them after a restart
    struct NotesPage: Codable, Equatable, Sendable {
        var notes: [Note]
        var isLast = false
    }

    struct AllNotes: PagedQuery {
        static let name = "allNotes"
        typealias Failure = APIError
        var firstCursor: Int { 1 }
        static func items(of page: NotesPage) -> [Note] { page.notes }
        static func cursor(after page: NotesPage, at cursor: Int) -> Int? {
            page.isLast ? nil : cursor + 1
        }
    }

    struct NoteTable: Codable, Equatable, SavableBase {
        var notes: EntityTable<Note> = []
        static let mutations: [any Mutation<NoteTable>.Type] = [EditNote.self]
    }

    struct EditNote: Mutation {
        static let name = "editNote"
        typealias Failure = APIError
        let id: Int, title: String
        func apply(to table: inout NoteTable) { table.notes[id: id]?.title = title }
        var invalidates: [QueryTag] { [QueryTag("note", id)] }
        var order: MutationOrder { .serial(by: "note-\(id)") }
    }

    struct NotesApp: Equatable, Sendable {
        var isOpen = false
        var list = PagedList<AllNotes>()
        var server = Overlaid(NoteTable())

        /// What the list shows: the order of the pages, with what is pending.
        var notes: [Note] { list.rows.ids.compactMap { server.shown.notes[id: $0] } }
    }

    enum NotesAction: Action, Codable, Equatable { case open(Bool) }

    struct NotesServer: Sendable {
        var page: @Sendable (Int) async throws(APIError) -> NotesPage
        var edit: @Sendable (EditNote, _ key: String) async throws(APIError) -> Void
        var stored: @Sendable () async throws -> Void
    }

    static func notesApp(_ server: NotesServer) -> Feature<NotesApp> {
        Feature {
            Reduce { (app: inout NotesApp, action: NotesAction) in
                switch action {
                case .open(let isOpen): app.isOpen = isOpen
                }
            }
            FetchPages(\.list, keeping: 20, while: { $0.isOpen ? AllNotes() : nil }) {
                page, _ async throws(APIError) in try await server.page(page.cursor)
            }
            .fetching {
                $0.tags { _, page in page.notes.map { QueryTag("note", $0.id) } }
                    .fresh(for: .seconds(60)).every(.seconds(30))
                    .retry(attempts: 3, when: { $0 == .offline })
                    .writes(\.server) { table, _, page in table.notes.upsert(contentsOf: page.notes)
                    }
            }
            Send(EditNote.self, at: \.server, durable: true, stored: server.stored) {
                edit, context async throws(APIError) in try await server.edit(edit, context.key)
            }
            .retry(attempts: .max, when: { $0 == .offline })
        }
    }
    // end

    @Test func `the notes app pages, polls, shows edits at once, and sends them after a restart`()
        async
    {
        typealias Pages = ManualAnswers<Int, NotesPage, APIError>
        let pages = Pages(cancelled: .cancelled)
        let edits = ManualAnswers<EditNote, Void, APIError>(cancelled: .cancelled)
        let server = NotesServer {
            page async throws(APIError) in
            try await pages.answer(to: page)
        } edit: { edit, _ async throws(APIError) in
            try await edits.answer(to: edit)
        } stored: {
        }
        let clock = ManualClock()
        let store = Store(NotesApp(), options: StoreOptions(clock: clock)) { Self.notesApp(server) }
        store.dispatch(NotesAction.open(true))
        #expect(await pages.isAsked(1))
        pages.give(.success(NotesPage(notes: [Note(id: 1, title: "Milk")])), to: 1)
        _ = try? await store.wait { $0.list.hasNext }
        store.dispatch(PagedAction<AllNotes>.next)
        #expect(await pages.isAsked(2))
        pages.give(.success(NotesPage(notes: [Note(id: 2, title: "Tea")], isLast: true)), to: 2)
        _ = try? await store.wait { $0.notes.count == 2 }
        let edit = EditNote(id: 1, title: "Bread")
        store.dispatch(edit)
        #expect(store.state.notes.map(\.title) == ["Bread", "Tea"])
        #expect(await edits.isAsked(edit))
        // The program ends, and starts with what it had.
        let state = store.state
        await store.shutdown()
        let next = Store(state, options: StoreOptions(clock: clock)) { Self.notesApp(server) }
        #expect(next.state.notes.map(\.title) == ["Bread", "Tea"])
        #expect(await edits.isAsked(edit))
        edits.give(.success(()), to: edit)
        _ = try? await next.wait { $0.server.pending.isEmpty }
        #expect(next.state.notes.map(\.title) == ["Bread", "Tea"])
        await next.shutdown()
    }
}
#endif
