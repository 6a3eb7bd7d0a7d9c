// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@Suite struct LogRecorderTests {
    enum Count: Action, Equatable { case up(Int), down }

    static func makeStore() -> Store<Int> {
        Store(0) {
            Reduce { (sum: inout Int, action: Count) in
                if case .up(let amount) = action { sum += amount } else { sum -= 1 }
            }
        }
    }

    @Test func `keeps entries in their order, with names and actions`() {
        let store = Self.makeStore()
        let log = LogRecorder(of: store)
        store.dispatch(Count.up(2))
        store.dispatch(Count.down)
        #expect(log.entries.map(\.version) == [1, 2])
        #expect(log.names == ["LogRecorderTests.Count/up", "LogRecorderTests.Count/down"])
        #expect(log.actions(of: Count.self) == [.up(2), .down])
        #expect(store.log.replay(log.entries, from: 0) == store.state)
    }

    @Test func `keeps the states when it is asked to`() {
        let store = Self.makeStore()
        let log = LogRecorder(of: store, needs: [.before, .after])
        store.dispatch(Count.up(2))
        store.dispatch(Count.up(3))
        #expect(log.commits.map(\.before) == [0, 2])
        #expect(log.commits.map(\.after) == [2, 5])
    }

    @Test func `waits for a number of entries`() async {
        let store = Self.makeStore()
        let log = LogRecorder(of: store)
        async let entries: Void = log.entries(2)
        await Task.detached { for _ in 1...2 { store.dispatch(Count.down) } }.value
        await entries
        #expect(log.actions() == [Count.down, .down])
    }

    @Test func `ends by cancelling`() {
        let store = Self.makeStore()
        let log = LogRecorder(of: store)
        log.cancel()
        store.dispatch(Count.down)
        #expect(log.entries.isEmpty)
    }

    #if Testing
    @Test func `entries that never come end with a message`() async {
        let issues = await Issues.found {
            let store = Self.makeStore()
            let log = LogRecorder(of: store)
            store.dispatch(Count.down)
            await log.entries(2, within: .milliseconds(10))
        }
        #expect(
            issues.texts == [
                """
                Waited 0.01 seconds of real time for 2 entries of the log, in vain. There are 1: \
                LogRecorderTests.Count/down.
                """
            ])
    }
    #endif
}
