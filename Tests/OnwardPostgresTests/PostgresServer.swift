// SPDX-License-Identifier: MIT
#if All

import Foundation
import Onward
import OnwardJournal
import OnwardTesting
import Testing

@testable import OnwardPostgres

/// Besides the method of the same name.
private let signalProcess: @Sendable (pid_t, CInt) -> CInt = { kill($0, $1) }

/// A PostgreSQL server in a folder of its own, which answers at a socket there and nowhere else.
///
/// It ends with this process, however that ends.
final class PostgresServer: Sendable {
    /// The one that all tests of a suite share, each with a schema of its own.
    @TaskLocal static var shared: PostgresServer?

    let folder: String
    private let running = Guarded<Running?>(nil)

    private struct Running {
        /// Ends the server when its input ends.
        let guardian: Process
        let input: FileHandle
        /// The server itself.
        let process: pid_t
    }

    /// Makes a server's folder; where `primary` is given, a standby of that one.
    init(standbyOf primary: PostgresServer? = nil) throws {
        folder = FileManager.default.temporaryDirectory.path + "/pg-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        if geteuid() == 0 { try Self.run(["chown", "postgres", folder]) }
        if let primary {
            try Self.run(
                Self.asUser + [
                    Self.program("pg_basebackup"), "-h", primary.folder, "-U", "postgres", "-D",
                    data, "-R",
                    "-c", "fast", "--no-sync",
                ])
            try append(
                to: "postgresql.auto.conf",
                "primary_conninfo = 'host=\(primary.folder) user=postgres application_name=standby'"
            )
        } else {
            try Self.run(
                Self.asUser + [
                    Self.program("initdb"), "-D", data, "-U", "postgres", "--auth=trust",
                    "--no-sync", "-E",
                    "UTF8", "--locale=C",
                ])
            let access =
                "local all keeper scram-sha-256\nlocal all all trust\nlocal replication all trust\n"
            try access.write(toFile: data + "/pg_hba.conf", atomically: false, encoding: .utf8)
        }
        try start()
    }

    deinit { stop() }

    private var data: String { folder + "/data" }

