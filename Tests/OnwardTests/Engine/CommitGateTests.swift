// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

/// A gate that answers as it is set to, and notes what it was asked.
final class Gate: CommitGate {
    typealias State = Bank
    let isOpen = Guarded(true)
    let asked = Log<PendingCommit>()
    let onAsk = Guarded<(@Sendable () -> Void)?>(nil)

    func accepts(_ pending: PendingCommit) -> Bool {
        asked.append(pending)
        let action = onAsk.withValue { action in
            defer { action = nil }
            return action
        }
        let answer = isOpen.withValue { $0 }
        action?()
        return answer
    }
}

@Suite struct CommitGateTests {
    @Test
    func `decides whether an action is accepted or withheld`() {
        let store = makeBank()
        let gate = Gate()
        let controller = store.log.attach(gate: gate)
        #expect(store.dispatch(BankAction.deposit(1)) == .accepted(1))
        gate.isOpen.withValue { $0 = false }
        #expect(store.dispatch(BankAction.deposit(1), file: "A/B.swift", line: 2) == .withheld)
        #expect(store.log.version == 1)
        #expect(gate.asked.all.count == 2)
        #expect(gate.asked.all[1].origin == ActionOrigin(file: "A/B.swift", line: 2))
        #expect(gate.asked.all[1].action as? BankAction == .deposit(1))
        controller.detach()
        #expect(store.dispatch(BankAction.deposit(1)) == .accepted(2))
    }

