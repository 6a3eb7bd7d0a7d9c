// SPDX-License-Identifier: MIT

import Onward
import OnwardNavigation
import SwiftUI
import Testing

// What stands between the comments is shown in Documentation/Cook/Views.md.
@MainActor struct SwiftUIRecipes {
    @Test func `a field of SwiftUI shows what the reducer made of its text`() {
        // recipe: swiftui-field with SwiftUI
        struct Profile: Equatable, Editable {
            var name = "", isPublic = false
            static let fields = Fields<Profile>(\.name, \.isPublic)
        }

        let profile = Feature<Profile> {
            Edits()
            Reduce { (profile, _: Edit<Profile>) in profile.name = String(profile.name.prefix(20)) }
        }
        struct ProfileView: View {
            @Bindable var store: FeatureStore<Profile, Edit<Profile>>

            var body: some View {
                TextField("Name", text: $store[editing: \.name])
                Toggle("Public", isOn: $store[editing: \.isPublic])
            }
        }
        // end
        let store = Store(Profile()) { profile }
        let screen = DrawnScreen(ProfileView(store: store.scoped(sending: Edit<Profile>.self)))
        #expect(screen.type(String(repeating: "a", count: 30), into: "Name"))
        #expect(screen.labels == ["Name: " + String(repeating: "a", count: 20), "Public"])
        #expect(screen.tap("Public"))
        #expect(store.state.isPublic)
    }

    @Test func `a list of SwiftUI draws the row that has changed, and itself when rows come or go`()
    {
        // recipe: swiftui-list with SwiftUI
        struct Item: Equatable, Sendable, Identifiable { let id: Int; var isDone = false }
        struct List: Equatable, Sendable {
            var items: EntityTable<Item> = []
            var ids: [Int] { Array(items.ids) }  // equal until rows come, go or move
        }
        enum ListAction: Action { case add }
        enum ItemAction: Action { case toggle }

        let list = Feature<List> {
            Reduce { (list, _: ListAction) in list.items.append(Item(id: list.items.count)) }
            Scope(each: \.items) { Reduce { (item, _: ItemAction) in item.isDone.toggle() } }
        }
        struct ListView: View {
            let store: FeatureStore<List, ListAction>

            var body: some View {
                ForEach(store[\.ids], id: \.self) { id in
                    let row = store.scoped(to: .row(\.items, id: id), sending: ItemAction.self)
                    if let row = row.unwrapped() { ItemView(store: row) }
                }
                Button("Add") { store.send(.add) }
            }
        }
        struct ItemView: View {
            let store: FeatureStore<Item, ItemAction>

            var body: some View {
                Button(store[\.isDone] ? "Done" : "To do") { store.send(.toggle) }
            }
        }
        // end
        let store = Store(List(items: [Item(id: 0), Item(id: 1)])) { list }
        let screen = DrawnScreen(ListView(store: store.scoped(sending: ListAction.self)))
        #expect(screen.labels == ["To do", "To do", "Add"])
        screen.tap("To do")
        #expect(screen.outdated == ["ItemView"])
        #expect(screen.labels == ["Done", "To do", "Add"])
        screen.tap("Add")
        #expect(screen.outdated == ["ListView"])
        #expect(screen.labels == ["Done", "To do", "To do", "Add"])
    }

    @Test func `a sheet of SwiftUI is there while its state is, and closing it dismisses that`() {
        // recipe: swiftui-sheet with SwiftUI
        struct Editor: Equatable, Sendable { var text = "" }
        struct Desk: Equatable, Sendable { var editor: Editor? }
        enum DeskAction: Action { case edit }
        enum EditorAction: Action { case type(String), close }

        // shown as: let desk: Feature<Desk>  // places the editor with Present(\.editor)
        let desk = Feature<Desk> {
            Reduce { (desk, _: DeskAction) in desk.editor = Editor() }
            Present(\.editor) {
                Reduce { (editor, action: EditorAction) in
                    if case .type(let text) = action { editor.text = text }
                }
                OnAction { (action: EditorAction, _) in
                    if case .close = action { .dismiss() } else { .none }
                }
            }
        }
        // to here
        struct DeskView: View {
            @Bindable var store: FeatureStore<Desk, DeskAction>

            var body: some View {
                Button("Edit") { store.send(.edit) }
                    .sheet(isPresented: $store[presenting: \.editor]) {
                        let editor = store.scoped(to: \.editor, sending: EditorAction.self)
                        if let editor = editor.unwrapped() { EditorView(store: editor) }
                    }
            }
        }
        struct EditorView: View {
            @Bindable var store: FeatureStore<Editor, EditorAction>

            var body: some View {
                TextField("Text", text: $store[\.text, sending: .action { .type($0) }])
                Button("Close") { store.send(.close) }
            }
        }
        // end
        let store = Store(Desk()) { desk }
        let screen = DrawnScreen(DeskView(store: store.scoped(sending: DeskAction.self)))
        #expect(screen.labels == ["Edit"])
        screen.tap("Edit")
        screen.type("Hello", into: "Text")
        #expect(screen.labels == ["Edit", "Text: Hello", "Close"])
        screen.tap("Close")
        #expect(screen.labels == ["Edit"])
        #expect(store.state == Desk())
    }

