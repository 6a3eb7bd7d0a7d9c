// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import TestSupport

/// The laws of composition: features form a monoid under listing, and scoping respects it.
@Suite struct FeatureTests {
    typealias Step = Feature<Bank>

    /// Features that don't commute, so that a wrong order shows.
    static let add = Step {
        Reduce { (bank: inout Bank, action: CounterAction) in
            if case .add(let amount) = action { bank.balance += amount } else { bank.balance += 1 }
        }
    }
    static var double: Step {
        Step { Reduce { (bank: inout Bank, _: CounterAction) in bank.balance &*= 2 } }
    }
    static let negate = Step {
        Reduce { (bank: inout Bank, _: CounterAction) in bank.balance = -bank.balance }
    }
    static let empty = Step {}

    /// The state after 50 generated actions.
    static func run(seed: UInt64, @FeatureBuilder<Bank> _ features: () -> [any Part<Bank>]) -> Bank
    {
        let store = Store(Bank(editor: Counter(), rows: [Row(id: 1)])) {
            features()[0]
            for part in features().dropFirst() { part }
        }
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let action: CounterAction =
                Bool.random(using: &random)
                ? .increment : .add(Int.random(in: -99...99, using: &random))
            store.dispatch(action)
        }
        return store.state
    }

    @Test(arguments: 1...10)
    func `composition is associative`(seed: UInt64) {
        let left = Self.run(seed: seed) {
            Step {
                Self.add
                Self.double
            }
            Self.negate
        }
        let right = Self.run(seed: seed) {
            Self.add
            Step {
                Self.double
                Self.negate
            }
        }
        #expect(left == right)
        #expect(left.balance != 0)
    }

    @Test(arguments: 1...10)
    func `the empty feature is the identity, on either side`(seed: UInt64) {
        let plain = Self.run(seed: seed) { Self.add }
        let before = Self.run(seed: seed) {
            Self.empty
            Self.add
        }
        let after = Self.run(seed: seed) {
            Self.add
            Self.empty
        }
        #expect(plain == before)
        #expect(plain == after)
    }

    @Test(arguments: 1...10)
    func `scoping distributes over composition`(seed: UInt64) {
        let twice = Feature<Counter> {
            Reduce { (counter: inout Counter, _: CounterAction) in counter.count &*= 2 }
        }
        let together = Self.run(seed: seed) {
            Scope(
                \.left,
                Feature<Counter> {
                    counter
                    twice
                })
        }
        let apart = Self.run(seed: seed) {
            Scope(\.left, counter)
            Scope(\.left, twice)
        }
        #expect(together == apart)
    }

    @Test(arguments: 1...10)
    func `a nested scope is the scope of the nested key path`(seed: UInt64) {
        struct App: Equatable, Sendable { var bank = Bank() }
        func run(@FeatureBuilder<App> _ features: () -> [any Part<App>]) -> App {
            let store = Store(App()) { for part in features() { part } }
            var random = SeededGenerator(seed: seed)
            for _ in 0..<50 {
                store.dispatch(CounterAction.add(Int.random(in: -99...99, using: &random)))
            }
            return store.state
        }
        let nested = run { Scope(\.bank, Feature<Bank> { Scope(\.left, counter) }) }
        let direct = run { Scope(\.bank.left, counter) }
        #expect(nested == direct)
        #expect(nested != App())
    }

    @Test
    func `what a builder's if, switch and for leave out does not handle anything`() {
        func makeStore(_ wanted: Bool) -> Store<Bank> {
            Store(Bank()) {
                if wanted { Self.add }
                if wanted { Self.double } else { Self.negate }
                for _ in 0..<2 { Self.double }
            }
        }
        let with = makeStore(true)
        with.dispatch(CounterAction.increment)
        #expect(with.state.balance == 8)
        let without = makeStore(false)
        without.dispatch(CounterAction.increment)
        #expect(without.state.balance == 0)
    }

    @Test
    func `replacing the features of a running store keeps state, version and subscribers`() {
        let store = Store(Bank()) { Self.add }
        let log = Log<Int>()
        let token = store.subscribe(\.balance) { _, new in log.append(new) }
        store.dispatch(CounterAction.add(5))
        store.log.replaceFeatures {
            Self.double
            Scope(\.other, other)
        }
        #expect(store.dispatch(CounterAction.increment) == .accepted(2))
        #expect(store.dispatch(OtherAction()) == .accepted(3))
        #expect(log.all == [5, 10])
        #expect(store.log.actions.names == ["CounterAction", "OtherAction"])
        token.cancel()
    }

    @Test(arguments: [false, true])
    func `replacing the features releases the old ones where they may use the store`(
        _ hasMiddleware: Bool
    ) {
        let mistakes = Mistakes()
        let results = Log<DispatchResult?>()
        let held = Log<Store<Bank>>()
        func features() -> Feature<Bank> {
            let service = Parting { results.append(held.all.first?.dispatch(OtherAction())) }
            return Feature {
                if hasMiddleware { ClosureMiddleware<Bank> { _, _ in nil } }
                Reduce { (_: inout Bank, _: BankAction) in _ = service }
            }
        }
        let store = Store(Bank(), options: mistakes.options()) { features() }
        held.append(store)
        store.dispatch(BankAction.deposit(1))
        store.log.replaceFeatures {
            if hasMiddleware { ClosureMiddleware<Bank> { _, _ in nil } }
            Scope(\.other, other)
        }
        store.dispatch(OtherAction())
        #expect(mistakes.all.isEmpty)
        #expect(results.all == [.accepted(2)])
    }

    @Test
    func `a reducer of every action sees registered and unregistered ones, in its place`() {
        let seen = Log<String>()
        let store = Store(Bank()) {
            Self.add
            Reduce.everyAction { (bank: inout Bank, action: any Action) in
                seen.append("\(action.wireName) \(bank.balance)")
            }
            Self.double
        }
        #expect(store.dispatch(CounterAction.add(2)) == .accepted(1))
        #expect(store.dispatch(OtherAction()) == .accepted(2))
        #expect(seen.all == ["CounterAction/add 2", "OtherAction 4"])
        #expect(store.state.balance == 4)
    }
}
