// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardInspector
import OnwardJournal
import OnwardSQLite
import OnwardServer
import OnwardSync
import ToDoFiles
import ToDoPage
import ToDoShared
import ToDoTasks

/// Serves one list for everybody, which is kept action by action.
struct SharedProgram {
    /// The folder of the list; nil for the usual one.
    let data: String?
    /// The port for time travel; nil for none.
    let inspector: UInt16?

    func run(_ serving: ServerOptions, _ storing: StoreOptions) async throws {
        let journal = try await SQLiteJournal(at: path())
        var keeping = PersistenceOptions<SharedList>()
        keeping.recording.snapshotSpacing = 1_000
        let kept = try await Persistence(
            of: SharedList(), in: journal, options: keeping, storeOptions: storing
        ) { sharedList }
        let step = try await SyncServer(
            of: kept.store, accepting: .actions(TaskAction.self), journal: journal,
            options: .sharedList)
        let server = try PageServer.sharedList(
            hosting: .shared(kept), in: step, options: serving)
        if let inspector {
            let inspection = Inspector()
            inspection.attach(kept.store, as: "todo")
            try await inspection.run(at: Int(inspector), beside: server) { address in
                print("inspector \(address)")
                fflush(nil)
            }
        } else {
            try await server.run()
        }
        await step.stop()
        try await kept.shutdown()
    }

    private func path() throws -> String {
        let folder = data.map { URL(filePath: $0) } ?? DataFolder.standard()
        try DataFolder.make(folder)
        return folder.appendingPathComponent("shared.sqlite").path
    }
}
