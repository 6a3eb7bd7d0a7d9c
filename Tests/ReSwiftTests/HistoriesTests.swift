// SPDX-License-Identifier: MIT

import ReSwift
import Testing

/// Chains of selections and filters say what ReSwift 6 notifies.
///
/// There, a chain gets the state before an action and the one after it; the first time there is none
/// before. A selection maps both. A filter passes both on or neither, and passes when there is none before.
/// So each link depends on the two states and on nothing else, apart from what an app's own filter keeps.
@Suite("Histories")
struct HistoriesTests {
    private enum Link: CaseIterable {
        case half, remainder, path, repeats, near, skipEven, onlyGrowing, onlyOdd, everySecond

        func refined(_ subscription: Subscription<Int>) -> Subscription<Int> {
            switch self {
            case .half: subscription.select { $0 / 2 }
            case .remainder: subscription.select { $0 % 3 }
            case .path: subscription.select(\.magnitude).select { Int($0) }
            case .repeats: subscription.skipRepeats()
            case .near: subscription.skipRepeats { abs($0 - $1) < 3 }
            case .skipEven: subscription.skip { _, new in new.isMultiple(of: 2) }
            case .onlyGrowing: subscription.only { $0 < $1 }
            case .onlyOdd: subscription.only { _, new in !new.isMultiple(of: 2) }
            case .everySecond: subscription.everySecond()
            }
        }
    }

    /// What ReSwift does with a pair of states.
    private struct Model {
        let links: [Link]
        /// How many pairs came to each link.
        private var counts: [Int]

        init(_ links: [Link]) {
            self.links = links
            counts = links.map { _ in 0 }
        }

        /// The value that is notified; nil for none.
        mutating func take(_ old: Int?, _ new: Int) -> Int? {
            var (old, new) = (old, new)
            for (index, link) in links.enumerated() {
                counts[index] += 1
                switch link {
                case .half: (old, new) = (old.map { $0 / 2 }, new / 2)
                case .remainder: (old, new) = (old.map { $0 % 3 }, new % 3)
                case .path: (old, new) = (old.map { abs($0) }, abs(new))
                case .repeats: if old == new { return nil }
                case .near: if let old, abs(old - new) < 3 { return nil }
                case .skipEven: if old != nil, new.isMultiple(of: 2) { return nil }
                case .onlyGrowing: if let old, old >= new { return nil }
                case .onlyOdd: if old != nil, new.isMultiple(of: 2) { return nil }
                case .everySecond: if counts[index].isMultiple(of: 2) { return nil }
                }
            }
            return new
        }
    }

    private struct Set: Action { let value: Int }

    private func notified(_ history: [Int], skips: Bool, _ links: [Link]) -> [Int] {
        let store = Store<Int>(
            reducer: { action, state in (action as? Set)?.value ?? state ?? 0 }, state: history[0],
            automaticallySkipsRepeats: skips)
        let listener = Listener(of: Int.self)
        store.subscribe(listener) { original in links.reduce(original) { $1.refined($0) } }
        for value in history.dropFirst() { store.dispatch(Set(value: value)) }
        return listener.values
    }

    private func expected(_ history: [Int], skips: Bool, _ links: [Link]) -> [Int] {
        var model = Model(links + (skips ? [.repeats] : []))
        var old: Int?
        return history.compactMap { new in
            defer { old = new }
            return model.take(old, new)
        }
    }

    @Test func `Every chain of up to two links notifies every short history as ReSwift does`() {
        let links = Link.allCases
        let chains = [[]] + links.map { [$0] } + links.flatMap { a in links.map { [a, $0] } }
        let values = [0, 1, -4]
        let histories = values.flatMap { a in values.flatMap { b in values.map { [a, b, $0] } } }
        for chain in chains {
            for history in histories {
                #expect(
                    notified(history, skips: true, chain) == expected(history, skips: true, chain),
                    "\(chain) of \(history)")
            }
        }
    }

    @Test(arguments: [true, false])
    func `Long chains notify long histories as ReSwift does`(_ skips: Bool) {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let chain = (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in
                Link.allCases.randomElement(using: &random)
            }
            let history = (0..<30).map { _ in Int.random(in: -6...6, using: &random) }
            #expect(
                notified(history, skips: skips, chain) == expected(history, skips: skips, chain),
                "\(chain) of \(history)")
        }
    }
}

extension Subscription {
    /// Every second value, beginning with the first.
    fileprivate func everySecond() -> Subscription<State> {
        var count = 0
        return Subscription { sink in
            self.observer = { old, new in
                count += 1
                if !count.isMultiple(of: 2) { sink(old, new) }
            }
        }
    }
}
