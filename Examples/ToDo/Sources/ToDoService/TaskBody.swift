// SPDX-License-Identifier: MIT

import Foundation
import ToDoTasks

/// A task as it comes in: `dueDate` is `dd/MM/yyyy`, `--` or absent; other fields aren't allowed.
struct TaskBody: Decodable {
    let task: TaskItem

    /// Reads the body of a request.
    ///
    /// - Throws: ``Refusal`` when it isn't JSON or no task that the service keeps.
    static func read(_ json: Data) throws(Refusal) -> TaskItem {
        let task: TaskItem
        do {
            task = try JSONDecoder().decode(Self.self, from: json).task
        } catch let error as DecodingError {
            throw Refusal(error)
        } catch {
            throw .malformed
        }
        let flaws = TaskRules.flaws(of: task)
        guard flaws.isEmpty else { throw .invalid(flaws) }
        return task
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Name.self)
        let known = Set(["id", "name", "dueDate", "notes", "state"])
        if let stranger = fields.allKeys.first(where: { !known.contains($0.stringValue) }) {
            throw DecodingError.dataCorruptedError(
                forKey: stranger, in: fields, debugDescription: "A task has no such field.")
        }
        // As a number first: of one with a fraction the decoder wouldn't say where it is.
        let number = Int(exactly: try fields.decode(Double.self, forKey: "state"))
        guard let state = number.flatMap(TaskItem.State.init) else {
            throw DecodingError.dataCorruptedError(
                forKey: "state", in: fields, debugDescription: "The state is -1, 0 or 1.")
        }
        task = TaskItem(
            id: try fields.decode(String.self, forKey: "id"),
            name: try fields.decode(String.self, forKey: "name"),
            dueDate: try Self.date(in: fields),
            notes: fields.contains("notes") ? try fields.decode(String.self, forKey: "notes") : nil,
            state: state)
    }

    private static func date(in fields: KeyedDecodingContainer<Name>) throws -> CalendarDate? {
        guard fields.contains("dueDate") else { return nil }
        let text = try fields.decode(String.self, forKey: "dueDate")
        guard text != "--" else { return nil }
        guard let date = CalendarDate(slashed: text) else {
            throw DecodingError.dataCorruptedError(
                forKey: "dueDate", in: fields,
                debugDescription: "The date is a day as dd/MM/yyyy, or --.")
        }
        return date
    }

    /// The name of a field, whatever it is.
    private struct Name: CodingKey, ExpressibleByStringLiteral {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringLiteral value: String) { stringValue = value }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension Refusal {
    /// What a decoding error says, without the names of our types.
    fileprivate init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, _):
            self = .invalid([Flaw(key.stringValue, "This field is missing.")])
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            guard let key = context.codingPath.last else {
                self = .invalid([Flaw("", "The body is no object.")])
                return
            }
            self = .invalid([Flaw(key.stringValue, "This field has a value of another type.")])
        case .dataCorrupted(let context):
            guard let key = context.codingPath.last else {
                self = .malformed
                return
            }
            self = .invalid([Flaw(key.stringValue, context.debugDescription)])
        @unknown default: self = .malformed
        }
    }
}
