// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

/// A child that takes the place of another one in an optional slice is another instance.
@Suite(.timeLimit(.minutes(5))) struct ReplacedChildTests {
    struct Editor: Sendable, Equatable, Identifiable {
        var id: Int
        var text: String?
        var note: Note?
    }

    struct Note: Sendable, Equatable, Identifiable {
        var id = 1
        var text = ""
    }

    struct Panel: Sendable, Equatable {
        var texts: [String] = []
    }

    struct Desk: Sendable, Equatable {
        var editor: Editor?
        var panel: Panel?
        var question: Dialog<Answer>?
        var desks: EntityTable<Tray> = [Tray(id: 1), Tray(id: 2)]
    }

    struct Tray: Sendable, Equatable, Identifiable {
        let id: Int
        var editor: Editor?
    }

    enum Answer: Action, Equatable { case again, fine }
    struct Change: Action { let body: @Sendable (inout Desk) -> Void }
    enum EditorAction: Action { case load, loaded(String) }

    private let log = Log<String>()
    private let gate = Gate()

    /// Holds effects until it is opened.
    final class Gate: Sendable {
        private let stream = AsyncStream<Void>.makeStream()
        func open() { stream.continuation.finish() }
        func pass() async { for await _ in stream.stream {} }
    }

    private var editor: Feature<Editor> {
        let (log, gate) = (log, gate)
        return Feature<Editor> {
            Reduce { (editor: inout Editor, action: EditorAction) in
                if case .loaded(let text) = action { editor.text = text }
            }
            OnAction { (editor: Editor, action: EditorAction, context) -> Effect in
                guard case .load = action else { return .none }
                return .run { [id = editor.id] in
                    await gate.pass()
                    context.dispatch(EditorAction.loaded("text of \(id)"))
                }
            }
            While.present { context in log.append("present \(context.current.id)") }
            OnChange(of: \.text) { _, text, _ in
                log.append("changed \(text ?? "nil")")
                return .none
            }
            Present(\.note) {
                While.present { context in log.append("note \(context.current.id)") }
            }
        }
    }

    /// Waits for as many lines in the log.
    private func lines(_ count: Int) async {
        while log.all.count < count { await Task.yield() }
    }

    private func makeStore() -> Store<Desk> {
        Store(Desk()) {
            Reduce { (desk: inout Desk, change: Change) in change.body(&desk) }
            Reduce { (desk: inout Desk, answer: Answer) in
                if answer == .again { desk.question = Dialog("B", [.init("Fine", .fine)]) }
            }
            Present(\.editor, editor)
            Present(\.panel, Feature<Panel> {})
            Present(\.question)
            Scope(each: \.desks) { Present(\.editor, editor) }
        }
    }

    @Test
    func `its effects begin, and those of the one before end with what they would answer`() async {
        let store = makeStore()
        store.dispatch(Change { $0.editor = Editor(id: 1) })
        store.dispatch(EditorAction.load, to: .child(\.editor))
        await lines(1)
        store.dispatch(Change { $0.editor = Editor(id: 2) })
        await lines(2)
        gate.open()
        await store.waitUntilIdle()
        #expect(store.state.editor == Editor(id: 2))
        #expect(log.all == ["present 1", "present 2"])
        await store.shutdown()
    }

    @Test
    func `one with the same id is the same instance`() async {
        let store = makeStore()
        store.dispatch(Change { $0.editor = Editor(id: 1) })
        store.dispatch(EditorAction.load, to: .child(\.editor))
        await lines(1)
        store.dispatch(Change { $0.editor = Editor(id: 1, text: "new") })
        gate.open()
        await store.waitUntilIdle()
        #expect(store.state.editor?.text == "text of 1")
        #expect(log.all == ["present 1", "changed new", "changed text of 1"])
        await store.shutdown()
    }

    @Test
    func `another child of a row is another instance, and so is what is inside it`() async {
        let store = makeStore()
        let row = store.scoped(to: .row(\.desks, id: 2))
        store.dispatch(Change { $0.desks[id: 2]?.editor = Editor(id: 1, note: Note()) })
        await lines(2)
        row.dispatch(EditorAction.load)
        store.dispatch(Change { $0.desks[id: 1]?.editor = Editor(id: 5) })
        store.dispatch(Change { $0.desks[id: 2]?.editor = Editor(id: 2, note: Note()) })
        await lines(5)
        gate.open()
        await store.waitUntilIdle()
        #expect(store.state.desks[id: 2]?.editor?.text == nil)
        #expect(
            log.all.sorted() == ["note 1", "note 1", "present 1", "present 2", "present 5"])
        await store.shutdown()
    }

    @Test @MainActor
    func `a view that says late that its child is gone does not dismiss the next one`() {
        let store = makeStore()
        let sending = store.scoped(sending: Change.self)
        let binding = \FeatureStore<Desk, Change>[presenting: \.editor]
        sending.send(Change { $0.editor = Editor(id: 1) })
        #expect(sending[keyPath: binding])
        sending.send(Change { $0.editor = Editor(id: 2) })
        let later = \FeatureStore<Desk, Change>[presenting: \.editor]
        #expect(sending[keyPath: later])
        sending[keyPath: binding] = false
        #expect(store.state.editor?.id == 2)
        sending[keyPath: later] = false
        #expect(store.state.editor == nil)
        sending.send(Change { $0.editor = Editor(id: 3) })
        sending[keyPath: later] = false
        #expect(store.state.editor?.id == 3)
    }

    @Test @MainActor
    func `without a binding, what was read last is dismissed`() {
        let store = makeStore()
        store.dispatch(Change { $0.editor = Editor(id: 1) })
        store[presenting: \.editor] = false
        #expect(store.state.editor == nil)
        store.dispatch(Change { $0.editor = Editor(id: 1) })
        #expect(store[presenting: \.editor])
        store.dispatch(Change { $0.editor = Editor(id: 2) })
        store[presenting: \.editor] = false
        #expect(store.state.editor?.id == 2)
        #expect(store[presenting: \.editor])
        store[presenting: \.editor] = false
        #expect(store.state.editor == nil)
    }

    @Test @MainActor
    func `a dialog that a button shows stays when the view says that the first one is gone`() {
        let store = makeStore()
        store.dispatch(Change { $0.question = Dialog("A", [.init("Again", .again)]) })
        #expect(store[presenting: \.question])
        store.dispatch(Answer.again)
        store[presenting: \.question] = false
        #expect(store.state.question?.title == "B")
    }

    @Test @MainActor
    func `a child without an id is dismissed whichever it is`() {
        let store = makeStore()
        store.dispatch(Change { $0.panel = Panel() })
        #expect(store[presenting: \.panel])
        store.dispatch(Change { $0.panel = Panel(texts: ["other"]) })
        store[presenting: \.panel] = false
        #expect(store.state.panel == nil)
    }
}