    private static let asUser =
        geteuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] : []

    private static func program(_ name: String) -> String {
        let versions =
            (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        return versions.max { (Int($0) ?? 0) < (Int($1) ?? 0) }
            .map { "/usr/lib/postgresql/\($0)/bin/\(name)" } ?? name
    }

    private func append(to file: String, _ line: String) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: data + "/" + file))
        defer { try? handle.close() }
        try handle.seekToEnd()
        try handle.write(contentsOf: Data((line + "\n").utf8))
    }

    // MARK: Running

    func start() throws {
        let guardian = Process()
        guardian.executableURL = URL(filePath: "/bin/sh")
        let script =
            #""$@" >>"$0" 2>&1 </dev/null & echo $!; cat >/dev/null; kill -QUIT $! 2>/dev/null; wait"#
        guardian.arguments =
            ["-c", script, folder + "/log"] + Self.asUser + [
                Self.program("postgres"), "-D", data, "-k", folder, "-c", "listen_addresses=", "-c",
                "max_connections=60", "-c", "restart_after_crash=on",
            ]
        let (input, output) = (Pipe(), Pipe())
        guardian.standardInput = input
        guardian.standardOutput = output
        guardian.currentDirectoryURL = URL(filePath: "/")
        try guardian.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let process = pid_t(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw ServerFailure(text: "The server has not started: \(line)")
        }
        running.withValue {
            $0 = Running(guardian: guardian, input: input.fileHandleForWriting, process: process)
        }
    }

    /// Kills the server with all its processes, as the end of its machine would.
    func kill() {
        guard let ended = running.withValue({ $0 }) else { return }
        // So that it starts no others meanwhile.
        send(SIGSTOP, to: ended.process)
        let processes = [ended.process] + children(of: ended.process)
        for process in processes { send(SIGKILL, to: process) }
        // The next server finds none of them.
        while processes.contains(where: isRunning) { sched_yield() }
        end()
    }

    /// Ends the server, and removes its folder.
    func stop() {
        end()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func end() {
        let ended = running.withValue { running in
            defer { running = nil }
            return running
        }
        try? ended?.input.close()
        ended?.guardian.waitUntilExit()
    }

    /// Has the server's processes stand still, or go on.
    func pause(_ pauses: Bool) {
        guard let process = running.withValue({ $0?.process }) else { return }
        for process in [process] + children(of: process) {
            send(pauses ? SIGSTOP : SIGCONT, to: process)
        }
    }

    private func send(_ signal: CInt, to process: pid_t) { _ = signalProcess(process, signal) }

    private func isRunning(_ process: pid_t) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        else { return false }
        return !text.contains(") Z")
    }

    private func children(of parent: pid_t) -> [pid_t] {
        let path = "/proc/\(parent)/task/\(parent)/children"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: " ").compactMap { pid_t($0) }
    }

    /// Makes a primary of a standby, which then waits for nobody.
    func promote() throws {
        try append(to: "postgresql.auto.conf", "synchronous_standby_names = ''")
        try Self.run(Self.asUser + [Self.program("pg_ctl"), "promote", "-D", data, "-w"])
        try Self.run(Self.asUser + [Self.program("pg_ctl"), "reload", "-D", data])
    }

    // MARK: Using

    /// How to connect with this server.
    var address: String { "host=\(folder) user=postgres dbname=postgres" }

    /// Returns once the server answers.
    func isReady() async throws {
        await (try PostgresDatabase(address, options: testOptions())).close()
    }

    /// Runs a statement as the server's owner; the first column of its rows.
    @discardableResult
    func run(_ sql: String) throws -> [String] {
        let said = try Self.run([
            Self.program("psql"), "-h", folder, "-U", "postgres", "-X", "-q", "-t", "-A", "-v",
            "ON_ERROR_STOP=1", "-c", sql, "postgres",
        ])
        return said.split(separator: "\n").map(String.init)
    }

    /// Runs PostgreSQL's own benchmark.
    func pgbench(_ options: [String]) throws {
        try Self.run(
            [Self.program("pgbench"), "-h", folder, "-U", "postgres"] + options + ["postgres"])
    }

    /// Runs a program to its end; what it says.
    @discardableResult
    static func run(_ command: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = URL(filePath: "/")
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let said = String(
            decoding: (try output.fileHandleForReading.readToEnd()) ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw ServerFailure(text: "\(command.joined(separator: " ")) failed: \(said)")
        }
        return said
    }
}

struct ServerFailure: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
}

/// Gives all tests of a suite one server.
struct SharedServer: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let server = try PostgresServer()
        try await server.isReady()
        try await PostgresServer.$shared.withValue(server) { try await function() }
        server.stop()
    }
}

extension Trait where Self == SharedServer {
    static var sharedServer: Self { SharedServer() }
}

/// Tests that share a server.
@Suite(.sharedServer) struct PostgresTests {}

/// The shared server, with a schema that no other test has.
func testOptions(_ change: (inout PostgresOptions) -> Void = { _ in }) -> PostgresOptions {
    var options = PostgresOptions()
    options.schema = "t\(UUID().uuidString.lowercased().filter { $0 != "-" })"
    options.connections = 4
    change(&options)
    return options
}

func sharedDatabase(_ options: PostgresOptions = testOptions()) async throws -> PostgresDatabase {
    try await PostgresDatabase(#require(PostgresServer.shared).address, options: options)
}

func entries(_ versions: ClosedRange<CommitVersion>, payload: [UInt8] = [1, 2, 3]) -> [JournalEntry]
{
    versions.map {
        JournalEntry(
            version: $0, id: EntryID(high: 7, low: $0), name: "Shop/add", payload: payload,
            origin: ActionOrigin(file: "Shop/Main.swift", line: 12),
            time: Timestamp(nanosecondsSince1970: Int64($0)))
    }
}

func position(_ version: CommitVersion) -> JournalPosition {
    version == 0 ? .start : JournalPosition(version: version, id: EntryID(high: 7, low: version))
}

func snapshot(_ version: CommitVersion, _ payload: [UInt8] = [9]) -> JournalSnapshot {
    JournalSnapshot(
        version: version, fingerprint: FeatureFingerprint(rawValue: 1), payload: payload)
}

/// What a call throws; nil where it succeeds.
func failure(_ call: () async throws -> Void) async -> JournalError? {
    do {
        try await call()
        return nil
    } catch {
        return error as? JournalError
    }
}
#endif
