// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardSync
import OnwardTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct ConfirmedStateTests {
    @Test func `what is confirmed leaves out what is pending, also after a restart`() async throws {
        let store = Store(TodoList()) { todoList }
        let server = try await SyncServer.inMemory(store)
        let journal = MemoryJournal()
        let ann = try await TodoClient(of: server, in: journal)
        #expect(await ann.synced.outcome(of: ann.add("a")) == .confirmed)
        try await ann.cut()
        ann.add("b")
        #expect(ann.store.state.titles == ["a", "b"])
        #expect(await ann.synced.confirmed.titles == ["a"])
        await ann.synced.stop()
        let again = try await TodoClient(of: server, isConnected: false, in: journal)
        #expect(again.store.state.titles == ["a", "b"])
        #expect(await again.synced.confirmed.titles == ["a"])
        try await again.reconnect()
        _ = try await again.synced.status.wait { $0.pending == 0 }
        #expect(await again.synced.confirmed.titles == ["a", "b"])
        await again.synced.stop()
    }
}
