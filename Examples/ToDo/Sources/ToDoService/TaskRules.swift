// SPDX-License-Identifier: MIT

import ToDoTasks

/// What a task has to be like, so that the service keeps it.
///
/// The same rules stand in `openapi.json`.
enum TaskRules {
    static let idLimit = 64
    static let nameLimit = 200
    static let notesLimit = 10_000

    /// Whether a text may be the id of a task.
    static func isID(_ text: String) -> Bool {
        1...idLimit ~= text.utf8.count
            && text.utf8.allSatisfy { byte in
                switch Unicode.Scalar(byte) {
                case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
                default: false
                }
            }
    }

    /// What is wrong with a task; nothing if the service keeps it.
    static func flaws(of task: TaskItem) -> [Flaw] {
        var flaws: [Flaw] = []
        if !isID(task.id) {
            flaws.append(
                Flaw("id", "The id has 1 to \(idLimit) letters, digits, hyphens and underscores."))
        }
        if task.name.unicodeScalars.count > nameLimit {
            flaws.append(Flaw("name", "The title has more than \(nameLimit) characters."))
        }
        if task.name.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
            flaws.append(Flaw("name", "The title is empty."))
        }
        if task.name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            flaws.append(Flaw("name", "The title has control characters, such as a line break."))
        }
        if let notes = task.notes {
            if notes.unicodeScalars.count > notesLimit {
                flaws.append(Flaw("notes", "The notes have more than \(notesLimit) characters."))
            }
            if notes.unicodeScalars.contains("\0") {
                flaws.append(Flaw("notes", "The notes have a character U+0000."))
            }
        }
        return flaws
    }
}

/// What is wrong with a field of a task.
struct Flaw: Encodable, Equatable {
    /// Where the field is in the body (RFC 6901, as a fragment).
    let pointer: String
    let detail: String

    init(_ field: String, _ detail: String) { (pointer, self.detail) = ("#/\(field)", detail) }
}
