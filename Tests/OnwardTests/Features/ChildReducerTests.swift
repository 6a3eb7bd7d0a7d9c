// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import TestSupport

@Suite struct ChildReducerTests {
    enum EditorAction: Action { case type(String), save, explode }
    struct Saved: Action {}
    enum NoteAction: Action { case touch, delete }

    struct Editor: Equatable, Sendable { var text = "" }

    struct Note: Equatable, Sendable, Identifiable {
        let id: Int
        var touches = 0
    }

    struct Desk: Equatable, Sendable {
        var editor: Editor? = Editor()
        var left = Editor()
        var right = Editor()
        var notes: EntityTable<Note> = [Note(id: 1), Note(id: 2), Note(id: 3)]
        var said: [String] = []
    }

    static let editor = Feature<Editor> {
        Reduce { (editor: inout Editor, action: EditorAction) in
            if case .type(let text) = action { editor.text += text }
        }
    }

    static let note = Feature<Note> {
        Reduce { (note: inout Note, action: NoteAction) in note.touches += 1 }
    }

    static let desk = Feature<Desk> {
        // Before the scopes, as the place in the list does not matter.
        Reduce(child: \.editor) { (desk: inout Desk, action: EditorAction) in
            desk.said.append(desk.editor?.text ?? "closed")
            if case .save = action { desk.editor = nil }
        }
        Reduce(child: \.left) { (desk: inout Desk, action: EditorAction) in
            desk.said.append("left \(desk.left.text)")
        }
        Reduce(each: \.notes) { (desk: inout Desk, id: Int, action: NoteAction) in
            desk.said.append("note \(id): \(desk.notes[id: id]?.touches ?? -1)")
            if case .delete = action { desk.notes.remove(id: id) }
        }
        Reduce(each: \.notes) { (desk, id, action: NoteAction) in
            desk.said.append("\(desk.notes.count) left")
        }
        Scope(\.editor, editor)
        Scope(\.left, editor)
        Scope(\.right, editor)
        Scope(each: \.notes, note)
    }

    private func makeDesk(
        _ state: Desk = Desk(), options: StoreOptions = StoreOptions()
    ) -> Store<Desk> {
        Store(state, options: options) { Self.desk }
    }

    @Test
    func `a parent answers what its child's store dispatches, after the child, in one commit`() {
        let store = makeDesk()
        let log = Log<Desk>()
        let token = store.subscribe(\.self) { _, desk in log.append(desk) }
        let left = store.scoped(to: \.left)
        #expect(left.dispatch(EditorAction.type("a")) == .accepted(1))
        #expect(store.state.said == ["left a"])
        #expect(log.all.map(\.said) == [["left a"]])
        store.scoped(to: \.right).dispatch(EditorAction.type("b"))
        #expect(store.state.said == ["left a"])
        token.cancel()
    }

    @Test
    func `a parent closes an optional child, whose actions are absent from then on`() {
        let store = makeDesk()
        let editor = store.scoped(to: \.editor)
        editor.dispatch(EditorAction.type("x"))
        #expect(editor.dispatch(EditorAction.save) == .accepted(2))
        #expect(store.state.editor == nil)
        #expect(editor.dispatch(EditorAction.save) == .refused(.absent))
        #expect(store.state.said == ["x", "x"])
    }

    @Test
    func `a parent learns which row it was, by the row's store and by an address`() throws {
        let store = makeDesk()
        store.scoped(to: .row(\.notes, id: 2)).dispatch(NoteAction.touch)
        let third = try #require(Address("notes/#3"))
        store.dispatch(NoteAction.delete, to: third)
        #expect(store.state.said == ["note 2: 1", "3 left", "note 3: 1", "2 left"])
        #expect(store.state.notes.map(\.id) == [1, 2])
    }

