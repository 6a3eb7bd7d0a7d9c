// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import Testing

@testable import OnwardCluster

struct EnvelopeTests {
    static let messages: [Message] = [
        .propose(request(1, "x", since: 3, epoch: 7)),
        .propose(
            Request(id: id(3), base: 1, unchangedSince: 5, action: ActionDraft(name: "y"))),
        .answer(id(1), .refused(.outdated(8))),
        .propose(
            Request(
                id: id(2), base: .max,
                action: ActionDraft(
                    name: "\u{fc}/case", schema: 4, payload: [0, 255],
                    address: Address("left/#7") ?? .root,
                    origin: ActionOrigin(file: "A/b.swift", line: 3)
                ))),
        .acknowledged(JournalPosition(version: 9, id: id(9))),
        .acknowledged(
            JournalPosition(version: 9, id: id(9)), entries: [entry(8, "x"), claim(9, by: a)],
            after: JournalPosition(version: 7, id: id(7))), .ask,
        .answer(id(1), .accepted(12)), .answer(id(1), .withheld), .answer(id(1), .unanswered),
        .answer(id(1), .refused(.expired)), .answer(id(1), .refused(.forgotten)),
        .answer(id(1), .refused(.overloaded)), .answer(id(1), .refused(.unreadable)),
        .answer(id(1), .refused(.stopped)),
        .answer(id(1), .refused(.foreign(FeatureFingerprint(rawValue: .max)))),
    ]

    @Test func `everything that nodes say arrives as it was`() {
        let letters = Self.messages.map { Envelope.Letter(store: "s", message: $0) }
        let bytes = Envelope.bytes(of: letters.map(\.value), from: a)
        let envelope = Envelope(bytes)
        #expect(envelope?.sender == a)
        #expect(envelope?.letters == letters)
    }

    @Test func `what is cut off or changed is no message, and stops nothing`() {
        let letters = Self.messages.map { Envelope.Letter(store: "s", message: $0).value }
        let bytes = Envelope.bytes(of: letters, from: a)
        for count in 0..<bytes.count { #expect(Envelope(Array(bytes.prefix(count))) == nil) }
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x5A
            // Reading it is all that is asked.
            _ = Envelope(changed)
        }
    }

    @Test func `a message of which an entry can't be read has none`() {
        let entries = [entry(8, "x"), entry(9, "y")]
        let end = entry(9, "y").position
        var value = Envelope.Letter(
            store: "s", message: .acknowledged(end, entries: entries, after: end)
        ).value
        value["entries"] = .list([entries[0].value, ["kind": 77]])
        let envelope = Envelope(Envelope.bytes(of: [value], from: a))
        #expect(envelope?.letters.map(\.message) == [.acknowledged(end, after: end)])
    }

    @Test func `what a later program has written is left out`() {
        let letter = Envelope.Letter(store: "s", message: Self.messages[2]).value
        let bytes = Envelope.bytes(of: [["store": "s", "dance": 1], letter], from: a)
        #expect(Envelope(bytes)?.letters.map(\.message) == [Self.messages[2]])
    }
}
