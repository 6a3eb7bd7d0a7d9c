// SPDX-License-Identifier: MIT
#if Testing

import Onward
import OnwardJournal
import OnwardTesting
import Testing

// What stands between the comments is shown in Documentation/Cook/Keeping.md.
struct KeepingRecipes {
    /// A file in memory.
    final class Memory: ValueStorage {
        let bytes = Guarded<[UInt8]?>(nil)
        func read() -> [UInt8]? { bytes.withValue { $0 } }
        func write(_ new: [UInt8]) { bytes.withValue { $0 = new } }
    }

    @Test func `undo takes back one step of typing at a time`() {
        // recipe: undo with OnwardJournal
        struct Page: Equatable, Sendable { var title = "", text = "" }
        struct Editor: Sendable { var page = Page(), undo = UndoStack<Page>() }
        enum PageAction: Action { case title(String), text(String) }

        let editor = Feature<Editor> {
            Undoable(\.page, stack: \.undo, limit: 200) {
                // shown as: Reduce { … }  // sets the title, sets the text
                Reduce { (editor, action: PageAction) in
                    switch action {
                    case .title(let title): editor.page.title = title
                    case .text(let text): editor.page.text = text
                    }
                }
                // to here
            }
            .recording(PageAction.self) { action in
                switch action {
                case .title: .group(UndoGroup("title"))  // a run of keys is one step
                case .text: .group(UndoGroup("text"))
                }
            }
        }
        func undo(_ store: Store<Editor>) {
            if let undo = store.state.undo.undo { store.dispatch(undo) }
        }
        // end
        let store = Store(Editor()) { editor }
        for title in ["O", "On"] { store.dispatch(PageAction.title(title)) }
        store.dispatch(PageAction.text("Dear"))
        undo(store)
        #expect(store.state.page == Page(title: "On"))
        undo(store)
        #expect(store.state.page == Page())
        if let redo = store.state.undo.redo { store.dispatch(redo) }
        #expect(store.state.page == Page(title: "On"))
    }

    @Test func `each of several people takes back what they did`() {
        // recipe: undo by person with OnwardJournal
        struct Note: Equatable, Identifiable, Sendable { let id: Int; var text: String }
        struct Board: Sendable { var notes: EntityTable<Note> = [], undo = SharedUndo<Note>() }
        enum BoardAction: Action { case put(Note, by: String), remove(Int, by: String) }

        let board = Feature<Board> {
            UndoableRows(\.notes, restoring: \.text, stack: \.undo) {
                // shown as: Reduce { … }  // puts a note, removes one
                Reduce { (board, action: BoardAction) in
                    switch action {
                    case .put(let note, _): board.notes.upsert(contentsOf: [note])
                    case .remove(let id, _): board.notes.remove(id: id)
                    }
                }
                // to here
            }
            .recording(BoardAction.self) { action in
                switch action {
                case .put(_, let person), .remove(_, let person): person
                }
            }
        }
        /// Why nothing was undone, if somebody else has changed the same.
        func undo(_ store: Store<Board>, by person: String) -> UndoRefusal? {
            if let undo = store.state.undo.undo(by: person) { store.dispatch(undo) }
            return store.state.undo.refusal(of: person)
        }
        // end
        let store = Store(Board()) { board }
        store.dispatch(BoardAction.put(Note(id: 1, text: "Tea"), by: "ann"))
        store.dispatch(BoardAction.put(Note(id: 2, text: "Milk"), by: "bob"))
        store.dispatch(BoardAction.put(Note(id: 1, text: "Coffee"), by: "ann"))
        #expect(undo(store, by: "ann") == nil)
        #expect(store.state.notes.map(\.text) == ["Tea", "Milk"])
        store.dispatch(BoardAction.put(Note(id: 1, text: "Water"), by: "bob"))
        #expect(undo(store, by: "ann")?.reason == .changed)
        #expect(undo(store, by: "bob") == nil)
        #expect(undo(store, by: "ann") == nil)
        #expect(store.state.notes.map(\.text) == ["Milk"])
    }

    @Test func `settings are there again at the next launch`() async {
        // recipe: settings with OnwardJournal
        struct Settings: Codable, Equatable, Sendable { var isDark = false, size = 12 }
        struct App: Equatable, Sendable { var settings = Settings() }
        enum SettingsAction: Action { case dark(Bool), size(Int) }

        // In the app: .file("settings.json").
        func app(_ storage: some ValueStorage) -> Feature<App> {
            Feature {
                // shown as: Reduce { … }  // changes the settings
                Reduce { (app, action: SettingsAction) in
                    switch action {
                    case .dark(let isDark): app.settings.isDark = isDark
                    case .size(let size): app.settings.size = size
                    }
                }
                // to here
                Saving(\.settings, in: storage)
            }
        }
        // end
        let memory = Memory()
        let first = Store(App()) { app(memory) }
        first.dispatch(SettingsAction.dark(true))
        await first.shutdown()
        let second = Store(App()) { app(memory) }
        #expect(second.state.settings == Settings(isDark: true))
        await second.shutdown()
    }

