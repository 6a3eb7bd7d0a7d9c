// SPDX-License-Identifier: MIT
#if Cluster

import Foundation
import NIOCore
import UnixSignals

/// Several servers of one game on this machine, their database, and a balancer in front of them.
///
/// A server that ends, as somebody has killed it, is started again: a little later, so that one sees how another one
/// takes its part.
struct GameCluster {
    private static let pause = Duration.seconds(5)

    private let port: Int
    private let count: Int
    private let secret = UUID().uuidString

    /// - Parameters:
    ///   - count: How many servers there are.
    ///   - port: Where browsers reach any of them; the servers take the ports above it.
    /// - Throws: Where there are not enough ports.
    init(_ count: Int, behind port: UInt16) throws {
        guard port > 0, Int(port) + 2 * count <= Int(UInt16.max) else {
            throw Refusal(
                description:
                    "--cluster \(count) takes \(2 * count) ports above --port: \(port) won't do.")
        }
        (self.count, self.port) = (count, Int(port))
    }

    /// Serves until it is interrupted; then it ends all that it has started.
    ///
    /// - Throws: What can't be started, in one sentence.
    func run() async throws {
        let balancer: Balancer
        do {
            balancer = try await Balancer(at: port, for: (1...count).map(page))
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw Refusal(description: "Port \(port) is in use; choose another one with --port.")
        }
        let interrupts = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let database = try DatabaseServer()
        // Last of all: a server that ends hands its part over there.
        defer { database.end() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in interrupts { return } }
            group.addTask { try await balancer.run() }
            group.addTask { try await serve(database.address) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Where browsers reach a server.
    private func page(of number: Int) -> Int { port + number }

    /// Where the other servers reach it.
    private func messages(of number: Int) -> Int { port + count + number }

    // MARK: Servers

    private func serve(_ database: String) async throws {
        var nodes: [ChildProcess] = []
        do {
            for number in 1...count { nodes.append(try await start(number, database)) }
        } catch {
            for node in nodes { await node.end() }
            throw error
        }
        print("http://127.0.0.1:\(port)")
        await withDiscardingTaskGroup { group in
            for (index, node) in nodes.enumerated() {
                describe(node, index + 1)
                group.addTask { await keep(node, index + 1, database) }
            }
        }
    }

    /// Starts a server; returns once it serves.
    private func start(_ number: Int, _ database: String) async throws -> ChildProcess {
        let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
        let node = try ChildProcess(
            [
                program, "--port", "\(page(of: number))", "--node",
                "127.0.0.1:\(messages(of: number))", "--database", database,
            ], environment: [SeveralServers.secret: secret])
        for await _ in node.lines { return node }
        await node.end()
        throw Refusal(description: "Server \(number) has ended before it served anything.")
    }

    /// Starts a server again whenever it has ended; ends it when the task is cancelled.
    private func keep(_ node: ChildProcess, _ number: Int, _ database: String) async {
        var node = node
        while true {
            // They end with it.
            for await _ in node.lines {}
            await node.end()
            if Task.isCancelled { return }
            print(
                "server \(number), process \(node.id), has ended; another one starts in \(Self.pause)"
            )
            fflush(nil)
            while (try? await Task.sleep(for: Self.pause)) != nil {
                guard let next = try? await start(number, database) else { continue }
                node = next
                describe(node, number)
                break
            }
        }
    }

    private func describe(_ node: ChildProcess, _ number: Int) {
        print("server \(number) is process \(node.id) at http://127.0.0.1:\(page(of: number))")
        fflush(nil)
    }
}
#endif
