// SPDX-License-Identifier: MIT
#if Server

import Onward
import OnwardJournal
import OnwardTesting
import Testing

@testable import OnwardSync

@Suite(.timeLimit(.minutes(1))) struct ClientLinesTests {
    @Test func `a client that left without a word is gone after a while, though nobody comes`()
        async throws
    {
        let heard = Store(0) { Reduce { (count: inout Int, change: Change) in count += change.by } }
        let server = try await SyncServer(
            of: Store(TodoList()) { todoList }, accepting: .actions(TodoAction.self)
        ) { _, isHere in
            heard.dispatch(Change(by: isHere ? 1 : -1))
        }
        let clock = ManualClock()
        let lines = ClientLines(SyncLimits(), clock: clock)
        #expect(await lines.open(await server.connect(as: "Ann")) != nil)
        #expect(heard.state == 1)
        for _ in 1...3 {
            await clock.sleepers(1)
            #expect(heard.state == 1)
            clock.advance(by: .seconds(30))
        }
        _ = try await heard.wait { $0 == 0 }
    }

    private struct Change: Action { let by: Int }
}
#endif
