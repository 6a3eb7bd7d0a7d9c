// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import Testing

@testable import OnwardSync

@Suite struct ServerMachineTests {
    private let connection = ConnectionID(1)
    private let client = ClientID(high: 1, low: 1)

    private func hello(_ session: UInt64) -> UpMessage {
        .hello(
            session: session, fingerprint: FeatureFingerprint(rawValue: 1), log: 9, version: 0,
            runs: [PendingRun(client: client, first: 1, last: .max)])
    }

    private func propose(_ numbers: ClosedRange<UInt64>) -> UpMessage {
        .propose(
            session: 1, log: 9, base: 0, after: nil, again: false,
            proposals: numbers.map {
                Proposal(
                    id: ProposalID(client: client, number: $0),
                    action: ToyAction.put(1, 1).written)
            })
    }

    private func decideAll(_ machine: inout ServerMachine) -> [UInt64] {
        var numbers: [UInt64] = []
        while let (proposal, _) = machine.nextToDecide() {
            numbers.append(proposal.id.number)
            _ = machine.decided(proposal.id, .refused(SyncRefusal(.absent)))
        }
        return numbers
    }

    @Test func `a connection that proposes more than it may in a second is told to wait`() {
        var limits = SyncLimits()
        limits.proposalsPerSecond = 8
        var machine = ServerMachine(
            log: 9, version: 0, ledger: Ledger(), fingerprint: FeatureFingerprint(rawValue: 1),
            limits: limits)
        _ = machine.received(hello(1), from: connection, now: .zero)
        _ = machine.received(propose(1...6), from: connection, now: .zero)
        let busy = ServerStep.send(
            .busy(session: 1, log: 9, milliseconds: 1_000), to: connection)
        #expect(machine.received(propose(7...8), from: connection, now: .zero).contains(busy))
        #expect(decideAll(&machine) == [1, 2, 3, 4, 5, 6])
        // Somebody else isn't kept waiting, and a clock that goes back gives nothing.
        let other = ConnectionID(2)
        #expect(
            machine.received(hello(1), from: other, now: .seconds(-5)).contains(
                .send(.welcome(session: 1, log: 9, version: 0), to: other)))
        #expect(
            machine.received(propose(7...8), from: connection, now: .seconds(-5)).contains(busy))
        _ = machine.received(propose(7...8), from: connection, now: .seconds(1))
        #expect(decideAll(&machine) == [7, 8])
    }

    @Test func `a connection that begins sessions all the time is ended`() {
        var limits = SyncLimits()
        limits.proposalsPerSecond = 8
        var machine = ServerMachine(
            log: 9, version: 0, ledger: Ledger(), fingerprint: FeatureFingerprint(rawValue: 1),
            limits: limits)
        for session in 1...8 as ClosedRange<UInt64> {
            let steps = machine.received(hello(session), from: connection, now: .zero)
            #expect(steps.count == 1)
        }
        #expect(machine.received(hello(9), from: connection, now: .zero) == [.end(connection)])
    }
}