    @Test
    func `an install that says what it touches asks only who reads that`() {
        let store = makeBank()
        let controller = store.log.attach(gate: Gate())
        let called = Log<String>()
        let tokens = [
            store.subscribe(\.balance) { called.append("balance \($1)") },
            store.subscribe(\.other.count) { called.append("count \($1)") },
            store.subscribe(\.other) { called.append("other \($1.count)") },
        ]
        var bank = store.state
        (bank.other.count, bank.balance) = (7, 3)
        controller.install(
            bank, replacing: store.log.version, resuming: true, touching: [\Bank.other])
        #expect(called.all == ["count 7", "other 7"])
        // A path that isn't stored may be anything.
        controller.install(
            bank, replacing: store.log.version, resuming: true, touching: [\Bank.doubled])
        #expect(called.all == ["count 7", "other 7", "balance 3"])
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `installs a state as a commit with a new version and an entry of its own kind`() {
        let store = makeBank()
        let recorder = Recorder(of: store, \.balance)
        let unchanged = Recorder(of: store, \.other.count)
        let entries = Log<Commit<Bank>>()
        let observer = store.log.attach(
            Observe<Bank>(needs: [.before, .after]) { entries.append($0) })
        let controller = store.log.attach(gate: Gate())
        store.dispatch(BankAction.deposit(5))
        #expect(controller.install(Bank(balance: 1), replacing: store.log.version) == .accepted(2))
        #expect(controller.install(Bank(balance: 9), replacing: store.log.version) == .accepted(3))
        #expect(store.log.snapshot.version == 3)
        #expect(store.state.balance == 9)
        #expect(recorder.values == [5, 1, 9])
        #expect(recorder.changes.map(\.old) == [0, 5, 1])
        #expect(unchanged.values.isEmpty)
        #expect(entries.all.map(\.entry.kind) == [.action, .travel, .travel])
        #expect(entries.all.last?.before?.balance == 1)
        #expect(entries.all.last?.after?.balance == 9)
        #expect(entries.all.last?.entry.action is Travel)
        observer.cancel()
    }

    @Test
    func `is asked again when a state was installed between its answer and the commit`() {
        let store = makeBank()
        let gate = Gate()
        let controller = store.log.attach(gate: gate)
        gate.onAsk.withValue { action in
            action = {
                gate.isOpen.withValue { $0 = false }
                controller.install(Bank(balance: 100), replacing: store.log.version)
            }
        }
        // Accepted at first; but then the state is another one, and the second answer counts.
        #expect(store.dispatch(BankAction.deposit(1)) == .withheld)
        #expect(gate.asked.all.count == 2)
        #expect(store.state.balance == 100)
    }

    @Test
    func `is asked again when it says that it reconsidered`() {
        let store = makeBank()
        let gate = Gate()
        let controller = store.log.attach(gate: gate)
        gate.onAsk.withValue { action in
            action = {
                gate.isOpen.withValue { $0 = false }
                controller.reevaluate()
            }
        }
        #expect(store.dispatch(BankAction.deposit(1)) == .withheld)
        #expect(store.log.version == 0)
    }

    @Test
    func `of several, the first that withholds has the last word, and those behind it see nothing`()
    {
        let (first, second) = (Gate(), Gate())
        let store = makeBank()
        let controllers = [store.log.attach(gate: first), store.log.attach(gate: second)]
        #expect(store.dispatch(BankAction.deposit(1)) == .accepted(1))
        #expect(first.asked.all.count == 1 && second.asked.all.count == 1)
        first.isOpen.withValue { $0 = false }
        #expect(store.dispatch(BankAction.deposit(1)) == .withheld)
        #expect(first.asked.all.count == 2 && second.asked.all.count == 1)
        controllers[0].detach()
        #expect(store.dispatch(BankAction.deposit(1)) == .accepted(2))
        second.isOpen.withValue { $0 = false }
        #expect(store.dispatch(BankAction.deposit(1)) == .withheld)
        #expect(first.asked.all.count == 2 && second.asked.all.count == 3)
    }

    @Test
    func `of several, each installs states until it leaves`() {
        let store = makeBank()
        let first = store.log.attach(gate: Gate())
        let second = store.log.attach(gate: Gate())
        #expect(first.install(Bank(balance: 3), replacing: store.log.version) == .accepted(1))
        #expect(second.install(Bank(balance: 4), replacing: store.log.version) == .accepted(2))
        first.detach()
        #expect(first.install(Bank(), replacing: store.log.version) == .refused(.shutDown))
        #expect(!first.isAttached && second.isAttached)
        #expect(second.install(Bank(balance: 5), replacing: store.log.version) == .accepted(3))
        #expect(store.state.balance == 5)
    }

    @Test
    func `the store lives on when none of several is travelled any more`() async {
        let runs = Log<String>()
        let store = Store(Bank()) {
            OnAction { (_: BankAction, _) in .run { runs.append("run") } }
            bank
        }
        let first = store.log.attach(gate: Gate())
        let second = store.log.attach(gate: Gate())
        first.install(Bank(balance: 1), replacing: store.log.version)
        second.install(Bank(balance: 2), replacing: store.log.version)
        second.resume()
        store.dispatch(BankAction.deposit(1))
        await store.waitUntilIdle()
        #expect(runs.all.isEmpty)
        first.detach()
        store.dispatch(BankAction.deposit(1))
        await store.waitUntilIdle()
        #expect(runs.all == ["run"])
    }

    @Test
    func `what leaves the middleware chain is what it is asked about`() {
        let gate = Gate()
        let store = Store(Bank()) {
            ClosureMiddleware<Bank> { action, context in
                action is OtherAction ? .withheld : context.next(BankAction.deposit(7))
            }
            bank
            Scope(\.other, other)
        }
        let controller = store.log.attach(gate: gate)
        store.dispatch(BankAction.deposit(1))
        store.dispatch(OtherAction())
        #expect(gate.asked.all.map { $0.action as? BankAction } == [.deposit(7)])
        controller.detach()
    }

    @Test
    func `a subscriber that dispatches while the gate travels never sees an older value`() {
        let store = makeBank()
        let controller = store.log.attach(gate: Gate())
        let versions = Log<CommitVersion>()
        let token = store.subscribe(\.balance) { _, new in
            versions.append(store.log.version)
            if new == 1 { controller.install(Bank(balance: 2), replacing: store.log.version) }
            if new == 2 { store.dispatch(BankAction.deposit(1)) }
        }
        store.dispatch(BankAction.deposit(1))
        #expect(store.state.balance == 3)
        #expect(versions.all == [1, 2, 3])
        token.cancel()
    }
}
