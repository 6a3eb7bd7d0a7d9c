// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardJournal
@testable import class TestSupport.Mistakes
@testable import struct TestSupport.SeededGenerator

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

    @Test func `the first recording of a type counts, also where it ignores the action`() {
        let store = Store(Editor()) {
            Undoable(\.page, stack: \.undo) {
                Reduce { (editor: inout Editor, _: PageAction) in editor.page.fromServer += 1 }
            }
            .recording(PageAction.self) { _ in .ignore }
            .recording(PageAction.self)
        }
        store.dispatch(PageAction.click)
        #expect(store.state.page.fromServer == 1 && store.state.undo.undo == nil)
    }

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

    @Test func `nothing joins a step before which another one was undone`() {
        type("a", at: 0)
        store.dispatch(PageAction.swap)
        undo()
        type("b", at: 1)
        #expect(title == "ab")
        undo()
        #expect(title == "a")
    }

    @Test func `what was ignored since goes back with the step, as a step is the whole slice`() {
        type("a", at: 0)
        store.dispatch(PageAction.received(7))
        type("b", at: 10)
        undo()
        #expect(store.state.page == Page(fields: ["title": "a", "notes": ""], fromServer: 7))
        store.dispatch(PageAction.received(9))
        redo()
        #expect(store.state.page == Page(fields: ["title": "ab", "notes": ""], fromServer: 7))
        undo()
        #expect(store.state.page.fromServer == 9)
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
        let log = Guarded<[LogEntry]>([])
        struct Log: CommitObserver {
            let entries: @Sendable (LogEntry) -> Void
            func observe(_ commit: Commit<Editor>) { entries(commit.entry) }
        }
        let token = store.log.attach(Log { entry in log.withValue { $0.append(entry) } })
        type("a", at: 0)
        type("b", at: 10)
        undo()
        let middle = store.state
        redo()
        undo()
        undo()
        let entries = log.withValue { $0 }
        #expect(entries[2].action as? UndoAction == .undo(step: 2))
        #expect(store.log.replay(entries, from: Editor()) == store.state)
        // A log whose beginning was truncated begins with a state, which has the steps.
        let saved = try DataValue(encoding: middle).decoded(as: Editor.self)
        #expect(store.log.replay(entries.dropFirst(3), from: saved) == store.state)
        token.cancel()
    }

    @Test(arguments: [
        #"{"done":[],"undone":[],"nextID":9223372036854775807}"#,
        #"{"done":[],"undone":[],"nextID":0}"#,
        #"{"done":[{"id":1,"value":1},{"id":1,"value":2}],"undone":[],"nextID":2}"#,
        #"{"done":[{"id":2,"value":1}],"undone":[],"nextID":2}"#,
        #"{"done":[],"undone":[{"id":-4,"value":1}],"nextID":2}"#,
    ])
    func `a stack from outside whose ids are not those of one is refused`(text: String) throws {
        let value = try DataFormat.json.value(of: Array(text.utf8))
        #expect {
            try value.decoded(as: UndoStack<Int>.self)
        } throws: { "\($0)".contains("the ids of the steps are not those of one stack") }
    }

    @Test func `changes that are said to belong together are one step`() {
        struct Drag: Action, Codable { var to: Int, gesture: String? }
        struct Map: Equatable, Sendable { var x = 0 }
        struct Desk: Sendable { var map = Map(), undo = UndoStack<Map>() }
        let store = Store(Desk()) {
            Undoable(\.map, stack: \.undo) {
                Reduce { (desk: inout Desk, drag: Drag) in desk.map.x = drag.to }
            }
            .recording(Drag.self) { drag in drag.gesture.map { .group(UndoGroup($0)) } ?? .step }
        }
        for x in 1...5 { store.dispatch(Drag(to: x, gesture: "first")) }
        for x in 6...9 { store.dispatch(Drag(to: x, gesture: "second")) }
        store.dispatch(Drag(to: 10, gesture: nil))
        store.dispatch(Drag(to: 11, gesture: nil))
        var seen: [Int] = []
        while let undo = store.state.undo.undo {
            store.dispatch(undo)
            seen.append(store.state.map.x)
        }
        #expect(seen == [10, 9, 5, 0])
    }

    @Test func `changes that follow one another closely in time are one step, whatever they are`() {
        @Sendable func group(_ milliseconds: Int64) -> UndoGroup {
            UndoGroup(
                "", at: Timestamp(nanosecondsSince1970: milliseconds * 1_000_000),
                within: .milliseconds(500))
        }
        struct Tap: Action, Codable { var at: Int64 }
        struct Count: Equatable, Sendable { var taps = 0 }
        struct Pad: Sendable { var count = Count(), undo = UndoStack<Count>() }
        let store = Store(Pad()) {
            Undoable(\.count, stack: \.undo) {
                Reduce { (pad: inout Pad, _: Tap) in pad.count.taps += 1 }
            }
            .recording(Tap.self) { .group(group($0.at)) }
        }
        // Each joins the one before it; a clock that was set back joins, too.
        for time: Int64 in [0, 400, 900, 1_401, 1_300, 2_000] { store.dispatch(Tap(at: time)) }
        #expect(store.state.undo.count == 3)
        if let undo = store.state.undo.undo { store.dispatch(undo) }
        #expect(store.state.count.taps == 5)
        if let undo = store.state.undo.undo { store.dispatch(undo) }
        #expect(store.state.count.taps == 3)
    }

    @Test func `two stacks of one feature undo each its own slice`() throws {
        struct Note: Equatable, Codable, Sendable { var text = "" }
        struct Desk: Sendable {
            var left = Note()
            var right = Note()
            var leftUndo = UndoStack<Note>("left")
            var rightUndo = UndoStack<Note>("right")
        }
        struct Left: Action, Codable { var text: String }
        struct Right: Action, Codable { var text: String }
        let store = Store(Desk()) {
            Undoable(\.left, stack: \.leftUndo) {
                Reduce { (desk: inout Desk, action: Left) in desk.left.text += action.text }
            }
            .recording(Left.self)
            Undoable(\.right, stack: \.rightUndo) {
                Reduce { (desk: inout Desk, action: Right) in desk.right.text += action.text }
            }
            .recording(Right.self)
        }
        store.dispatch(Left(text: "l"))
        store.dispatch(Right(text: "r"))
        let undo = try #require(store.state.leftUndo.undo)
        #expect(undo == .undo(step: 1, of: "left"))
        store.dispatch(undo)
        #expect(store.state.left.text.isEmpty)
        #expect(store.state.right.text == "r")
        #expect(store.state.rightUndo.count == 1)
        if let redo = store.state.leftUndo.redo { store.dispatch(redo) }
        #expect(store.state.left.text == "l")
        // The encoded action has the name only where the stack has one.
        let plain = try DataValue(encoding: UndoAction.undo(step: 3))
        #expect(plain == ["undo": ["step": 3]])
        #expect(try plain.decoded(as: UndoAction.self) == .undo(step: 3))
    }

    // MARK: Children and rows

    private struct Ticket: Equatable, Sendable, Codable, Identifiable { var id: Int, title = "" }
    private struct Board: Equatable, Sendable {
        var tickets: EntityTable<Ticket> = [Ticket(id: 1), Ticket(id: 2)]
        var renames = 0
    }
    private struct Office: Sendable { var board = Board(), undo = UndoStack<Board>() }
    private struct Home: Sendable { var office = Office(), other = Office() }
    private enum TicketAction: Action, Codable { case rename(String), look }

    private static let office = Feature<Office> {
        Undoable(\.board, stack: \.undo, limit: 3) {
            Scope(\.board) {
                Scope(each: \.tickets) {
                    Reduce { (ticket: inout Ticket, action: TicketAction) in
                        if case .rename(let title) = action { ticket.title = title }
                    }
                }
                Reduce(each: \.tickets) { (board: inout Board, _: Int, action: TicketAction) in
                    if case .rename = action { board.renames += 1 }
                }
            }
        }
        .recording(TicketAction.self)
    }

    @Test func `what a row's store dispatches is a step of its parent, and goes back and forth`()
        throws
    {
        let mistakes = Guarded<[ProgrammerError]>([])
        let store = Store(
            Home(),
            options: StoreOptions(
                onProgrammerError: { mistake in mistakes.withValue { $0.append(mistake) } })
        ) {
            Scope(\.office, Self.office)
            Scope(\.other, Self.office)
        }
        func row(_ id: Int) -> Store<Ticket?> {
            store.scoped(to: \.office).scoped(to: \.board).scoped(to: .row(\.tickets, id: id))
        }
        func titles() -> [String] { store.state.office.board.tickets.map(\.title) }
        row(1).dispatch(TicketAction.rename("a"))
        row(2).dispatch(TicketAction.rename("b"))
        row(2).dispatch(TicketAction.look)
        row(9).dispatch(TicketAction.rename("nobody"))
        #expect(store.state.office.undo.count == 2)
        #expect(store.state.other.undo.count == 0)
        let office = store.scoped(to: \.office)
        office.dispatch(try #require(office.state.undo.undo))
        #expect(titles() == ["a", ""])
        #expect(office.state.board.renames == 1)
        office.dispatch(try #require(office.state.undo.undo))
        #expect(titles() == ["", ""])
        #expect(office.state.board.renames == 0)
        #expect(office.state.undo.undo == nil)
        office.dispatch(try #require(office.state.undo.redo))
        office.dispatch(try #require(office.state.undo.redo))
        #expect(titles() == ["a", "b"])
        // Sent to all of both, it is one step of each.
        store.dispatch(TicketAction.rename("all"))
        #expect(store.state.office.undo.count == 3)
        #expect(store.state.other.undo.count == 1)
        #expect(store.state.other.board.renames == 2)
        #expect(mistakes.withValue { $0 }.isEmpty)
    }

    @Test func `a full stack shares its steps with its older versions`() {
        var stack = UndoStack<Int>()
        let limit = 1_000
        for number in 0..<limit {
            stack.begin(number)
            stack.end(number + 1, in: nil, limit: limit, isSame: ==)
        }
        // As many versions as a history may keep; with copies of their steps they'd have a million.
        var versions: [UndoStack<Int>] = []
        for number in limit..<limit + 1_000 {
            stack.begin(number)
            stack.end(number + 1, in: nil, limit: limit, isSame: ==)
            versions.append(stack)
        }
        #expect(versions.allSatisfy { $0.count == limit })
        var value = limit + 1_000
        var undone: [Int] = []
        while let undo = stack.undo, stack.perform(undo, on: &value) { undone.append(value) }
        #expect(undone == Array((limit..<2 * limit).reversed()))
        while let redo = stack.redo { _ = stack.perform(redo, on: &value) }
        #expect(value == limit + 1_000)
        #expect(stack == versions.last)
        #expect(stack != versions.first)
    }

    @Test func `a history travels over undo steps`() {
        let history = History(of: store)
        type("a", at: 0)
        type("b", at: 10)
        undo()
        #expect(title == "a")
        history.jump(to: 2)
        #expect(title == "ab")
        #expect(store.state.undo.redo == nil)
        // While another moment is shown an undo is recorded and changes nothing.
        undo()
        #expect(title == "ab")
        history.jumpToEnd()
        // It named step 2, which the undo before it had taken back already.
        #expect(title == "a")
        undo()
        #expect(title.isEmpty)
        // Skipped, the first undo leaves its step to the second one.
        history.toggle(3)
        #expect(title.isEmpty)
        // Without that, too, the last one names a step that is not the next one to undo.
        history.toggle(4)
        #expect(title == "ab")
        #expect(store.state.undo.count == 2)
        #expect(history.log.staged.count == 5)
    }

    @Test
    func `an Undoable that records nothing is reported`() {
        let mistakes = Mistakes()
        let store = Store(Editor(), options: mistakes.options()) {
            Undoable(\.page, stack: \.undo) {
                Reduce { (editor: inout Editor, _: PageAction) in editor.clicks += 1 }
            }
        }
        store.dispatch(PageAction.swap)
        #expect(mistakes.kinds == [.undoableWithoutRecording])
        #expect(
            mistakes.all.first?.description == """
                An Undoable of \\Editor.page says of no type of action that its changes are recorded, so \
                there is never anything to undo. To fix this, write .recording(SomeAction.self) behind \
                its parts, once for each type whose changes are steps.
                """)
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
        // All the way forward, back, and forward again.
        while store.state.undo.redo != nil { redo() }
        let last = store.state.page
        while store.state.undo.undo != nil { undo() }
        while store.state.undo.redo != nil { redo() }
        #expect(store.state.page == last)
    }
}
