// SPDX-License-Identifier: MIT
#if SQLite

import Foundation
import Onward
import OnwardJournal
import OnwardSQLite
import Testing

private struct Tally: Codable, Equatable, Sendable { var names: [String] = [] }
private enum Step: Action, Codable {
    case add(String)
    case stop(String)
}

/// Opens a store whose reducers stop the program at some actions, and shuts it down.
private func launch(
    _ path: String, stoppingAt names: Set<String>,
    _ policy: UnreadableEntryPolicy = .fail, adding added: [Step] = []
) async throws -> ReplayedState<Tally> {
    var options = PersistenceOptions<Tally>()
    options.whenUnreadable = policy
    options.recording.report = { _ in }
    let app = try await Persistence(
        of: Tally(), in: SQLiteJournal(at: path), options: options
    ) {
        Reduce { (tally: inout Tally, step: Step) in
            switch step {
            case .add(let name): tally.names.append(name)
            case .stop(let name):
                if names.contains(name) { abort() }
                tally.names.append(name)
            }
        }
    }
    for step in added { try await app.dispatch(step) }
    try await app.shutdown()
    return app.restored
}

/// An entry that stops the program is passed over, once it did so in two launches in succession.
struct StoppingEntryTests {
    private let folder: Folder
    private var path: String { folder.file() }

    init() throws { folder = try Folder() }

    /// A launch in a process of its own that ends in a reducer.
    private func launchAndEnd(_ names: String) async {
        await #expect(processExitsWith: .signal(SIGABRT)) { [path = path as String, names] in
            _ = try await launch(
                path, stoppingAt: Set(names.split(separator: " ").map(String.init)),
                .quarantine { _ in })
        }
    }

    private func write() async throws {
        _ = try await launch(
            path, stoppingAt: [],
            adding: [.add("a"), .stop("x"), .add("b"), .stop("y"), .add("c")])
    }

    private func quarantine(
        _ names: Set<String>
    ) async throws -> (ReplayedState<Tally>, reported: [CommitVersion], errors: [JournalError]) {
        let reports = Guarded<[QuarantinedEntry]>([])
        let restored = try await launch(
            path, stoppingAt: names, .quarantine { entry in reports.withValue { $0.append(entry) } }
        )
        let all = reports.withValue { $0 }
        return (restored, all.map(\.entry.version), all.map(\.error))
    }

    @Test func `after two launches that ended in it, an entry is passed over, and nothing else`()
        async throws
    {
        try await write()
        await launchAndEnd("x")
        await launchAndEnd("x")
        let (restored, reported, errors) = try await quarantine(["x"])
        #expect(restored.state.names == ["a", "b", "y", "c"])
        #expect(restored.quarantined == 1 && reported == [2])
        #expect(errors.first?.code == .fatal)
        #expect(errors.first?.description.contains("Entry 2, \"Step/stop\"") == true)
        // From then on, without another end.
        for _ in 1...2 {
            let (next, again, _) = try await quarantine(["x"])
            #expect(next.state == restored.state && again == [2])
        }
        // What came after it is recorded as ever.
        _ = try await launch(
            path, stoppingAt: ["x"], .quarantine { _ in }, adding: [.add("d")])
        #expect(try await quarantine(["x"]).0.state.names == ["a", "b", "y", "c", "d"])
    }

    @Test func `several entries are passed over, one after the other`() async throws {
        try await write()
        for _ in 1...4 { await launchAndEnd("x y") }
        let (restored, reported, _) = try await quarantine(["x", "y"])
        #expect(restored.state.names == ["a", "b", "c"])
        #expect(reported == [2, 4])
    }

    @Test
    func `one launch that ended may be the system's doing, and so may two that ended elsewhere`()
        async throws
    {
        try await write()
        await launchAndEnd("x")
        await launchAndEnd("y")
        let (restored, reported, _) = try await quarantine([])
        #expect(restored.state.names == ["a", "x", "b", "y", "c"] && reported.isEmpty)
        await launchAndEnd("x")
        #expect(try await quarantine([]).0.state == restored.state)
        // A launch in between has succeeded.
        await launchAndEnd("x")
        #expect(try await quarantine([]).0.state == restored.state)
    }

    @Test func `without quarantine it is refused, each time, and the journal stays as it is`()
        async throws
    {
        try await write()
        await launchAndEnd("x")
        await launchAndEnd("x")
        for _ in 1...2 {
            let error = await failure { _ = try await launch(path, stoppingAt: ["x"]) }
            #expect(error?.code == .fatal && error?.version == 2)
            #expect(error?.description.contains("quarantine") == true)
        }
        let reader = try await SQLiteJournal(reading: path)
        #expect(try await reader.lastVersion() == 5)
        await reader.close()
        #expect(try await quarantine(["x"]).0.state.names == ["a", "b", "y", "c"])
    }

    @Test func `another journal in its place is run from the beginning`() async throws {
        try await write()
        await launchAndEnd("x")
        await launchAndEnd("x")
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
        try await write()
        let (restored, reported, _) = try await quarantine([])
        #expect(restored.state.names == ["a", "x", "b", "y", "c"] && reported.isEmpty)
    }
}
#endif
