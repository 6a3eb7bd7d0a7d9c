// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import Workloads

/// What it costs to find rows by the texts of their ids, which entries have.
enum RestoringRows {
    private struct Row<ID: Codable & Hashable & Sendable>: Codable, Identifiable, Sendable {
        let id: ID
        var count = 0
    }
    private struct Rows<ID: Codable & Hashable & Sendable>: Codable, Sendable {
        var rows: EntityTable<Row<ID>> = []
    }
    private struct Bump: Action, Codable {
        static var actionName: String { "Bump" }
    }

    private static let count = 20_000

    /// J4: restoring 20,000 entries for 20,000 rows.
    static func note() async -> String {
        do {
            let numbers = try Log(ids: Array(0..<count))
            let uuids = try Log(ids: (0..<count).map { _ in UUID() })
            var times: [(numbers: Duration, uuids: Duration)] = []
            for _ in 0..<7 {
                times.append((try await numbers.restore(), try await uuids.restore()))
            }
            let number = times.map(\.numbers).sorted()[3]
            let uuid = times.map(\.uuids).sorted()[3]
            let ratio = (uuid / number * 100).rounded() / 100
            return """
                J4: restoring \(count) entries for \(count) rows takes \(each(number, count)) ns an entry if \
                ids are Int, \(each(uuid, count)) ns if they are UUID: \(ratio) times as long (limit: 1.5).
                """
        } catch {
            return "J4: \(error)"
        }
    }

    /// A log with one entry for each of many rows.
    private struct Log<ID: Codable & Hashable & Sendable> {
        let journal = MemoryJournal()
        var state = Rows<ID>()
        let store: Store<Rows<ID>>

        init(ids: [ID]) throws {
            for id in ids { state.rows.append(Row(id: id)) }
            store = Store(Rows<ID>()) {
                Scope(each: \.rows) { Reduce { (row: inout Row<ID>, _: Bump) in row.count += 1 } }
            }
            let entries = ids.enumerated().map { index, id in
                JournalEntry(
                    version: CommitVersion(index + 1),
                    id: EntryID(high: 7, low: CommitVersion(index)),
                    name: "Bump", payload: DataFormat.cbor.bytes(of: [:]),
                    address: AddressPath<Rows<ID>>.row(\.rows, id: id).address)
            }
            try journal.append(entries, after: .start)
        }

        func restore() async throws -> Duration {
            let start = Self.processorTime
            let state = try await Replay.state(
                of: journal, startingWith: state, by: store, JournalCodec(for: store)
            ).state
            let time = Self.processorTime - start
            precondition(state.rows.allSatisfy { $0.count == 1 })
            return time
        }

        /// What this process has used: other programs don't count.
        private static var processorTime: Duration {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
    }

    private static func each(_ time: Duration, _ count: Int) -> Int {
        Int(time / .nanoseconds(1)) / count
    }
}
