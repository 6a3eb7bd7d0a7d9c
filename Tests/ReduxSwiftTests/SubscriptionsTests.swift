// SPDX-License-Identifier: MIT

import ReduxSwift
import Testing

@Suite("Subscriptions")
struct SubscriptionsTests {
    @Test func `A subscriber is notified at once and after each action, also of an equal state`() {
        let subscriptions = Subscriptions<Int, String>()
        let store = makeCounter([subscriptions.middleware])
        var states: [Int] = []
        subscriptions.subscribe(key: "a") { states.append($0) }
        _ = store.dispatch(Add(amount: 1))
        _ = store.dispatch(Other())
        #expect(states == [0, 1, 1])
    }

    @Test func `Subscribing again under a key replaces, and unsubscribing ends`() {
        let subscriptions = Subscriptions<Int, Int>()
        let store = makeCounter([subscriptions.middleware])
        var lines: [String] = []
        subscriptions.subscribe(key: 1) { lines.append("a\($0)") }
        subscriptions.subscribe(key: 1) { lines.append("b\($0)") }
        subscriptions.subscribe(key: 2) { lines.append("c\($0)") }
        _ = store.dispatch(Add(amount: 1))
        subscriptions.unsubscribe(key: 1)
        subscriptions.unsubscribe(key: 3)
        _ = store.dispatch(Add(amount: 1))
        #expect(lines == ["a0", "b0", "c0", "b1", "c1", "c2"])
    }

    @Test func `A subscriber that comes before there is a store is notified when there is one`() {
        let subscriptions = Subscriptions<Int, Int>()
        var lines: [String] = []
        subscriptions.subscribe(key: 1) { lines.append("a\($0)") }
        subscriptions.subscribe(key: 2) { lines.append("b\($0)") }
        subscriptions.subscribe(key: 1) { lines.append("c\($0)") }
        subscriptions.subscribe(key: 3) { lines.append("d\($0)") }
        subscriptions.unsubscribe(key: 3)
        #expect(lines == [])
        let store = makeCounter([subscriptions.middleware])
        #expect(lines == ["b0", "c0"])
        _ = store.dispatch(Add(amount: 1))
        #expect(lines == ["b0", "c0", "b1", "c1"])
    }

    @Test func `However often they subscribe before there is a store, the last of each key counts`()
    {
        let subscriptions = Subscriptions<Int, Int>()
        var lines: [String] = []
        for turn in 0..<200 {
            subscriptions.subscribe(key: turn % 3) { lines.append("\(turn): \($0)") }
        }
        subscriptions.unsubscribe(key: 2)
        let store = makeCounter([subscriptions.middleware])
        #expect(lines == ["198: 0", "199: 0"])
        withExtendedLifetime(store) {}
    }

    @Test func `When its store is gone, a subscriber waits for the next one`() {
        let subscriptions = Subscriptions<Int, Int>()
        var states: [Int] = []
        do {
            let first = makeCounter([subscriptions.middleware])
            _ = first.dispatch(Add(amount: 5))
        }
        subscriptions.subscribe(key: 1) { states.append($0) }
        #expect(states == [])
        let second = makeCounter([subscriptions.middleware])
        _ = second.dispatch(Add(amount: 1))
        #expect(states == [0, 1])
    }

    @Test func `Keys may use the subscriptions while they are compared`() {
        struct Curious: Hashable {
            let name: Int
            let subscriptions: Subscriptions<Int, Curious>

            static func == (left: Curious, right: Curious) -> Bool {
                // A key with another hash, so that the recursion ends here.
                if left.name >= 0 {
                    left.subscriptions.unsubscribe(
                        key: Curious(name: -1, subscriptions: left.subscriptions))
                }
                return left.name == right.name
            }

            func hash(into hasher: inout Hasher) { hasher.combine(min(name, 0)) }
        }
        let subscriptions = Subscriptions<Int, Curious>()
        var sum = 0
        for name in 0..<40 {
            let key = Curious(name: name % 2, subscriptions: subscriptions)
            subscriptions.subscribe(key: key) { _ in sum += 1 }
        }
        #expect(sum == 0)
    }

    @Test func `Keys may be of any hashable type`() {
        enum Screen: Hashable { case list, detail(Int) }
        let subscriptions = Subscriptions<Int, Screen>()
        let store = makeCounter([subscriptions.middleware])
        var sum = 0
        subscriptions.subscribe(key: .list) { sum += $0 }
        subscriptions.subscribe(key: .detail(1)) { sum += 10 * $0 }
        _ = store.dispatch(Add(amount: 1))
        #expect(sum == 11)
    }

    @Test
    func `A subscriber limits a sum by dispatching: none sees 42 twice or 50 after 42`() {
        for limiterIsFirst in [true, false] {
            let subscriptions = Subscriptions<Int, Int>()
            let store = makeCounter([subscriptions.middleware])
            var seen: [Int] = []
            let limit = { (sum: Int) in if sum > 42 { _ = store.dispatch(Add(amount: 42 - sum)) } }
            subscriptions.subscribe(key: limiterIsFirst ? 1 : 2, callback: limit)
            subscriptions.subscribe(key: 3) { seen.append($0) }
            if !limiterIsFirst { subscriptions.subscribe(key: 2, callback: limit) }
            _ = store.dispatch(Add(amount: 50))
            #expect(seen == [0, 50, 42])
            #expect(store.state == 42)
        }
    }

    @Test func `The store keeps subscriptions that the app releases`() {
        let store: Store<Int>
        var states: [Int] = []
        weak var kept: Subscriptions<Int, Int>?
        do {
            let subscriptions = Subscriptions<Int, Int>()
            kept = subscriptions
            store = makeCounter([subscriptions.middleware])
            subscriptions.subscribe(key: 1) { states.append($0) }
        }
        _ = store.dispatch(Add(amount: 1))
        #expect(kept != nil)
        #expect(states == [0, 1])
    }

    @Test func `Subscriptions go with their store`() {
        weak var gone: Subscriptions<Int, Int>?
        do {
            let subscriptions = Subscriptions<Int, Int>()
            gone = subscriptions
            let store = makeCounter([subscriptions.middleware])
            subscriptions.subscribe(key: 1) { _ in }
            _ = store.dispatch(Add(amount: 1))
        }
        #expect(gone == nil)
    }

    @Test func `Another store takes over the subscribers, in their order`() {
        let subscriptions = Subscriptions<Int, String>()
        var lines: [String] = []
        let first = makeCounter([subscriptions.middleware])
        _ = first.dispatch(Add(amount: 5))
        for key in ["a", "b"] { subscriptions.subscribe(key: key) { lines.append("\(key)\($0)") } }
        let second = makeCounter([subscriptions.middleware])
        _ = second.dispatch(Add(amount: 1))
        _ = first.dispatch(Add(amount: 1))
        #expect(lines == ["a5", "b5", "a0", "b0", "a1", "b1"])
    }
}
