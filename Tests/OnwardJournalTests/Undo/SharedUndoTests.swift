// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardJournal
@testable import struct TestSupport.SeededGenerator

struct SharedUndoTests {
    struct Note: Codable, Equatable, Identifiable, Sendable {
        let id: Int
        var text = ""
        var color = 0
        /// Which nobody undoes.
        var readers = 0
    }

    struct Board: Codable, Equatable, Sendable {
        var notes: EntityTable<Note> = []
        var undo = SharedUndo<Note>()

        var ids: [Int] { notes.map(\.id) }
    }

    enum Edit: Equatable, Codable, Sendable {
        case add(Note, at: Int)
        case remove(Int)
        case text(Int, String)
        case color(Int, Int)
        case read(Int)

        func apply(to notes: inout EntityTable<Note>) {
            switch self {
            case .add(let note, let index): notes.insert(note, at: min(index, notes.count))
            case .remove(let id): notes.remove(id: id)
            case .text(let id, let text): notes.update(id: id) { $0.text = text }
            case .color(let id, let color): notes.update(id: id) { $0.color = color }
            case .read(let id): notes.update(id: id) { $0.readers += 1 }
            }
        }
    }

    struct Edits: Action, Codable {
        var author: String?
        var edits: [Edit]
        var group: String?
    }

    struct Retitle: Action, Codable {
        let author: String
        let text: String
    }

    private static let features = Feature<Board> {
        UndoableRows(\.notes, restoring: \.text, \.color, stack: \.undo, limit: 20) {
            Scope(each: \.notes) {
                Reduce { (note: inout Note, action: Retitle) in note.text = action.text }
            }
            Reduce { (board: inout Board, action: Edits) in
                for edit in action.edits { edit.apply(to: &board.notes) }
            }
        }
        .recording(Edits.self, by: \.author) { action in
            action.group.map { .group(UndoGroup($0)) } ?? .step
        }
        .recording(Retitle.self, by: \.author)
    }

    private let store = Store(
        Board(notes: [1, 2, 3, 4, 5].reduce(into: []) { $0.append(Note(id: $1, text: "\($1)")) })
    ) { features }

    private func edit(_ author: String?, _ edits: Edit..., group: String? = nil) {
        store.dispatch(Edits(author: author, edits: edits, group: group))
    }

    @discardableResult private func undo(_ author: String) -> UndoRefusal? {
        if let undo = store.state.undo.undo(by: author) { store.dispatch(undo) }
        return store.state.undo.refusal(of: author)
    }

    @discardableResult private func redo(_ author: String) -> UndoRefusal? {
        if let redo = store.state.undo.redo(by: author) { store.dispatch(redo) }
        return store.state.undo.refusal(of: author)
    }

    @Test func `an undo takes back what its author did, and nothing of anybody else`() {
        edit("ann", .text(1, "ann"))
        edit("bob", .color(1, 7), .text(2, "bob"))
        edit(nil, .read(1))
        #expect(undo("ann") == nil)
        #expect(store.state.notes[id: 1] == Note(id: 1, text: "1", color: 7, readers: 1))
        #expect(store.state.notes[id: 2]?.text == "bob")
        #expect(redo("ann") == nil)
        #expect(store.state.notes[id: 1]?.text == "ann")
        #expect(undo("bob") == nil)
        #expect(store.state.notes[id: 1] == Note(id: 1, text: "ann", color: 0, readers: 1))
        #expect(store.state.undo.undo(by: "bob") == nil && store.state.undo.undo(by: "eve") == nil)
    }

