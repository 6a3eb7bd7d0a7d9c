// SPDX-License-Identifier: MIT
#if Postgres

import ClusterProgram
import Foundation
import Onward
import OnwardCluster
import OnwardJournal
import Testing

@testable import OnwardPostgres

/// Three programs on one PostgreSQL server, which are killed again and again while clients come to any of them.
///
/// Afterwards the log is read: it has each acknowledged proposal once and where its client was answered, none twice, and
/// no entry of an older epoch behind a newer one's; what nodes show is what the log says.
///
/// `ONWARD_CLUSTER_SECONDS` says how long it lasts; by default twenty seconds.
struct PostgresClusterTests {
    private static let seconds =
        ProcessInfo.processInfo.environment["ONWARD_CLUSTER_SECONDS"].flatMap { Int($0) } ?? 20
    private static let storeCount = 20

    @Test func `nodes that are killed lose nothing that was acknowledged, and double nothing`()
        async throws
    {
        let server = try PostgresServer()
        defer { server.stop() }
        let options = testOptions()
        let database = try await PostgresDatabase(server.address, options: options)
        let network = Network(
            ["a", "b", "c"], server.address, options.schema, stores: Self.storeCount)
        for name in network.names { try await network.start(name) }
        let end = ContinuousClock.now + .seconds(Self.seconds)
        let records = try await withThrowingTaskGroup(of: [Record].self) { group in
            for client in 0..<12 {
                group.addTask { await Self.propose(as: client, in: network, until: end) }
            }
            try await Self.disturb(network, until: end)
            var records: [Record] = []
            for try await some in group { records += some }
            return records
        }
        // Whatever was on its way has come to an end, and all nodes show it.
        for number in 0..<Self.storeCount {
            _ = await network.propose(
                "last", in: "store\(number)", RequestID(since: 0), on: "a")
        }
        try await check(records, database, network)
        await network.stop()
        await database.close()
    }

    // MARK: Clients

    private struct Record: Sendable {
        let request: RequestID
        let store: String
        let text: String
        /// Where it was said to be accepted; nil where it never was.
        var version: Version?
        var duration = Duration.zero
    }

    /// Proposes one thing after the other on random nodes, each until it is accepted.
    private static func propose(
        as client: Int, in network: Network, until end: ContinuousClock.Instant
    ) async -> [Record] {
        var records: [Record] = []
        while .now < end {
            var record = Record(
                request: RequestID(since: 0),
                store: "store\(Int.random(in: 0..<storeCount))", text: "\(client)/\(records.count)")
            let start = ContinuousClock.now
            for _ in 0..<20 where record.version == nil {
                let node = network.names[Int.random(in: 0..<network.names.count)]
                let answer = await network.propose(
                    record.text, in: record.store, record.request, on: node)
                let words = answer?.split(separator: " ") ?? []
                if words.first == "accepted" { record.version = words.last.flatMap { Version($0) } }
            }
            record.duration = .now - start
            records.append(record)
        }
        return records
    }

    /// Kills a node every two seconds or so, and now and then has one leave.
    private static func disturb(
        _ network: Network, until end: ContinuousClock.Instant
    ) async throws {
        while .now + .seconds(3) < end {
            try await Task.sleep(for: .milliseconds(Int.random(in: 1_000...3_000)))
            let name = network.names[Int.random(in: 0..<network.names.count)]
            if Int.random(in: 0..<4) == 0 {
                await network.leave(name)
            } else {
                network.kill(name)
            }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...2_000)))
            try await network.start(name)
        }
    }

    // MARK: Checking

    private func check(
        _ records: [Record], _ database: PostgresDatabase, _ network: Network
    ) async throws {
        let accepted = records.filter { $0.version != nil }
        #expect(accepted.count > 5 * Self.seconds)
        #expect(records.count - accepted.count <= records.count / 20)
        var claims = 0
        for number in 0..<Self.storeCount {
            let store = "store\(number)"
            let journal = try await PostgresJournal(of: store, in: database)
            let log = try await journal.entries(from: 1, limit: .max)
            #expect(log.map(\.version) == log.indices.map { Version($0 + 1) })
            for (before, after) in zip(log, log.dropFirst()) {
                #expect(before.epoch <= after.epoch, "an entry of an older epoch in \(store)")
            }
            let owners = Dictionary(
                grouping: log.compactMap { Ownership($0) }, by: \.epoch
            ).mapValues { Set($0.map(\.node)) }
            #expect(owners.values.allSatisfy { $0.count == 1 }, "an epoch has one owner")
            claims += owners.count
            let requests = log.filter(\.hasAction).map { $0.id.request(in: $0.epoch) }
            #expect(Set(requests).count == requests.count, "a request was done twice in \(store)")
            for record in accepted where record.store == store {
                let entry = record.version.flatMap { Int($0) <= log.count ? log[Int($0) - 1] : nil }
                #expect(entry.map { $0.id.request(in: $0.epoch) } == record.request.id)
            }
            let codec = JournalCodec(
                for: Store(Lines()) { Reduce { (_: inout Lines, _: Line) in } })
            var lines = Lines()
            for entry in try codec.actions.decode(log) {
                if let line = entry.action as? Line { lines.add(line.text) }
            }
            for name in network.names {
                let shown = await network.state(of: store, on: name) { $0 == lines.count }
                #expect(shown == "\(lines.count) \(lines.digest)", "\(name) shows \(store)")
            }
        }
        let durations = accepted.map(\.duration).sorted()
        let middle = durations[durations.count / 2], late = durations[durations.count * 99 / 100]
        print(
            """
            cluster: \(accepted.count) of \(records.count) proposals accepted in \(Self.seconds) s, \(claims) \
            claims of \(Self.storeCount) stores, \(network.kills) nodes killed; median \(middle), p99 \(late), \
            longest \(durations.last ?? .zero)
            """)
        #expect((durations.last ?? .zero) < .seconds(30))
    }
}

