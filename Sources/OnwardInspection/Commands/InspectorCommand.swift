// SPDX-License-Identifier: MIT

/// A command for a store whose log is being inspected.
///
/// Encoded flat, as programs and forms send it: `{"command": "jump", "moment": 3}`.
public enum InspectorCommand: Sendable, Hashable {
    /// Shows the moment at an index, 0 for the base.
    case jump(moment: Int)
    /// Shows the moment right after an entry.
    case show(entry: Int)
    /// Moves a number of moments forward or, if negative, back.
    case step(by: Int)
    /// Shows the newest moment; the store goes live again.
    case live
    /// Skips an entry, or runs it again if it was skipped.
    case toggle(entry: Int)
    /// Skips the entries whose ids are in a range.
    case skip(from: Int, to: Int)
    /// Runs the entries whose ids are in a range.
    case run(from: Int, to: Int)
    /// Moves an entry before another one.
    case move(entry: Int, before: Int)
    /// Makes the store ignore actions.
    case lock
    /// Makes the store accept actions again.
    case unlock
    /// Runs actions without recording them.
    case pause
    /// Starts recording actions again.
    case record
    /// Returns to the state in which the store began, and empties the log.
    case reset
    /// Returns to the base, and empties the log.
    case revert
    /// Removes the skipped entries.
    case sweep
    /// Makes the state that is shown the new base, and empties the log.
    case commit
    /// Dispatches an action: JSON with the field `type` and the payload beside it.
    case dispatch(json: String)
}

extension InspectorCommand: Codable {
    private enum Key: String, CodingKey {
        case command, moment, entry, by, from, to, before, json
    }

    /// The names of the commands.
    private enum Name: String, Codable {
        case jump, show, step, live, toggle, skip, run, move, lock, unlock, pause, record, reset
        case revert, sweep, commit, dispatch
    }

    /// Decodes the name in the field `command`, and the command's own fields.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        func number(_ key: Key) throws -> Int { try fields.decode(Int.self, forKey: key) }
        switch try fields.decode(Name.self, forKey: .command) {
        case .jump: self = .jump(moment: try number(.moment))
        case .show: self = .show(entry: try number(.entry))
        case .step: self = .step(by: try number(.by))
        case .live: self = .live
        case .toggle: self = .toggle(entry: try number(.entry))
        case .skip: self = .skip(from: try number(.from), to: try number(.to))
        case .run: self = .run(from: try number(.from), to: try number(.to))
        case .move: self = .move(entry: try number(.entry), before: try number(.before))
        case .lock: self = .lock
        case .unlock: self = .unlock
        case .pause: self = .pause
        case .record: self = .record
        case .reset: self = .reset
        case .revert: self = .revert
        case .sweep: self = .sweep
        case .commit: self = .commit
        case .dispatch: self = .dispatch(json: try fields.decode(String.self, forKey: .json))
        }
    }

    /// Encodes the name in the field `command`, with the command's own fields beside it.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        func write(_ name: Name, _ numbers: KeyValuePairs<Key, Int> = [:]) throws {
            try fields.encode(name, forKey: .command)
            for (key, number) in numbers { try fields.encode(number, forKey: key) }
        }
        switch self {
        case .jump(let moment): try write(.jump, [.moment: moment])
        case .show(let entry): try write(.show, [.entry: entry])
        case .step(let distance): try write(.step, [.by: distance])
        case .live: try write(.live)
        case .toggle(let entry): try write(.toggle, [.entry: entry])
        case .skip(let from, let to): try write(.skip, [.from: from, .to: to])
        case .run(let from, let to): try write(.run, [.from: from, .to: to])
        case .move(let entry, let before): try write(.move, [.entry: entry, .before: before])
        case .lock: try write(.lock)
        case .unlock: try write(.unlock)
        case .pause: try write(.pause)
        case .record: try write(.record)
        case .reset: try write(.reset)
        case .revert: try write(.revert)
        case .sweep: try write(.sweep)
        case .commit: try write(.commit)
        case .dispatch(let json):
            try write(.dispatch)
            try fields.encode(json, forKey: .json)
        }
    }
}

/// Why a command was not performed, or a question not answered.
public struct InspectorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Code: String, Sendable, Hashable {
        /// There is no such store, entry or part of a state.
        case missing
        /// The command, the action or the file can't be read, or doesn't fit the store.
        case invalid
        /// The store has ended, or accepts no commands.
        case refused
    }

    /// What is wrong.
    public let code: Code
    /// A sentence that describes the error.
    public let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
