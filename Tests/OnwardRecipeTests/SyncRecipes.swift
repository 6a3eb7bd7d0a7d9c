// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardReports
import OnwardSync
import Testing

// What stands between the comments is shown in Documentation/Cook/Sharing.md.
@Suite(.timeLimit(.minutes(1))) struct SyncRecipes {
    @Test func `two people have one list, each ahead of the server`() async throws {
        // recipe: shared-list with OnwardJournal, OnwardSync
        struct Item: Identifiable, Codable, Equatable, Sendable {
            let id: String; var title: String
        }
        struct Groceries: Codable, Equatable, Sendable { var items: EntityTable<Item> = [] }
        enum GroceryAction: Action, Codable, Equatable {
            case add(String), rename(id: String, to: String), remove(id: String)
        }

        let groceries = Feature<Groceries> {
            Reduce { (list, action: GroceryAction, stamp) in
                switch action {
                case .add(let title):
                    // The id that the client draws is that of the server.
                    list.items.append(Item(id: "\(stamp.id())", title: title))
                case .rename(let id, let title): list.items.update(id: id) { $0.title = title }
                case .remove(let id): list.items.remove(id: id)
                }
            }
        }
        let store = Store(Groceries()) { groceries }
        let server = try await SyncServer(of: store, accepting: .actions(GroceryAction.self))

        func client(_ name: String) async throws -> SyncedStore<Groceries> {
            // In an app: WebTransport(to: url), and SQLiteJournal(at: path).
            let network = MemoryTransport(to: server, as: name)
            return try await SyncedStore(of: Groceries(), over: network, in: MemoryJournal()) {
                groceries
            }
        }
        let (ann, bob) = (try await client("Ann"), try await client("Bob"))
        ann.store.dispatch(GroceryAction.add("Milk"))  // shows at once
        _ = try await bob.store.wait { $0.items.count == 1 }  // and a moment later at Bob's
        // end
        #expect(ann.store.state == bob.store.state)
        #expect(store.state.items.map(\.title) == ["Milk"])
        await ann.stop()
        await bob.stop()
    }

    @Test func `a day offline goes up in order, and of the edits of a field the last`() async throws
    {
        struct Note: Codable, Equatable, Sendable { var title = "", lines: [String] = [] }
        enum NoteAction: Action, Codable, Equatable { case title(String), line(String) }
        let note = Feature<Note> {
            Reduce { (note, action: NoteAction) in
                switch action {
                case .title(let title): note.title = title
                case .line(let line): note.lines.append(line)
                }
            }
        }
        let store = Store(Note()) { note }
        let server = try await SyncServer(of: store, accepting: .actions(NoteAction.self))
        let network = MemoryTransport(to: server)
        let journal = MemoryJournal()
        network.isConnected = false
        // recipe: offline-edit with OnwardJournal, OnwardSync
        // shown as: // Note has a title and lines; NoteAction is `title(String)` or `line(String)`.
        // to here
        var options = SyncOptions<Note>()
        options.compact(NoteAction.self) { action, earlier in
            if case (.title, .title) = (action, earlier) { true } else { false }
        }
        func open() async throws -> SyncedStore<Note> {
            try await SyncedStore(of: Note(), over: network, in: journal, options: options) { note }
        }
        let client = try await open()
        for title in ["S", "Sh", "Shopping"] { client.store.dispatch(NoteAction.title(title)) }
        client.store.dispatch(NoteAction.line("Milk"))
        // A view shows: store[\.isOnline], store[\.pending].
        let waiting = try await client.status.wait { $0.pending == 2 }
        // end
        #expect(!waiting.isOnline)
        await client.stop()
        let later = try await open()  // as after a restart
        #expect(later.store.state == Note(title: "Shopping", lines: ["Milk"]))
        network.isConnected = true
        _ = try await store.wait { $0.lines == ["Milk"] }
        #expect(store.log.version == 2)
        await later.stop()
    }

    @Test func `an edit that is too late is taken back, with the reason`() async throws {
        // recipe: refused-edit with OnwardJournal, OnwardSync
        struct Seats: Codable, Equatable, Sendable { var taken: [Int: String] = [:] }
        enum SeatAction: Action, Codable, Equatable { case take(Int, by: String) }
        enum SeatRefusal: RefusalReason {
            case taken(by: String)
            var sentence: String {
                switch self {
                case .taken(let name): "\(name) has that seat."
                }
            }
        }

        let seats = Feature<Seats> {
            Check { (seats: Seats, action: SeatAction) throws(SeatRefusal) in
                guard case .take(let seat, let name) = action else { return }
                if let other = seats.taken[seat], other != name { throw .taken(by: other) }
            }
            Reduce { (seats, action: SeatAction) in
                guard case .take(let seat, let name) = action else { return }
                seats.taken[seat] = name
            }
        }

        /// Takes a seat; why not, once the server has decided.
        func take(
            _ seat: Int, by name: String, _ client: SyncedStore<Seats>
        ) async -> SeatRefusal? {
            let result = client.store.dispatch(SeatAction.take(seat, by: name))
            // Refused here already, on what is known here.
            guard let version = result.version else { return result.reason(as: SeatRefusal.self) }
            guard case .refused(let refusal) = await client.outcome(of: version) else { return nil }
            return refusal?.reason(as: SeatRefusal.self)
        }
        // end
        let store = Store(Seats()) { seats }
        let server = try await SyncServer(of: store, accepting: .actions(SeatAction.self))
        let network = MemoryTransport(to: server)
        network.isConnected = false
        let client = try await SyncedStore(of: Seats(), over: network, in: MemoryJournal()) {
            seats
        }
        store.dispatch(SeatAction.take(7, by: "Bob"))
        async let refusal = take(7, by: "Ann", client)
        _ = try await client.status.wait { $0.pending == 1 }
        #expect(client.store.state.taken[7] == "Ann")  // as far as is known here
        network.isConnected = true
        guard case .taken("Bob") = await refusal else {
            Issue.record("It wasn't refused.")
            return
        }
        #expect(client.store.state.taken[7] == "Bob")
        guard case .taken("Bob") = await take(7, by: "Ann", client) else {
            Issue.record("It wasn't refused here.")
            return
        }
        await client.stop()
    }

    @Test func `whoever signs in gets a journal and a client of their own, and nothing stays`()
        async throws
    {
        struct Diary: Codable, Equatable, Sendable { var pages: [String] = [] }
        enum DiaryAction: Action, Codable, Equatable { case write(String) }
        let diary = Feature<Diary> {
            Reduce { (diary, action: DiaryAction) in
                if case .write(let page) = action { diary.pages.append(page) }
            }
        }
        let diaries = Guarded<[String: SyncServer<Diary>]>([:])
        for name in ["Ann", "Bob"] {
            let server = try await SyncServer(
                of: Store(Diary()) { diary }, accepting: .actions(DiaryAction.self))
            diaries.withValue { $0[name] = server }
        }
        let network = { @Sendable (name: String) in
            MemoryTransport {
                guard let server = diaries.withValue({ $0[name] }) else {
                    throw MemoryTransport.CutOff()
                }
                return await server.connect(as: name)
            }
        }
        let files = Guarded<[String: MemoryJournal]>([:])
        let journal = { @Sendable (name: String) in
            files.withValue { files in
                let journal = files[name] ?? MemoryJournal()
                files[name] = journal
                return journal
            }
        }
        let removeJournal = { @Sendable (name: String) in files.withValue { $0[name] = nil } }
        // recipe: signing-in with OnwardJournal, OnwardSync
        /// Who uses this device, and what they have here.
        actor Account {
            private let open: @Sendable (String) async throws -> SyncedStore<Diary>
            private let forget: @Sendable (String) async throws -> Void
            private(set) var current: (name: String, client: SyncedStore<Diary>)?

            init(
                open: @escaping @Sendable (String) async throws -> SyncedStore<Diary>,
                forget: @escaping @Sendable (String) async throws -> Void
            ) {
                (self.open, self.forget) = (open, forget)
            }

            func signIn(as name: String) async throws -> Store<Diary> {
                if let current, current.name == name { return current.client.store }
                try await signOut()
                let client = try await open(name)
                current = (name, client)
                return client.store
            }

            /// What isn't on the server yet would be lost: the app asks first.
            var unsent: Int { current?.client.status.state.pending ?? 0 }

            func signOut() async throws {
                guard let (name, client) = current else { return }
                current = nil
                await client.stop()
                try await forget(name)
            }
        }

        let account = Account { name in
            // In an app: WebTransport(to: url) { await keychain.token }, a file for each name.
            try await SyncedStore(of: Diary(), over: network(name), in: journal(name)) { diary }
        } forget: { name in
            removeJournal(name)  // in an app: removes the file
        }
        // end
        let anns = try await account.signIn(as: "Ann")
        anns.dispatch(DiaryAction.write("Dear diary"))
        let current = await account.current
        let status = try #require(current).client.status
        _ = try await status.wait { $0.pending == 0 && $0.confirmed == 1 }
        #expect(await account.unsent == 0)
        let bobs = try await account.signIn(as: "Bob")
        #expect(bobs.state == Diary())
        #expect(files.withValue { $0["Ann"] } == nil)
        let again = try await account.signIn(as: "Ann")
        _ = try await again.wait { $0.pages == ["Dear diary"] }
        try await account.signOut()
        #expect(files.withValue { $0.isEmpty })
    }

    @Test func `readers see their notes only, and nobody changes those of others`() async throws {
        // recipe: rights with OnwardJournal, OnwardSync
        struct Note: Identifiable, Codable, Equatable, Sendable {
            let id: Int
            var text: String
            var readers: [String]
        }
        struct Notes: Codable, Equatable, Sendable {
            var notes: EntityTable<Note> = []
            var audit: [String] = []  // for the server alone
        }
        enum NoteAction: Action, Codable, Equatable {
            case write(id: Int, text: String, by: String), share(id: Int, with: String)
            case withdraw(id: Int, from: String)
        }
        enum NoteRefusal: RefusalReason { case notYours }

        let notes = Feature<Notes> {
            Check { (notes: Notes, action: NoteAction) throws(NoteRefusal) in
                guard case .write(let id, _, let author) = action else { return }
                if let note = notes.notes[id: id], !note.readers.contains(author) {
                    throw .notYours
                }
            }
            Reduce { (notes, action: NoteAction) in
                switch action {
                case .write(let id, let text, let author):
                    if notes.notes[id: id] == nil {
                        notes.notes.append(Note(id: id, text: text, readers: [author]))
                    } else {
                        notes.notes.update(id: id) { $0.text = text }
                    }
                    notes.audit.append("\(author) wrote \(id)")
                case .share(let id, let reader):
                    notes.notes.update(id: id) { $0.readers.append(reader) }
                case .withdraw(let id, let reader):
                    notes.notes.update(id: id) { $0.readers.removeAll { $0 == reader } }
                }
            }
        }
        var view = SyncView<Notes>()
        view.showRows(of: \.notes, as: "notes", to: \.readers)
        var options = SyncOptions<Notes>()
        options.view = view  // the same for the server and its clients
        let rules = ClientRules { action, _, identity in
            switch action as? NoteAction {
            case .write(_, _, let author): author == identity  // nobody writes as somebody else
            case .share, .withdraw: identity == "Ann"  // who owns them
            case nil: false
            }
        }
        // end
        let store = Store(Notes()) { notes }
        let server = try await SyncServer(of: store, accepting: rules, options: options)
        func client(_ name: String) async throws -> SyncedStore<Notes> {
            try await SyncedStore(
                of: Notes(), over: MemoryTransport(to: server, as: name), in: MemoryJournal(),
                options: options
            ) { notes }
        }
        let (ann, bob) = (try await client("Ann"), try await client("Bob"))
        ann.store.dispatch(NoteAction.write(id: 1, text: "Plan", by: "Ann"))
        ann.store.dispatch(NoteAction.share(id: 1, with: "Bob"))
        _ = try await bob.store.wait { $0.notes[id: 1]?.text == "Plan" }
        #expect(bob.store.state.audit == [])
        let forged = bob.store.dispatch(NoteAction.write(id: 1, text: "Mine", by: "Ann"))
        let outcome = await bob.outcome(of: try #require(forged.version))
        guard case .refused(let refusal?) = outcome else {
            Issue.record("It wasn't refused.")
            return
        }
        #expect(refusal.kind == .forbidden)
        ann.store.dispatch(NoteAction.withdraw(id: 1, from: "Bob"))
        _ = try await bob.store.wait { $0.notes.isEmpty }
        #expect(store.state.notes[id: 1]?.text == "Plan")
        await ann.stop()
        await bob.stop()
    }

    @Test func `a report from offline begins with what is confirmed and ends with what showed`()
        async throws
    {
        let list = Store(SharedItems()) { sharedItems }
        let server = try await SyncServer(of: list, accepting: .actions(SharedAction.self))
        let network = MemoryTransport(to: server)
        let synced = try await SyncedStore(of: SharedItems(), over: network, in: MemoryJournal()) {
            sharedItems
        }
        let milk = synced.store.dispatch(SharedAction.add("Milk"))
        #expect(await synced.outcome(of: try #require(milk.version)) == .confirmed)
        network.isConnected = false
        _ = try await synced.status.wait { !$0.isOnline }
        synced.store.dispatch(SharedAction.add("Bread"))
        // recipe: synced-report with OnwardReports, OnwardSync
        /// What is confirmed and what is pending, without what was entered.
        func report(of client: SyncedStore<SharedItems>) async throws -> Report {
            let parts = try await client.parts()
            let session = RecordedSession(Report(from: parts.snapshot, parts.shownEntries))
            return try session.report(in: sharedItems)
        }
        let received = try await report(of: synced)  // it comes as a file

        // Who gets it:
        let replayed: ReplayedReport<SharedItems> = try received.replayed(in: sharedItems)
        print(replayed.store.state.items.count)  // 2: what the customer saw
        replayed.history.jump(to: 0)
        print(replayed.store.state.items.count)  // 1: what was confirmed
        // end
        #expect(replayed.store.state.items.count == 1)
        replayed.history.jump(to: 1)
        #expect(replayed.store.state.items.count == 2)
        await synced.stop()
    }

    @Test func `everybody sees who is here and at what, until they leave`() async throws {
        // recipe: who-is-here with OnwardJournal, OnwardSync
        struct Visitor: Identifiable, Codable, Equatable, Sendable {
            let id: String; var note: Int?
        }
        struct Here: Codable, Equatable, Sendable { var visitors: EntityTable<Visitor> = [] }
        enum HereAction: Action, Codable, Equatable {
            case came(String), left(String), opened(note: Int, by: String)
        }

        let here = Feature<Here> {
            Reduce { (here, action: HereAction) in
                switch action {
                case .came(let name): here.visitors.append(Visitor(id: name))
                case .left(let name): here.visitors.remove(id: name)
                case .opened(let note, let name):
                    here.visitors.update(id: name) { $0.note = note }
                }
            }
        }
        let rules = ClientRules { action, _, identity in
            guard case .opened(_, let name) = action as? HereAction else { return false }
            return name == identity
        }
        let visitors = Store(Here()) { here }
        // Beside the server of the notes: with an Endpoint.sync of its own, at "/here/".
        let server = try await SyncServer(of: visitors, accepting: rules) { name, isHere in
            visitors.dispatch(isHere ? HereAction.came(name) : .left(name))
        }
        func join(as name: String) async throws -> SyncedStore<Here> {
            let network = MemoryTransport(to: server, as: name)
            return try await SyncedStore(of: Here(), over: network, in: MemoryJournal()) { here }
        }
        // end
        let (ann, bob) = (try await join(as: "Ann"), try await join(as: "Bob"))
        _ = try await ann.store.wait { $0.visitors.count == 2 }
        _ = try await bob.store.wait { $0.visitors.count == 2 }
        bob.store.dispatch(HereAction.opened(note: 7, by: "Bob"))
        _ = try await ann.store.wait { $0.visitors[id: "Bob"]?.note == 7 }
        let forged = bob.store.dispatch(HereAction.left("Ann"))
        guard case .refused = await bob.outcome(of: try #require(forged.version)) else {
            Issue.record("It wasn't refused.")
            return
        }
        await bob.stop()
        _ = try await ann.store.wait { Array($0.visitors.ids) == ["Ann"] }
        await ann.stop()
    }
}

// What stands between the comments is shown in Documentation/Learn/SharedStore.md.
// recipe: sync-list
// tested: two clients of one list are ahead of it, offline, refused and in step again
struct SharedItem: Identifiable, Codable, Equatable, Sendable { let id: String; var title: String }

struct SharedItems: Codable, Equatable, Sendable {
    var items: EntityTable<SharedItem> = []
    var draft = ""
}

enum SharedAction: Action, Codable, Equatable { case add(String), remove(id: String) }
enum DraftAction: Action, Codable, Equatable { case typed(String) }

enum SharedRefusal: RefusalReason, Equatable {
    case taken
    var sentence: String { "That is on the list already." }
}

let sharedItems = Feature<SharedItems> {
    Check { (list: SharedItems, action: SharedAction) throws(SharedRefusal) in
        guard case .add(let title) = action else { return }
        if list.items.contains(where: { $0.title == title }) { throw .taken }
    }
    Reduce { (list, action: SharedAction, stamp) in
        switch action {
        case .add(let title): list.items.append(SharedItem(id: "\(stamp.id())", title: title))
        case .remove(let id): list.items.remove(id: id)
        }
    }
    Reduce { (list, action: DraftAction) in
        guard case .typed(let text) = action else { return }
        list.draft = text
    }
}
// end

@Suite(.timeLimit(.minutes(1))) struct SharedStoreTests {
    @Test func `two clients of one list are ahead of it, offline, refused and in step again`()
        async throws
    {
        // recipe: sync-server with OnwardSync
        let list = Store(SharedItems()) { sharedItems }
        let server = try await SyncServer(of: list, accepting: .actions(SharedAction.self))
        // end

        // recipe: sync-client with OnwardJournal, OnwardSync
        let network = MemoryTransport(to: server, as: "Ann")
        let ann = try await SyncedStore(of: SharedItems(), over: network, in: MemoryJournal()) {
            sharedItems
        }
        let result = ann.store.dispatch(SharedAction.add("Milk"))
        print(ann.store.state.items.count)  // 1, at once
        if let version = result.version {
            let outcome = await ann.outcome(of: version)  // .confirmed
            // shown as:
            #expect(outcome == .confirmed)
            // to here
        }
        // end
        #expect(list.state.items.map(\.title) == ["Milk"])

        // recipe: sync-offline
        network.isConnected = false  // as on a train
        // shown as:
        // What is on its way already may still arrive.
        _ = try await ann.status.wait { !$0.isOnline }
        // to here
        let bread = ann.store.dispatch(SharedAction.add("Bread"))
        list.dispatch(SharedAction.add("Tea"))  // meanwhile, by somebody else
        network.isConnected = true
        // end
        #expect(await ann.outcome(of: try #require(bread.version)) == .confirmed)
        #expect(list.state.items.map(\.title) == ["Milk", "Tea", "Bread"])
        _ = try await ann.store.wait { $0 == list.state }

        network.isConnected = false
        _ = try await ann.status.wait { !$0.isOnline }
        // recipe: sync-refused with OnwardSync
        let sugar = ann.store.dispatch(SharedAction.add("Sugar"))  // offline
        list.dispatch(SharedAction.add("Sugar"))  // meanwhile, by somebody else
        network.isConnected = true
        if let version = sugar.version, case .refused(let refusal) = await ann.outcome(of: version)
        {
            print(refusal?.reason(as: SharedRefusal.self) ?? "no reason")  // taken
            // shown as:
            #expect(refusal?.reason(as: SharedRefusal.self) == .taken)
            // to here
        }
        // end
        _ = try await ann.store.wait { $0 == list.state }
        #expect(ann.status.state.refused == 1)
        await ann.stop()

        // recipe: sync-local with OnwardJournal, OnwardSync
        var options = SyncOptions<SharedItems>()
        options.keepLocal(\.draft, changedBy: DraftAction.self)
        let bob = try await SyncedStore(
            of: SharedItems(), over: network, in: MemoryJournal(), options: options
        ) { sharedItems }
        bob.store.dispatch(DraftAction.typed("Co"))  // isn't proposed
        // end
        list.dispatch(SharedAction.add("Coffee"))
        _ = try await bob.store.wait { $0.items.count == 5 }
        #expect(bob.store.state.draft == "Co" && list.state.draft.isEmpty)
        #expect(bob.status.state.pending == 0)
        await bob.stop()
    }
}
