// SPDX-License-Identifier: MIT

import Onward
import OnwardNavigation
import OnwardQueries
import OnwardTesting
import Testing
import ToDoSync
import ToDoTasks

@testable import ToDoCore

@Suite struct SendingTests {
    private let outside = Outside()

    @Test func `two quick saves can't overtake each other`() async throws {
        let store = try await outside.loaded()
        store.save("a", "First")
        let first = try #require(await outside.next())
        store.save("a", "Second")
        store.save("b", "Other")
        await store.waitUntilIdle()
        #expect(store.state.list.changes.map(\.task.name) == ["First", "Second", "Other"])
        #expect(first.change?.task.name == "First")
        first.succeed()
        let second = try #require(await outside.next())
        #expect(second.change?.task.name == "Second")
        second.succeed()
        let third = try #require(await outside.next())
        #expect(third.change?.task.name == "Other")
        third.succeed()
        let list = try #require(await outside.next())
        #expect(list.change == nil)
        list.succeed(.few)
        await store.shutdown()
    }

    @Test func `of many changes of one task that wait, the last is sent`() async throws {
        let store = try await outside.loaded()
        for number in 1...1_000 { store.save("a", "\(number)") }
        #expect(store.state.list.changes.map(\.task.name) == ["1", "1000"])
        #expect(store.names[0] == "1000")
        try #require(await outside.next()).succeed()
        #expect(try #require(await outside.next()).change?.task.name == "1000")
    }

    @Test func `a task that is added and deleted before it is sent is never sent`() async throws {
        let store = try await outside.loaded()
        store.dispatch(ListAction.toggle(id: "a"))
        let toggle = try #require(await outside.next())
        let id = try #require(store.state.adding?.id)
        store.save(id, "New")
        store.save(id, "Newer")
        #expect(store.state.list.changes.last?.kind == .create)
        #expect(store.state.list.changes.last?.task.name == "Newer")
        store.dispatch(ListAction.delete(id: id))
        #expect(store.state.list.changes.map(\.task.id) == ["a"])
        #expect(store.state.list.tasks.count == 3)
        toggle.succeed()
        await store.shutdown()
    }

    @Test func `an answer to a list that a change overtook is ignored, and asked for again`()
        async throws
    {
        let store = try await outside.loaded()
        store.dispatch(ListAction.get)
        let old = try #require(await outside.next())
        store.dispatch(ListAction.toggle(id: "a"))
        old.succeed([])
        let change = try #require(await outside.next())
        #expect(store.state.list.tasks[id: "a"]?.state == .done)
        change.succeed()
        let new = try #require(await outside.next())
        #expect(new.change == nil)
        new.succeed(.few)
        _ = try await store.wait { $0.list.isLoaded }
    }

