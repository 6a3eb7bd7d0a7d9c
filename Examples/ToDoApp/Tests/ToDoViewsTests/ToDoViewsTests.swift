// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardSync
import SwiftUI
import Testing
import ToDoShared
import ToDoTasks
import ToDoViews

/// What a reader of the screen finds and taps, drawn on the stubs of SwiftUI.
@MainActor @Suite struct ToDoViewsTests {
    private let store = Store(SharedList()) { sharedList }

    private func client(_ network: SwitchedTransport) async throws -> SyncedStore<SharedList> {
        try await SyncedStore(
            of: SharedList(), over: network, in: MemoryJournal(), options: .sharedList
        ) { sharedList }
    }

    private func server() async throws -> SyncServer<SharedList> {
        try await SyncServer(
            of: store, accepting: .actions(TaskAction.self), options: .sharedList)
    }

    @Test func `what is typed and tapped is done on the server, and what others do is shown`()
        async throws
    {
        let synced = try await client(SwitchedTransport(MemoryTransport(to: server())))
        let screen = DrawnScreen(ListView(synced))
        #expect(screen.type("Buy milk", into: "New task"))
        #expect(screen.tap("Add"))
        #expect(screen.labels.contains("New task: "))
        #expect(screen.labels.contains("To do: Buy milk"))
        let task = try #require(try await store.wait { $0.tasks.count == 1 }.tasks.first)
        #expect(screen.tap("To do: Buy milk"))
        _ = try await store.wait { $0.tasks.first?.state == .done }
        store.dispatch(TaskAction.rename(id: task.id, name: "Buy oat milk"))
        _ = try await synced.store.wait { $0.tasks.first?.name == "Buy oat milk" }
        #expect(screen.labels.contains("Done: Buy oat milk"))
        #expect(screen.tap("Delete: Buy oat milk"))
        _ = try await store.wait { $0.tasks.isEmpty }
        await synced.stop()
    }

    @Test func `offline it says how much the server doesn't have, and afterwards what it refused`()
        async throws
    {
        store.dispatch(TaskAction.add(name: "Buy milk"))
        let network = SwitchedTransport(MemoryTransport(to: try await server()))
        let synced = try await client(network)
        let task = try #require(try await synced.store.wait { $0.tasks.count == 1 }.tasks.first)
        network.isOn = false
        _ = try await synced.status.wait { !$0.isOnline }
        let screen = DrawnScreen(ListView(synced))
        #expect(screen.labels.contains("Offline"))
        #expect(screen.tap("To do: Buy milk"))
        _ = try await synced.status.wait { $0.pending == 1 }
        #expect(screen.labels.contains("1 not on the server yet"))
        store.dispatch(TaskAction.delete(id: task.id))
        network.isOn = true
        _ = try await synced.status.wait { $0.lastRefusal != nil }
        #expect(screen.labels.contains(TaskRefusal.unknown.sentence))
        #expect(screen.labels.contains("In step"))
        #expect(!screen.labels.contains("Done: Buy milk"))
        await synced.stop()
    }
}
