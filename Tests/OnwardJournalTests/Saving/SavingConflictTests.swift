// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardTesting
import Testing

@testable import OnwardJournal

/// Another program writes what a store saves.
struct SavingConflictTests {
    struct Both: Codable, Equatable, Sendable { var a = 0, b = 0 }
    struct App: Sendable { var both = Both() }
    enum AppAction: Action { case a(Int) }
    typealias Conflict = SavingConflict<Both>

    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("onward-conflict-\(UUID().uuidString)").path
    private var path: String { "\(folder)/both.json" }
    private let reports = Guarded<[SavingError]>([])
    private let conflicts = Guarded<[Both?]>([])

    private func makeStore(
        _ winner: (@Sendable (Conflict) -> Conflict.Winner)? = nil
    ) -> Store<App> {
        let reports = reports
        return Store(App(), options: StoreOptions(clock: ManualClock())) {
            Reduce { (app: inout App, action: AppAction) in
                if case .a(let a) = action { app.both.a = a }
            }
            Saving(
                \.both, in: .file(path),
                report: { error in reports.withValue { $0.append(error) } },
                whenReplaced: winner)
        }
    }

    private func write(_ text: String) throws {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
    private func text(_ name: String = "both.json") -> String? {
        try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    }
    private var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }
    private let theirs = #"{"schema":1,"value":{"a":1,"b":99}}"#

    /// Makes a store that begins with a = 1, has 2 now, and whose file another program replaces.
    private func makeReplaced(
        by text: String? = nil, _ winner: (@Sendable (Conflict) -> Conflict.Winner)? = nil
    ) async throws -> Store<App> {
        let first = makeStore()
        first.dispatch(AppAction.a(1))
        try await first.flush()
        await first.shutdown()
        let store = makeStore(winner)
        store.dispatch(AppAction.a(2))
        try write(text ?? theirs)
        return store
    }