/// The programs of the cluster, and the way from one to another.
private final class Network: Sendable {
    private struct Running {
        let process: Process
        let input: FileHandle
        let run: Int
    }

    private struct Contents {
        var running: [String: Running] = [:]
        var runs = 0
        var kills = 0
        /// Who waits for an answer, by what it begins with.
        var callers: [String: (run: Int, continuation: CheckedContinuation<String?, Never>)] = [:]
    }

    let names: [String]
    private let address: String
    private let schema: String
    private let stores: Int
    private let contents = Guarded(Contents())

    init(_ names: [String], _ address: String, _ schema: String, stores: Int) {
        (self.names, self.address, self.schema, self.stores) = (names, address, schema, stores)
        // Writing to a program that has been killed is an error, not the end of the tests.
        signal(SIGPIPE, SIG_IGN)
    }

    var kills: Int { contents.withValue { $0.kills } }

    private static let program: String = {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let folders = [tests, tests.deletingLastPathComponent(), Bundle.main.bundleURL]
        let programs = folders.map { $0.appendingPathComponent("ClusterProgram").path }
        return programs.first { FileManager.default.isExecutableFile(atPath: $0) } ?? programs[0]
    }()

    /// Starts a node; returns once it takes part.
    func start(_ name: String) async throws {
        let process = Process()
        process.executableURL = URL(filePath: Self.program)
        process.arguments = [name, address, schema, "\(stores)"]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        let run = contents.withValue { contents in
            contents.runs += 1
            contents.running[name] = Running(
                process: process, input: input.fileHandleForWriting, run: contents.runs)
            return contents.runs
        }
        await answer(beginning: "ready \(run)", run) {
            Thread.detachNewThread { [self] in
                var rest = Data()
                // What there is, and not only once there is more.
                while case let some = output.fileHandleForReading.availableData, !some.isEmpty {
                    rest += some
                    while let end = rest.firstIndex(of: 10) {
                        let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
                        rest = Data(rest[(end + 1)...])
                        take(line == "ready" ? "ready \(run)" : line)
                    }
                }
                end(run)
            }
        }
    }

    private func take(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count > 1 else { return }
        if words[0] == "message" { return write("message \(words[2])", to: words[1]) }
        let caller = contents.withValue {
            $0.callers.removeValue(forKey: "\(words[0]) \(words[1])")
        }
        caller?.continuation.resume(returning: words.count > 2 ? words[2] : "")
    }

    /// A program has ended: whoever waits for it isn't answered.
    private func end(_ run: Int) {
        let callers = contents.withValue { contents in
            let ended = contents.callers.filter { $0.value.run == run }
            for key in ended.keys { contents.callers[key] = nil }
            for (name, running) in contents.running where running.run == run {
                contents.running[name] = nil
            }
            return ended
        }
        for caller in callers.values { caller.continuation.resume(returning: nil) }
    }

    private func write(_ line: String, to name: String) {
        guard let running = contents.withValue({ $0.running[name] }) else { return }
        try? running.input.write(contentsOf: Data((line + "\n").utf8))
    }

    /// What a program answers to an order.
    @discardableResult
    private func answer(
        beginning words: String, _ run: Int, _ order: () -> Void
    ) async -> String? {
        await withCheckedContinuation { continuation in
            let isAlone = contents.withValue { contents in
                guard contents.callers[words] == nil,
                    contents.running.values.contains(where: { $0.run == run })
                else { return false }
                contents.callers[words] = (run, continuation)
                return true
            }
            guard isAlone else { return continuation.resume(returning: nil) }
            order()
        }
    }

    /// What a node says of a proposal; nil where it is dead, or dies.
    func propose(
        _ text: String, in store: String, _ request: RequestID, on name: String
    ) async -> String? {
        guard let run = contents.withValue({ $0.running[name]?.run }) else {
            await Task.yield()
            return nil
        }
        return await answer(beginning: "answer \(request)", run) {
            write("propose \(store) \(request) \(text)", to: name)
        }
    }

    /// What a node shows, once it shows so many lines.
    func state(
        of store: String, on name: String, when isRight: (Int) -> Bool
    ) async -> String? {
        var shown: String?
        for _ in 0..<200 {
            guard let run = contents.withValue({ $0.running[name]?.run }) else { return nil }
            let said = await answer(beginning: "state \(store)", run) {
                write("state \(store)", to: name)
            }
            let words = said?.split(separator: " ") ?? []
            shown = words.dropFirst().joined(separator: " ")
            if words.count == 3, let count = Int(words[1]), isRight(count) { return shown }
            try? await Task.sleep(for: .milliseconds(50))
        }
        return shown
    }

    // MARK: Ending

    func kill(_ name: String) {
        let ended = contents.withValue { contents in
            contents.kills += 1
            return contents.running.removeValue(forKey: name)
        }
        guard let ended else { return }
        _ = killProcess(ended.process.processIdentifier, SIGKILL)
        ended.process.waitUntilExit()
        end(ended.run)
    }

    func leave(_ name: String) async {
        write("leave", to: name)
        guard let leaving = contents.withValue({ $0.running[name] }) else { return }
        while leaving.process.isRunning { try? await Task.sleep(for: .milliseconds(20)) }
        end(leaving.run)
    }

    func stop() async {
        for name in names { kill(name) }
    }
}

private let killProcess: @Sendable (pid_t, CInt) -> CInt = { kill($0, $1) }
#endif
