// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import Testing

@testable import OnwardSync

@Suite struct MessageCodecTests {
    private let codec = MessageCodec(SyncLimits())
    private let client = ClientID(high: 1, low: 2)

    private var ups: [UpMessage] {
        [
            .hello(
                session: 3, fingerprint: FeatureFingerprint(rawValue: .max), log: nil, version: 0,
                runs: [PendingRun(client: client, first: 1, last: .max)]),
            .propose(
                session: .max, log: 1, base: 7, after: ProposalID(client: client, number: 1),
                again: true,
                proposals: [
                    Proposal(
                        id: ProposalID(client: client, number: 2),
                        action: SyncAction(
                            name: "A/b", schema: 2, payload: [0, 255], address: "rows/#1"))
                ]),
        ]
    }

    private var downs: [DownMessage] {
        let refusal = SyncRefusal(CheckFailure(Reason.tooLow(least: 3)))
        return [
            .welcome(session: 1, log: 2, version: 3),
            .snapshot(
                session: 1, log: 2, version: 3, schema: 1, state: [1, 2],
                decided: [DecidedRun(client: client, number: 9, accepted: .max)]),
            .entries(
                session: 1, log: 2, from: 4,
                items: [
                    .own(
                        ProposalID(client: client, number: 1),
                        time: Timestamp(nanosecondsSince1970: -5), author: "Ann"),
                    .other(SyncAction(name: "A", payload: [])),
                ]),
            .refused(
                session: 1, log: 2, client: client,
                [
                    RefusedProposal(number: 1, reason: refusal),
                    RefusedProposal(number: 2, reason: nil),
                ]),
            .busy(session: 1, log: 2, milliseconds: 3), .unknown(session: 4),
        ]
    }

    private enum Reason: RefusalReason {
        case tooLow(least: Int)
        var sentence: String { "It is too low." }
    }

    @Test func `the largest action fits in a message`() throws {
        var limits = SyncLimits()
        limits.messageBytes = 1_024
        let id = ProposalID(client: client, number: .max)
        var action = SyncAction(name: "A/b", schema: .max, address: "rows/#1")
        action.payload = Array(repeating: 255, count: limits.actionBytes - action.size)
        let message = UpMessage.propose(
            session: .max, log: .max, base: .max, after: id, again: true,
            proposals: [Proposal(id: id, action: action)])
        let codec = MessageCodec(limits)
        #expect(try codec.upMessage(of: codec.bytes(of: message)) == message)
    }

    @Test func `what is written is read again`() throws {
        for message in ups {
            #expect(try codec.upMessage(of: codec.bytes(of: message)) == message)
        }
        for message in downs {
            #expect(try codec.downMessage(of: codec.bytes(of: message)) == message)
        }
    }

    @Test func `a reason keeps its type`() {
        let refusal = SyncRefusal(CheckFailure(Reason.tooLow(least: 3)))
        #expect(refusal.kind == .failedCheck)
        #expect(refusal.reason(as: Reason.self) == .tooLow(least: 3))
        #expect(refusal.sentence == "It is too low.")
        #expect(SyncRefusal(.absent).reason(as: Reason.self) == nil)
    }

    @Test func `bytes that are no message are refused`() throws {
        for bytes in [[], [0xFF], Array("hello".utf8), [0xA1, 0x61, 0x78, 0x01]] as [[UInt8]] {
            #expect(throws: SyncMessageError.self) { try codec.upMessage(of: bytes) }
            #expect(throws: SyncMessageError.self) { try codec.downMessage(of: bytes) }
        }
    }

    @Test func `a message whose end is missing, or of which a byte differs, stops nobody`() throws {
        for message in downs {
            let bytes = try codec.bytes(of: message)
            for count in 0..<bytes.count {
                #expect(throws: SyncMessageError.self) {
                    try codec.downMessage(of: Array(bytes.prefix(count)))
                }
                var damaged = bytes
                damaged[count] ^= 0x81
                _ = try? codec.downMessage(of: damaged)
            }
        }
    }

    @Test func `more than the limits allow is refused`() throws {
        var limits = SyncLimits()
        limits.messageBytes = 2_000
        limits.proposalsPerMessage = 2
        limits.entriesPerMessage = 1
        let strict = MessageCodec(limits)
        let large = UpMessage.propose(
            session: 1, log: 1, base: 1, after: nil, again: false,
            proposals: [
                Proposal(
                    id: ProposalID(client: client, number: 1),
                    action: SyncAction(name: "A", payload: Array(repeating: 0, count: 3_000)))
            ])
        let error = #expect(throws: SyncMessageError.self) {
            try strict.upMessage(of: codec.bytes(of: large))
        }
        #expect(error?.code == .tooLarge)
        let many = UpMessage.propose(
            session: 1, log: 1, base: 1, after: nil, again: false,
            proposals: (1...3).map {
                Proposal(
                    id: ProposalID(client: client, number: $0), action: SyncAction(name: "A"))
            })
        let other = #expect(throws: SyncMessageError.self) {
            try strict.upMessage(of: codec.bytes(of: many))
        }
        #expect(other?.description == "A message has 3 proposals; at most 2 are read.")
        #expect(throws: SyncMessageError.self) {
            try strict.downMessage(of: codec.bytes(of: downs[2]))
        }
    }

    @Test func `numbers that can't be are refused`() throws {
        let impossible: [UpMessage] = [
            .hello(
                session: 1, fingerprint: FeatureFingerprint(rawValue: 1), log: nil, version: 0,
                runs: [PendingRun(client: client, first: 3, last: 2)]),
            .propose(
                session: 1, log: 1, base: 1, after: nil, again: false,
                proposals: [
                    Proposal(
                        id: ProposalID(client: client, number: 0), action: SyncAction(name: "A"))
                ]),
        ]
        for message in impossible {
            let error = #expect(throws: SyncMessageError.self) {
                try codec.upMessage(of: codec.bytes(of: message))
            }
            #expect(error?.code == .invalid)
        }
        let error = #expect(throws: SyncMessageError.self) {
            try codec.downMessage(
                of: codec.bytes(
                    of: .entries(
                        session: 1, log: 1, from: .max, items: [.other(SyncAction(name: "A"))])))
        }
        #expect(error?.code == .invalid)
    }
}
