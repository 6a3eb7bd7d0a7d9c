// SPDX-License-Identifier: MIT

import Onward

extension Workload {
    /// W1T: a counter whose subscribers are notified, from a caller on the main actor or elsewhere.
    ///
    /// The limit reduces under its lock, compares, and calls closures that it finds in an array.
    static func notified(
        _ members: Int, _ name: String, on actor: Caller = .nowhere, from caller: Caller = .nowhere
    ) -> Workload {
        Workload(
            name,
            "counter, \(members) notified" + (actor == .mainActor ? " on the main actor" : "")
                + caller.suffix,
            budget: actor == .mainActor
                ? members == 1 ? "≤ 150 ns" : "≤ 450 ns"
                : members == 1 ? "≤ 130 ns" : "≤ 20 ns each",
            limit: {
                let limit = Limit(CounterState())
                let bodies: [(Int, Int) -> Void] = (0..<members).map { _ in { _, _ in } }
                return { [bodies] count in
                    for _ in 0..<count {
                        let (old, new) = limit.withState { state in
                            let old = state.count
                            reduceCounter(&state.count, .increment)
                            return (old, state.count)
                        }
                        if old != new { for body in bodies { body(old, new) } }
                    }
                }
            }
        ) {
            let store = makeCounter()
            let tokens = (0..<members).map { _ in
                actor == .mainActor
                    ? store.subscribe(\.count) { @MainActor _, _ in }
                    : store.subscribe(\.count) { _, _ in }
            }
            return { count in
                caller.dispatch(to: store, times: count) { _ in CounterAction.increment }
                withExtendedLifetime(tokens) {}
            }
        }
    }

    /// WC: a counter, and 1,000 closures that read something else, each with a capture of its own.
    ///
    /// The limit calls the closures, and compares what they read.
    static func closures(_ name: String, from caller: Caller = .nowhere) -> Workload {
        Workload(
            name,
            "counter + 1,000 closures that read another field"
                + caller.suffix,
            budget: "≤ 40 µs", period: 100,
            limit: {
                let limit = Limit(CounterState())
                let reads: [(CounterState) -> Int] = (0..<1_000).map { index in
                    { $0.other + index }
                }
                return { [reads] count in
                    var known = [Int](repeating: 0, count: reads.count)
                    for _ in 0..<count {
                        let state = limit.withState { state in
                            reduceCounter(&state.count, .increment)
                            return state
                        }
                        for (index, read) in reads.enumerated() {
                            let value = read(state)
                            if value != known[index] { known[index] = value }
                        }
                    }
                }
            }
        ) {
            let store = makeCounter()
            let tokens = (0..<1_000).map { index in
                store.subscribe(.selecting { $0.other + index }) { _, _ in }
            }
            return { count in
                caller.dispatch(to: store, times: count) { _ in CounterAction.increment }
                withExtendedLifetime(tokens) {}
            }
        }
    }

    /// WC-one: the same with one closure, whose subscribers share a selection.
    private static let oneClosure = Workload(
        "WC-one", "counter + 1,000 subscribers of one closure that reads another field",
        budget: "≤ 2 × W1T", limit: nil
    ) {
        let store = makeCounter()
        let tokens = (0..<1_000).map { _ in
            store.subscribe(.selecting { $0.other }) { _, _ in }
        }
        return { count in
            Caller.nowhere.dispatch(to: store, times: count) { _ in CounterAction.increment }
            withExtendedLifetime(tokens) {}
        }
    }

    /// WCT: one closure that captured something, notified.
    private static func notifiedClosure(_ members: Int, _ name: String) -> Workload {
        Workload(
            name, "counter, \(members) notified by closures that captured something", budget: "–",
            limit: nil
        ) {
            let store = makeCounter()
            let tokens = (0..<members).map { index in
                store.subscribe(.selecting { $0.count + index }) { _, _ in }
            }
            return { count in
                Caller.nowhere.dispatch(to: store, times: count) { _ in CounterAction.increment }
                withExtendedLifetime(tokens) {}
            }
        }
    }

    /// W1M: what a user interface writes.
    static let onMainActor = [
        notified(1, "W1M", on: .mainActor, from: .mainActor),
        notified(10, "W1M-10", on: .mainActor, from: .mainActor),
        watchedRows(10_000, "W4M", on: .mainActor, from: .mainActor),
    ]

    static let notification = [
        notified(1, "W1T"), notified(1, "W1T-main", from: .mainActor),
        notified(2, "W1T-2"), notified(10, "W1T-10"),
        closures("WC"), closures("WC-main", from: .mainActor), oneClosure,
        notifiedClosure(1, "WCT"), notifiedClosure(10, "WCT-10"),
    ]
}
