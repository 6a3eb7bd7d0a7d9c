// SPDX-License-Identifier: MIT
#if All

internal import Onward
internal import OnwardJournal

/// Readings of many journals that share statements: a pure machine.
///
/// A few flights are under way at a time, each one statement on a connection of its own. What comes while all are waits, and
/// goes together with the next one. So a reading goes at once where there are few, and a thousand stores that are all looked
/// at together cost some statements, not a thousand.
struct ReadQueue<Caller> {
    struct Read {
        let store: StoreName
        let version: CommitVersion
        let limit: Int
        let caller: Caller
    }

    enum Answer {
        /// Another flight may begin.
        case begins
        case waits
        /// Too many wait.
        case refused
    }

    /// How many may wait.
    static var waiterLimit: Int { 10_000 }
    /// How many readings share a flight.
    static var readingsPerFlight: Int { 100 }

    /// How many more flights may begin.
    private var free: Int
    private var waiting: [Read] = []

    init(flights: Int) { free = max(flights, 1) }

    mutating func add(_ reading: Read) -> Answer {
        guard waiting.count < Self.waiterLimit else { return .refused }
        waiting.append(reading)
        guard free > 0 else { return .waits }
        free -= 1
        return .begins
    }

    /// The readings that fly next; nil, and this flying ends, where there are none.
    mutating func next() -> [Read]? {
        guard !waiting.isEmpty else {
            free += 1
            return nil
        }
        let flight = Array(waiting.prefix(Self.readingsPerFlight))
        waiting.removeFirst(flight.count)
        return flight
    }
}
#endif
