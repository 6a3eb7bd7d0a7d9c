// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import Synchronization
import Testing

@testable import OnwardSync

@Suite struct ClientMachineTests {
    /// The features of the simulation, with a count of what they have decided.
    private struct Counted: SyncFeatures {
        final class Count: Sendable {
            private let count = Mutex(0)
            func increase() { count.withLock { $0 += 1 } }
            /// What was counted since the last time.
            func take() -> Int {
                count.withLock { count in
                    defer { count = 0 }; return count
                }
            }
        }

        let base: ToyFeatures
        let count = Count()
        var isPartial: Bool { base.isPartial }

        func read(_ action: SyncAction) -> ToyAction? { base.read(action) }
        func decide(_ action: ToyAction, on state: inout Toy) -> Bool {
            count.increase()
            return base.decide(action, on: &state)
        }
        func reduce(_ action: ToyAction, into state: inout Toy) {
            base.reduce(action, into: &state)
        }
        func confirmed(_ action: ToyAction, time: Timestamp?, author: String?) -> ToyAction {
            base.confirmed(action, time: time, author: author)
        }
        func dependsOnStamp(_ action: ToyAction) -> Bool { base.dependsOnStamp(action) }
        func replaces(_ action: ToyAction, _ earlier: ToyAction) -> Bool { false }
        func state(of bytes: [UInt8], schema: Int) -> Toy? {
            schema == 1 ? base.state(of: bytes, schema: schema) : nil
        }
        func apply(_ changes: [SyncChange], to state: inout Toy) -> Bool {
            base.apply(changes, to: &state)
        }
    }

    private typealias Machine = ClientMachine<Counted>

    private let session: UInt64 = 2

    /// A client that is online and has nothing.
    private func machine(isPartial: Bool = false, _ limits: SyncLimits = SyncLimits()) -> Machine {
        var machine = Machine(
            Toy(), Counted(base: ToyFeatures(isPartial: isPartial)),
            fingerprint: FeatureFingerprint(rawValue: 1), client: ClientID(high: 1, low: 1),
            session: session - 1, limits: limits)
        _ = machine.connected(now: .zero)
        _ = machine.received(.welcome(session: session, log: 9, version: 0), now: .zero)
        _ = machine.received(
            isPartial
                ? .changes(session: session, log: 9, from: nil, version: 0, [], decided: [])
                : .snapshot(
                    session: session, log: 9, version: 0, schema: 1,
                    state: ToyFeatures().bytes(of: Toy()), decided: []), now: .zero)
        return machine
    }

    private func count(in machine: inout Machine, _ count: Counted.Count) -> Int {
        _ = count.take()
        _ = machine.shownState()
        return count.take()
    }

    @Test func `until the store shows it, only what was dispatched since is decided`() throws {
        let features = Counted(base: ToyFeatures())
        var machine = Machine(
            Toy(), features, fingerprint: FeatureFingerprint(rawValue: 1),
            client: ClientID(high: 1, low: 1), session: session - 1, limits: SyncLimits())
        _ = machine.connected(now: .zero)
        _ = machine.received(.welcome(session: session, log: 9, version: 0), now: .zero)
        _ = machine.received(
            .snapshot(
                session: session, log: 9, version: 0, schema: 1,
                state: ToyFeatures().bytes(of: Toy()), decided: []), now: .zero)
        for amount in 1...100 {
            _ = machine.committed(ToyAction.put(amount, 1).written, now: .zero)
        }
        #expect(count(in: &machine, features.count) == 100)
        _ = machine.committed(ToyAction.put(1, 2).written, now: .zero)
        #expect(count(in: &machine, features.count) == 1)
        // An own confirmation changes nothing of what is worked out.
        let id = try #require(machine.pending.first?.proposal.id)
        _ = machine.received(
            .entries(session: session, log: 9, from: 1, items: [.own(id, time: nil, author: nil)]),
            now: .zero)
        _ = machine.committed(ToyAction.put(1, 2).written, now: .zero)
        #expect(count(in: &machine, features.count) == 1)
        // What somebody else does comes before all that is pending.
        let other = LoggedItem.other(ToyAction.put(7, 3).written)
        _ = machine.received(
            .entries(session: session, log: 9, from: 2, items: [other]), now: .zero)
        #expect(count(in: &machine, features.count) == 101)
        var expected = Toy()
        expected.reduce(.put(1, 1))
        expected.reduce(.put(7, 3))
        for amount in 2...100 { expected.reduce(.put(amount, 1)) }
        for _ in 0..<2 { expected.reduce(.put(1, 2)) }
        #expect(machine.shownState() == expected)
        machine.hasShown()
        #expect(count(in: &machine, features.count) == 101)
    }

