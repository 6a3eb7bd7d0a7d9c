// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import OnwardReports
import OnwardSync
import OnwardTesting
import Synchronization
import Testing

/// What an app gets that makes a report while it runs, offline or ahead of its server.
@Suite(.timeLimit(.minutes(1))) struct ClientReportTests {
    /// A client that hears of others while the server hears nothing of what it proposes.
    private struct Running {
        let shared = Store(TodoList()) { todoList }
        let server: SyncServer<TodoList>
        let client: TodoClient

        init() async throws {
            let server = try await SyncServer.inMemory(shared)
            let isMute = Guarded(false)
            let network = MemoryTransport {
                let connection = await server.connect(as: "ann")
                return SyncConnection(messages: connection.messages) { bytes in
                    if !isMute.withValue(\.self) { try await connection.send(bytes) }
                } close: {
                    connection.close()
                }
            }
            self.server = server
            client = try await TodoClient(over: network)
            _ = await client.synced.outcome(of: client.add("milk"))
            isMute.withValue { $0 = true }
        }

        /// Own actions and those of others, by turns: what Ann calls "tea" is taken by then.
        func work() async throws {
            client.store.dispatch(DraftAction.typed("a draft"))
            client.add("bread")
            shared.dispatch(TodoAction.add(id: "eggs", title: "eggs"))
            try await client.shows(["milk", "eggs", "bread"])
            client.store.dispatch(TodoAction.note(title: "a note"))
            client.add("tea")
            shared.dispatch(TodoAction.add(id: "tea", title: "green tea"))
            try await client.shows(["milk", "eggs", "green tea", "bread", "a note"])
            client.store.dispatch(TodoAction.rename(id: "eggs", title: "six eggs"))
            #expect(client.synced.status.state.pending == 4)
        }
    }

    /// The states that a store has shown, one after each commit.
    private final class Shown: CommitObserver {
        let states: Mutex<[TodoList]>
        let needs: ObserverNeeds = .after
        init(_ state: TodoList) { states = Mutex([state]) }
        func observe(_ commit: Commit<TodoList>) {
            if let state = commit.after { states.withLock { $0.append(state) } }
        }
    }

    @Test func `a report of both begins with what is confirmed and ends with what shows`()
        async throws
    {
        let running = try await Running()
        try await running.work()
        let client = running.client
        let parts = try await client.synced.parts()
        #expect(parts.confirmed.titles == ["milk", "eggs", "green tea"])
        #expect(parts.pending.map(\.isHidden) == [false, false, true, false])
        let report = try Report(
            bytes: Report(from: parts.snapshot, parts.shownEntries, app: "To-do").bytes())
        let names = ["TodoAction/add", "TodoAction/note", "TodoAction/rename"]
        #expect(report.entries.map(\.name) == names)
        let session: ReplayedReport<TodoList> = try report.replayed(in: todoList)
        #expect(session.store.state == client.store.state)
        #expect(session.store.state.draft == "a draft")
        session.history.jump(to: 0)
        #expect(session.store.state.titles == ["milk", "eggs", "green tea"])
        session.history.jump(to: 1)
        #expect(session.store.state.titles == ["milk", "eggs", "green tea", "bread"])
    }

    @Test func `a report of both can leave the device without what was entered`() async throws {
        let running = try await Running()
        try await running.work()
        let parts = try await running.client.synced.parts()
        let session = RecordedSession(Report(from: parts.snapshot, parts.shownEntries))
        let report = try session.report(in: todoList)
        #expect(report.redaction?.course == .same)
        for word in ["eggs", "bread", "a draft", "a note"] {
            #expect(!String(decoding: report.start.payload, as: UTF8.self).contains(word))
        }
        let replayed: ReplayedReport<TodoList> = try report.replayed(in: todoList)
        #expect(replayed.store.state.items.count == running.client.store.state.items.count)
    }

    @Test func `a report made while another moment shows has what will show then`() async throws {
        let running = try await Running()
        let history = History(of: running.client.store)
        try await running.work()
        history.jump(to: 0)
        running.shared.dispatch(TodoAction.add(id: "bread", title: "rye bread"))
        _ = try await running.client.synced.status.wait { $0.confirmed == 4 }
        let parts = try await running.client.synced.parts()
        #expect(parts.pending.map(\.isHidden) == [true, false, true, false])
        let session: ReplayedReport<TodoList> =
            try Report(from: parts.snapshot, parts.shownEntries).replayed(in: todoList)
        history.jumpToEnd()
        let titles = ["milk", "six eggs", "green tea", "rye bread", "a note"]
        try await running.client.shows(titles)
        #expect(session.store.state.titles == titles)
    }

    @Test func `a recorded session shows each moment as the client showed it`() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("onward-sync-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let running = try await Running()
        let store = running.client.store
        let recorder = try SessionRecorder(store, at: folder)
        let shown = Shown(store.state)
        let token = store.log.attach(shown)
        try await running.work()
        let session = try await recorder.session()
        store.log.deliver(to: token)
        let states = shown.states.withLock(\.self)
        #expect(states.last == store.state)
        let report = try Report(bytes: session.unredacted.bytes())
        #expect(report.ending == Report.Ending())
        let replayed: ReplayedReport<TodoList> = try report.replayed(in: todoList)
        #expect(replayed.history.log.staged.count == states.count - 1)
        for (moment, state) in states.enumerated() {
            replayed.history.jump(to: moment)
            #expect(replayed.store.state == state)
        }
        let redacted = try session.report(in: todoList)
        #expect(redacted.redaction?.course == .same)
        await recorder.stop()
        token.cancel()
    }
}