    @Test func `the app's value is saved, the other program's is kept beside it and reported`()
        async throws
    {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try await makeReplaced()
        await store.shutdown()
        #expect(text() == #"{"schema":1,"value":{"a":2,"b":0}}"#)
        #expect(text("both.json.other-1") == theirs)
        #expect(files == ["both.json", "both.json.other-1"])
        #expect(reports.withValue { $0.map(\.code) } == [.replaced])
        #expect(
            reports.withValue { $0.first?.description } == """
                Another program has replaced the saved Both. This program's value was saved over it, and the \
                other one is kept beside it. To decide which one is saved, give the Saving a whenReplaced.
                """)
    }

    @Test func `a file that appears where there was none is kept as well`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let store = makeStore()
        store.dispatch(AppAction.a(2))
        try write("not even JSON")
        try await store.flush()
        #expect(text("both.json.other-1") == "not even JSON")
        #expect(text() == #"{"schema":1,"value":{"a":2,"b":0}}"#)
        try write("again")
        store.dispatch(AppAction.a(3))
        try await store.flush()
        #expect(text("both.json.other-2") == "again")
        await store.shutdown()
    }

    @Test func `the app may let the other program's value stay, until its own changes again`()
        async throws
    {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let conflicts = conflicts
        let store = try await makeReplaced { conflict in
            conflicts.withValue { $0 += [conflict.mine, conflict.theirs] }
            return .theirs
        }
        try await store.flush()
        #expect(text() == theirs)
        #expect(conflicts.withValue { $0 } == [Both(a: 2), Both(a: 1, b: 99)])
        store.dispatch(AppAction.a(3))
        try await store.flush()
        #expect(text() == #"{"schema":1,"value":{"a":3,"b":0}}"#)
        #expect(files == ["both.json"])
        #expect(reports.withValue { $0 } == [])
        await store.shutdown()
    }

    @Test func `the app may make one value of both, and use the store meanwhile`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try await makeReplaced { conflict in
            guard var both = conflict.theirs else { return .mine }
            both.a = conflict.mine.a
            return .merged(both)
        }
        try await store.flush()
        #expect(text() == #"{"schema":1,"value":{"a":2,"b":99}}"#)
        #expect(files == ["both.json"])
        await store.shutdown()
        #expect(text() == #"{"schema":1,"value":{"a":2,"b":99}}"#)
    }

    @Test func `what a newer program wrote stays`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let newer = #"{"schema":2,"value":{"all":[]}}"#
        let store = try await makeReplaced(by: newer)
        await #expect {
            try await store.flush()
        } throws: { error in
            ((error as? DurabilityError)?.underlying as? SavingError)?.code == .unwritable
                && "\(error)".contains("A newer one wrote it")
        }
        #expect(text() == newer && files == ["both.json"])
        await store.shutdown()
        #expect(text() == newer)
    }

    @Test func `the same value from another program is no conflict, nor is a file that is gone`()
        async throws
    {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let mine = #"{"schema":1,"value":{"a":2,"b":0}}"#
        let store = try await makeReplaced(by: mine)
        try await store.flush()
        try FileManager.default.removeItem(atPath: path)
        store.dispatch(AppAction.a(3))
        try await store.flush()
        #expect(files == ["both.json"])
        #expect(reports.withValue { $0 } == [])
        await store.shutdown()
    }

    /// A storage that another program writes to, and which may fail when everything is written.
    private final class Shared: ValueStorage {
        struct State {
            var contents: [UInt8]?
            var failsAfterwards = false
            var writes = 0
            /// What another program writes whenever it was asked who wins.
            var replacements = 0
        }
        let state = Guarded(State())
        func read() throws -> [UInt8]? { state.withValue { $0.contents } }
        func write(_ bytes: [UInt8]) throws {
            let fails = state.withValue { state in
                state.contents = bytes
                state.writes += 1
                return state.failsAfterwards
            }
            if fails { throw SavingError(.unwritable, "It can't be flushed.") }
        }
    }

    @Test func `what a failed write left is no other program's, and is written again`() async throws
    {
        let storage = Shared()
        let saved = SavedValue<Int>(in: storage, report: { _ in })
        _ = try saved.load()
        _ = saved.note(0, on: ContinuousClock())
        storage.state.withValue { $0.failsAfterwards = true }
        for number in 1...3 {
            _ = saved.note(number, on: ContinuousClock())
            await #expect(throws: SavingError.self) { try await saved.flush() }
        }
        storage.state.withValue { $0.failsAfterwards = false }
        try await saved.flush()
        #expect(storage.state.withValue { $0.writes } == 4)
        // What is there is not written again.
        _ = saved.note(4, on: ContinuousClock())
        _ = saved.note(3, on: ContinuousClock())
        try await saved.flush()
        #expect(storage.state.withValue { $0.writes } == 4)
    }

    @Test func `a storage that keeps nothing beside it isn't written over`() async throws {
        let storage = Shared()
        let saved = SavedValue<Int>(in: storage, report: { _ in })
        _ = try saved.load()
        _ = saved.note(0, on: ContinuousClock())
        _ = saved.note(1, on: ContinuousClock())
        storage.state.withValue { $0.contents = Array(#"{"schema":1,"value":7}"#.utf8) }
        await #expect {
            try await saved.flush()
        } throws: { "\($0)".contains("cannot keep that beside the value") }
        #expect(storage.state.withValue { $0.writes } == 0)
    }

    @Test func `a program that replaces it again and again is not written over for ever`()
        async throws
    {
        let storage = Shared()
        let saved = SavedValue<Int>(
            in: storage, report: { _ in },
            whenReplaced: { _ in
                storage.state.withValue { state in
                    state.replacements += 1
                    state.contents = Array("other \(state.replacements)".utf8)
                }
                return .merged(5)
            })
        _ = try saved.load()
        _ = saved.note(0, on: ContinuousClock())
        _ = saved.note(1, on: ContinuousClock())
        storage.state.withValue { $0.contents = Array("other".utf8) }
        await #expect {
            try await saved.flush()
        } throws: { "\($0)".contains("replaces it again and again") }
        #expect(storage.state.withValue { $0.writes } == 0)
    }
}
