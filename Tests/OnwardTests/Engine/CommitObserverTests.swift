// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite struct CommitObserverTests {
    @Test
    func `reads every entry: version, action, address, origin`() throws {
        let store = makeBank()
        let entries = Log<LogEntry>()
        let token = store.log.attach(Observe<Bank> { entries.append($0.entry) })
        store.dispatch(BankAction.deposit(1), file: "App/A.swift", line: 3)
        store.dispatch(OtherAction())
        #expect(entries.all.map(\.version) == [1, 2])
        let first = try #require(entries.all.first)
        #expect(first.action as? BankAction == .deposit(1))
        #expect(first.origin == ActionOrigin(file: "App/A.swift", line: 3))
        #expect(first.kind == .action)
        #expect(first.time == nil && first.duration == nil)
        token.cancel()
        store.dispatch(OtherAction())
        #expect(entries.all.count == 2)
    }

    @Test
    func `gets states, time and duration only when it asks`() throws {
        let options = StoreOptions(
            clock: ManualClock(), wallClock: { Timestamp(nanosecondsSince1970: 42) })
        let reducing = Log<Duration>()
        let store = Store(Bank(), options: options) {
            Reduce { (bank: inout Bank, _: CounterAction) in
                reducing.append(
                    ContinuousClock().measure {
                        for _ in 0..<1_000 { bank.balance = 1 }
                    })
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
        let (inside, measured) = (reducing.all.first, full.all.first?.entry.duration)
        #expect(try #require(measured) >= #require(inside))
        #expect(bare.all.first?.before == nil && bare.all.first?.after == nil)
        withExtendedLifetime(tokens) {}
    }

    @Test(arguments: [[], .time, .after, .duration, [.time, .after]] as [ObserverNeeds])
    func `changes nothing for subscribers and effects, whatever it asks for`(
        _ needs: ObserverNeeds
    ) {
        let options = StoreOptions(wallClock: { Timestamp(nanosecondsSince1970: 42) })
        let values = Log<Int>()
        let answers = Log<Int>()
        let store = Store(Bank(), options: options) {
            Reduce { (bank: inout Bank, _: CounterAction) in bank.balance += 1 }
            Reduce { (bank: inout Bank, _: OtherAction) in bank.balance += 10 }
            OnAction { (_: OtherAction, _: EffectContext<Bank>) -> Effect in
                answers.append(values.all.count)
                return .none
            }
        }
        let entries = Log<LogEntry>()
        let tokens = [
            store.log.attach(Observe<Bank>(needs: needs) { entries.append($0.entry) }),
            store.subscribe(\.balance) { _, new in values.append(new) },
        ]
        #expect(store.dispatch(CounterAction.increment) == .accepted(1))
        #expect(store.dispatch(OtherAction()) == .accepted(2))
        store.batch {
            store.dispatch(CounterAction.increment)
            store.dispatch(OtherAction())
        }
        #expect(entries.all.map(\.version) == [1, 2, 3, 4])
        #expect(entries.all.map(\.parent) == [nil, nil, nil, nil])
        let time = needs.contains(.time) ? Timestamp(nanosecondsSince1970: 42) : nil
        #expect(entries.all.map(\.time) == [time, time, time, time])
        #expect(values.all == [1, 11, 22])
        #expect(answers.all.count == 2)
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `the store's clocks may use the store, whatever observers ask for`() {
        let mistakes = Mistakes()
        let held = Guarded<Store<Bank>?>(nil)
        let isAsking = Guarded(false)
        let results = Log<DispatchResult>()
        let ask: @Sendable () -> Void = {
            guard let store = held.withValue({ $0 }) else { return }
            let begins = isAsking.withValue { isAsking in
                defer { isAsking = true }
                return !isAsking
            }
            guard begins else { return }
            results.append(store.dispatch(OtherAction()))
            isAsking.withValue { $0 = false }
        }
        var options = mistakes.options()
        options.clock = AskingClock(ask: ask)
        options.wallClock = {
            ask()
            return Timestamp(nanosecondsSince1970: 42)
        }
        let store = Store(Bank(), options: options) {
            Reduce { (bank: inout Bank, _: CounterAction) in bank.balance += 1 }
            Reduce { (_: inout Bank, _: OtherAction) in }
            OnAction { (_: CounterAction, _: EffectContext<Bank>) -> Effect in
                .run {}.debounce(for: .seconds(1))
            }
        }
        held.withValue { $0 = store }
        let token = store.log.attach(
            Observe<Bank>(needs: [.before, .after, .time, .duration]) { _ in })
        #expect(store.dispatch(CounterAction.increment) == .accepted(2))
        // Once to date the commit, and at least once for the debounce.
        #expect(results.all.count >= 2 && results.all.allSatisfy { $0.version != nil })
        #expect(mistakes.kinds.isEmpty)
        token.cancel()
        held.withValue { $0 = nil }
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
        let entries = Log<CommitVersion>()
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
        let first = Log<CommitVersion>()
        let second = Log<CommitVersion>()
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
        let store = makeBank()
        let statistics = Statistics<Bank>()
        let durations = Log<Duration>()
        let tokens = [
            store.log.attach(statistics),
            store.log.attach(
                Observe<Bank>(needs: [.duration]) { durations.append($0.entry.duration ?? .zero) }),
        ]
        for amount in [3, 9, 1] { store.dispatch(BankAction.deposit(amount)) }
        let figures = statistics.figures["BankAction"]
        #expect(statistics.figures.count == 1)
        #expect(figures?.count == 3)
        #expect(figures?.total == durations.all.reduce(.zero, +))
        #expect(figures?.worst == durations.all.max())
        for token in tokens { token.cancel() }
    }
}

/// A clock that does something else whenever it is read.
private struct AskingClock: Clock {
    let ask: @Sendable () -> Void
    var now: ContinuousClock.Instant {
        ask()
        return .now
    }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
    }
}

struct CatchingUpTests {
    @Test func `two observers that make each other catch up end with a report`() throws {
        let mistakes = Mistakes()
        let store = Store(0, options: mistakes.options()) {
            Reduce { (count: inout Int, _: Tick) in count += 1 }
        }
        let tokens = Guarded<[Subscription]>([])
        let meeting = DispatchGroup()
        let calls = [Guarded(0), Guarded(0)]
        for _ in calls { meeting.enter() }
        for index in calls.indices {
            let token = store.log.attach(
                Observe<Int> { _ in
                    let isFirst = calls[index].withValue { count in
                        defer { count += 1 }
                        return count == 0
                    }
                    guard isFirst else { return }
                    // Both are being called before either looks for the other.
                    meeting.leave()
                    meeting.wait()
                    let other = tokens.withValue { $0[1 - index] }
                    store.log.deliver(to: other)
                })
            tokens.withValue { $0.append(token) }
        }
        onThreads(2) { _ in store.dispatch(Tick(), isolation: nil) }
        #expect(calls.map { $0.withValue { $0 } } == [2, 2])
        let mistake = try #require(mistakes.all.first)
        #expect(mistakes.kinds == [.observersWaiting])
        #expect(mistake.description.contains("Both would have waited for ever"))
        tokens.withValue { $0 }.forEach { $0.cancel() }
    }
}

private struct Tick: Action {}
