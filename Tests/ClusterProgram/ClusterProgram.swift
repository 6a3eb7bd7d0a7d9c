// SPDX-License-Identifier: MIT
#if Postgres

import Foundation
import Onward
import OnwardCluster
import OnwardJournal
import OnwardPostgres

/// What a store of the program holds: how many lines it has, and a hash of them in their order.
package struct Lines: Codable, Sendable, Equatable {
    package var count = 0
    package var digest: UInt64 = 1

    package init() {}

    package mutating func add(_ text: String) {
        count += 1
        for byte in text.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
}

/// Adds a line.
package struct Line: Action, Codable {
    package let text: String

    package init(text: String) { self.text = text }
}

/// One node of a cluster, which a test starts, talks to and kills.
///
/// `ClusterProgram NODE CONNECTION SCHEMA STORES`. Orders come as lines on standard input:
///
///     message BASE64                 a message of another node
///     propose STORE REQUEST TEXT     is answered by `answer REQUEST OUTCOME`
///     state STORE                    is answered by `state STORE VERSION COUNT DIGEST`
///     leave                          hands over and ends
///
/// What it sends to other nodes it prints as `message NODE BASE64`: the test brings it there.
@main
struct ClusterProgram {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let count = Int(arguments[4]) else { exit(64) }
        var options = PostgresOptions()
        options.schema = arguments[3]
        options.connections = 4
        options.callLimit = .seconds(5)
        options.notifies = false
        let database = try await PostgresDatabase(arguments[2], options: options)
        var limits = ClusterLimits()
        limits.spacing = 200
        let node = ClusterNode(
            NodeID(arguments[1]), table: PostgresNodeTable(in: database), transport: Printer(),
            limits: limits)
        var stores: [String: ClusteredStore<Lines>] = [:]
        for number in 0..<count {
            let name = "store\(number)"
            stores[name] = ClusteredStore(
                of: Lines(), named: name, in: try await PostgresJournal(of: name, in: database),
                on: node
            ) {
                Reduce { (lines: inout Lines, line: Line) in lines.add(line.text) }
            }
        }
        let running = Task { await node.run() }
        Printer.print("ready")
        while let line = await Input.next() {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            switch words.first {
            case "message":
                guard let bytes = Data(base64Encoded: words[1]) else { break }
                await node.receive(Array(bytes))
            case "propose":
                guard let store = stores[words[1]], let request = RequestID(words[2]) else { break }
                Task {
                    let outcome = await store.propose(Line(text: words[3]), request: request)
                    Printer.print("answer \(request) \(Self.text(of: outcome))")
                }
            case "state":
                guard let store = stores[words[1]] else { break }
                let (version, lines) = (store.status.version, store.store.state)
                Printer.print("state \(words[1]) \(version) \(lines.count) \(lines.digest)")
            case "leave":
                await node.leave()
                await running.value
                exit(0)
            default: break
            }
        }
        // The test has ended.
        exit(0)
    }

    private static func text(of outcome: ProposalOutcome) -> String {
        switch outcome {
        case .accepted(let version): "accepted \(version)"
        case .withheld: "withheld"
        case .refused(let reason): "refused \(reason)"
        case .unanswered: "unanswered"
        }
    }
}

/// Prints messages, for the test to bring them to where they belong.
private struct Printer: ClusterTransport {
    private static let lock = NSLock()

    static func print(_ line: String) {
        lock.withLock { try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8)) }
    }

    func send(_ message: [UInt8], to node: NodeID) async {
        Self.print("message \(node) \(Data(message).base64EncodedString())")
    }
}

/// Reads lines on a thread of its own.
private enum Input {
    private static let lines = AsyncStream<String> { lines in
        Thread.detachNewThread {
            while let line = readLine() { lines.yield(line) }
            lines.finish()
        }
    }

    static func next() async -> String? {
        var iterator = lines.makeAsyncIterator()
        return await iterator.next()
    }
}
#else
@main
struct ClusterProgram {
    static func main() { print("built without the trait Postgres") }
}
#endif
