// SPDX-License-Identifier: MIT
#if SQLite

import Foundation
import Onward
import OnwardJournal
import OnwardSQLite

/// What the program keeps: a chain in which each number shows that all before it are there.
struct Chain: Codable, Equatable, Sendable {
    var count = 0
    var sum: UInt64 = 0
}

struct Link: Action, Codable {
    let number: Int
}

/// Dispatches until it is killed, and prints each version once it is durable.
///
/// `KilledProgram FILE` writes; `KilledProgram FILE --check VERSION` opens the journal again and fails unless
/// the state is the fold of a prefix that contains the version.
@main
struct KilledProgram {
    static func main() async throws {
        guard CommandLine.arguments.count > 1 else { exit(64) }
        var options = PersistenceOptions<Chain>()
        options.recording.snapshotSpacing = 50
        options.retention = .newest(200)
        let app = try await Persistence(
            of: Chain(), in: SQLiteJournal(at: CommandLine.arguments[1]), options: options
        ) {
            Reduce { (chain: inout Chain, link: Link) in
                chain.count += 1
                chain.sum = fold(chain.sum, link.number)
            }
        }
        if CommandLine.arguments.count > 3 { return try await check(app) }
        await withThrowingTaskGroup(of: Void.self) { group in
            // Several callers, who share writes; each link has the number of its place.
            for _ in 0..<4 {
                group.addTask {
                    while true {
                        let result = try await Link.dispatchNext(to: app)
                        try FileHandle.standardOutput.write(
                            contentsOf: Data("durable \(result)\n".utf8))
                    }
                }
            }
        }
    }

    private static func check(_ app: Persistence<Chain>) async throws {
        let acknowledged = Int(CommandLine.arguments[3]) ?? 0
        let chain = app.store.state
        var sum: UInt64 = 0
        for number in 0..<chain.count { sum = fold(sum, number) }
        print(chain.count, chain.sum == sum ? "whole" : "broken")
        try await app.shutdown()
        exit(chain.sum == sum && chain.count >= acknowledged ? 0 : 1)
    }
}

private func fold(_ sum: UInt64, _ number: Int) -> UInt64 {
    (sum ^ UInt64(number)) &* 0x100_0000_01B3
}

/// Hands out the numbers in the order of their dispatches.
private let order = NSLock()

extension Link {
    /// Dispatches the link that comes next, and returns how many there are once it is durable.
    static func dispatchNext(to app: Persistence<Chain>) async throws -> Int {
        let count = order.withLock {
            let count = app.store.state.count
            app.store.dispatch(Link(number: count))
            return count + 1
        }
        try await app.flush()
        return count
    }
}
#else
@main
struct KilledProgram {
    static func main() { print("built without the trait SQLite") }
}
#endif
