// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import TestSupport

@Suite(.bothWays) struct Promise01SerialStressTests {
    /// Notices when two reducers are inside at once.
    struct Workshop: Sendable {
        var isInside = false
        var violations = 0
        var count = 0
        var echoes = 0
    }

    enum WorkshopAction: Action { case work, echo }

    static func makeStore(_ options: StoreOptions = StoreOptions()) -> Store<Workshop> {
        Store(Workshop(), options: options) {
            Reduce { (state: inout Workshop, action: WorkshopAction) in
                if state.isInside { state.violations += 1 }
                state.isInside = true
                switch action {
                case .work: state.count += 1
                case .echo: state.echoes += 1
                }
                state.isInside = false
            }
        }
    }

    @Test
    func `Serial: reducers of a store never run concurrently; commits are totally ordered`() {
        let store = Self.makeStore()
        let threads = 8
        let each = scaled(100_000)
        let versions = Guarded<[[CommitVersion]]>([])
        onThreads(threads) { _ in
            var mine: [CommitVersion] = []
            mine.reserveCapacity(each)
            for _ in 0..<each {
                guard let version = store.dispatch(WorkshopAction.work).version else { continue }
                mine.append(version)
            }
            versions.withValue { $0.append(mine) }
        }
        let all = versions.withValue { $0 }
        #expect(store.state.violations == 0)
        #expect(store.state.count == threads * each)
        #expect(all.allSatisfy { $0 == $0.sorted() })
        #expect(Set(all.joined()) == Set(1...CommitVersion(threads * each)))
    }

    @Test
    func `Serial, with subscribers that dispatch, subscribe and cancel meanwhile`() async {
        let store = Self.makeStore()
        let threads = 8
        let each = scaled(100_000)
        let seen = Guarded<(last: Int, backwards: Int, calls: Int)>((0, 0, 0))
        let watcher = store.subscribe(\.count) { old, new in
            seen.withValue { seen in
                if new <= old || old != seen.last { seen.backwards += 1 }
                seen.last = new
                seen.calls += 1
            }
        }
        let dispatcher = store.subscribe(\.count) { _, new in
            if new % 10 == 0 { store.dispatch(WorkshopAction.echo) }
        }
        let passing = Guarded<Subscription?>(nil)
        let changer = store.subscribe(\.count) { _, new in
            if new % 16 == 0 {
                let token = store.subscribe(\.echoes) { _, _ in }
                passing.withValue { $0 = token }
            }
        }
        onThreads(threads) { thread in
            for index in 0..<each {
                store.dispatch(WorkshopAction.work)
                if index % 100 == thread {
                    let token = store.subscribe(\.count) { _, _ in }
                    token.cancel()
                }
            }
        }
        await store.waitUntilIdle()
        #expect(store.state.violations == 0)
        #expect(store.state.count == threads * each)
        #expect(seen.withValue { $0.backwards } == 0)
        #expect(seen.withValue { $0.last } == threads * each)
        #expect(store.state.echoes > 0)
        watcher.cancel()
        dispatcher.cancel()
        changer.cancel()
    }
}
