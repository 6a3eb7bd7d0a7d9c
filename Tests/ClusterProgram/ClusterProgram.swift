// SPDX-License-Identifier: MIT
#if All

import ClusterRecords
import Foundation
import Onward
import OnwardCluster
import OnwardJournal
import OnwardPostgres

/// One node of a cluster, which a test starts, talks to and kills.
///
/// `ClusterProgram NODE CONNECTION SCHEMA STORES`. Orders come as lines on standard input:
///
///     message BASE64                 a message of another node
///     propose TAG STORE REQUEST TEXT is answered by `answer TAG OUTCOME`
///     state TAG STORE                is answered by `state TAG COUNT DIGEST`
///     owned TAG                      is answered by `owned TAG STORE…`: those that the node decides for
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
        Printer.print("ready now")
        while let line = await Input.next() {
            let words = line.split(separator: " ", maxSplits: 4).map(String.init)
            switch words.first {
            case "message":
                guard let bytes = Data(base64Encoded: words[1]) else { break }
                await node.receive(Array(bytes))
            case "propose":
                guard let store = stores[words[2]], let request = RequestID(words[3]) else { break }
                Task {
                    let outcome = await store.propose(Line(text: words[4]), request: request)
                    Printer.print("answer \(words[1]) \(Self.text(of: outcome))")
                }
            case "state":
                guard let lines = stores[words[2]]?.store.state else { break }
                Printer.print("state \(words[1]) \(lines.count) \(lines.digest)")
            case "owned":
                let owned = node.stores.filter(\.value.isOwning).keys.joined(separator: " ")
                Printer.print("owned \(words[1]) \(owned)")
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
