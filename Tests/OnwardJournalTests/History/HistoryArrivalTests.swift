// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardJournal

/// What a history shows of a store that takes states from elsewhere.
struct HistoryArrivalTests {
    private struct AcceptAll: CommitGate {
        typealias State = [Int]
        func accepts(_ pending: PendingCommit) -> Bool { true }
    }
    private struct Add: Action { let number: Int }

    private let store = Store([Int]()) {
        Reduce { (list: inout [Int], action: Add) in list.append(action.number) }
    }
    private let controller: CommitGateController<[Int]>

    init() {
        controller = store.log.attach(gate: AcceptAll())
    }

    /// Others have added something in front.
    private func arrive(_ number: Int) {
        let origin = ActionOrigin.elsewhere
        let (state, version) = store.log.snapshot
        controller.install(
            [number] + state, replacing: version, resuming: true, file: origin.file,
            line: origin.line)
    }

    private func add(_ numbers: Int...) {
        for number in numbers { store.dispatch(Add(number: number)) }
    }

    private func states(_ history: History<[Int]>) -> [[Int]] {
        (0...history.log.staged.count).map { history.state(at: $0) }
    }

    @Test func `what came from elsewhere is a part of its moment and of those after it`() {
        let history = History(of: store)
        add(1)
        arrive(100)
        add(2)
        arrive(101)
        arrive(102)
        add(3)
        let expected = [[], [100, 1], [102, 101, 100, 1, 2], [102, 101, 100, 1, 2, 3]]
        #expect(states(history) == expected)
        for (index, state) in expected.enumerated() {
            history.jump(to: index)
            #expect(store.state == state)
        }
        history.jumpToEnd()
        #expect(store.state == expected[3])
        add(4)
        #expect(store.state == expected[3] + [4])
    }

    @Test func `what comes before any entry is the base`() {
        let history = History(of: store)
        arrive(100)
        add(1)
        #expect(states(history) == [[100], [100, 1]])
    }

    @Test func `skipping an entry changes moments up to the next arrival`() {
        let history = History(of: store)
        add(1, 2)
        arrive(100)
        add(3, 4)
        history.toggle(1)
        history.toggle(3)
        #expect(states(history) == [[], [], [100, 1, 2], [100, 1, 2], [100, 1, 2, 4]])
        history.perform { $0.sweep() }
        #expect(states(history) == [[], [100, 1, 2], [100, 1, 2, 4]])
    }

    @Test func `arrivals leave with the entries before them`() {
        let history = History(of: store)
        add(1)
        arrive(100)
        add(2)
        history.jump(to: 1)
        history.perform { $0.commit() }
        #expect(states(history) == [[100, 1]])
        add(3)
        #expect(states(history) == [[100, 1], [100, 1, 3]])
        arrive(101)
        history.perform { $0.rollback() }
        add(4)
        #expect(states(history) == [[100, 1], [100, 1, 4]])
        history.perform { $0.reset() }
        #expect(states(history) == [[]])
    }

    @Test func `with too many arrivals the first entries are folded into the base`() {
        let history = History(of: store, stateBytes: 4_000)
        for number in 1...200 {
            add(number)
            arrive(1_000 + number)
        }
        let log = history.log
        #expect(log.staged.count < 200)
        #expect(log.staged.last.map { history.log.index(of: $0.id) } == log.staged.count)
        let shown = store.state
        #expect(history.state(at: log.staged.count) == shown)
        history.jump(to: 0)
        #expect(store.state.count == 400 - 2 * log.staged.count)
        history.jumpToEnd()
        #expect(store.state == shown)
    }

    @Test func `a paused history takes an arrival into its base`() {
        let history = History(of: store)
        history.perform { $0.pause() }
        add(1)
        arrive(100)
        add(2)
        history.perform { $0.pause(false) }
        #expect(store.state == [100, 1, 2])
        add(3)
        #expect(states(history) == [[100, 1, 2], [100, 1, 2, 3]])
    }
}
