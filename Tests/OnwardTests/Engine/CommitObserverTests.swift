// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite struct CommitObserverTests {
    @Test
    func `reads every entry: version, action, address, origin`() throws {
        let store = makeBank()
        let entries = Log<Entry>()
        let token = store.log.attach(Observe<Bank> { entries.append($0.entry) })
        store.dispatch(BankAction.deposit(1), file: "App/A.swift", line: 3)
        store.dispatch(OtherAction())
        #expect(entries.all.map(\.version) == [1, 2])
        let first = try #require(entries.all.first)
        #expect(first.action as? BankAction == .deposit(1))
        #expect(first.origin == Origin(file: "App/A.swift", line: 3))
        #expect(first.kind == .action)
        #expect(first.time == nil && first.duration == nil)
        token.cancel()
        store.dispatch(OtherAction())
        #expect(entries.all.count == 2)
    }

    @Test
    func `gets states, time and duration only when it asks`() {
        let clock = ManualClock()
        let options = StoreOptions(
            clock: clock, wallClock: { Timestamp(nanosecondsSince1970: 42) })
        let store = Store(Bank(), options: options) {
            Reduce { (bank: inout Bank, _: CounterAction) in
                clock.advance(by: .milliseconds(5))
                bank.balance += 1
            }
        }
        let full = Log<Commit<Bank>>()
        let bare = Log<Commit<Bank>>()
        let tokens = [
            store.log.attach(
                Observe<Bank>(needs: [.before, .after, .time, .duration]) { full.append($0) }),
            store.log.attach(Observe<Bank> { bare.append($0) }),
        ]
        store.dispatch(CounterAction.increment)
        #expect(full.all.first?.before?.balance == 0)
        #expect(full.all.first?.after?.balance == 1)
        #expect(full.all.first?.entry.time == Timestamp(nanosecondsSince1970: 42))
        #expect(full.all.first?.entry.duration == .milliseconds(5))
        #expect(bare.all.first?.before == nil && bare.all.first?.after == nil)
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `is called before the subscribers of the commit, in version order`() {
        let store = makeBank()
        let calls = Log<String>()
        let subscriber = store.subscribe(\.balance) { _, new in
            calls.append("subscriber \(new)")
            if new == 1 { store.dispatch(BankAction.deposit(1)) }
        }
        let observer = store.log.attach(Observe<Bank> { calls.append("entry \($0.entry.version)") })
        store.dispatch(BankAction.deposit(1))
        #expect(calls.all == ["entry 1", "subscriber 1", "entry 2", "subscriber 2"])
        subscriber.cancel()
        observer.cancel()
    }

    @Test
    func `is not notified of commits before it came`() {
        let store = makeBank()
        let entries = Log<Version>()
        let tokens = Log<Subscription>()
        let subscriber = store.subscribe(\.balance) { _, new in
            guard new == 1 else { return }
            store.dispatch(BankAction.deposit(1))
            tokens.append(store.log.attach(Observe<Bank> { entries.append($0.entry.version) }))
        }
        store.dispatch(BankAction.deposit(1))
        store.dispatch(BankAction.deposit(1))
        #expect(entries.all == [3])
        subscriber.cancel()
    }

    @Test
    func `is not notified of commits before it came, though others are notified of them later`() {
        let store = makeBank()
        let first = Log<Version>()
        let second = Log<Version>()
        let tokens = Log<Subscription>()
        tokens.append(store.log.attach(Observe<Bank> { first.append($0.entry.version) }))
        let subscriber = store.subscribe(\.balance) { _, new in
            guard new == 1 else { return }
            store.dispatch(BankAction.deposit(1))
            tokens.append(store.log.attach(Observe<Bank> { second.append($0.entry.version) }))
        }
        store.dispatch(BankAction.deposit(1))
        store.dispatch(BankAction.deposit(1))
        #expect(first.all == [1, 2, 3])
        #expect(second.all == [3])
        subscriber.cancel()
    }

    @Test
    func `releases what it was given where that may use the store`() {
        struct App: Sendable {
            var count = 0
            var guest: Parting?
        }
        struct Leave: Action {}
        struct Carry: Action { let guest: Parting }
        let mistakes = Mistakes()
        let results = Log<DispatchResult?>()
        let held = Log<Store<App>>()
        @Sendable func guest() -> Parting {
            Parting { results.append(held.all.first?.dispatch(CounterAction.increment)) }
        }
        let store = Store(App(guest: guest()), options: mistakes.options()) {
            Reduce { (app: inout App, _: Leave) in app.guest = nil }
            Reduce { (app: inout App, _: Carry) in app.count += 1 }
            Reduce { (app: inout App, _: CounterAction) in app.count += 1 }
        }
        held.append(store)
        let token = store.log.attach(Observe<App>(needs: [.before]) { _ in })
        store.dispatch(Leave())
        #expect(mistakes.all.isEmpty)
        #expect(results.all == [.accepted(2)])
        store.batch { _ = store.dispatch(Carry(guest: guest())) }
        #expect(mistakes.all.isEmpty)
        #expect(results.all == [.accepted(2), .accepted(4)])
        token.cancel()
    }

    @Test
    func `counts what came, with total and worst time (Statistics)`() {
        let clock = ManualClock()
        let store = Store(Bank(), options: StoreOptions(clock: clock)) {
            Reduce { (bank: inout Bank, action: BankAction) in
                if case .deposit(let n) = action { clock.advance(by: .milliseconds(n)) }
            }
        }
        let statistics = Statistics<Bank>()
        let token = store.log.attach(statistics)
        for milliseconds in [3, 9, 1] { store.dispatch(BankAction.deposit(milliseconds)) }
        let figures = statistics.figures["BankAction"]
        #expect(statistics.figures.count == 1)
        #expect(figures?.count == 3)
        #expect(figures?.total == .milliseconds(13))
        #expect(figures?.worst == .milliseconds(9))
        token.cancel()
    }
}
