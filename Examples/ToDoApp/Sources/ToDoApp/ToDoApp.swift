// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import OnwardSync
import SwiftUI
import ToDoShared
import ToDoViews

#if canImport(AppKit)
import AppKit
#endif
#if !os(Linux)
import OnwardSQLite
#endif

/// The list that everybody shares, on a Mac or a phone: `./demo todo --sync` serves it.
@main struct ToDoApp: App {
    private let client = Client()

    var body: some Scene {
        WindowGroup("To-do") {
            ListWindow { [client] in try await client.synced() }
                #if canImport(AppKit)
            .onAppear {
                // A program without a bundle, as packages make, has no menu and stays behind.
                NSApplication.shared.setActivationPolicy(.regular)
                NSApplication.shared.activate()
            }
                #endif
        }
    }
}

/// The client of this device, one for all windows.
private actor Client {
    private var opening: Task<SyncedStore<SharedList>, any Error>?

    func synced() async throws -> SyncedStore<SharedList> {
        if let opening { return try await opening.value }
        let opening = Task { try await Self.open() }
        self.opening = opening
        return try await opening.value
    }

    private static func open() async throws -> SyncedStore<SharedList> {
        let address = ProcessInfo.processInfo.environment["TODO_URL"] ?? "http://127.0.0.1:8080"
        guard let url = URL(string: address) else { throw URLError(.badURL) }
        return try await SyncedStore(
            of: SharedList(), over: WebTransport(to: url.appending(path: "sync/")),
            in: try await journal(), options: .sharedList
        ) { sharedList }
    }

    #if os(Linux)
    // There is no app to run, only to compile: SQLite would have to be downloaded for that.
    private static func journal() async throws -> MemoryJournal { MemoryJournal() }
    #else
    /// What is confirmed and pending, where the system keeps what belongs to apps.
    private static func journal() async throws -> SQLiteJournal {
        let folder = URL.applicationSupportDirectory.appending(path: "ToDo")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return try await SQLiteJournal(at: folder.appending(path: "list.sqlite").path)
    }
    #endif
}