    @Test(arguments: [Problem.unreachable, .timedOut, .unreadable])
    func `what can't be sent is kept, shown and said, and sent again in its order`(
        problem: Problem
    ) async throws {
        let store = try await outside.loaded()
        store.save("a", "First")
        let first = try #require(await outside.next())
        store.dispatch(ListAction.toggle(id: "c"))
        first.fail(problem)
        let state = try await store.wait { $0.list.isResting }
        #expect(state.alert?.title == "“First” couldn't be saved.")
        #expect(
            state.alert?.message == problem.reason + " The change is kept and can be sent again.")
        #expect(store.names[0] == "First")
        #expect(state.list.questions.isEmpty && state.list.server.pending[0].phase == .waiting)
        store.dispatch(ListAction.sendAgain)
        for name in ["First", "Pay rent"] {
            let request = try #require(await outside.next())
            #expect(request.change?.task.name == name)
            request.succeed()
        }
        try #require(await outside.next()).succeed(.few)
        await store.shutdown()
        #expect(outside.errors == [])
    }

    @Test func `a further change tries again as well, behind those that wait`() async throws {
        let store = try await outside.loaded()
        store.save("a", "First")
        try #require(await outside.next()).fail(.unreachable)
        _ = try await store.wait { $0.list.isResting }
        store.save("b", "Second")
        let request = try #require(await outside.next())
        #expect(request.change?.task.name == "First")
        request.fail(.unreachable)
        _ = try await store.wait { $0.list.isResting }
        #expect(store.state.list.changes.map(\.task.name) == ["First", "Second"])
    }

    @Test func `a list that comes while changes wait is shown with them`() async throws {
        let store = try await outside.loaded()
        store.dispatch(ListAction.delete(id: "a"))
        try #require(await outside.next()).fail(.unreachable)
        _ = try await store.wait { $0.list.isResting }
        #expect(store.state.list.tasks.map(\.id) == ["b", "c"])
        store.dispatch(ListAction.get)
        try #require(await outside.next()).fail(.refused(status: 400, reason: nil))
        try #require(await outside.next()).succeed([TaskItem(id: "d", name: "D")])
        _ = try await store.wait { $0.list.isLoaded }
        #expect(store.names == ["D"])
    }

    @Test func `what is being sent stays as it is, and what follows it is put together`()
        async throws
    {
        let store = try await outside.loaded()
        let id = try #require(store.state.adding?.id)
        store.save(id, "New")
        let create = try #require(await outside.next())
        store.save(id, "Newer")
        store.dispatch(ListAction.delete(id: id))
        #expect(store.state.list.changes.map(\.kind) == [.create, .delete])
        create.succeed()
        #expect(try #require(await outside.next()).change?.kind == .delete)
        await store.shutdown()
    }

    @Test func `an answer that nobody asked for is ignored`() async throws {
        let store = try await outside.loaded()
        let now = Timestamp(nanosecondsSince1970: 0)
        store.dispatch(QueryAction.answered(AllTasks(), request: 99, [], at: now))
        store.dispatch(QueryAction.failed(AllTasks(), request: 99, .unreachable, at: now))
        store.dispatch(MutationAction<Change>.refused(99, .unreachable))
        #expect(Array(store.state.list.tasks) == .few)
        #expect(store.state.list.isLoaded && store.state.alert == nil)
        await store.shutdown()
    }

    @Test func `the list is asked for after a change that was sent before it ever was`()
        async throws
    {
        let task = TaskItem(id: "n", name: "N")
        let store = outside.store(unsent: [Change(.create, task, isFollowedByList: false)])
        try #require(await outside.next()).succeed()
        let list = try #require(await outside.next())
        #expect(list.change == nil && store.names == ["N"])
        list.succeed([task])
        _ = try await store.wait { $0.list.isLoaded }
        await store.shutdown()
    }

    @Test func `a change takes thirty seconds at most`() async throws {
        let store = try await outside.loaded()
        store.dispatch(ListAction.toggle(id: "a"))
        _ = try #require(await outside.next())
        await outside.clock.sleepers(1)
        outside.clock.advance(by: .seconds(30))
        _ = try await store.wait { $0.list.isResting }
        #expect(store.state.alert?.message?.hasPrefix(Problem.timedOut.reason) == true)
    }

    @Test func `after the end of a store none of its effects is alive`() async throws {
        let store = try await outside.loaded()
        store.dispatch(ListAction.toggle(id: "a"))
        _ = try #require(await outside.next())
        await store.shutdown()
        #expect(store.diagnostics.runningEffects.isEmpty)
        #expect(outside.clock.sleeperCount == 0)
        #expect(outside.errors == [])
    }

    @Test func `the names on the wire stay what logs and open pages use`() {
        #expect(ListAction.toggle(id: "a").wireName == "ListAction/toggle")
        #expect(SelectionAction.discard(id: "a").wireName == "SelectionAction/discard")
        #expect(AppEvent.left([]).wireName == "AppEvent/left")
        #expect(MutationAction<Change>.resume.wireName == "change.sending/resume")
        #expect(QueryAction<AllTasks>.refetch(AllTasks()).wireName == "tasks/refetch")
        #expect(NavigationAction<Screen>.pop.wireName == "Navigation.Screen/pop")
    }
}