    @Test
    func `an action without address is answered for each instance there was at its commit`() {
        let store = makeDesk(Desk(editor: nil))
        #expect(store.dispatch(NoteAction.delete) == .accepted(1))
        #expect(
            store.state.said == [
                "note 1: 1", "note 2: 1", "note 3: 1", "0 left", "0 left", "0 left",
            ])
        #expect(store.dispatch(EditorAction.type("x")) == .accepted(2))
        #expect(store.state.said.last == "left x")
        #expect(store.dispatch(NoteAction.touch) == .refused(.absent))
    }

    @Test
    func `an instance that a reducer takes away is answered for all the same`() {
        let store = Store(Desk()) {
            Reduce { (desk: inout Desk, action: NoteAction) in desk.notes.removeAll() }
            Reduce { (desk: inout Desk, action: EditorAction) in desk.editor = nil }
            Self.desk
        }
        store.dispatch(NoteAction.touch)
        #expect(store.state.said.prefix(3) == ["note 1: -1", "note 2: -1", "note 3: -1"])
        store.dispatch(EditorAction.save)
        #expect(store.state.said.suffix(2) == ["closed", "left "])
    }

    @Test
    func `what an effect of the child dispatches is answered as well`() async {
        let store = Store(Desk()) {
            Self.desk
            Scope(
                \.right,
                Feature<Editor> {
                    Reduce { (editor: inout Editor, _: Saved) in editor.text = "" }
                    OnAction { (_: EditorAction, _) -> Effect in .dispatch(Saved()) }
                })
            Reduce(child: \.right) { (desk: inout Desk, _: Saved) in desk.said.append("saved") }
        }
        let right = store.scoped(to: \.right)
        await right.run(EditorAction.type("x"))
        #expect(store.state.said == ["saved"])
        #expect(store.state.right.text.isEmpty)
    }

    @Test
    func `a child reports to a parent that it does not know by an action it has no reducer for`() {
        let mistakes = Mistakes()
        let store = Store(Desk(), options: mistakes.options()) {
            Self.desk
            Reduce(child: \.left) { (desk: inout Desk, _: Saved) in desk.said.append("left") }
            Reduce(each: \.notes) { (desk: inout Desk, id: Int, _: Saved) in
                desk.said.append("\(id)")
            }
        }
        #expect(store.scoped(to: \.left).dispatch(Saved()) == .accepted(1))
        #expect(store.scoped(to: .row(\.notes, id: 2)).dispatch(Saved()) == .accepted(2))
        #expect(store.scoped(to: .row(\.notes, id: 9)).dispatch(Saved()) == .refused(.absent))
        #expect(store.dispatch(Saved()) == .accepted(3))
        #expect(store.state.said == ["left", "2", "left", "1", "2", "3"])
        #expect(store.log.actions.names.contains(Saved.actionName))
        #expect(mistakes.all.isEmpty)
        #expect(store.scoped(to: \.right).dispatch(Saved()) == .refused(.unhandled))
        #expect(mistakes.all.first?.description.contains("\"left\", \"notes/#\"") == true)
    }

    struct Folder: Equatable, Sendable, Identifiable {
        let id: String
        var folders: [Folder] = []
        var notes: [Note] = []
        var removed: [String] = []
    }

    enum FolderAction: Action { case remove }

    static func folder(depth: Int) -> Feature<Folder> {
        Feature {
            Reduce { (_: inout Folder, _: FolderAction) in }
            if depth > 0 { Scope(each: \.folders, folder(depth: depth - 1)) }
            if depth > 0 {
                Reduce(each: \.folders) { (folder: inout Folder, id: String, _: FolderAction) in
                    folder.removed.append(id)
                    folder.folders.removeAll { $0.id == id }
                }
            }
        }
    }

    @Test
    func `in rows within rows, the parent of the row answers, and no other`() throws {
        let mistakes = Mistakes()
        let inner = ["x", "y"].map { Folder(id: $0, folders: [Folder(id: "deep")]) }
        let root = Folder(
            id: "root", folders: ["a", "b"].map { Folder(id: $0, folders: inner) })
        let store = Store(root, options: mistakes.options()) { Self.folder(depth: 3) }
        let address = try #require(Address("folders/#b/folders/#x"))
        #expect(store.dispatch(FolderAction.remove, to: address) == .accepted(1))
        #expect(store.state.removed.isEmpty)
        #expect(store.state.folders.map(\.removed) == [[], ["x"]])
        #expect(store.state.folders.map { $0.folders.map(\.id) } == [["x", "y"], ["y"]])
        #expect(mistakes.all.isEmpty)
    }

    @Test
    func `a replay answers as the store did`() async throws {
        let entries = Log<LogEntry>()
        let store = makeDesk()
        let observer = store.log.attach(Observe<Desk> { entries.append($0.entry) })
        store.scoped(to: .row(\.notes, id: 2)).dispatch(NoteAction.delete)
        store.scoped(to: \.editor).dispatch(EditorAction.save)
        store.dispatch(NoteAction.touch)
        #expect(store.log.replay(entries.all, from: Desk()) == store.state)
        #expect(store.state.said.count == 7)
        observer.cancel()
    }

    @Test
    func `a scope with a name is found by that name, a computed property by its path`() {
        struct App: Sendable {
            var first = Counter()
            var seen = 0
            var computed: Counter {
                get { first }
                set { first = newValue }
            }
        }
        let store = Store(App()) {
            Scope(\.computed, name: "counter", counter)
            Reduce(child: \.computed, name: "counter") { (app: inout App, _: CounterAction) in
                app.seen += app.first.count
            }
        }
        store.scoped(to: \.computed, name: "counter").dispatch(CounterAction.add(3))
        #expect(store.state.seen == 3)
    }

    @Test
    func `subscribers of the parent are notified of what an answer changed`() {
        let store = makeDesk()
        let log = Log<Int>()
        let token = store.subscribe(\.said.count) { _, new in log.append(new) }
        store.scoped(to: \.left).dispatch(EditorAction.type("a"))
        #expect(log.all == [1])
        token.cancel()
    }

    @Test
    func `a Reduce(child:) without a scope is reported, and which scopes there are`() {
        let mistakes = Mistakes()
        _ = Store(Desk(), options: mistakes.options()) {
            Scope(\.left, Self.editor)
            Scope(each: \.notes, Self.note)
            Reduce(child: \.right) { (_: inout Desk, _: EditorAction) in }
            Reduce(child: \.notes) { (_: inout Desk, _: NoteAction) in }
        }
        #expect(mistakes.kinds == [.misplacedChildReducer, .misplacedChildReducer])
        #expect(
            mistakes.all.first?.description == """
                A Reduce(child:) of ChildReducerTests.EditorAction is for the child at "right", but no \
                feature is scoped there, so it answers nothing that is sent to a child, only what \
                is sent to all. The scopes are: "left", "notes/#". To fix this, give it the key \
                path of the child's Scope, and the name if that has one; for rows it is \
                Reduce(each: path), where "#" stands for any row.
                """)
    }

    @Test
    func `a Reduce(child:) of what only a grandchild handles is reported`() {
        struct App: Sendable { var desk = Desk() }
        let mistakes = Mistakes()
        _ = Store(App(), options: mistakes.options()) {
            Scope(\.desk, Feature<Desk> { Scope(\.left, Self.editor) })
            Reduce(child: \.desk) { (_: inout App, _: EditorAction) in }
        }
        #expect(
            mistakes.all.map(\.description) == [
                """
                A Reduce(child:) of ChildReducerTests.EditorAction is for the child at "desk", which does \
                not handle such actions; "desk/left" does, which lies inside it. A Reduce(child:) \
                handles what is sent to the child itself, so this one answers only what is sent to \
                all. To fix this, reduce the action in the feature that scopes "desk/left", or \
                scope that feature here by one key path.
                """
            ])
    }
}