    @Test func `an alert of SwiftUI asks what the state asks, and sends the answer`() {
        // recipe: swiftui-alert with SwiftUI
        struct Notes: Equatable, Sendable { var all = ["Milk"], question: Dialog<NotesAction>? }
        enum NotesAction: Action, Equatable { case delete(String), deleteForGood(String) }

        // shown as: let notes: Feature<Notes>  // as in "Ask before deleting"
        let notes = Feature<Notes> {
            Reduce { (notes, action: NotesAction) in
                switch action {
                case .delete(let note):
                    notes.question = Dialog(
                        "Delete “\(note)”?",
                        [
                            .init("Delete", role: .destructive, .deleteForGood(note)),
                            .init("Keep", role: .cancel),
                        ])
                case .deleteForGood(let note): notes.all.removeAll { $0 == note }
                }
            }
            Present(\.question)
        }
        // to here
        struct NotesView: View {
            @Bindable var store: FeatureStore<Notes, NotesAction>

            var body: some View {
                let question = store[\.question]
                ForEach(store[\.all], id: \.self) { note in
                    Button(note) { store.send(.delete(note)) }
                }
                .alert(question?.title ?? "", isPresented: $store[presenting: \.question]) {
                    ForEach(question?.buttons ?? [], id: \.label) { button in
                        Button(button.label, role: button.role == .destructive ? .destructive : nil)
                        {
                            if let action = button.action { store.send(action) }
                        }
                    }
                } message: {
                    Text(question?.message ?? "")
                }
            }
        }
        // end
        let store = Store(Notes()) { notes }
        let screen = DrawnScreen(NotesView(store: store.scoped(sending: NotesAction.self)))
        screen.tap("Milk")
        #expect(screen.labels == ["Milk", "Delete “Milk”?", "", "Delete", "Keep"])
        screen.tap("Keep")
        #expect(screen.labels == ["Milk"])
        screen.tap("Milk")
        screen.tap("Delete")
        #expect(store.state == Notes(all: []))
    }

    @Test func `rows of a SwiftUI list are moved by dragging them`() {
        // recipe: swiftui-move with SwiftUI
        struct Song: Equatable, Sendable, Identifiable { let id: String }
        struct Playlist: Equatable, Sendable { var songs: EntityTable<Song> = [] }
        enum PlaylistAction: Action { case move(String, to: Int) }

        let playlist = Feature<Playlist> {
            Reduce { (playlist, action: PlaylistAction) in
                if case .move(let song, let place) = action {
                    playlist.songs.move(id: song, to: place)
                }
            }
        }
        struct PlaylistView: View {
            let store: FeatureStore<Playlist, PlaylistAction>

            var body: some View {
                let songs = store[\.songs].map(\.id)
                List {
                    ForEach(songs, id: \.self) { song in Text(song) }
                        .onMove { rows, gap in  // SwiftUI names the gap before a row
                            guard let row = rows.first else { return }
                            store.send(.move(songs[row], to: gap > row ? gap - 1 : gap))
                        }
                }
            }
        }
        // end
        let store = Store(Playlist(songs: [Song(id: "A"), Song(id: "B"), Song(id: "C")])) {
            playlist
        }
        let screen = DrawnScreen(PlaylistView(store: store.scoped(sending: PlaylistAction.self)))
        screen.move(row: 0, to: 3)
        #expect(screen.labels == ["B", "C", "A"])
        screen.move(row: 2, to: 0)
        #expect(screen.labels == ["A", "B", "C"])
    }

    @Test func `a stack of SwiftUI shows the screens of the state, and goes back in it`() {
        // recipe: swiftui-stack with OnwardNavigation, SwiftUI
        enum Screen: Hashable, Sendable { case albums, album(Int) }
        struct Music: Equatable, Sendable {
            var routes = RouteStack(Screen.albums)
            var pushed: [Screen] { Array(routes.screens.dropFirst()) }
        }

        let music = Feature<Music> { Scope(\.routes, Navigation<Screen>()) }
        struct MusicView: View {
            @Bindable var store: FeatureStore<Music, NavigationAction<Screen>>

            var body: some View {
                NavigationStack(
                    path: $store[
                        \.pushed, sending: .action { .show(RouteStack(.albums, pushed: $0)) }]
                ) {
                    Button("Album 1") { store.send(.push(.album(1))) }
                        .navigationDestination(for: Screen.self) { screen in
                            if case .album(let number) = screen { Text("Songs of \(number)") }
                        }
                }
            }
        }
        // end
        let store = Store(Music()) { music }
        let view = MusicView(store: store.scoped(sending: NavigationAction<Screen>.self))
        let screen = DrawnScreen(view)
        screen.tap("Album 1")
        #expect(screen.labels == ["Back", "Songs of 1"])
        screen.tap("Back")
        #expect(screen.labels == ["Album 1"])
        #expect(store.state.routes == RouteStack(Screen.albums))
    }
}