    @Test func `what is dispatched while a message is on its way goes with the next one`() {
        var machine = machine()
        _ = machine.sent(now: .zero)
        func sends(_ steps: [ClientStep]) -> [[UInt64]] {
            steps.compactMap { step in
                guard case .send(.propose(_, _, _, _, _, let proposals)) = step else { return nil }
                return proposals.map(\.id.number)
            }
        }
        let steps = (1...100).map {
            machine.committed(ToyAction.put($0, 1).written, now: .zero).1
        }
        #expect(steps.flatMap { sends($0) } == [[1]])
        #expect(sends(machine.sent(now: .zero)) == [Array(2...64)])
        // No more than that may be undecided; what is decided makes room.
        #expect(sends(machine.sent(now: .zero)) == [])
        let items = machine.pending.prefix(64).map {
            LoggedItem.own($0.proposal.id, time: nil, author: nil)
        }
        let entries = DownMessage.entries(session: session, log: 9, from: 1, items: items)
        #expect(sends(machine.received(entries, now: .zero)) == [Array(65...100)])
    }

    @Test func `a state that this program can't read is a problem, and decides nothing`() {
        var machine = machine()
        let (id, _) = machine.committed(ToyAction.put(1, 1).written, now: .zero)
        let decided = DecidedRun(client: id.client, number: id.number, accepted: 1)
        func whole(schema: Int) -> DownMessage {
            .snapshot(
                session: session, log: 9, version: 1, schema: schema,
                state: ToyFeatures().bytes(of: Toy()), decided: [decided])
        }
        #expect(machine.received(whole(schema: 2), now: .zero) == [])
        #expect(machine.problem == .unreadable)
        #expect(machine.pending.count == 1)
        #expect(machine.isOnline)
        _ = machine.received(whole(schema: 1), now: .zero)
        #expect(machine.problem == nil)
        #expect(machine.pending.isEmpty)
    }

    @Test func `what the server can't do is a problem until it has done it`() {
        var machine = machine()
        let (id, _) = machine.committed(ToyAction.put(1, 1).written, now: .zero)
        _ = machine.received(.failed(session: session, .tooManyRuns), now: .zero)
        #expect(machine.problem == .tooManyRuns)
        let other = LoggedItem.other(ToyAction.put(7, 3).written)
        _ = machine.received(
            .entries(session: session, log: 9, from: 1, items: [other]), now: .zero)
        // What others do says nothing about it.
        #expect(machine.problem == .tooManyRuns)
        let own = LoggedItem.own(id, time: nil, author: nil)
        _ = machine.received(.entries(session: session, log: 9, from: 2, items: [own]), now: .zero)
        #expect(machine.problem == nil)
    }

    @Test func `with a view, what was hidden or refused is kept no longer`() {
        var machine = machine(isPartial: true)
        let (refused, _) = machine.committed(ToyAction.put(1, 1).written, now: .zero)
        // Nothing can be taken from an account that isn't seen.
        let (hidden, _) = machine.committed(ToyAction.take(5, 2).written, now: .zero)
        _ = machine.shownState()
        let message = DownMessage.refused(
            session: session, log: 9, client: refused.client,
            [RefusedProposal(number: refused.number, reason: nil)])
        #expect(machine.received(message, now: .zero).first == .keepState)
        let decided = DecidedRun(client: hidden.client, number: hidden.number, accepted: 1)
        let steps = machine.received(
            .changes(session: session, log: 9, from: 0, version: 1, [], decided: [decided]),
            now: .zero)
        #expect(steps.prefix(2) == [.keepState, .report(hidden, .confirmed)])
        // Also where a state says so, as it has only what came later.
        let (lost, _) = machine.committed(ToyAction.put(1, 1).written, now: .zero)
        let (later, _) = machine.committed(ToyAction.put(1, 1).written, now: .zero)
        let last = DecidedRun(client: later.client, number: later.number, accepted: 1)
        let news = machine.received(
            .changes(session: session, log: 9, from: 1, version: 2, [], decided: [last]),
            now: .zero)
        #expect(
            news.prefix(3) == [
                .keepState, .report(lost, .refused(nil)), .report(later, .confirmed),
            ])
    }
}
