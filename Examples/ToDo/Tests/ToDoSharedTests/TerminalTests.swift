// SPDX-License-Identifier: MIT

import Onward
import Testing
import ToDoTasks

@testable import todo_terminal

@Suite struct TerminalTests {
    @Test(arguments: [
        ("add Buy milk", Command.add("Buy milk")), ("add", .add("")), ("done 2", .done(2)),
        ("rename 3 Buy  oat milk", .rename(3, "Buy  oat milk")), ("rename 3", .rename(3, "")),
        ("delete 1", .delete(1)), ("offline", .offline), ("online", .online), ("list", .list),
        ("quit", .quit), ("", nil), ("done", nil), ("done one", nil), ("delete -", nil),
        ("lists", nil), ("quit now", nil),
    ])
    func `a line is a command, or none`(line: String, command: Command?) {
        #expect(Command(line) == command)
    }

    private let milk = TaskItem(id: "a", name: "Milk")
    private let bread = TaskItem(id: "b", name: "Bread", state: .done)

    @Test func `a number stays that of its task when others add and delete some`() {
        var screen = Screen()
        #expect(screen.lines([milk], confirmed: [milk]) == ["1 [ ] Milk"])
        #expect(screen.changes(from: [milk], to: [bread, milk]) == ["+ 2 [x] Bread"])
        #expect(
            screen.lines([bread, milk], confirmed: [bread, milk]) == ["2 [x] Bread", "1 [ ] Milk"])
        #expect(screen.changes(from: [bread, milk], to: [bread]) == ["- 1 [ ] Milk"])
        #expect(screen.id(of: 1) == "a" && screen.id(of: 2) == "b")
        #expect(screen.id(of: 0) == nil && screen.id(of: 3) == nil)
    }

    @Test func `what the server doesn't have yet is marked`() {
        var screen = Screen()
        var renamed = milk
        renamed.name = "Oat milk"
        #expect(
            screen.lines([bread, renamed], confirmed: [milk])
                == ["1 [x] Bread  (waiting)", "2 [ ] Oat milk  (waiting)"])
        #expect(screen.lines([], confirmed: []) == ["nothing to do"])
    }

    @Test func `a title can't steer the terminal`() {
        var screen = Screen()
        let sly = TaskItem(id: "c", name: "\u{1B}[2J\u{202E}Milk\r\n")
        #expect(screen.line(sly, confirmed: sly) == "1 [ ] [2JMilk")
    }
}
