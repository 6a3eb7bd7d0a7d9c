// SPDX-License-Identifier: MIT
#if All

import ClusterRecords
import Foundation
import Onward
import OnwardJournal
import OnwardPostgres

/// Says whether a cluster has kept its promises: it reads the logs in a database and the records of clients, and writes
/// nothing but what is wrong.
///
/// `CheckCluster CONNECTION SCHEMA RECORDS`, of which the last is a file with one ``ClusterRecord`` as JSON in each line.
@main
struct CheckCluster {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4 else {
            print("usage: CheckCluster CONNECTION SCHEMA RECORDS")
            exit(64)
        }
        let records = try Data(contentsOf: URL(filePath: arguments[3]))
            .split(separator: UInt8(ascii: "\n"))
            .map { try JSONDecoder().decode(ClusterRecord.self, from: $0) }
        var options = PostgresOptions()
        options.schema = arguments[2]
        options.notifies = false
        let database = try await PostgresDatabase(arguments[1], options: options)
        var logs: [String: [JournalEntry]] = [:]
        for store in Set(records.map(\.store)) {
            let journal = try await PostgresJournal(of: store, in: database)
            logs[store] = try await journal.entries(from: 1, limit: .max)
        }
        await database.close()
        let verdict = ClusterVerdict(of: records, logs)
        for fault in verdict.faults { print(fault) }
        print(
            """
            \(verdict.accepted) accepted, \(verdict.unanswered) never answered, \(verdict.seen) states seen, \
            \(verdict.claims) claims of \(logs.count) stores, \(verdict.replicas) replicas, \
            \(verdict.faults.count) faults
            """)
        exit(verdict.faults.isEmpty ? 0 : 1)
    }
}
#else
@main
struct CheckCluster {
    static func main() { print("built without the trait Postgres") }
}
#endif
