// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardJournal
@testable import struct TestSupport.SeededGenerator

struct UndoGroupTests {
    struct Sheet: Sendable, Equatable, Codable {
        var x = 0
        var y = 0
        var scroll = 0
        var zoom = 1.0
    }

    struct Desk: Sendable, Equatable, Codable {
        var sheet = Sheet()
        var undo = UndoStack<Sheet>()
    }

    enum Move: Action, Codable {
        case drag(Int)
        case other(Int)
        case scroll(Int)
        case zoom(Double)
    }

    private static func reduce(_ desk: inout Desk, _ move: Move) {
        switch move {
        case .drag(let x): desk.sheet.x = x
        case .other(let y): desk.sheet.y = y
        case .scroll(let scroll): desk.sheet.scroll = scroll
        case .zoom(let zoom): desk.sheet.zoom = zoom
        }
    }

    private static let recording: @Sendable (Move) -> UndoRecording = { move in
        switch move {
        case .drag: .group(UndoGroup("drag"))
        case .scroll: .ignore
        default: .step
        }
    }

    private let store = Store(Desk()) {
        Undoable(\Desk.sheet, stack: \.undo, limit: 3) {
            Reduce { (desk: inout Desk, move: Move) in Self.reduce(&desk, move) }
        }
        .recording(Move.self, as: Self.recording)
    }

    private func drag(_ places: Int...) { for x in places { store.dispatch(Move.drag(x)) } }

    private func undo() { if let action = store.state.undo.undo { store.dispatch(action) } }
    private func redo() { if let action = store.state.undo.redo { store.dispatch(action) } }

    @Test func `a group that ends where it began is no step`() {
        drag(5, 3, 0)
        #expect(store.state.undo.count == 0)
        #expect(store.state.undo.undo == nil)
        store.dispatch(Move.other(1))
        drag(5, 0)
        #expect(store.state.undo.count == 1)
        undo()
        #expect(store.state.sheet == Sheet())
    }

    @Test func `what could be redone before such a group still can be`() {
        store.dispatch(Move.other(1))
        store.dispatch(Move.other(2))
        undo()
        drag(5)
        #expect(store.state.undo.redo == nil)
        drag(0)
        #expect(store.state.undo.redo != nil)
        redo()
        #expect(store.state.sheet == Sheet(y: 2))
        undo()
        undo()
        #expect(store.state.sheet == Sheet())
    }

    @Test func `dragged back and on is one step`() {
        drag(5, 0, 7)
        #expect(store.state.undo.count == 1)
        drag(0, 8, 9)
        #expect(store.state.undo.count == 1)
        undo()
        #expect(store.state.sheet.x == 0)
        redo()
        #expect(store.state.sheet.x == 9)
    }

    @Test func `such a group pushes out no older step`() {
        for y in 1...3 { store.dispatch(Move.other(y)) }
        drag(5, 0)
        #expect(store.state.undo.count == 3)
        for _ in 0..<3 { undo() }
        #expect(store.state.sheet == Sheet())
    }

    @Test func `a value that does not equal itself is no new step while it stays`() {
        store.dispatch(Move.zoom(.nan))
        store.dispatch(Move.zoom(.nan))
        #expect(store.state.undo.count == 1)
        undo()
        #expect(store.state.sheet == Sheet())
    }

    @Test func `only what is declared is restored, and only that makes a step`() {
        let store = Store(Desk()) {
            Undoable(\Desk.sheet, restoring: \.x, \.y, stack: \.undo) {
                Reduce { (desk: inout Desk, move: Move) in Self.reduce(&desk, move) }
            }
            .recording(Move.self) { _ in .step }
        }
        store.dispatch(Move.drag(1))
        store.dispatch(Move.scroll(5))
        #expect(store.state.undo.count == 1)
        if let undo = store.state.undo.undo { store.dispatch(undo) }
        #expect(store.state.sheet == Sheet(scroll: 5))
        if let redo = store.state.undo.redo { store.dispatch(redo) }
        store.dispatch(Move.scroll(9))
        store.dispatch(Move.other(2))
        if let undo = store.state.undo.undo { store.dispatch(undo) }
        #expect(store.state.sheet == Sheet(x: 1, scroll: 9))
    }

    @Test(arguments: [(1_001, 1), (1_002, 2), (999, 1), (400, 2), (-5, 2)] as [(Int64, Int)])
    func `a pause is as long backwards, where a clock was set back`(second: Int64, steps: Int) {
        func group(_ seconds: Int64) -> UndoGroup {
            UndoGroup(
                "text", at: Timestamp(nanosecondsSince1970: seconds * 1_000_000_000),
                within: .seconds(1))
        }
        var stack = UndoStack<Int>()
        for (value, time) in [(1, 1_000), (2, second)] as [(Int, Int64)] {
            stack.begin(value - 1)
            stack.end(value, in: group(time), limit: 9, isSame: ==)
        }
        #expect(stack.count == steps)
    }

    /// The same with plain lists.
    private struct Model {
        var (value, done, undone) = (0, [Int](), [Int]())
        var open: (group: String, began: Int, done: [Int], undone: [Int])?

        mutating func change(to new: Int, in group: String?) {
            guard new != value else { return }
            defer { value = new }
            if let open, open.group == group {
                guard new == open.began else { return }
                (done, undone) = (open.done, open.undone)
                return self.open = nil
            }
            open = group.map { ($0, value, done, undone) }
            done = (done + [value]).suffix(3)
            undone = []
        }

        mutating func undo() {
            guard let last = done.popLast() else { return }
            undone.append(value)
            (value, open) = (last, nil)
        }

        mutating func redo() {
            guard let next = undone.popLast() else { return }
            done.append(value)
            (value, open) = (next, nil)
        }
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `random groups are what plain lists make of them, also after restarts`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        var (model, stack, value) = (Model(), UndoStack<Int>(), 0)
        for step in 0..<300 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1:
                model.undo()
                if let undo = stack.undo { #expect(stack.perform(undo, on: &value)) }
            case 2, 3:
                model.redo()
                if let redo = stack.redo { #expect(stack.perform(redo, on: &value)) }
            case 4:
                let saved = try DataValue(encoding: stack).decoded(as: UndoStack<Int>.self)
                #expect(saved == stack, "step \(step)")
                stack = saved
            default:
                let group = ["a", "b", nil].randomElement(using: &random) ?? nil
                let new = Int.random(in: 0..<3, using: &random)
                stack.begin(value)
                stack.end(new, in: group.map { UndoGroup($0) }, limit: 3, isSame: ==)
                model.change(to: new, in: group)
                value = new
            }
            #expect(value == model.value, "step \(step)")
            #expect(stack.count == model.done.count, "step \(step)")
            #expect((stack.redo != nil) == !model.undone.isEmpty, "step \(step)")
        }
    }
}
