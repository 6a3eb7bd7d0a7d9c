// SPDX-License-Identifier: MIT

/// What somebody has typed.
enum Command: Equatable {
    case add(String)
    case done(Int)
    case rename(Int, String)
    case delete(Int)
    case offline, online, list, quit

    static let help = """
        add TEXT, done N, rename N TEXT, delete N, list, offline, online, quit
        """

    /// Reads a line; nil if it is none of these.
    init?(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 1)
        let rest = words.count > 1 ? String(words[1]) : ""
        switch words.first {
        case "add": self = .add(rest)
        case "done": guard let number = Int(rest) else { return nil }; self = .done(number)
        case "delete": guard let number = Int(rest) else { return nil }; self = .delete(number)
        case "rename":
            let parts = rest.split(separator: " ", maxSplits: 1)
            guard let number = parts.first.flatMap({ Int($0) }) else { return nil }
            self = .rename(number, parts.count > 1 ? String(parts[1]) : "")
        case "offline" where rest.isEmpty: self = .offline
        case "online" where rest.isEmpty: self = .online
        case "list" where rest.isEmpty: self = .list
        case "quit" where rest.isEmpty: self = .quit
        default: return nil
        }
    }
}
