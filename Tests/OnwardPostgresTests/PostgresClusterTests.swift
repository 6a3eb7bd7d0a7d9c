// SPDX-License-Identifier: MIT
#if All

import ClusterRecords
import Foundation
import Onward
import OnwardCluster
import Testing

@testable import OnwardPostgres

/// Three programs on a PostgreSQL server with a synchronous standby: programs are killed, stand still and leave while
/// clients come to any of them, and the standby is promoted once, as the primary has been killed.
///
/// Afterwards a program that has seen nothing of it compares the logs with what the clients say: ``ClusterVerdict``.
///
/// `ONWARD_CLUSTER_SECONDS` says how long it lasts; by default thirty seconds.
struct PostgresClusterTests {
    private static let seconds =
        ProcessInfo.processInfo.environment["ONWARD_CLUSTER_SECONDS"].flatMap { Int($0) } ?? 30
    private static let storeCount = 200

    @Test
    func
        `nodes that are killed or stand still lose nothing and double nothing, nor does a promotion`()
        async throws
    {
        let primary = try PostgresServer()
        defer { primary.stop() }
        try await primary.isReady()
        let standby = try PostgresServer(standbyOf: primary)
        defer { standby.stop() }
        try primary.run("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        try primary.run("SELECT pg_reload_conf()")
        let address = "host=\(primary.folder),\(standby.folder) user=postgres dbname=postgres"
        let options = testOptions()
        // Whoever is first makes the tables.
        await (try PostgresDatabase(address, options: options)).close()

        let network = ClusterNetwork(
            ["a", "b", "c"], address, options.schema, stores: Self.storeCount)
        defer { network.stop() }
        for name in network.names { try await network.start(name) }
        let notes = Guarded(Notes())
        // So that each store has an owner.
        await Self.proposeToAll("first", on: network, notes)
        let end = ContinuousClock.now + .seconds(Self.seconds)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<12 {
                group.addTask { await Self.propose(as: client, on: network, until: end, notes) }
            }
            for _ in 0..<3 { group.addTask { await Self.read(network, until: end, notes) } }
            try await Self.disturb(network, until: end, notes) {
                primary.kill()
                try standby.promote()
            }
            try await group.waitForAll()
        }
        await Self.proposeToAll("last", on: network, notes)
        await Self.compareAll(network, notes)

        let file = standby.folder + "/records"
        try notes.withValue { $0 }.recordsAsLines
            .write(toFile: file, atomically: false, encoding: .utf8)
        print("cluster, \(Self.seconds) s:", notes.withValue { $0.summary })
        let said = try PostgresServer.run([
            ClusterNetwork.path(of: "CheckCluster"), address, options.schema, file,
        ])
        print("cluster:", said)

        let found = notes.withValue { $0 }
        #expect(said.contains("\(Self.storeCount * network.names.count) replicas, 0 faults"))
        #expect(found.durations.count > 5 * Self.seconds)
        #expect(found.unanswered <= found.durations.count / 20)
        #expect((found.durations.max() ?? .zero) < .seconds(30))
        #expect(found.takeovers.count > 0)
        #expect((found.takeovers.max() ?? .zero) <= .seconds(5))
        #expect((found.takeovers.middle ?? .zero) <= .seconds(3))
    }

    // MARK: Clients

    /// Proposes one thing after the other on random nodes, each until it is accepted, and looks at what it has written.
    private static func propose(
        as client: Int, on network: ClusterNetwork, until end: ContinuousClock.Instant,
        _ notes: Guarded<Notes>
    ) async {
        var count = 0
        while .now < end {
            count += 1
            let store = "store\(Int.random(in: 0..<storeCount))"
            await propose("\(client)/\(count)", in: store, on: network, notes) { network.anyName }
        }
    }

    private static func propose(
        _ line: String, in store: String, on network: ClusterNetwork, _ notes: Guarded<Notes>,
        node: () -> String
    ) async {
        let request = RequestID(since: 0)
        let start = ContinuousClock.now
        for _ in 0..<20 {
            let name = node()
            guard let (version, run) = await network.propose(line, in: store, request, on: name)
            else { continue }
            notes.withValue { $0.add(line, store, version, .now - start) }
            let shown = await network.lines(of: store, on: name)
            if let shown, shown.run == run {
                notes.withValue {
                    $0.add(.seen(shown.lines, store: store, node: name, after: version))
                }
            }
            return
        }
        notes.withValue { $0.add(line, store, nil, .now - start) }
    }

