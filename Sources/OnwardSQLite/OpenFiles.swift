// SPDX-License-Identifier: MIT
#if SQLite

/// Which of many files are open, and which one is closed to open another: a pure machine.
///
/// A file is closed only while nobody uses it, the one that was used longest ago first.
struct OpenFiles<File: Sendable>: Sendable {
    /// What somebody who wants to use a file does next.
    enum Step {
        /// Uses it, and ends that.
        case use(File)
        /// Opens it, and says what became of that.
        case open
        /// Closes another one, says so, and asks again.
        case close(File, of: String)
        /// Waits for a change, and asks again.
        case wait
    }

    private enum Place {
        case opening, closing
        case open(File, users: Int, used: UInt64)
    }

    private let limit: Int
    private var places: [String: Place] = [:]
    private var uses: UInt64 = 0

    init(limit: Int) { self.limit = max(limit, 1) }

    /// How many files are open, or about to be opened or closed.
    var count: Int { places.count }

    /// Begins to use a file, if that can be; it counts as used from then on.
    mutating func begin(_ name: String) -> Step {
        switch places[name] {
        case .open(let file, let users, _):
            place(file, of: name, users: users + 1)
            return .use(file)
        case .opening, .closing: return .wait
        case nil: break
        }
        if places.count < limit {
            places[name] = .opening
            return .open
        }
        guard let (other, file) = leastUsed else { return .wait }
        places[other] = .closing
        return .close(file, of: other)
    }

    /// Notes a file that was opened, and is used by who opened it.
    mutating func opened(_ file: File, of name: String) { place(file, of: name, users: 1) }

    /// Notes that a use has ended.
    mutating func end(_ name: String) {
        guard case .open(let file, let users, _) = places[name] else { return }
        place(file, of: name, users: users - 1)
    }

    /// Begins to close a file for good; nil if it isn't open.
    mutating func retire(_ name: String) -> Step? {
        switch places[name] {
        case nil: return nil
        case .open(let file, users: 0, _):
            places[name] = .closing
            return .close(file, of: name)
        default: return .wait
        }
    }

    /// Notes that a file was closed, or couldn't be opened.
    mutating func closed(_ name: String) { places[name] = nil }

    private mutating func place(_ file: File, of name: String, users: Int) {
        uses += 1
        places[name] = .open(file, users: users, used: uses)
    }

    private var leastUsed: (name: String, file: File)? {
        var least: (name: String, file: File, used: UInt64)?
        for case (let name, .open(let file, users: 0, let used)) in places
        where used < least?.used ?? .max {
            least = (name, file, used)
        }
        return least.map { ($0.name, $0.file) }
    }
}
#endif
