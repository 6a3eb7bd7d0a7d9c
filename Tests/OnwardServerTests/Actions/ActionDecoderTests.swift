// SPDX-License-Identifier: MIT
#if Server

import OnwardJournal
import Testing

@testable import OnwardServer

@Suite struct `Decoding actions` {
    enum Move: Decodable, Equatable {
        case pass
        case place(row: Int, column: UInt8)
        case name(String)
        case pair(Int, Double)
        case maybe(note: String?, sure: Bool)
        case many([Int])
        case nested(Spot)
        case chart(Chart)
    }

    enum Chart: Decodable, Equatable { case range(Int, Int, value1: Int) }

    struct Spot: Decodable, Equatable {
        var x = 0
        var y: Float?
    }

    enum Key: String, Decodable { case up, down }

    @Test func `a case's labels are the fields, and what has no label is value, value1`() throws {
        #expect(try move("pass", [:]) == .pass)
        #expect(
            try move("place", ["row": .integer(-3), "column": .integer(255)])
                == .place(row: -3, column: 255))
        #expect(try move("name", ["value": .text("x")]) == .name("x"))
        #expect(
            try move("pair", ["value": .integer(1), "value1": .number(0.5)]) == .pair(1, 0.5))
        #expect(throws: DecodingError.self) { try move("name", ["_0": .text("x")]) }
    }

    @Test func `optional fields may be missing or null`() throws {
        #expect(try move("maybe", ["sure": .bool(true)]) == .maybe(note: nil, sure: true))
        #expect(
            try move("maybe", ["sure": .bool(true), "note": .null]) == .maybe(note: nil, sure: true)
        )
    }

    @Test func `lists and nested values are read`() throws {
        #expect(try move("many", ["value": .list([.integer(1), .text("2")])]) == .many([1, 2]))
        #expect(
            try move("nested", ["value": .object(["x": .integer(1), "y": .integer(2)])])
                == .nested(Spot(x: 1, y: 2)))
    }

    @Test func `payloads inside a payload keep their names where a label has one of them`() throws {
        let range = DataValue.object([
            "value": .integer(1), "_1": .integer(2), "value1": .integer(3),
        ])
        #expect(
            try move("chart", ["value": .object(["range": range])])
                == .chart(.range(1, 2, value1: 3)))
    }

    @Test func `of several boxes none, one or all may be checked`() throws {
        #expect(try move("many", [:]) == .many([]))
        #expect(try move("many", ["value": .text("3")]) == .many([3]))
        #expect(try move("many", ["value": .list([.text("3"), .text("4")])]) == .many([3, 4]))
        #expect(throws: DecodingError.self) { try move("many", ["value": .integer(3)]) }
    }

    @Test func `an enum with raw values is read from its case`() throws {
        #expect(try ActionDecoder.decode(Key.self, caseName: "down", payload: [:]) == .down)
    }

    @Test func `a struct is read from the fields`() throws {
        #expect(
            try ActionDecoder.decode(Spot.self, caseName: nil, payload: ["x": .integer(7)])
                == Spot(x: 7))
    }

    @Test(arguments: [("true", true), ("on", true), ("false", false), ("off", false)])
    func `texts count as truth values where one is wanted`(text: String, value: Bool) throws {
        #expect(try move("maybe", ["sure": .text(text)]) == .maybe(note: nil, sure: value))
    }

    @Test(arguments: [
        DataValue.text("256"), .text("-1"), .text("1.0"), .text(""), .text(" 1"), .text("0x10"),
        .integer(256), .number(1.5), .number(.infinity), .unsigned(.max), .bool(true), .null,
    ])
    func `what isn't a whole number in range is refused`(value: DataValue) {
        #expect(throws: DecodingError.self) {
            try move("place", ["row": .integer(0), "column": value])
        }
    }

    @Test(arguments: ["nan", "inf", "-infinity", "1e400", "", "1,5"])
    func `a number is finite`(text: String) {
        #expect(throws: DecodingError.self) {
            try move("pair", ["value": .integer(1), "value1": .text(text)])
        }
    }

    private func move(_ name: String, _ payload: [String: DataValue]) throws -> Move {
        try ActionDecoder.decode(Move.self, caseName: name, payload: payload)
    }
}
#endif
