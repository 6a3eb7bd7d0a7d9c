// SPDX-License-Identifier: MIT

import ReduxSwift

/// An app as it is written against ReduxSwift: a state of values, actions of any type, one reducer,
/// subscribers under keys.
private struct OldCounter {
    var count = 0
    var other = 0
}

private enum OldAction: ActionType {
    case increment
}

private func reduceOldCounter(action: any ActionType, state: OldCounter?) -> OldCounter {
    var state = state ?? OldCounter()
    switch action {
    case OldAction.increment: state.count &+= 1
    default: break
    }
    return state
}

/// Where a callback puts what it is notified of.
private final class OldLabel {
    var value = 0
}

extension Workload {
    /// The cost of an app that is written against ReduxSwift and left as it is.
    static let reduxSwift: [Workload] = [
        Workload("W1-ReduxSwift", "W1 through ReduxSwift", budget: "–") {
            let store = Store<OldCounter>(reducer: reduceOldCounter, state: nil)
            return { count in for _ in 0..<count { _ = store.dispatch(OldAction.increment) } }
        },
        notified(1), notified(10), comingAndGoing(1_000, "W6-ReduxSwift-1k"),
        comingAndGoing(10_000, "W6-ReduxSwift"),
    ]

    /// W1T through ReduxSwift: a counter whose subscribers take the whole state, on the main thread as
    /// in an app.
    ///
    /// The limit reduces under its lock, and calls the callbacks of an array.
    private static func notified(_ members: Int) -> Workload {
        Workload(
            members == 1 ? "W1T-ReduxSwift" : "W1T-\(members)-ReduxSwift",
            "W1T through ReduxSwift, \(members) notified", budget: members == 1 ? "≤ 357 ns" : "–",
            limit: {
                let limit = Limit(OldCounter())
                let label = OldLabel()
                let callbacks: [(OldCounter) -> Void] = (0..<members).map { _ in
                    { label.value = $0.count }
                }
                return { [callbacks] count in
                    for _ in 0..<count {
                        let state = limit.withState { state in
                            state = reduceOldCounter(action: OldAction.increment, state: state)
                            return state
                        }
                        for callback in callbacks { callback(state) }
                    }
                }
            }
        ) {
            let subscriptions = Subscriptions<OldCounter, Int>()
            let store = Store<OldCounter>(
                reducer: reduceOldCounter, state: nil, middlewares: [subscriptions.middleware])
            let label = OldLabel()
            for key in 0..<members {
                subscriptions.subscribe(key: key) { label.value = $0.count }
            }
            return { count in
                for _ in 0..<count { _ = store.dispatch(OldAction.increment) }
            }
        }
    }

    /// The limit has a dictionary of callbacks under its lock, and makes the first call of each.
    private static func comingAndGoing(_ number: Int, _ name: String) -> Workload {
        Workload(
            name, "\(number) subscribers through ReduxSwift come, then go (per pair)",
            budget: "≤ 325 ns",
            limit: {
                let limit = Limit((state: OldCounter(), callbacks: [Int: (OldCounter) -> Void]()))
                let label = OldLabel()
                return { count in
                    for _ in 0..<max(count / number, 1) {
                        for key in 0..<number {
                            let callback = { (state: OldCounter) in label.value = state.count }
                            let state = limit.withState { limit in
                                limit.callbacks[key] = callback
                                return limit.state
                            }
                            callback(state)
                        }
                        for key in 0..<number { limit.withState { $0.callbacks[key] = nil } }
                    }
                }
            }
        ) {
            let subscriptions = Subscriptions<OldCounter, Int>()
            let store = Store<OldCounter>(
                reducer: reduceOldCounter, state: nil, middlewares: [subscriptions.middleware])
            let label = OldLabel()
            return { count in
                for _ in 0..<max(count / number, 1) {
                    for key in 0..<number {
                        subscriptions.subscribe(key: key) { label.value = $0.count }
                    }
                    for key in 0..<number { subscriptions.unsubscribe(key: key) }
                }
                withExtendedLifetime(store) {}
            }
        }
    }
}
