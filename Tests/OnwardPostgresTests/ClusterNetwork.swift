// SPDX-License-Identifier: MIT
#if All

import ClusterRecords
import Foundation
import Onward
import OnwardCluster

@testable import OnwardPostgres

/// Besides the methods of the same name.
private let signalProcess: @Sendable (pid_t, CInt) -> CInt = { kill($0, $1) }

/// The programs of a cluster, the way from one to another, and what clients ask of them.
final class ClusterNetwork: Sendable {
    /// A program that runs; what is written to it waits on a queue, as it may stand still.
    private struct Running {
        let process: Process
        let input: FileHandle
        let queue = DispatchQueue(label: "ClusterNetwork.input")
        let run: Int
        var waiting = 0
    }

    private struct Contents {
        var running: [String: Running] = [:]
        var runs = 0
        var tags = 0
        /// Who waits for an answer, by the run and what the answer begins with.
        var callers: [String: (run: Int, continuation: CheckedContinuation<String?, Never>)] = [:]
    }

    /// So many lines wait for a program; more messages are lost, as networks may.
    private static let waitingLimit = 10_000

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

    var anyName: String { names[Int.random(in: 0..<names.count)] }

    /// The path of a program that is built beside the tests.
    static func path(of program: String) -> String {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let folders = [tests, tests.deletingLastPathComponent(), Bundle.main.bundleURL]
        let programs = folders.map { $0.appendingPathComponent(program).path }
        return programs.first { FileManager.default.isExecutableFile(atPath: $0) } ?? programs[0]
    }

    // MARK: Programs

    /// Starts a node; returns once it takes part.
    func start(_ name: String) async throws {
        let process = Process()
        process.executableURL = URL(filePath: Self.path(of: "ClusterProgram"))
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
        _ = await answer("ready", "now", of: run, within: .seconds(60)) {
            Thread.detachNewThread { [self] in
                var rest = Data()
                // What there is, and not only once there is more.
                while case let some = output.fileHandleForReading.availableData, !some.isEmpty {
                    rest += some
                    while let end = rest.firstIndex(of: 10) {
                        take(String(decoding: rest[rest.startIndex..<end], as: UTF8.self), of: run)
                        rest = Data(rest[(end + 1)...])
                    }
                }
                end(run)
            }
        }
    }

    /// Kills a node with SIGKILL.
    func kill(_ name: String) {
        guard let ended = contents.withValue({ $0.running.removeValue(forKey: name) }) else {
            return
        }
        _ = signalProcess(ended.process.processIdentifier, SIGKILL)
        ended.process.waitUntilExit()
        end(ended.run)
    }

    /// Has a node stand still, or go on.
    func pause(_ name: String, _ pauses: Bool) {
        guard let running = contents.withValue({ $0.running[name] }) else { return }
        _ = signalProcess(running.process.processIdentifier, pauses ? SIGSTOP : SIGCONT)
    }

    /// Has a node hand over and end.
    func leave(_ name: String) async {
        guard let leaving = contents.withValue({ $0.running[name] }) else { return }
        write("leave", to: name)
        while leaving.process.isRunning { try? await Task.sleep(for: .milliseconds(20)) }
        end(leaving.run)
    }

    func stop() {
        for name in names { kill(name) }
    }

    // MARK: Lines

    private func take(_ line: String, of run: Int) {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count > 1 else { return }
        if words[0] == "message" { return write("message \(words[2])", to: words[1]) }
        let caller = contents.withValue {
            $0.callers.removeValue(forKey: "\(run) \(words[0]) \(words[1])")
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
        let running = contents.withValue { contents -> Running? in
            guard let running = contents.running[name], running.waiting < Self.waitingLimit else {
                return nil
            }
            contents.running[name]?.waiting += 1
            return running
        }
        running?.queue.async { [self] in
            try? running?.input.write(contentsOf: Data((line + "\n").utf8))
            contents.withValue { contents in
                guard contents.running[name]?.run == running?.run else { return }
                contents.running[name]?.waiting -= 1
            }
        }
    }

    /// What a program answers to an order; nil where it ends, or takes too long.
    private func answer(
        _ word: String, _ tag: String, of run: Int, within limit: Duration = .seconds(3),
        to order: () -> Void
    ) async -> String? {
        let key = "\(run) \(word) \(tag)"
        let timer = Task { [contents] in
            try await Task.sleep(for: limit)
            let late = contents.withValue { $0.callers.removeValue(forKey: key) }
            late?.continuation.resume(returning: nil)
        }
        defer { timer.cancel() }
        return await withCheckedContinuation { continuation in
            let isAlone = contents.withValue { contents in
                guard contents.callers[key] == nil,
                    contents.running.values.contains(where: { $0.run == run })
                else { return false }
                contents.callers[key] = (run, continuation)
                return true
            }
            guard isAlone else { return continuation.resume(returning: nil) }
            order()
        }
    }

    /// What the program of a node that runs answers to an order with a tag of its own; nil where there is none.
    private func answer(
        _ word: String, of name: String, to order: (_ tag: String) -> String
    ) async -> (text: String, run: Int)? {
        let found = contents.withValue { contents -> (run: Int, tag: String)? in
            contents.tags += 1
            return contents.running[name].map { ($0.run, "\(contents.tags)") }
        }
        guard let (run, tag) = found else {
            try? await Task.sleep(for: .milliseconds(10))
            return nil
        }
        return await answer(word, tag, of: run) { write(order(tag), to: name) }.map { ($0, run) }
    }

    // MARK: Orders

    /// The version that a proposal was accepted as by a node, and that node's run; nil where it wasn't, or not in time.
    func propose(
        _ text: String, in store: String, _ request: RequestID, on name: String
    ) async -> (version: UInt64, run: Int)? {
        let answer = await answer("answer", of: name) {
            "propose \($0) \(store) \(request) \(text)"
        }
        let words = answer?.text.split(separator: " ") ?? []
        guard words.first == "accepted", let version = words.last.flatMap({ UInt64($0) }) else {
            return nil
        }
        return answer.map { (version, $0.run) }
    }

    /// What a node shows of a store, and its run.
    func lines(of store: String, on name: String) async -> (lines: Lines, run: Int)? {
        let answer = await answer("state", of: name) { "state \($0) \(store)" }
        let words = answer?.text.split(separator: " ") ?? []
        guard words.count == 2, let count = Int(words[0]), let digest = UInt64(words[1]) else {
            return nil
        }
        return answer.map { (Lines(count: count, digest: digest), $0.run) }
    }

    /// The stores that a node owns, as far as it knows.
    func owned(by name: String) async -> Set<String> {
        let answer = await answer("owned", of: name) { "owned \($0)" }
        return Set(answer?.text.split(separator: " ").map(String.init) ?? [])
    }
}
#endif
