// SPDX-License-Identifier: MIT

import Foundation
import Observation
import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite(.timeLimit(.minutes(5))) struct PresentTests {
    enum DeskAction: Action, Equatable { case open, ask, delete, keep }
    enum EditorAction: Action, Equatable { case save, close, help }

    struct Editor: Equatable, Sendable {
        var saves = 0
        var toolbar = Toolbar()
        var help: Toolbar?
    }
    struct Toolbar: Equatable, Sendable { var isOpen = false }
    enum ToolbarAction: Action { case close }

    struct Desk: Equatable, Sendable {
        var editor: Editor?
        var question: Dialog<DeskAction>?
        var notes = 3
        var seen: [Bool] = []
    }

    static let question = Dialog<DeskAction>(
        "Delete?",
        [.init("Delete", role: .destructive, .delete), .init("Keep", role: .cancel)])

    static let toolbar = Feature<Toolbar> {
        Reduce { (toolbar, action: ToolbarAction) in toolbar.isOpen = false }
        OnAction { (action: ToolbarAction, context) in .dismiss() }
    }

    static let editor = Feature<Editor> {
        Reduce { (editor, action: EditorAction) in
            switch action {
            case .save: editor.saves += 1
            case .help: editor.help = Toolbar()
            case .close: break
            }
        }
        OnAction { (action: EditorAction, context) in
            switch action {
            case .save: .run { context.dismiss() }
            case .close: .dismiss()
            case .help: .none
            }
        }
        Scope(\.toolbar, toolbar)
        Present(\.help, toolbar)
    }

    static let desk = Feature<Desk> {
        Reduce { (desk, action: DeskAction) in
            switch action {
            case .open: desk.editor = Editor()
            case .ask: desk.question = question
            case .delete:
                desk.seen.append(desk.question != nil)
                desk.notes -= 1
            case .keep: break
            }
        }
        Present(\.editor, editor)
        Present(\.question)
    }

    private func opened() -> Store<Desk> {
        let store = Store(Desk()) { Self.desk }
        store.dispatch(DeskAction.open)
        return store
    }

    @Test(arguments: [EditorAction.save, .close])
    func `a child dismisses itself, and its effect ends`(action: EditorAction) async {
        let store = opened()
        await store.scoped(to: \.editor).run(action)
        await store.waitUntilIdle()
        #expect(store.state.editor == nil)
        #expect(store.diagnostics.runningEffects.isEmpty)
    }

    @Test
    func `a test store sees the dismissal as an action of the child`() async {
        let store = TestStore(Desk(editor: Editor())) { Self.desk }
        await store.dispatch(EditorAction.close, to: .child(\.editor))
        await store.receive(PresentationAction.dismiss) { $0.editor = nil }
        await store.finish()
    }

    @Test
    func `a feature inside a presented one dismisses the nearest that is presented`() async {
        let store = opened()
        let editor = store.scoped(to: \.editor).unwrapped()
        editor?.dispatch(EditorAction.help)
        await editor?.scoped(to: \.help).run(ToolbarAction.close)
        #expect(store.state.editor?.help == nil)
        #expect(store.state.editor != nil)
        editor?.dispatch(EditorAction.help)
        await editor?.scoped(to: \.toolbar).run(ToolbarAction.close)
        await store.waitUntilIdle()
        #expect(store.state.editor == nil)
    }

    @Test
    func `where nothing is presented, dismissing is reported as unhandled`() async {
        let mistakes = Log<ProgrammerError>()
        let options = StoreOptions(onProgrammerError: { mistakes.append($0) })
        let store = Store(Toolbar(), options: options) { Self.toolbar }
        await store.run(ToolbarAction.close)
        await store.waitUntilIdle()
        #expect(mistakes.all.map(\.kind) == [.unhandledAction])
    }

    @Test
    func `a button's action closes the dialog in its own commit, after the reducer`() {
        let store = Store(Desk()) { Self.desk }
        store.dispatch(DeskAction.ask)
        #expect(store.state.question == Self.question)
        store.dispatch(DeskAction.delete)
        #expect(store.state == Desk(notes: 2, seen: [true]))
        #expect(store.log.version == 2)
    }

    @Test
    func `an action of no button leaves the dialog, and a button without an action dismisses it`() {
        let store = Store(Desk()) { Self.desk }
        store.dispatch(DeskAction.ask)
        store.dispatch(DeskAction.keep)
        #expect(store.state.question == Self.question)
        #expect(store.scoped(to: \.question).dispatch(PresentationAction.dismiss).version == 3)
        #expect(store.state.question == nil)
        #expect(
            store.scoped(to: \.question).dispatch(PresentationAction.dismiss) == .refused(.absent))
    }

    @Test @MainActor
    func `a view observes whether the child is there, and dismisses it by assigning false`() async {
        let store = opened()
        let notified = Log<Bool>()
        let desk = store.scoped(sending: DeskAction.self)
        withObservationTracking {
            #expect(desk[presenting: \.editor])
        } onChange: {
            notified.append(store.state.editor != nil)
        }
        store.scoped(to: \.editor).dispatch(EditorAction.help)
        #expect(notified.all.isEmpty)
        desk[presenting: \.editor] = true
        #expect(store.log.version == 2)
        desk[presenting: \.editor] = false
        #expect(store.state.editor == nil)
        #expect(!store[presenting: \.editor])
        #expect(notified.all == [false])
        desk[presenting: \.editor] = false
        #expect(store.log.version == 3)
    }

    @Test
    func `a parent that is listed before sees the child that is dismissed`() {
        let saves = Log<Int?>()
        let store = Store(Desk(editor: Editor(saves: 7))) {
            Reduce(child: \.editor) { (desk, _: PresentationAction) in
                saves.append(desk.editor?.saves)
            }
            Self.desk
        }
        store[presenting: \.editor] = false
        #expect(saves.all == [7])
        #expect(store.state.editor == nil)
    }

    @Test(arguments: [true, false])
    func `an answer's reducer sees the dialog, and another one that it shows stays, in any order`(
        isFirst: Bool
    ) {
        let store = Store(Desk()) {
            if isFirst { Present(\.question) }
            Reduce { (desk: inout Desk, action: DeskAction) in
                desk.seen.append(desk.question != nil)
                // Shows the same question until there are no more notes.
                if case .delete = action, desk.notes > 0 {
                    desk.notes -= 1
                    if desk.notes > 1 { desk.question = Self.question }
                }
                if case .ask = action { desk.question = Self.question }
            }
            if !isFirst { Present(\.question) }
        }
        store.dispatch(DeskAction.ask)
        store.dispatch(DeskAction.delete)
        #expect(store.state.question == Self.question)
        store.dispatch(DeskAction.keep)
        #expect(store.state.question == Self.question)
        store.dispatch(DeskAction.delete)
        #expect(store.state.question == nil)
        store.dispatch(DeskAction.delete)
        #expect(store.state.seen == [false, true, true, true, false])
    }

    @Test
    func `a dialog that a reducer keeps elsewhere is written as it was`() throws {
        struct Kept: Equatable, Sendable {
            var question: Dialog<KeptAction>?
            var last: Dialog<KeptAction>?
        }
        enum KeptAction: Action, Equatable, Codable { case yes }
        let question = Dialog<KeptAction>("Sure?", [.init("Yes", .yes)])
        let store = Store(Kept(question: question)) {
            Reduce { (kept, _: KeptAction) in kept.last = kept.question }
            Present(\.question)
        }
        store.dispatch(KeptAction.yes)
        let kept = try #require(store.state.last)
        #expect(store.state.question == nil)
        #expect(kept == question)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(try encoder.encode(kept) == encoder.encode(question))
    }

    @Test
    func `a dismissal that a setter ignores is reported`() {
        enum Step: Sendable {
            case list
            case editor(Editor)

            var editor: Editor? {
                get { if case .editor(let editor) = self { editor } else { nil } }
                set { if let newValue { self = .editor(newValue) } }
            }
        }
        let mistakes = Log<ProgrammerError>()
        let options = StoreOptions(onProgrammerError: { mistakes.append($0) })
        let store = Store(Step.editor(Editor()), options: options) {
            Present(\.editor, name: "editor", Self.editor)
        }
        store.dispatch(PresentationAction.dismiss, to: Address("editor") ?? .root)
        #expect(store.state.editor != nil)
        #expect(mistakes.all.map(\.kind) == [.ignoredDismissal])
        #expect(mistakes.all.first?.description.contains("its setter ignores nil") == true)
    }
}
