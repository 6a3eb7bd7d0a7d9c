// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import Synchronization
import Testing

struct UndoableTests {
    struct Page: Codable, Equatable, Sendable {
        var fields = ["title": "", "notes": ""]
        var fromServer = 0
    }

    struct Editor: Sendable, Equatable, Codable {
        var page = Page()
        var undo = UndoStack<Page>()
        var clicks = 0
    }

    enum PageAction: Action, Codable {
        case type(String, field: String, at: Int64)
        case swap
        case received(Int)
        case click
    }

    private static let editor = Feature<Editor> {
        Undoable(\.page, stack: \.undo, limit: 5) {
            Reduce { (editor: inout Editor, action: PageAction) in
                switch action {
                case .type(let text, let field, _): editor.page.fields[field, default: ""] += text
                case .swap:
                    let title = editor.page.fields["title"]
                    editor.page.fields["title"] = editor.page.fields["notes"]
                    editor.page.fields["notes"] = title
                case .received(let number): editor.page.fromServer = number
                case .click: editor.clicks += 1
                }
            }
        }
        .recording(PageAction.self) { action in
            switch action {
            case .type(_, let field, let seconds):
                .group(
                    UndoGroup(
                        field, at: Timestamp(nanosecondsSince1970: seconds * 1_000_000_000),
                        within: .seconds(2)))
            case .received: .ignore
            case .swap, .click: .step
            }
        }
    }

    private let store = Store(Editor()) { Self.editor }

    private func type(_ text: String, _ field: String = "title", at seconds: Int64 = 0) {
        store.dispatch(PageAction.type(text, field: field, at: seconds))
    }

    private func undo() { if let action = store.state.undo.undo { store.dispatch(action) } }
    private func redo() { if let action = store.state.undo.redo { store.dispatch(action) } }
    private var title: String { store.state.page.fields["title"] ?? "" }

    @Test func `takes a change back and makes it again`() {
        type("a")
        store.dispatch(PageAction.swap)
        undo()
        #expect(title == "a")
        undo()
        #expect(title.isEmpty)
        #expect(store.state.undo.undo == nil)
        redo()
        redo()
        #expect(store.state.page.fields == ["title": "", "notes": "a"])
        #expect(store.state.undo.redo == nil)
    }

    @Test func `what is typed into one field without a pause is one step`() {
        type("a", at: 0)
        type("b", at: 1)
        type("c", at: 3)
        type("d", at: 9)
        type("x", "notes", at: 9)
        #expect(store.state.undo.count == 3)
        undo()
        #expect(title == "abcd")
        undo()
        #expect(title == "abc")
        undo()
        #expect(title.isEmpty)
    }

    @Test func `nothing joins a step that was undone and made again`() {
        type("a", at: 0)
        undo()
        redo()
        type("b", at: 1)
        undo()
        #expect(title == "a")
    }

    @Test func `a new change drops what was undone`() {
        type("a")
        undo()
        type("b")
        #expect(store.state.undo.redo == nil)
        #expect(title == "b")
    }

    @Test func `actions that change nothing of the slice, or are ignored, are no steps`() {
        store.dispatch(PageAction.click)
        store.dispatch(PageAction.received(7))
        #expect(store.state.undo.undo == nil)
    }

    @Test func `the oldest steps go when there are too many`() {
        for number in 0..<9 { type("\(number)", at: Int64(number) * 10) }
        #expect(store.state.undo.count == 5)
        for _ in 0..<9 { undo() }
        #expect(title == "0123")
    }

    @Test func `a late second click undoes nothing else`() throws {
        type("a", at: 0)
        type("b", at: 10)
        let action = try #require(store.state.undo.undo)
        store.dispatch(action)
        store.dispatch(action)
        #expect(title == "a")
    }

    @Test func `an undo is an entry that says which step, and replays exactly`() throws {
        let log = Mutex<[Entry]>([])
        struct Log: CommitObserver {
            let entries: @Sendable (Entry) -> Void
            func observe(_ commit: Commit<Editor>) { entries(commit.entry) }
        }
        let token = store.attach(Log { entry in log.withLock { $0.append(entry) } })
        type("a", at: 0)
        type("b", at: 10)
        undo()
        let middle = store.state
        redo()
        undo()
        undo()
        let entries = log.withLock { $0 }
        #expect(entries[2].action as? UndoAction == .undo(step: 2))
        #expect(store.replay(entries, from: Editor()) == store.state)
        // A log whose beginning was truncated begins with a state, which has the steps.
        let saved = try DataValue(encoding: middle).decoded(as: Editor.self)
        #expect(store.replay(entries.dropFirst(3), from: saved) == store.state)
        token.cancel()
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `undoing then redoing changes nothing, after any changes`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: undo()
            case 1: redo()
            case 2: store.dispatch(PageAction.swap)
            default:
                let field = Bool.random(using: &generator) ? "title" : "notes"
                type("x", field, at: Int64.random(in: 0...9, using: &generator))
            }
            let before = store.state
            undo()
            if store.state.page != before.page { redo() }
            #expect(store.state.page == before.page)
            redo()
            if store.state.page != before.page { undo() }
            #expect(store.state.page == before.page)
        }
        // All the way forth, back, and forth again.
        while store.state.undo.redo != nil { redo() }
        let last = store.state.page
        while store.state.undo.undo != nil { undo() }
        while store.state.undo.redo != nil { redo() }
        #expect(store.state.page == last)
    }
}
