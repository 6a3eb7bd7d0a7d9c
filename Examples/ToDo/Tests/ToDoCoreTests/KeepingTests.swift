// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardQueries
import Synchronization
import Testing
import ToDoSync
import ToDoTasks

@testable import ToDoCore

/// What can't be sent outlives the program.
@Suite struct KeepingTests {
    /// A storage that lasts as long as a test.
    private final class MemoryStorage: ValueStorage {
        let bytes = Mutex<[UInt8]?>(nil)
        func read() -> [UInt8]? { bytes.withLock { $0 } }
        func write(_ new: [UInt8]) { bytes.withLock { $0 = new } }
    }

    @Test func `a change that couldn't be sent is sent by the next launch, in its order`()
        async throws
    {
        let storage = MemoryStorage()
        let first = Outside()
        let gone = first.store(keeping: SavedValue(in: storage))
        try #require(await first.next()).succeed(.few)
        _ = try await gone.wait { $0.list.isLoaded && $0.adding != nil }
        gone.save("a", "Buy oat milk")
        try #require(await first.next()).fail(.unreachable)
        _ = try await gone.wait { $0.list.isResting }
        gone.dispatch(ListAction.delete(id: "b"))
        try #require(await first.next()).fail(.unreachable)
        await gone.shutdown()

        let saved = SavedValue<[Change]>(in: storage)
        let unsent = try #require(try saved.load())
        #expect(unsent.map(\.task.id) == ["a", "b"])
        let second = Outside()
        let store = second.store(unsent: unsent, keeping: saved)
        let save = try #require(await second.next())
        #expect(save.change?.task.name == "Buy oat milk")
        save.succeed()
        let delete = try #require(await second.next())
        #expect(delete.change?.kind == .delete)
        delete.succeed()
        try #require(await second.next()).succeed([TaskItem(id: "a", name: "Buy oat milk")])
        _ = try await store.wait { $0.list.isLoaded }
        #expect(store.names == ["Buy oat milk"])
        await store.shutdown()
        #expect(try SavedValue<[Change]>(in: storage).load() == [])
    }

    @Test func `a change is kept at once, not only at the end`() async throws {
        let storage = MemoryStorage()
        let outside = Outside()
        let store = outside.store(keeping: SavedValue(in: storage))
        try #require(await outside.next()).succeed(.few)
        _ = try await store.wait { $0.list.isLoaded }
        store.dispatch(ListAction.toggle(id: "a"))
        _ = try #require(await outside.next())
        while try SavedValue<[Change]>(in: storage).load()?.map(\.task.id) != ["a"] {
            await Task.yield()
        }
        await store.shutdown()
    }

    @Test func `what an earlier launch couldn't send comes before what is new`() async throws {
        let outside = Outside()
        let unsent = Change(.update, TaskItem(id: "a", name: "A"), isFollowedByList: false)
        let store = outside.store(unsent: [unsent])
        #expect(try #require(await outside.next()).change == unsent)
        #expect(store.state.list.questions.isEmpty)
        _ = try await store.wait { $0.adding != nil }
        store.save(store.state.adding?.id ?? "", "New")
        #expect(store.state.list.changes.map(\.kind) == [.update, .create])
        #expect(store.state.list.server.pending.ids.elementsEqual([1, 2]))
        await store.shutdown()
    }
}