    @Test func `an undo of what somebody has changed since is refused, and says why`() {
        edit("ann", .text(1, "ann"))
        edit("ann", .add(Note(id: 9), at: 0))
        edit("ann", .remove(3))
        edit("bob", .text(1, "bob"), .read(9), .add(Note(id: 3), at: 9))
        let before = store.state.notes
        #expect(undo("ann") == UndoRefusal(step: 3, row: "3", reason: .added))
        #expect(store.state.notes == before)
        store.dispatch(store.state.undo.forget(by: "ann")!)
        #expect(store.state.undo.refusal(of: "ann") == nil)
        #expect(undo("ann") == UndoRefusal(step: 2, row: "9", reason: .changed))
        store.dispatch(store.state.undo.forget(by: "ann")!)
        #expect(undo("ann") == UndoRefusal(step: 1, row: "1", reason: .changed))
        #expect(store.state.notes == before)
        // Once the other one has taken that back, it can be undone.
        undo("bob")
        #expect(undo("ann") == nil)
        #expect(store.state.notes[id: 1]?.text == "1")
        edit("ann", .color(4, 4))
        edit(nil, .remove(4))
        #expect(undo("ann")?.reason == .removed)
    }

    @Test func `a row that was removed comes back beside a neighbour that is still there`() {
        edit("ann", .remove(2), .remove(3))
        edit("bob", .remove(1), .add(Note(id: 8), at: 0))
        undo("ann")
        #expect(store.state.ids == [8, 2, 3, 4, 5])
        redo("ann")
        #expect(store.state.ids == [8, 4, 5])
        undo("bob")
        #expect(store.state.ids == [1, 4, 5])
        undo("ann")
        #expect(store.state.ids == [1, 2, 3, 4, 5])
        edit("ann", .add(Note(id: 6), at: 2), .add(Note(id: 7), at: 3))
        undo("ann")
        redo("ann")
        #expect(store.state.ids == [1, 2, 6, 7, 3, 4, 5])
    }

    @Test
    func `many rows that were removed together come back in their order, wherever they stood`() {
        edit(nil, .remove(1), .remove(2), .remove(3), .remove(4), .remove(5))
        for id in 1...60 { edit(nil, .add(Note(id: id), at: 99)) }
        let all = store.state.ids
        for range in [1...17, 30...60, 1...60, 20...41] {
            store.dispatch(Edits(author: "ann", edits: range.map { .remove($0) }, group: nil))
            undo("ann")
            #expect(store.state.ids == all, "\(range)")
            redo("ann")
            undo("ann")
            #expect(store.state.ids == all, "\(range)")
        }
        // One after the other, in one group.
        for id in (1...20).reversed() { edit("ann", .remove(id), group: "g") }
        undo("ann")
        #expect(store.state.ids == all)
        // What stood among them goes meanwhile.
        store.dispatch(Edits(author: "ann", edits: (10...40).map { .remove($0) }, group: nil))
        for id in 1...9 { edit("bob", .remove(id)) }
        undo("ann")
        #expect(store.state.ids == Array(10...60))
    }

    @Test func `a group keeps what others changed besides, and refuses where a step would`() {
        edit("ann", .add(Note(id: 9), at: 0), group: "g")
        edit("bob", .read(9))
        edit("ann", .text(9, "ann"), group: "g")
        #expect(undo("ann") == nil)
        #expect(store.state.notes[id: 9] == Note(id: 9, readers: 1))
        #expect(undo("ann")?.reason == .changed)
        edit("bob", .text(1, "bob"))
        edit("bob", .color(1, 1), group: "h")
        edit(nil, .read(1))
        edit("bob", .remove(1), group: "h")
        #expect(undo("bob") == nil)
        #expect(store.state.notes[id: 1] == Note(id: 1, text: "bob", readers: 1))
    }

