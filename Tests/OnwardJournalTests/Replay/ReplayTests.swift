// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import Synchronization
import Testing

struct ReplayTests {
    private struct Board: Codable, Sendable, Equatable {
        var count = 0
        var rows = [Row(), Row()]
        struct Row: Codable, Sendable, Equatable { var mark = 0 }
    }

    private struct Mark: Action {}
    private struct Plain: Action {}

    private func store(
        _ mark: @escaping @Sendable (inout Board) -> Void
    ) -> Store<Board> {
        Store(Board()) {
            Reduce { (board: inout Board, _: Mark) in mark(&board) }
            Reduce { (board: inout Board, _: Plain) in board.count += 1 }
        }
    }

    private let entries = [
        Entry(version: 1, action: Plain()), Entry(version: 2, action: Plain()),
        Entry(version: 3, action: Mark()), Entry(version: 4, action: Plain()),
    ]

    @Test func `says nothing of pure reducers`() throws {
        let store = store { $0.rows[1].mark = $0.count * 2 }
        #expect(try Replay.verify(entries, from: Board(), by: store)?.path == nil)
    }

    @Test func `finds a random number, and names the entry and the place`() throws {
        let store = store { $0.rows[1].mark = Int.random(in: 0...Int.max) }
        let found = try #require(try Replay.verify(entries, from: Board(), by: store))
        #expect(found.kind == .betweenRuns)
        #expect(found.entry.version == 3)
        #expect(found.path == "rows.1.mark")
        #expect(
            "\(found)".hasPrefix(
                "After entry 3, ReplayTests.Mark, two replays differ in rows.1.mark:"))
        #expect("\(found)".contains("Put such values into the action."))
    }

    @Test func `finds the time`() throws {
        let store = store {
            $0.count = Int(truncatingIfNeeded: Timestamp.now().nanosecondsSince1970)
        }
        #expect(try Replay.verify(entries, from: Board(), by: store)?.path == "count")
    }

    @Test func `finds a global counter`() throws {
        let counter = Counter()
        let store = store {
            counter.add(1)
            $0.rows[0].mark = counter.total
        }
        #expect(try Replay.verify(entries, from: Board(), by: store)?.path == "rows.0.mark")
    }

    @Test func `finds a reducer that has changed since the log was recorded`() throws {
        let old = store { $0.rows[0].mark = 1 }
        var digests: [Version: StateDigest] = [:]
        for count in 1...4 {
            let state = old.replay(entries.prefix(count), from: Board())
            digests[Version(count)] = try StateDigest(of: state)
        }
        let new = store { $0.rows[0].mark = 2 }
        let found = try #require(
            try Replay.verify(entries, from: Board(), by: new, against: digests))
        #expect(found.kind == .fromRecording)
        #expect(found.entry.version == 3)
        #expect(found.path == "rows.0.mark")
        #expect(found.values == ["2"])
        let same = try Replay.verify(entries, from: Board(), by: old, against: digests)
        #expect(same?.path == nil)
    }
}
