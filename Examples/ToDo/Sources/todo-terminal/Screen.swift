// SPDX-License-Identifier: MIT

import Onward
import ToDoTasks

/// Says what is in the list, with a number for each task that stays its own while the program runs.
///
/// Others add and delete tasks at any time: a place in the list would name another task a moment later.
struct Screen {
    private var ids: [TaskItem.ID] = []
    private var numbers: [TaskItem.ID: Int] = [:]

    /// The task with a number; nil if none had it.
    func id(of number: Int) -> TaskItem.ID? {
        ids.indices.contains(number - 1) ? ids[number - 1] : nil
    }

    private mutating func number(of id: TaskItem.ID) -> Int {
        if let number = numbers[id] { return number }
        ids.append(id)
        numbers[id] = ids.count
        return ids.count
    }

    /// A task as a line; it waits where the server has something else of it, or nothing.
    mutating func line(_ task: TaskItem, confirmed: TaskItem?) -> String {
        let box = task.state == .done ? "[x]" : "[ ]"
        let waits = task == confirmed ? "" : "  (waiting)"
        return "\(number(of: task.id)) \(box) \(task.name.printable)\(waits)"
    }

    /// All tasks, a line for each.
    mutating func lines(
        _ tasks: EntityTable<TaskItem>, confirmed: EntityTable<TaskItem>
    ) -> [String] {
        tasks.isEmpty
            ? ["nothing to do"] : tasks.map { line($0, confirmed: confirmed[id: $0.id]) }
    }

    /// What differs between two moments, a line for each task.
    mutating func changes(
        from old: EntityTable<TaskItem>, to new: EntityTable<TaskItem>
    ) -> [String] {
        let changes = new.changes(since: old)
        let removed = changes.removed.compactMap { old[id: $0] }
        let changed = (changes.inserted + changes.updated).compactMap { new[id: $0] }
        return removed.map { "- \(line($0, confirmed: $0))" }
            + changed.map { "+ \(line($0, confirmed: $0))" }
    }
}

extension String {
    /// Without characters that a terminal would obey.
    fileprivate var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { !$0.properties.isControl }))
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isControl: Bool { generalCategory == .control || generalCategory == .format }
}
