// SPDX-License-Identifier: MIT

import ReSwift

/// An app as it is written against ReSwift: states of values, actions of any type, one reducer.
private struct OldCounter {
    var count = 0
    var other = 0
}

private enum OldAction: Action {
    case increment
    case toggle(Int)
}

private func reduceOldCounter(action: any Action, state: OldCounter?) -> OldCounter {
    var state = state ?? OldCounter()
    switch action {
    case OldAction.increment: state.count &+= 1
    default: break
    }
    return state
}

private struct OldList {
    var items: [RowItem] = []
}

private func reduceOldList(action: any Action, state: OldList?) -> OldList {
    var state = state ?? OldList()
    switch action {
    case OldAction.toggle(let index): state.items[index].isDone.toggle()
    default: break
    }
    return state
}

private final class OldSubscriber<Value>: StoreSubscriber {
    private(set) var value: Value?

    func newState(state: Value) { value = state }
}

extension Workload {
    /// The cost of an app that is written against ReSwift and left as it is.
    static let reSwift: [Workload] = [
        Workload("W1-ReSwift", "W1 through ReSwift", budget: "< 300 ns") {
            let store = Store(reducer: reduceOldCounter, state: nil)
            return { count in for _ in 0..<count { store.dispatch(OldAction.increment) } }
        },
        notified(1), notified(10), subscribing,
        Workload(
            "W2-ReSwift", "W2 through ReSwift, each by a closure and skipRepeats",
            budget: "< 30 µs"
        ) {
            let store = Store(reducer: reduceOldCounter, state: nil)
            let subscribers = (0..<1_000).map { _ in OldSubscriber<Int>() }
            for subscriber in subscribers {
                store.subscribe(subscriber) { $0.select { $0.other }.skipRepeats() }
            }
            return { count in
                for _ in 0..<count { store.dispatch(OldAction.increment) }
                withExtendedLifetime(subscribers) {}
            }
        },
        Workload(
            "W2-ReSwift-path", "W2 through ReSwift, each by a key path", budget: "< 30 µs"
        ) {
            let store = Store(reducer: reduceOldCounter, state: nil)
            let subscribers = (0..<1_000).map { _ in OldSubscriber<Int>() }
            for subscriber in subscribers {
                store.subscribe(subscriber) { $0.select(\.other) }
            }
            return { count in
                for _ in 0..<count { store.dispatch(OldAction.increment) }
                withExtendedLifetime(subscribers) {}
            }
        },
        Workload(
            "W4-ReSwift", "W4 through ReSwift: 10,000 subscribers of rows of an array", budget: "–"
        ) {
            let store = Store(
                reducer: reduceOldList, state: OldList(items: (0..<10_000).map { RowItem(id: $0) }))
            let subscribers = (0..<10_000).map { _ in OldSubscriber<RowItem>() }
            for (index, subscriber) in subscribers.enumerated() {
                store.subscribe(subscriber) { $0.select { $0.items[index] } }
            }
            return { count in
                for index in 0..<count { store.dispatch(OldAction.toggle(index % 10_000)) }
                withExtendedLifetime(subscribers) {}
            }
        },
        comingAndGoing(1_000, "W6-ReSwift-1k"), comingAndGoing(10_000, "W6-ReSwift"),
    ]

    /// W1T through ReSwift: a counter whose subscribers each select it, on the main thread as in an app.
    ///
    /// The limit reduces under its lock, and calls objects that compare for themselves.
    private static func notified(_ members: Int) -> Workload {
        Workload(
            members == 1 ? "W1T-ReSwift" : "W1T-\(members)-ReSwift",
            "W1T through ReSwift, \(members) notified", budget: members == 1 ? "≤ 660 ns" : "–",
            limit: {
                let limit = Limit(OldCounter())
                let subscribers = (0..<members).map { _ in OldSubscriber<Int>() }
                return { count in
                    for _ in 0..<count {
                        let state = limit.withState { state in
                            state = reduceOldCounter(action: OldAction.increment, state: state)
                            return state
                        }
                        for subscriber in subscribers where subscriber.value != state.count {
                            subscriber.newState(state: state.count)
                        }
                    }
                }
            }
        ) {
            let store = Store(reducer: reduceOldCounter, state: nil)
            let subscribers = (0..<members).map { _ in OldSubscriber<Int>() }
            for subscriber in subscribers { store.subscribe(subscriber) { $0.select { $0.count } } }
            return { count in
                for _ in 0..<count { store.dispatch(OldAction.increment) }
                withExtendedLifetime(subscribers) {}
            }
        }
    }

    /// Two thousand subscribers come to a new store, which then goes with them.
    private static let subscribing = Workload(
        "S-ReSwift", "2,000 subscribers through ReSwift come to a new store (each)",
        budget: "≤ 1,450 ns", period: 2_000,
        limit: {
            let subscribers = (0..<2_000).map { _ in OldSubscriber<Int>() }
            return { count in
                for _ in 0..<count / 2_000 {
                    let limit = Limit([ObjectIdentifier: (Int) -> Void]())
                    for subscriber in subscribers {
                        limit.withState {
                            $0[ObjectIdentifier(subscriber)] = { [weak subscriber] in
                                subscriber?.newState(state: $0)
                            }
                        }
                        subscriber.newState(state: 0)
                    }
                }
            }
        }
    ) {
        let subscribers = (0..<2_000).map { _ in OldSubscriber<Int>() }
        return { count in
            for _ in 0..<max(count / 2_000, 1) {
                let store = Store(reducer: reduceOldCounter, state: nil)
                for subscriber in subscribers {
                    store.subscribe(subscriber) { $0.select { $0.other } }
                }
            }
        }
    }

    private static func comingAndGoing(_ number: Int, _ name: String) -> Workload {
        Workload(
            name, "\(number) subscribers through ReSwift come, then go (per pair)", budget: "linear"
        ) {
            let store = Store(reducer: reduceOldCounter, state: nil)
            let subscribers = (0..<number).map { _ in OldSubscriber<Int>() }
            return { count in
                for _ in 0..<max(count / number, 1) {
                    for subscriber in subscribers {
                        store.subscribe(subscriber) { $0.select { $0.other } }
                    }
                    for subscriber in subscribers { store.unsubscribe(subscriber) }
                }
            }
        }
    }
}