    @Test func `settings of an older version are read by the newer one`() async throws {
        // recipe: migrating with OnwardJournal
        struct Settings: Codable, Equatable, Sendable, SchemaVersioned {
            static let schemaVersion = 2
            var theme = "light"
        }
        struct App: Equatable, Sendable { var settings = Settings() }
        enum SettingsAction: Action { case theme(String) }

        func app(_ storage: some ValueStorage) -> Feature<App> {
            var migrations = Migrations()
            migrations.state(from: 1) { old in  // it was {"dark": true}
                ["theme": .text(old["dark"] == true ? "dark" : "light")]
            }
            return Feature {
                // shown as: Reduce { … }  // changes the theme
                Reduce { (app, action: SettingsAction) in
                    if case .theme(let theme) = action { app.settings.theme = theme }
                }
                // to here
                Saving(\.settings, in: storage, migrations: migrations)
            }
        }
        // end
        let memory = Memory()
        memory.write(Array(#"{"schema":1,"value":{"dark":true}}"#.utf8))
        let store = Store(App()) { app(memory) }
        #expect(store.state.settings == Settings(theme: "dark"))
        store.dispatch(SettingsAction.theme("blue"))
        await store.shutdown()
        #expect(try SavedValue<Settings>(in: memory).load() == Settings(theme: "blue"))
    }

    @Test func `after a crash the log gives the state that was shown`() async throws {
        // recipe: restoring with OnwardJournal
        struct Cart: Codable, Equatable, Sendable { var items: [String] = [] }
        enum CartAction: Action, Codable { case add(String) }

        @Sendable func open(_ journal: some Journal) async throws -> Persistence<Cart> {
            try await Persistence(of: Cart(), in: journal) {  // SQLiteJournal(at: path) in the app
                // shown as: Reduce { … }  // adds the item
                Reduce { (cart, action: CartAction) in
                    if case .add(let item) = action { cart.items.append(item) }
                }
                // to here
            }
        }
        // end
        let journal = MemoryJournal()
        let first = try await open(journal)
        try await first.dispatch(CartAction.add("tea"))
        try await first.flush()
        let second = try await open(journal)
        #expect(second.store.state.items == ["tea"])
        try await second.shutdown()
    }

    @Test func `what concerns one person is gone from the log, and the rest stays`() async throws {
        struct Guests: Codable, Equatable, Sendable { var names: [String] = [] }
        enum GuestAction: Action, Codable { case came(String) }
        let journal = MemoryJournal()
        let party = Feature<Guests> {
            Reduce { (guests, action: GuestAction) in
                if case .came(let name) = action { guests.names.append(name) }
            }
        }
        let guests = try await Persistence(of: Guests(), in: journal) { party }
        for name in ["ann", "bob"] { try await guests.dispatch(GuestAction.came(name)) }
        try await guests.flush()
        // recipe: erasing with OnwardJournal
        func forget(_ name: String, as number: Int, in journal: some Journal) async throws
            -> ErasureReport
        {
            let store = Store(Guests()) { party }
            return try await journal.erase(
                .replacing(name, with: "guest \(number)"),  // each has a replacement of their own
                startingWith: Guests(), by: store, JournalCodec(for: store))
        }
        // end
        #expect(try await forget("ann", as: 1, in: journal).versions == [1])
        let bytes = try journal.entries(from: 1, limit: .max).flatMap(\.payload)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("ann"))
        #expect(String(decoding: bytes, as: UTF8.self).contains("bob"))
    }

    @Test func `logging out leaves nothing of the user behind`() {
        // recipe: logging-out
        struct Cart: Equatable, Sendable { var items: [String] = [] }
        struct App: Equatable, Sendable { var user: String?, cart = Cart(), isDark = false }
        enum SessionAction: Action { case logIn(String), logOut }
        enum CartAction: Action { case add(String) }

        let app = Feature<App> {
            // shown as: Scope(\.cart) { … }
            Scope(\.cart) {
                Reduce { (cart, action: CartAction) in
                    if case .add(let item) = action { cart.items.append(item) }
                }
            }
            // to here
            Reduce { (app, action: SessionAction) in
                switch action {
                case .logIn(let user): app.user = user
                case .logOut: app = App(isDark: app.isDark)  // what stays is named, not what goes
                }
            }
        }
        // end
        let store = Store(App(isDark: true)) { app }
        store.dispatch(SessionAction.logIn("ann"))
        store.dispatch(CartAction.add("tea"))
        store.dispatch(SessionAction.logOut)
        #expect(store.state == App(isDark: true))
    }

    @Test func `a history shows an earlier moment, and the present again`() {
        // recipe: time-travel with OnwardJournal
        struct Counter: Equatable, Sendable { var count = 0 }
        enum CounterAction: Action { case add(Int) }
        // shown as: let counter: Feature<Counter>  // adds the number
        let counter = Feature<Counter> {
            Reduce { (counter, action: CounterAction) in
                if case .add(let n) = action { counter.count += n }
            }
        }
        // to here
        let store = Store(Counter()) { counter }
        let history = History(of: store)
        for amount in 1...3 { store.dispatch(CounterAction.add(amount)) }
        history.step(by: -1)  // the store shows 3
        history.toggle(1)  // without the first action: 2
        history.jumpToEnd()  // 5
        // end
        #expect(store.state.count == 5)
        history.toggle(1)
        #expect(store.state.count == 6)
        history.detach()
    }
}
#endif