    @Test func `a group that ends where it began leaves what could be undone and redone`() {
        edit("ann", .color(1, 5))
        undo("ann")
        edit("ann", .text(1, "x"), group: "g")
        edit("ann", .text(1, "1"), group: "g")
        redo("ann")
        #expect(store.state.notes[id: 1]?.color == 5)
        // Nor does it take a place among the steps.
        for number in 1...20 { edit("bob", .color(2, number)) }
        edit("bob", .text(2, "x"), group: "g")
        edit("bob", .text(2, "2"), group: "g")
        for number in (0..<20).reversed() {
            undo("bob")
            #expect(store.state.notes[id: 2]?.color == number)
        }
        // Nor among the authors.
        edit("cy", .text(3, "x"), group: "g")
        edit("cy", .text(3, "3"), group: "g")
        #expect(store.state.undo.undo(by: "cy") == nil && store.state.undo.authors.count == 2)
    }

    @Test func `the first recording of a type counts, also where it ignores the action`() {
        let store = Store(Board(notes: [Note(id: 1)])) {
            UndoableRows(\.notes, restoring: \.text, stack: \.undo) {
                Reduce { (board: inout Board, action: Edits) in
                    for edit in action.edits { edit.apply(to: &board.notes) }
                }
            }
            .recording(Edits.self, by: { _ in nil })
            .recording(Edits.self, by: \.author)
        }
        store.dispatch(Edits(author: "ann", edits: [.text(1, "ann")], group: nil))
        #expect(store.state.undo.undo(by: "ann") == nil)
    }

    @Test func `typing is one step until somebody else has changed the same`() {
        for text in ["a", "an", "ann"] { edit("ann", .text(1, text), group: "text") }
        edit("bob", .color(1, 3))
        edit("ann", .text(1, "anne"), group: "text")
        #expect(store.state.undo.count(by: "ann") == 2)
        undo("ann")
        undo("ann")
        #expect(store.state.notes[id: 1]?.text == "1")
        edit("ann", .text(1, "there"), group: "text")
        edit("ann", .text(1, "1"), group: "text")
        #expect(store.state.undo.count(by: "ann") == 0)
    }

    @Test func `what is dispatched to a row is a step as well, and steps are bounded`() {
        for number in 1...30 {
            store.dispatch(Retitle(author: "ann", text: "\(number)"), to: .row(\.notes, id: 5))
        }
        #expect(store.state.undo.count(by: "ann") == 20)
        for _ in 1...30 { undo("ann") }
        #expect(store.state.notes[id: 5]?.text == "10")
    }

    @Test func `of too many authors, who made a step longest ago is forgotten`() {
        let store = Store(Board(notes: [Note(id: 1)])) {
            UndoableRows(\Board.notes, restoring: \.color, stack: \.undo, authorLimit: 3) {
                Reduce { (board: inout Board, action: Edits) in
                    for edit in action.edits { edit.apply(to: &board.notes) }
                }
            }
            .recording(Edits.self, by: \.author)
        }
        for (number, author) in ["a", "b", "c", "a", "d"].enumerated() {
            store.dispatch(Edits(author: author, edits: [.color(1, number + 1)]))
        }
        #expect(["a", "b", "c", "d"].map { store.state.undo.count(by: $0) } == [2, 0, 1, 1])
    }

    // MARK: Two people against a model

    /// What a step changed, as somebody would note it by hand.
    private struct Noted {
        var fields: [(id: Int, isText: Bool, before: String, after: String)] = []
        var added: [Note] = []
        /// With the ids above, the nearest first, and below.
        var removed: [(note: Note, above: [Int], below: [Int])] = []
    }

    private static func note(_ old: [Note], _ new: [Note]) -> Noted {
        var noted = Noted()
        for (index, note) in old.enumerated() {
            guard let now = new.first(where: { $0.id == note.id }) else {
                noted.removed.append(
                    (note, old[..<index].reversed().map(\.id), old[(index + 1)...].map(\.id)))
                continue
            }
            if note.text != now.text { noted.fields.append((note.id, true, note.text, now.text)) }
            if note.color != now.color {
                noted.fields.append((note.id, false, "\(note.color)", "\(now.color)"))
            }
        }
        noted.added = new.filter { note in !old.contains { $0.id == note.id } }
        return noted
    }

