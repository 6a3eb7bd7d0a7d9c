// SPDX-License-Identifier: MIT

import ToDoTasks

/// A task on the wire.
///
/// Its date is sent as `dd/MM/yyyy`, or `--` if there is none, and answered as
/// `yyyy-MM-dd'T'HH:mm:ssZ`, or not at all.
struct TaskJSON: Codable {
    let task: TaskItem

    private enum Key: CodingKey { case id, name, dueDate, notes, state }

    init(task: TaskItem) { self.task = task }

    init(from decoder: any Decoder) throws {
        let json = try decoder.container(keyedBy: Key.self)
        let date = try json.decodeIfPresent(String.self, forKey: .dueDate)
        task = TaskItem(
            id: try json.decode(String.self, forKey: .id),
            name: try json.decode(String.self, forKey: .name),
            dueDate: try date.map { text in
                guard let date = CalendarDate(timestamp: text) else {
                    throw DecodingError.dataCorruptedError(
                        forKey: .dueDate, in: json, debugDescription: "This is no time stamp.")
                }
                return date
            },
            notes: try json.decodeIfPresent(String.self, forKey: .notes),
            state: TaskItem.State(rawValue: try json.decode(Int.self, forKey: .state)) ?? .unknown)
    }

    func encode(to encoder: any Encoder) throws {
        var json = encoder.container(keyedBy: Key.self)
        try json.encode(task.id, forKey: .id)
        try json.encode(task.name, forKey: .name)
        try json.encode(task.dueDate?.slashed ?? "--", forKey: .dueDate)
        try json.encodeIfPresent(task.notes, forKey: .notes)
        try json.encode(task.state.rawValue, forKey: .state)
    }
}
