// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Onward
import OnwardInspection
import OnwardSQLite
import OnwardSync
import ToDoFiles
import ToDoShared

/// The list that everybody shares, in a terminal: also without a network, and after it was killed.
@main struct Terminal: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "todo-terminal",
        abstract: "A list of tasks that is shared with a page and other clients.",
        discussion: "Type a command per line: \(Command.help).")

    @Option(help: "The address of `todo --sync`.")
    var url = "http://127.0.0.1:8080"

    @Option(
        help: "The file in which the list and what isn't sent yet is kept.", completion: .file())
    var data: String?

    @Flag(help: "Begin without the network, until `online` is typed.")
    var offline = false

    @Option(
        help: """
            The address of an inspector that shows this list as well, such as that of `todo --sync --inspector 8081`; \
            also by the environment variable ONWARD_INSPECTOR.
            """)
    var inspector: String?

    func validate() throws {
        guard let url = URL(string: url), ["http", "https"].contains(url.scheme), url.host != nil
        else {
            throw ValidationError("--url is no http or https address: \(url)")
        }
    }

    func run() async throws {
        guard let server = URL(string: url) else { return }
        let network = SwitchedTransport(
            WebTransport(to: server.appendingPathComponent("sync/")), isOn: !offline)
        let synced = try await SyncedStore(
            of: SharedList(), over: network, in: SQLiteJournal(at: path()), options: .sharedList
        ) { sharedList }
        let inspection = InspectorConnection(to: inspector, app: "todo-terminal")
        inspection.attach(synced.store, as: "terminal", pages: [await .synced(synced)])
        let inspecting = Task { await inspection.run() }
        defer { inspecting.cancel() }
        let (events, happened) = AsyncStream<Conversation.Event>.makeStream()
        let changes = synced.store.log.attach(
            OthersChanges { happened.yield(.changed(from: $0, to: $1)) })
        let status = synced.status.subscribe(\.self) { happened.yield(.status($1)) }
        happened.yield(.status(synced.status.state))
        Thread.detachNewThread {
            while let line = readLine() { happened.yield(.typed(line)) }
            happened.yield(.typed(nil))
        }
        var conversation = Conversation(synced, over: network) { line in
            // At once: whoever reads through a pipe waits for it.
            FileHandle.standardOutput.write(Data((line + "\n").utf8))
        }
        await conversation.run(events)
        changes.cancel()
        status.cancel()
        await synced.stop()
    }

    /// The option, else a file where the platform keeps what belongs to apps.
    private func path() throws -> String {
        if let data { return data }
        let folder = DataFolder.standard()
        try DataFolder.make(folder)
        return folder.appendingPathComponent("terminal.sqlite").path
    }
}

/// Reports what a client's store shows that wasn't dispatched to it.
private struct OthersChanges: CommitObserver {
    let report: @Sendable (SharedList, SharedList) -> Void

    var needs: ObserverNeeds { [.before, .after] }

    func observe(_ commit: Commit<SharedList>) {
        guard commit.entry.kind == .travel, let old = commit.before, let new = commit.after else {
            return
        }
        report(old, new)
    }
}