    /// The rows after an undo; nil where it has to be refused.
    private static func undone(_ noted: Noted, in rows: [Note]) -> [Note]? {
        var rows = rows
        for field in noted.fields {
            guard let index = rows.firstIndex(where: { $0.id == field.id }) else { return nil }
            guard (field.isText ? rows[index].text : "\(rows[index].color)") == field.after
            else { return nil }
            if field.isText {
                rows[index].text = field.before
            } else {
                rows[index].color = Int(field.before) ?? 0
            }
        }
        for (note, _, _) in noted.removed where rows.contains(where: { $0.id == note.id }) {
            return nil
        }
        for note in noted.added {
            guard let index = rows.firstIndex(where: { $0.id == note.id }), rows[index] == note
            else { return nil }
        }
        for (note, above, below) in noted.removed {
            let after = above.lazy.compactMap { id in rows.firstIndex { $0.id == id } }.first
            let before = below.lazy.compactMap { id in rows.firstIndex { $0.id == id } }.first
            rows.insert(note, at: after.map { $0 + 1 } ?? before ?? rows.count)
        }
        rows.removeAll { row in noted.added.contains { $0.id == row.id } }
        return rows
    }

    @Test(arguments: 0..<60)
    func `two people who edit and undo in any order find what a model says`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var stacks: [String: [Noted]] = ["ann": [], "bob": []]
        var refusals = 0
        func rows() -> [Note] { Array(store.state.notes) }
        for number in 0..<120 {
            let author = Bool.random(using: &random) ? "ann" : "bob"
            let old = rows()
            if Int.random(in: 0..<3, using: &random) > 0 {
                let edits = (0..<Int.random(in: 1...3, using: &random)).map { _ -> Edit in
                    let id = Int.random(in: 1...9, using: &random)
                    switch Int.random(in: 0..<7, using: &random) {
                    case 0:
                        return .add(
                            Note(id: id, text: "\(number)"),
                            at: Int.random(in: 0..<9, using: &random))
                    case 1: return .remove(id)
                    case 2: return .read(id)
                    case 3, 4: return .text(id, "\(Int.random(in: 0..<4, using: &random))")
                    default: return .color(id, Int.random(in: 0..<3, using: &random))
                    }
                }
                // An action that takes a row away and adds it again is one of its own kind.
                let kinds = Set(
                    edits.map { edit in
                        if case .add = edit { return 1 }
                        if case .remove = edit { return 2 }
                        return 0
                    })
                if kinds.isSuperset(of: [1, 2]) { continue }
                store.dispatch(Edits(author: author, edits: edits))
                let noted = Self.note(old, rows())
                let counts = !noted.fields.isEmpty || !noted.added.isEmpty || !noted.removed.isEmpty
                if counts { stacks[author, default: []].append(noted) }
                stacks[author] = stacks[author]?.suffix(20)
            } else if let noted = stacks[author]?.last {
                let expected = Self.undone(noted, in: old)
                let refusal = undo(author)
                #expect((refusal == nil) == (expected != nil))
                #expect(rows() == expected ?? old)
                if expected == nil {
                    refusals += 1
                    let forget = try #require(store.state.undo.forget(by: author))
                    store.dispatch(forget)
                    stacks[author]?.removeLast()
                } else {
                    // Redone and undone again, nothing differs.
                    redo(author)
                    #expect(Set(rows().map(\.id)) == Set(old.map(\.id)))
                    #expect(rows().allSatisfy { row in old.contains(row) })
                    undo(author)
                    #expect(rows() == expected)
                    stacks[author]?.removeLast()
                }
            } else {
                #expect(store.state.undo.undo(by: author) == nil)
            }
            #expect(store.state.undo.count(by: author) == stacks[author]?.count)
        }
        let copy = try DataValue(encoding: store.state).decoded(as: Board.self)
        #expect(copy == store.state)
    }
}
