// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import OnwardEffects

/// What a store remembers of effects that have ended.
@Suite(.timeLimit(.minutes(5))) struct EndedEffectTests {
    private struct Start: Action { var name = "" }
    private struct Fault: Error {}

    private let clock = ManualClock()

    private func makeStore() -> Store<Int> {
        var options = StoreOptions(clock: clock)
        options.effectError = { _ in }
        return Store(0, options: options) {
            Reduce { (count: inout Int, _: Start) in count += 1 }
            OnAction { (start: Start, context) -> Effect in
                switch start.name {
                case "fail": return .run(id: "fail") { throw Fault() }
                case "stop": return .cancel(id: "sleep")
                case "sleep":
                    return .run(id: "sleep") { try await context.clock.sleep(for: .seconds(9)) }
                default: return .run(id: "quick") {}
                }
            }
        }
    }

    @Test func `each effect that ends is remembered with how it did`() async {
        let store = makeStore()
        store.diagnostics.recordEffects(limit: 10)
        store.dispatch(Start())
        await store.waitUntilIdle()
        store.dispatch(Start(name: "sleep"))
        await clock.sleepers(1)
        #expect(store.diagnostics.endedEffects.count == 1)
        store.dispatch(Start(name: "stop"))
        await store.waitUntilIdle()
        let ended = store.diagnostics.endedEffects
        #expect(ended.first?.effect.id == "quick")
        #expect(ended.first?.effect.startedBy == 1)
        guard case .finished? = ended.first?.outcome else {
            Issue.record("The first one finished.")
            return
        }
        guard let slept = ended.first(where: { $0.effect.id == "sleep" }),
            case .cancelled = slept.outcome
        else {
            Issue.record("The second one was cancelled.")
            return
        }
        #expect(slept.end >= slept.effect.since)
    }

    @Test func `an effect that failed has its error`() async {
        let store = makeStore()
        store.diagnostics.recordEffects(limit: 10)
        store.dispatch(Start(name: "fail"))
        await store.waitUntilIdle()
        guard case .failed(let error)? = store.diagnostics.endedEffects.first?.outcome else {
            Issue.record("It failed.")
            return
        }
        #expect(error is Fault)
    }

    @Test func `only the last ones are remembered`() async {
        let store = makeStore()
        store.diagnostics.recordEffects(limit: 3)
        for _ in 0..<10 {
            store.dispatch(Start())
            await store.waitUntilIdle()
        }
        #expect(store.diagnostics.endedEffects.map(\.effect.startedBy) == [8, 9, 10])
    }

    @Test func `nothing is remembered where nobody asked for it`() async {
        let store = makeStore()
        store.dispatch(Start())
        await store.waitUntilIdle()
        #expect(store.diagnostics.endedEffects.isEmpty)
    }
}
