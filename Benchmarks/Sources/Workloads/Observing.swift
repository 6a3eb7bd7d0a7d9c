// SPDX-License-Identifier: MIT

import Observation
import Onward

extension CounterState {
    /// Values that all depend on the counter and have no place of their own in memory.
    fileprivate subscript(shiftedBy distance: Int) -> Int { count &+ distance }
}

extension Workload {
    /// Reading the whole state of a store.
    static let readState = Workload(
        "R1", "read the state", budget: "",
        limit: {
            let limit = Limit(CounterState())
            return { count in for _ in 0..<count { keep(limit.withState { $0 }.count) } }
        }
    ) {
        let store = makeCounter()
        return { count in for _ in 0..<count { keep(store.state.count) } }
    }

    /// Reading a value outside of any tracking.
    static let readUntracked = Workload("R2", "store[\\.count], nothing is tracked", budget: "") {
        let store = makeCounter()
        return { count in for _ in 0..<count { keep(store[\.count]) } }
    }

    /// Reading a value as a view does, which is the same value each time.
    static let readTracked = Workload(
        "R3", "store[\\.count] in withObservationTracking (per reading)", budget: ""
    ) {
        let store = makeCounter()
        return { count in
            for _ in 0..<count / 100 {
                withObservationTracking {
                    for _ in 0..<100 { keep(store[\.count]) }
                } onChange: {
                }
            }
        }
    }

    /// Reading one row of a table as a view does.
    static let readTrackedRow = Workload(
        "R4", "store[\\.rows, id: 7] of 1,000 rows in withObservationTracking (limit: R3)",
        budget: "≤ 1.5 × R3", limit: { readTracked.prepare() }
    ) {
        let store = makeTable(1_000)
        return { count in
            for _ in 0..<count / 100 {
                withObservationTracking {
                    for _ in 0..<100 { keep(store[\.rows, id: 7]?.id ?? 0) }
                } onChange: {
                }
            }
        }
    }

    /// The cost of a view that reads again after each change; the limit is Observation itself.
    static let observedChange = Workload(
        "O1", "track store[\\.count], change it, be notified (limit: an @Observable class)",
        budget: "",
        limit: {
            let model = Model()
            return { count in
                for _ in 0..<count {
                    withObservationTracking {
                        keep(model.count)
                    } onChange: {
                    }
                    model.count &+= 1
                }
            }
        }
    ) {
        let store = makeCounter()
        return { count in
            for _ in 0..<count {
                withObservationTracking {
                    keep(store[\.count])
                } onChange: {
                }
                store.dispatch(CounterAction.increment)
            }
        }
    }

    /// W1 where 1,000 values that it changes were observed once.
    static let formerlyObserved = Workload(
        "O2", "counter + 1,000 values of it nobody reads now (limit: W1)", budget: "≈ W1",
        limit: { Workload.counter.prepare() }
    ) {
        let store = makeCounter()
        for distance in 0..<1_000 { keep(store[\.[shiftedBy: distance]]) }
        // The first change is notified, the second one finds that nobody has read since.
        for _ in 0..<2 { store.dispatch(CounterAction.increment) }
        return { count in for _ in 0..<count { store.dispatch(CounterAction.increment) } }
    }

    /// W1 where 1,000 values elsewhere are being observed.
    static let observedElsewhere = Workload(
        "O3", "counter + 1,000 observed rows of a table (limit: W1)", budget: "≤ 2 × W1",
        limit: { Workload.counter.prepare() }
    ) {
        let store = LiveSubscriptions(ofRowsWithoutSubscribers: 1_000)
        store.observeRows(1_000)
        return { count in for _ in 0..<count { store.act(0) } }
    }
}

/// What Observation's macro makes of a class with one property.
private final class Model: Observable, @unchecked Sendable {  // Used by one thread.
    private let registrar = ObservationRegistrar()
    private var stored = 0

    var count: Int {
        get {
            registrar.access(self, keyPath: \.count)
            return stored
        }
        set { registrar.withMutation(of: self, keyPath: \.count) { stored = newValue } }
    }
}
