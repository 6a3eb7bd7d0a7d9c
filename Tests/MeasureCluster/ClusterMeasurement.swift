// SPDX-License-Identifier: MIT
#if All

import ClusterRecords
import Onward
import OnwardCluster
import OnwardJournal
import OnwardPostgres

/// How many proposals a second a cluster takes, how long each takes, and how far replicas lag behind, beside bare appends
/// to the same server.
///
/// All nodes are in this process, each with connections of its own; a hundred callers propose or append, each one thing
/// after the other.
package struct ClusterMeasurement {
    /// What was measured.
    package struct Result {
        /// Each second.
        package let rate: Double
        /// How long each took until it was acknowledged or answered.
        package let durations: [Duration]
        /// How long after the owner each other node showed an entry; empty where there is one node.
        package var lags: [Duration] = []
    }

    private let address: String
    private let count: Int
    package let callers = 100

    /// A measurement of so many proposals, or appends, to the server at an address.
    package init(at address: String, count: Int) {
        (self.address, self.count) = (address, count)
    }

    /// Those of a schema that nothing else uses.
    private func freshOptions() -> PostgresOptions {
        var options = PostgresOptions()
        options.schema = "measured\(UInt32.random(in: .min ... .max))"
        // Nodes send one another what is new, and nobody else follows the journals.
        options.notifies = false
        return options
    }

    // MARK: Appends

    /// Appends of one entry each, to stores in turn; none waits for the one before it to be acknowledged.
    package func appends(stores: Int) async throws -> Result {
        let database = try await PostgresDatabase(address, options: freshOptions())
        var journals: [PostgresJournal] = []
        for store in 0..<stores {
            journals.append(try await PostgresJournal(of: "store\(store)", in: database))
        }
        let result = try await appends(to: journals)
        await database.close()
        return result
    }

    /// On one actor, so that they are called in the order of their versions.
    @MainActor
    private func appends(to journals: [PostgresJournal]) async throws -> Result {
        let places = Places(count: journals.count)
        let begin = ContinuousClock.now
        var running: [Task<[Duration], any Error>] = []
        for _ in 0..<callers {
            running.append(
                Task { @MainActor in
                    var durations: [Duration] = []
                    for _ in 0..<count / callers {
                        let begin = ContinuousClock.now
                        let (store, entry, before) = places.next()
                        try await journals[store].append([entry], after: before)
                        durations.append(.now - begin)
                    }
                    return durations
                })
        }
        var durations: [Duration] = []
        for task in running { durations += try await task.value }
        return result(durations, since: begin)
    }

    /// Where the next entry goes.
    @MainActor
    private final class Places {
        private var ends: [JournalPosition]
        private var turn = 0

        init(count: Int) { ends = Array(repeating: .start, count: count) }

        func next() -> (store: Int, entry: JournalEntry, before: JournalPosition) {
            let store = turn % ends.count
            turn += 1
            let before = ends[store]
            let entry = JournalEntry(
                version: before.version + 1, id: EntryID(), name: "Line",
                payload: Array("caller/number".utf8))
            ends[store] = entry.position
            return (store, entry, before)
        }
    }

    // MARK: Proposals

    /// Proposals to all nodes and stores in turn.
    package func proposals(nodes: Int, stores: Int) async throws -> Result {
        let options = freshOptions()
        let transport = LocalTransport()
        var databases: [PostgresDatabase] = []
        while databases.count < nodes {
            databases.append(try await PostgresDatabase(address, options: options))
        }
        var runs: [Task<Void, Never>] = []
        var places: [[ClusteredStore<Lines>]] = []
        for (number, database) in databases.enumerated() {
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
        await withTaskGroup(of: Void.self) { group in
            for store in places.flatMap(\.self) {
                group.addTask {
                    while true {
                        if case .accepted = await store.propose(Line(text: "first")) { return }
                    }
                }
            }
        }
        let watch = Watch(of: places)
        var result = await proposals(to: places)
        await watch.ends()
        result.lags = watch.lags
        for run in runs { run.cancel() }
        for run in runs { await run.value }
        for database in databases { await database.close() }
        return result
    }

    private func proposals(to places: [[ClusteredStore<Lines>]]) async -> Result {
        let begin = ContinuousClock.now
        let durations = await withTaskGroup(of: [Duration].self) { group in
            for caller in 0..<callers {
                group.addTask {
                    let stores = places[caller % places.count]
                    var durations: [Duration] = []
                    for number in 0..<count / callers {
                        let store = stores[(caller + 7 * number) % stores.count]
                        let begin = ContinuousClock.now
                        let line = Line(text: "\(caller)/\(number)")
                        guard case .accepted = await store.propose(line) else { continue }
                        durations.append(.now - begin)
                    }
                    return durations
                }
            }
            return await group.reduce([], +)
        }
        return result(durations, since: begin)
    }

    /// Notes what the replicas of all nodes show while it lives.
    private final class Watch: Sendable {
        private let places: [[ClusteredStore<Lines>]]
        private let showings: [Guarded<Showings>]
        private let subscriptions: [Subscription]

        init(of places: [[ClusteredStore<Lines>]]) {
            let showings = (places.first ?? []).map { _ in
                Guarded(Showings(nodes: places.count))
            }
            var subscriptions: [Subscription] = []
            for (node, stores) in places.enumerated() {
                for (store, shown) in zip(stores, showings) {
                    subscriptions.append(
                        store.store.subscribe(\.count) { _, count in
                            shown.withValue { $0.note(count, on: node, at: .now) }
                        })
                }
            }
            (self.places, self.showings, self.subscriptions) = (places, showings, subscriptions)
        }

        /// Returns once all nodes show the same, or one is late.
        func ends() async {
            let deadline = ContinuousClock.now + .seconds(20)
            while ContinuousClock.now < deadline, !isSame {
                try? await Task.sleep(for: .milliseconds(20))
            }
        }

        private var isSame: Bool {
            guard let first = places.first else { return true }
            return places.allSatisfy { stores in
                zip(stores, first).allSatisfy { $0.store.state == $1.store.state }
            }
        }

        /// How far each replica lagged behind the owner of its store.
        var lags: [Duration] {
            showings.enumerated().flatMap { store, shown in
                let owner = places.firstIndex { $0[store].status.isOwning }
                return owner.map { owner in shown.withValue { $0.lags(behind: owner) } } ?? []
            }
        }
    }

    private func result(_ durations: [Duration], since begin: ContinuousClock.Instant) -> Result {
        let rate = Double(durations.count) / ((ContinuousClock.now - begin) / .seconds(1))
        return Result(rate: rate, durations: durations)
    }
}
#endif
