// SPDX-License-Identifier: MIT
#if SQLite

import Foundation
import Onward
import OnwardJournal
import OnwardQueries
import OnwardSQLite

/// What the server has: how many numbers were added.
struct Numbers: Codable, Equatable, SavableBase {
    var last = -1
    static let mutations: [any Mutation<Numbers>.Type] = [Add.self]
}

enum Trouble: Error, Codable, Equatable { case lost }

struct Add: Mutation {
    static let name = "add"
    typealias Failure = Trouble
    let number: Int
    func apply(to numbers: inout Numbers) { numbers.last = number }
}

struct Sender: Codable, Equatable, Sendable {
    var count = 0
    var numbers = Overlaid(Numbers())
}

/// Waits until what was dispatched is on disk, once the journal is open.
actor Disk {
    private var flush: (@Sendable () async throws -> Void)?

    func open(_ flush: @escaping @Sendable () async throws -> Void) { self.flush = flush }

    func stored() async throws {
        guard let flush else { throw Trouble.lost }
        try await flush()
    }
}

/// Sends numbers to a server that counts, until it is killed or all are sent.
///
/// `OutboxProgram JOURNAL SERVER COUNT`: the server is a file that gets a line with the key and the number of each
/// request. Some requests are lost, and so are some answers.
@main
struct OutboxProgram {
    static func main() async throws {
        guard CommandLine.arguments.count > 3, let count = Int(CommandLine.arguments[3]) else {
            exit(64)
        }
        let server = try FileHandle(forWritingTo: URL(filePath: CommandLine.arguments[2]))
        let disk = Disk()
        var options = PersistenceOptions<Sender>()
        options.recording.snapshotSpacing = 50
        options.retention = .newest(200)
        let app = try await Persistence(
            of: Sender(), in: SQLiteJournal(at: CommandLine.arguments[1]), options: options
        ) {
            Reduce { (sender: inout Sender, add: Add) in sender.count = add.number + 1 }
            Send(Add.self, at: \.numbers, durable: true, stored: { try await disk.stored() }) {
                add, context async throws(Trouble) in
                if Int.random(in: 0..<10) == 0 { throw .lost }
                _ = server.seekToEndOfFile()
                server.write(Data("\(context.key) \(add.number)\n".utf8))
                if Int.random(in: 0..<10) == 0 { throw .lost }
            }
            .retry(attempts: .max, .constant(.milliseconds(1)))
        }
        await disk.open { try await app.flush() }
        app.store.dispatch(ServerDataAction.online(true))
        print("running")
        fflush(nil)
        while app.store.state.count < count {
            app.store.dispatch(Add(number: app.store.state.count))
            _ = try await app.store.wait { $0.numbers.pending.count < 5 }
        }
        _ = try await app.store.wait { $0.numbers.pending.isEmpty }
        try await app.shutdown()
        print("done")
    }
}
#else

@main
struct OutboxProgram {
    static func main() {}
}
#endif
