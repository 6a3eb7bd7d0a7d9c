// SPDX-License-Identifier: MIT
#if Postgres

import ClusterProgram
import Onward
import OnwardCluster
import OnwardJournal
import Testing

@testable import OnwardPostgres

/// How many proposals a second, and how long each takes: beside bare appends to the same server, in the same run.
struct PostgresClusterFiguresTests {
    private static let count = 2_000
    private let server: PostgresServer

    init() throws { server = try PostgresServer() }

    @Test func `proposals are at least a tenth as many as bare appends`() async throws {
        defer { server.stop() }
        let bare = try await appendRate()
        print("cluster, each second: \(Int(bare)) bare appends, 100 at a time")
        var best = 0.0
        for (nodes, stores) in [(1, 1), (2, 1), (3, 1), (1, 50), (3, 50)] {
            let (rate, durations) = try await proposalRate(nodes: nodes, stores: stores)
            print(
                """
                cluster, each second: \(Int(rate)) proposals to \(stores) stores on \(nodes) nodes, 100 at a time; \
                each takes \(durations[Self.count / 2]), 99 of 100 at most \(durations[Self.count * 99 / 100])
                """)
            best = max(best, rate)
        }
        #expect(best >= bare / 10)
    }

    /// Appends of one entry each, none of which waits for the one before it to be acknowledged.
    @MainActor
    private func appendRate() async throws -> Double {
        let database = try await PostgresDatabase(server.address, options: testOptions())
        let journal = try await PostgresJournal(of: "bare", in: database)
        let begin = ContinuousClock.now
        for start in stride(from: 0, to: Self.count, by: 100) {
            let appends = (1...100).map { offset in
                let version = Version(start + offset)
                return Task { @MainActor in
                    try await journal.append(
                        entries(version...version), after: position(version - 1))
                }
            }
            for append in appends { try await append.value }
        }
        let rate = Double(Self.count) / ((ContinuousClock.now - begin) / .seconds(1))
        await database.close()
        return rate
    }

    /// Proposals of a hundred callers to all nodes and stores in turn.
    private func proposalRate(
        nodes: Int, stores: Int
    ) async throws -> (rate: Double, durations: [Duration]) {
        let database = try await PostgresDatabase(server.address, options: testOptions())
        let transport = LocalTransport()
        var runs: [Task<Void, Never>] = []
        var places: [[ClusteredStore<Lines>]] = []
        for number in 0..<nodes {
            let node = ClusterNode(
                NodeID("node\(number)"), table: PostgresNodeTable(in: database),
                transport: transport)
            transport.connect(node)
            var opened: [ClusteredStore<Lines>] = []
            for store in 0..<stores {
                let name = "store\(store)"
                opened.append(
                    ClusteredStore(
                        of: Lines(), named: name,
                        in: try await PostgresJournal(of: name, in: database), on: node
                    ) {
                        Reduce { (lines: inout Lines, line: Line) in lines.add(line.text) }
                    })
            }
            places.append(opened)
            runs.append(Task { await node.run() })
        }
        // So that each store has an owner.
        for store in places.flatMap(\.self) {
            let outcome = await store.propose(Line(text: "first"))
            guard case .accepted = outcome else {
                Issue.record("the first proposal ended with \(outcome)")
                continue
            }
        }
        let begin = ContinuousClock.now
        let durations = await withTaskGroup(of: [Duration].self) { [places] group in
            for caller in 0..<100 {
                group.addTask {
                    var durations: [Duration] = []
                    for number in 0..<Self.count / 100 {
                        let store = places[caller % nodes][(caller + 7 * number) % stores]
                        let begin = ContinuousClock.now
                        let outcome = await store.propose(Line(text: "\(caller)/\(number)"))
                        guard case .accepted = outcome else {
                            Issue.record("a proposal ended with \(outcome)")
                            continue
                        }
                        durations.append(.now - begin)
                    }
                    return durations
                }
            }
            return await group.reduce([], +)
        }
        let rate = Double(Self.count) / ((ContinuousClock.now - begin) / .seconds(1))
        for run in runs { run.cancel() }
        for run in runs { await run.value }
        await database.close()
        #expect(durations.count == Self.count)
        return (rate, durations.sorted())
    }
}
#endif