    private static func proposeToAll(
        _ line: String, on network: ClusterNetwork, _ notes: Guarded<Notes>
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for caller in 0..<10 {
                group.addTask {
                    for number in stride(from: caller, to: storeCount, by: 10) {
                        await propose(line, in: "store\(number)", on: network, notes) {
                            network.anyName
                        }
                    }
                }
            }
        }
    }

    /// Looks at random stores on random nodes.
    private static func read(
        _ network: ClusterNetwork, until end: ContinuousClock.Instant, _ notes: Guarded<Notes>
    ) async {
        while .now < end {
            let (store, name) = ("store\(Int.random(in: 0..<storeCount))", network.anyName)
            if let shown = await network.lines(of: store, on: name) {
                notes.withValue {
                    $0.add(.seen(shown.lines, store: store, node: name, after: nil))
                }
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Notes what each node shows, once all show the same, or don't after ten seconds.
    private static func compareAll(_ network: ClusterNetwork, _ notes: Guarded<Notes>) async {
        for number in 0..<storeCount {
            let store = "store\(number)"
            var shown: [String: Lines] = [:]
            for _ in 0..<200 {
                for name in network.names {
                    shown[name] = await network.lines(of: store, on: name)?.lines
                }
                if shown.count == network.names.count, Set(shown.values).count == 1 { break }
                try? await Task.sleep(for: .milliseconds(50))
            }
            notes.withValue {
                for (name, lines) in shown { $0.add(.last(lines, store: store, node: name)) }
            }
        }
    }

    // MARK: Disturbing

    /// Kills a node, has it stand still, or leave, again and again; halfway the database is disturbed.
    private static func disturb(
        _ network: ClusterNetwork, until end: ContinuousClock.Instant, _ notes: Guarded<Notes>,
        database: () throws -> Void
    ) async throws {
        let middle = end - .seconds(seconds) / 2
        var isPromoted = false
        while true {
            try await Task.sleep(for: .milliseconds(Int.random(in: 500...2_000)))
            if !isPromoted, .now >= middle {
                try database()
                isPromoted = true
                try await Task.sleep(for: .seconds(5))
            }
            guard .now + .seconds(8) < end else { return }
            let name = network.anyName
            let owned = await network.owned(by: name)
            let others = network.names.filter { $0 != name }
            let start = ContinuousClock.now
            switch Int.random(in: 0..<4) {
            case 0:
                notes.withValue { $0.leavings += 1 }
                async let leaving: Void = network.leave(name)
                let handovers = await takeovers(of: owned, by: others, on: network, since: start)
                notes.withValue { $0.handovers += handovers }
                await leaving
                try await network.start(name)
            case 1:
                // Too short for anybody to notice, or for all.
                notes.withValue { $0.pauses += 1 }
                network.pause(name, true)
                if Bool.random() {
                    try await Task.sleep(for: .milliseconds(Int.random(in: 100...1_000)))
                } else {
                    let taken = await takeovers(of: owned, by: others, on: network, since: start)
                    notes.withValue { $0.takeovers += taken }
                }
                network.pause(name, false)
            default:
                notes.withValue { $0.kills += 1 }
                network.kill(name)
                async let taken = takeovers(of: owned, by: network.names, on: network, since: start)
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...4_000)))
                try await network.start(name)
                let durations = await taken
                notes.withValue { $0.takeovers += durations }
            }
        }
    }

    /// How long it takes until each of some stores is owned by one of some nodes; ten seconds where that takes longer.
    private static func takeovers(
        of stores: Set<String>, by names: [String], on network: ClusterNetwork,
        since start: ContinuousClock.Instant
    ) async -> [Duration] {
        var missing = stores
        var durations: [Duration] = []
        while !missing.isEmpty, .now - start < .seconds(10) {
            for name in names {
                let taken = await network.owned(by: name).intersection(missing)
                durations += taken.map { _ in .now - start }
                missing.subtract(taken)
            }
            try? await Task.sleep(for: .milliseconds(25))
        }
        return durations + missing.map { _ in .seconds(10) }
    }
}

/// What the clients have to say, and what was done to the nodes.
private struct Notes: Sendable {
    private var records: [ClusterRecord] = []
    /// Sights that were noted, as most are the same.
    private var sights: Set<ClusterRecord> = []
    var durations: [Duration] = []
    var unanswered = 0
    var takeovers: [Duration] = []
    var handovers: [Duration] = []
    var kills = 0
    var pauses = 0
    var leavings = 0

    mutating func add(_ record: ClusterRecord) {
        if sights.insert(record).inserted { records.append(record) }
    }

    mutating func add(_ line: String, _ store: String, _ version: UInt64?, _ duration: Duration) {
        records.append(.proposed(line: line, store: store, version: version))
        if version == nil { unanswered += 1 } else { durations.append(duration) }
    }

    var recordsAsLines: String {
        get throws {
            try records.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) + "\n" }
                .joined()
        }
    }

    var summary: String {
        """
        \(durations.count) proposals accepted, in the middle after \(text(durations.middle)), 99 of 100 after \
        \(text(durations.late)), all after \(text(durations.max())); \(kills) nodes killed, \(pauses) paused, \
        \(leavings) left; \(takeovers.count) stores taken over after \(text(takeovers.middle)), at most \
        \(text(takeovers.max())); \(handovers.count) handed over after \(text(handovers.middle)), at most \
        \(text(handovers.max()))
        """
    }

    private func text(_ duration: Duration?) -> String {
        duration.map { "\(Int($0 / .milliseconds(1))) ms" } ?? "–"
    }
}

extension [Duration] {
    fileprivate var middle: Duration? { isEmpty ? nil : sorted()[count / 2] }
    fileprivate var late: Duration? { isEmpty ? nil : sorted()[count * 99 / 100] }
}
#endif
