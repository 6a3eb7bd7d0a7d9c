// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore
@testable import TestSupport

/// Subscribers of closures that captured something, so that each is like no other one.
@Suite(.bothWays) struct OwnClosureTests {
    private struct Notified: Equatable {
        let old: Int
        let new: Int
    }

    private final class Captured: Sendable {
        let number: Int
        let atEnd: @Sendable () -> Void

        init(_ number: Int = 1, atEnd: @escaping @Sendable () -> Void = {}) {
            self.number = number
            self.atEnd = atEnd
        }

        deinit { atEnd() }
    }

    private let store = makeBank()

    @Test func `each is given its own change, in the order in which all subscribed`() {
        let notified = Log<Int>()
        var tokens: [Subscription] = []
        for index in 0..<6 {
            let token =
                switch index % 3 {
                case 0: store.subscribe(\.balance) { _, _ in notified.append(index) }
                case 1:
                    store.subscribe(.selecting { $0.balance + index }) { _, _ in
                        notified.append(index)
                    }
                default:
                    store.subscribe(.selecting { "\($0.balance) \(index)" }) { _, _ in
                        notified.append(index)
                    }
                }
            tokens.append(token)
        }
        store.dispatch(BankAction.deposit(1))
        #expect(notified.all == Array(0..<6))
        withExtendedLifetime(tokens) {}
    }

