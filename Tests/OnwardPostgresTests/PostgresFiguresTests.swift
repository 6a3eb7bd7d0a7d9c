// SPDX-License-Identifier: MIT
#if All

import Foundation
import Onward
import OnwardJournal
import OnwardTesting
import Testing

@testable import OnwardPostgres

/// How many appends a second: beside bare inserts by the same means, in the same run.
struct PostgresFiguresTests {
    private let server: PostgresServer

    init() throws { server = try PostgresServer() }

    @Test func `pipelined appends are at least 60 % as many as bare inserts`() async throws {
        defer { server.stop() }
        let database = try await PostgresDatabase(server.address, options: testOptions())
        let journal = try await PostgresJournal(of: "orders", in: database)
        try server.run(
            "CREATE TABLE bare (store bigint, version bigint, payload bytea, PRIMARY KEY (store, version))"
        )
        let payload = [UInt8](repeating: 7, count: 100)
        var last: CommitVersion = 0
        var ratios: [(alone: Double, pipelined: Double)] = []
        var figures: [[Double]] = []
        for round in 0..<3 {
            let bare = try await rate(of: 100) {
                try await insert(100, round, payload, in: database)
            }
            let alone = try await rate(of: 100) {
                for _ in 0..<100 {
                    try await journal.append(
                        entries(last + 1...last + 1, payload: payload), after: position(last))
                    last += 1
                }
            }
            let script = server.folder + "/bare.sql"
            let bareInsert =
                "INSERT INTO bare VALUES (:client_id + 100 * \(round + 1), nextval('number'), decode(repeat('07', 100), 'hex'));\n"
            if round == 0 { try server.run("CREATE SEQUENCE number CACHE 1000") }
            try
                ("\\startpipeline\n" + String(repeating: bareInsert, count: 100) + "\\endpipeline\n")
                .write(toFile: script, atomically: false, encoding: .utf8)
            let barePipelined = try await rate(of: 5_000) {
                try server.pgbench(["-n", "-M", "extended", "-t", "50", "-f", script])
            }
            let pipelined = try await rate(of: 5_000) {
                try await appendAll(last + 1...last + 5_000, payload, to: journal)
                last += 5_000
            }
            figures.append([bare, alone, barePipelined, pipelined])
            ratios.append((alone / bare, pipelined / barePipelined))
        }
        await database.close()
        for figure in figures {
            print(
                "each second: bare inserts \(Int(figure[0])), appends \(Int(figure[1])); pipelined \(Int(figure[2])), \(Int(figure[3]))"
            )
        }
        #expect(ratios.map(\.pipelined).sorted()[1] >= 0.6)
    }

    private func rate(of count: Double, _ body: () async throws -> Void) async rethrows -> Double {
        let begin = ContinuousClock.now
        try await body()
        return count / ((ContinuousClock.now - begin) / .seconds(1))
    }

    /// One insert after the other, each in a transaction of its own.
    private func insert(
        _ count: Int64, _ store: Int, _ payload: [UInt8], in database: PostgresDatabase
    )
        async throws
    {
        try await database.perform("insert") { db throws(PostgresFailure) in
            for version in 1...count {
                try db.run(
                    Statement(
                        "INSERT INTO bare VALUES ($1, $2, $3)",
                        [.number(Int64(store)), .number(version), .bytes(payload)]))
            }
        }
    }

    @MainActor
    private func appendAll(
        _ versions: ClosedRange<CommitVersion>, _ payload: [UInt8], to journal: PostgresJournal
    ) async throws {
        let appends = versions.map { version in
            Task { @MainActor in
                try await journal.append(
                    entries(version...version, payload: payload), after: position(version - 1))
            }
        }
        for append in appends { try await append.value }
    }
}
#endif
