// SPDX-License-Identifier: MIT
#if Server

import Foundation
import Logging
import Mustache
import Onward
import OnwardJournal
import OnwardSQLite
import OnwardServer
import OnwardSync

/// What all have added, in order.
struct Tally: Codable, Equatable, Sendable {
    var lines: [String] = []
}

enum TallyAction: Action, Codable, Equatable {
    case add(name: String, number: Int)
}

enum TallyRefusal: RefusalReason {
    case odd
    var sentence: String { "Not at an odd place." }
}

let tally = Feature<Tally> {
    Check { (tally: Tally, action: TallyAction) throws(TallyRefusal) in
        guard case .add(_, let number) = action else { return }
        // So what others do decides about it.
        if number % 7 == 3, !tally.lines.count.isMultiple(of: 2) { throw .odd }
    }
    Reduce { (tally: inout Tally, action: TallyAction) in
        switch action {
        case .add(let name, let number): tally.lines.append("\(name) \(number)")
        }
    }
}

/// A clock whose pauses are short, as servers that are killed are back soon.
struct HastyClock: Clock {
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { ContinuousClock().minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await Task.sleep(for: now.duration(to: deadline) / 16)
    }
}

/// A server that is killed, and its clients.
///
/// - `SyncProgram server JOURNAL PORT` serves until it is killed.
/// - `SyncProgram client JOURNAL PORT NAME STOP` adds lines until the file `STOP` is there, and says what
///   became of each. When the file has a number, it waits for so many lines, and prints them.
/// - `SyncProgram lines JOURNAL` prints what the server has.
@main
struct SyncProgram {
    static func main() async throws {
        let arguments = CommandLine.arguments
        switch arguments.dropFirst().first {
        case "server" where arguments.count == 4:
            try await serve(arguments[2], at: Int(arguments[3]) ?? 0)
        case "client" where arguments.count == 6:
            try await add(arguments[4], arguments[2], at: arguments[3], until: arguments[5])
        case "lines" where arguments.count == 3:
            let kept = try await open(arguments[2])
            for line in kept.store.state.lines { say("line \(line)") }
            try await kept.shutdown()
        default: exit(64)
        }
    }

    /// Prints a line at once, as the program may be killed.
    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    private static func open(_ path: String) async throws -> Persistence<Tally> {
        try await Persistence(of: Tally(), in: SQLiteJournal(at: path)) { tally }
    }

    private static func serve(_ path: String, at port: Int) async throws {
        let journal = try await SQLiteJournal(at: path)
        let kept = try await Persistence(of: Tally(), in: journal) { tally }
        let server = try await SyncServer(
            of: kept.store, accepting: .actions(TallyAction.self), journal: journal)
        let page = try Page<Tally>(title: "Tally", templates: MustacheLibrary(), accepts: []) {
            _ in []
        }
        var options = ServerOptions(port: port)
        options.logger = Logger(label: "sync") { _ in SwiftLogNoOpLogHandler() }
        options.onListening = { _ in say("running") }
        try await PageServer(
            page, hosting: .shared(kept.store), endpoints: [.sync(server)], options: options
        ).run()
    }

    private static func add(
        _ name: String, _ path: String, at port: String, until stop: String
    ) async throws {
        guard let url = URL(string: "http://127.0.0.1:\(port)/sync/") else { exit(64) }
        var options = SyncOptions<Tally>()
        options.limits.patience = .milliseconds(500)
        options.limits.heartbeat = .seconds(1)
        let synced = try await SyncedStore(
            of: Tally(), over: WebTransport(to: url), in: SQLiteJournal(at: path),
            options: options, storeOptions: StoreOptions(clock: HastyClock())
        ) { tally }
        say("running")
        var open: [(number: Int, version: CommitVersion)] = []
        func settle() async {
            let first = open.removeFirst()
            switch await synced.outcome(of: first.version) {
            case .confirmed: say("confirmed \(first.number)")
            case .refused: say("refused \(first.number)")
            case .replaced, nil: say("forgotten \(first.number)")
            }
        }
        var number = 0
        while !FileManager.default.fileExists(atPath: stop) {
            let action = TallyAction.add(name: name, number: number)
            if let version = synced.store.dispatch(action).version {
                open.append((number, version))
            }
            number += 1
            if open.count > 8 { await settle() }
            try await Task.sleep(for: .milliseconds(8))
        }
        while !open.isEmpty { await settle() }
        say("done")
        var count: Int?
        while count == nil {
            try await Task.sleep(for: .milliseconds(20))
            count = try? Int(String(contentsOf: URL(filePath: stop), encoding: .utf8))
        }
        let expected = count
        let state = try await synced.store.wait { $0.lines.count == expected }
        for line in state.lines { say("line \(line)") }
        await synced.stop()
    }
}
#else

@main
struct SyncProgram {
    static func main() {}
}
#endif
