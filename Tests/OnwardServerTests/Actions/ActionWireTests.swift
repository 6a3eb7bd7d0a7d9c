// SPDX-License-Identifier: MIT
#if Server

import Foundation
import Onward
import OnwardJournal
import Testing

@testable import OnwardServer
@testable import TestSupport

/// What a codec writes as JSON is read from a page as it was.
@Suite struct `Actions on the wire` {
    private enum Carrying<Value: Codable & Equatable & Sendable>: Action, Codable, Equatable {
        case carry(Value)
    }

    private struct Bytes: Codable, Equatable, Sendable {
        var data = Data([0, 255])
        var array: [UInt8] = [1, 2]
        var wide = Int128.min
        var list = [Data([1])]
    }

    static let values: [any Codable & Equatable & Sendable] = [
        KeptWays.NestedTwice(), KeptWays.NestedListTwice(), KeptWays.InTurns(),
        KeptWays.HoldsNothing(), KeptWays.Nils(), KeptWays.OwnKeys(["_0": 1, "_1": 2, "abc": 3]),
        KeptWays.OwnKeys(["_1": 1]), KeptWays.Placed(), InheritedWays.Dog(), InheritedWays.Cat(),
        InheritedWays.Supers(), InheritedWays.Unused(), Bytes(), [1: 2], ["a": 1.5], UUID(),
        Date(timeIntervalSinceReferenceDate: 0.5),
    ]

    @Test(arguments: values.indices)
    func `come back as they were`(index: Int) throws {
        func check<Value: Codable & Equatable & Sendable>(_ value: Value) throws {
            let store = Store(0) { Reduce { (_: inout Int, _: Carrying<Value>) in } }
            let codec = ActionCodec(for: store.log.actions, format: .json)
            let record = try codec.record(of: Carrying.carry(value))
            let payload = try DataValue(json: DataFormat.json.bytes(of: record.payload))
            let read = try ActionDecoder.decode(
                Carrying<Value>.self, caseName: record.caseName, payload: payload.fields ?? [:])
            #expect(read == .carry(value))
        }
        try check(Self.values[index])
    }

    private enum Bet: Action, Decodable, Equatable {
        case place(amount: Double, at: Date?, all: [Double], note: String?)
    }

    @Test(arguments: [
        (#"{"amount":null,"all":[]}"#, #"the field "amount" isn't a number"#),
        (#"{"amount":1,"at":null,"all":[1,null]}"#, #"the field "all.1" isn't a number"#),
        (#"{"amount":1,"all":null}"#, #"the field "all" isn't a list"#),
    ])
    func `null for a number or a list is refused, and the field is named`(
        payload: String, text: String
    ) throws {
        var fields = try #require(try DataValue(json: Array(payload.utf8)).fields)
        fields["type"] = .text("Bet/place")
        fields["request"] = .text("12345678")
        let post = try Post(.object(fields))
        #expect {
            try post.action(accepted: ["Bet": Bet.self])
        } throws: { ($0 as? Rejection)?.reason?.contains(text) == true }
        fields["amount"] = 1
        fields["all"] = [2]
        fields["note"] = nil
        let read = try Post(.object(fields)).action(accepted: ["Bet": Bet.self]) as? Bet
        #expect(read == .place(amount: 1, at: nil, all: [2], note: nil))
    }
}
#endif