    @Test
    func
        `one whose value stays is not notified, and its next change begins where it was delivered last`()
    {
        let logs = (1...3).map { _ in Log<Notified>() }
        let tokens = logs.enumerated().map { index, log in
            store.subscribe(.selecting { $0.balance / (index + 1) }) {
                log.append(Notified(old: $0, new: $1))
            }
        }
        for _ in 0..<4 { store.dispatch(BankAction.deposit(1)) }
        #expect(logs[0].all == (0..<4).map { Notified(old: $0, new: $0 + 1) })
        #expect(logs[1].all == [Notified(old: 0, new: 1), Notified(old: 1, new: 2)])
        #expect(logs[2].all == [Notified(old: 0, new: 1)])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a late subscriber in a batch is notified of what followed, after what it saw`() {
        let logs = (0..<3).map { _ in Log<Notified>() }
        var tokens: [Subscription] = []
        func subscribe(_ log: Log<Notified>) {
            let one = Captured()
            tokens.append(
                store.subscribe(.selecting { $0.balance * one.number }, initially: true) {
                    log.append(Notified(old: $0, new: $1))
                })
        }
        subscribe(logs[0])
        store.batch {
            store.dispatch(BankAction.deposit(1))
            subscribe(logs[1])
            store.dispatch(BankAction.deposit(2))
            subscribe(logs[2])
        }
        #expect(
            logs.map(\.all) == [
                [Notified(old: 0, new: 0), Notified(old: 0, new: 3)],
                [Notified(old: 1, new: 1), Notified(old: 1, new: 3)], [Notified(old: 3, new: 3)],
            ])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a late subscriber during a notification is notified of what it has not seen only`()
    {
        let (log, tokens) = (Log<Notified>(), Log<Subscription>())
        let one = Captured()
        let first = store.subscribe(.selecting { $0.balance * one.number }) { [store] _, new in
            guard new == 1 else { return }
            store.dispatch(BankAction.deposit(1))
            tokens.append(
                store.subscribe(.selecting { $0.balance * one.number }) {
                    log.append(Notified(old: $0, new: $1))
                })
            store.dispatch(BankAction.deposit(1))
        }
        store.dispatch(BankAction.deposit(1))
        #expect(log.all == [Notified(old: 2, new: 3)])
        withExtendedLifetime((first, tokens)) {}
    }

    @Test(arguments: [false, true])
    func
        `what is committed while the first value is derived was seen, and what follows is notified`(
            initially: Bool
        )
    {
        let log = Log<Notified>()
        let runs = Log<Void>()
        let token = store.subscribe(
            .selecting { [store] bank in
                runs.append(())
                if runs.all.count == 1 { store.dispatch(BankAction.deposit(1)) }
                return bank.balance
            }, initially: initially
        ) { log.append(Notified(old: $0, new: $1)) }
        // A first call comes before the subscriber joins.
        let first = initially ? [Notified(old: 0, new: 0), Notified(old: 0, new: 1)] : []
        #expect(log.all == first)
        store.dispatch(BankAction.deposit(0))
        #expect(log.all == first)
        store.dispatch(BankAction.deposit(2))
        #expect(log.all == first + [Notified(old: 1, new: 3)])
        withExtendedLifetime(token) {}
    }

    @Test func `a late subscriber that was overtaken and leaves keeps no state`() {
        struct Owner: Sendable { var thing: Captured?, count = 0 }
        enum OwnerAction: Action { case count, drop }
        let ends = Log<Int>()
        let store = Store(Owner(thing: Captured { ends.append(1) })) {
            Reduce { (owner: inout Owner, action: OwnerAction) in
                switch action {
                case .count: owner.count += 1
                case .drop: owner.thing = nil
                }
            }
        }
        let number = ends.all.count
        let stays = store.subscribe(.selecting { $0.count + number }) { _, _ in }
        let runs = Log<Void>()
        // No delivery begins within a batch, so nothing else lets go of the state.
        store.batch {
            let token = store.subscribe(
                .selecting { [store] owner in
                    runs.append(())
                    if runs.all.count == 1 { store.dispatch(OwnerAction.count) }
                    return owner.count
                }
            ) { _, _ in }
            token.cancel()
            store.dispatch(OwnerAction.drop)
            #expect(ends.all == [1])
        }
        stays.cancel()
    }

    @Test func `what a closure captured, and what it gave, go when it is cancelled, whoever stays`()
    {
        struct Given: Equatable, Sendable {
            let balance: Int
            let captured: Captured
            static func == (one: Self, other: Self) -> Bool { one.balance == other.balance }
        }
        let ends = Log<Int>()
        func subscribe(_ number: Int) -> Subscription {
            let captured = Captured(number) { ends.append(number) }
            return store.subscribe(.selecting { Given(balance: $0.balance, captured: captured) }) {
                _, _ in
            }
        }
        let (first, second) = (subscribe(1), subscribe(2))
        first.cancel()
        #expect(ends.all == [1])
        store.dispatch(BankAction.deposit(1))
        second.cancel()
        #expect(ends.all == [1, 2])
    }

    @Test func `one that is cancelled while closures are derived is let go of after the lock`() {
        let tokens = Log<Subscription>()
        let balances = Log<Int>()
        func subscribe() {
            let captured = Captured { [store] in balances.append(store.state.balance) }
            tokens.append(
                store.subscribe(
                    .selecting { bank in
                        if bank.balance == 1 { for token in tokens.all { token.cancel() } }
                        return bank.balance * captured.number
                    }
                ) { _, _ in })
        }
        subscribe()
        subscribe()
        store.dispatch(BankAction.deposit(1))
        #expect(balances.all == [1, 1])
        #expect(store.engine.withLock { $0.state.index.groups.isEmpty })
    }

    @Test func `closures of a slice are derived from that slice, and only when it changes`() {
        struct Sum: Sendable { var number = 0 }
        struct Pair: Sendable {
            var left = Sum()
            var right = Sum()
        }
        struct AddLeft: Action {}
        struct AddRight: Action {}
        let store = Store(Pair()) {
            Scope(
                \.left, Feature<Sum> { Reduce { (sum: inout Sum, _: AddLeft) in sum.number += 1 } })
            Scope(
                \.right,
                Feature<Sum> { Reduce { (sum: inout Sum, _: AddRight) in sum.number += 1 } })
        }
        let runs = Log<String>()
        let notified = Log<Int>()
        let tokens = [(\Pair.left, "left"), (\Pair.right, "right")].map { path, name in
            store.scoped(to: path).subscribe(
                .selecting {
                    runs.append(name)
                    return $0.number
                }
            ) { _, new in notified.append(new) }
        }
        let before = runs.all.count
        store.dispatch(AddRight())
        #expect(runs.all.dropFirst(before) == ["right"])
        #expect(notified.all == [1])
        withExtendedLifetime(tokens) {}
    }
}
