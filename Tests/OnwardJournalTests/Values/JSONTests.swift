// SPDX-License-Identifier: MIT

import Foundation
import OnwardJournal
import Testing

@testable import struct TestSupport.SeededGenerator

struct JSONTests {
    private func read(_ text: String) throws -> DataValue {
        try DataFormat.json.value(of: Array(text.utf8))
    }

    static let texts: [(String, DataValue)] = [
        ("null", DataValue.null), (" true\n", true), ("false", false), ("0", 0), ("-0", 0),
        ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
        ("18446744073709551615", .unsigned(.max)), ("18446744073709551616", .number(0x1p64)),
        ("1.5e3", 1500.0), ("1E-2", 0.01), ("-1.25", -1.25), ("1e0", 1.0),
        (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{c}\n\r\t"), (#""\u00fc\u6c34""#, "ü水"),
        (#""\ud83d\ude00x""#, "😀x"), (#""ü😀""#, "ü😀"), ("[]", []), ("[ 1 , [2] ]", [1, [2]]),
        (#"{ "a" : { } , "b" : [ ] }"#, ["a": [:], "b": []]), (#"{"a":1,"a":2}"#, ["a": 2]),
    ]

    @Test(arguments: texts)
    func `a text has its value`(text: String, value: DataValue) throws {
        #expect(try read(text) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "nulll", "tru", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "]", "{",
        "{a:1}",
        #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1"#, #"{1:2}"#, "01", "-", "-01", "1.", ".5",
        "1.e3", "1e", "1e+", "+1", "0x10", "1e999", "NaN", "Infinity", #"""#, #""a"#, #""\x""#,
        #""\u12""#, #""\u12g4""#, #""\ud800""#, #""\ud800x""#, #""\ud800\u0041""#, #""\udc00""#,
        "\"\n\"", "\"\u{0}\"", "1 2", "{} []", "'a'", "/**/1", "\u{feff}1",
    ])
    func `text that is no JSON is refused`(text: String) {
        #expect {
            try read(text)
        } throws: { ($0 as? DataError)?.code == .malformed }
    }

    @Test(arguments: [[0xFF], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] as [[UInt8]])
    func `bytes that are no UTF-8 are refused`(bytes: [UInt8]) {
        #expect {
            try DataFormat.json.value(of: bytes)
        } throws: { ($0 as? DataError)?.description.contains("not UTF-8") == true }
    }

    @Test func `limits are those that were asked for`() throws {
        let limits = DataLimits(bytes: 40, depth: 3, elements: 4)
        func read(_ text: String) throws -> DataValue {
            try DataFormat.json.value(of: Array(text.utf8), limits: limits)
        }
        #expect(try read("[[[1]]]") == [[[1]]])
        #expect(throws: DataError.self) { try read("[[[[1]]]]") }
        #expect(try read("[1,2,3,4]").list?.count == 4)
        #expect(throws: DataError.self) { try read("[1,2,3,4,5]") }
        #expect(throws: DataError.self) { try read(#"{"a":[1,2],"b":[1]}"#) }
        #expect(throws: DataError.self) { try read(String(repeating: " ", count: 41)) }
    }

    @Test func `numbers that JSON does not know come back`() throws {
        for number in [Double.infinity, -.infinity, .nan] {
            let bytes = DataFormat.json.bytes(of: .list([.number(number)]))
            let read = try DataFormat.json.value(of: bytes).decoded(as: [Double].self)
            #expect(read[0] == number || (read[0].isNaN && number.isNaN))
        }
        #expect(throws: DecodingError.self) { try DataValue.number(1e300).decoded(as: Float.self) }
        #expect(try DataValue.text("-Infinity").decoded(as: Float.self) == -.infinity)
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func `what Foundation reads is read in the same way, and damaged bytes do no harm`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let value = Self.value(&generator, depth: 4)
        let bytes = DataFormat.json.bytes(of: ["v": value])
        #expect(try DataFormat.json.value(of: bytes) == ["v": value])
        let pretty = try JSONSerialization.data(
            withJSONObject: JSONSerialization.jsonObject(with: Data(bytes)),
            options: [.prettyPrinted])
        #expect(try DataFormat.json.value(of: Array(pretty)) == ["v": value])
        for _ in 0..<50 {
            var damaged = bytes
            damaged[Int.random(in: 0..<damaged.count, using: &generator)] = UInt8.random(
                in: 0...255, using: &generator)
            let ours = (try? DataFormat.json.value(of: damaged)) != nil
            let theirs =
                (try? JSONSerialization.jsonObject(
                    with: Data(damaged), options: .fragmentsAllowed)) != nil
            // Foundation takes other encodings of Unicode and is no judge of UTF-8.
            if ours { #expect(theirs, "\(String(decoding: damaged, as: UTF8.self))") }
        }
    }

    /// A value without fractions, which differ in their last digit from writer to writer.
    private static func value(_ generator: inout SeededGenerator, depth: Int) -> DataValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2: return .integer(Int64.random(in: -1_000_000...1_000_000, using: &generator))
        case 3: return .text("x\u{1}\"\\ü😀\n".shuffled(using: &generator).map(String.init).joined())
        case 4: return .text("")
        case 5, 6:
            return .list(
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                    Self.value(&generator, depth: depth - 1)
                })
        default:
            var fields: [String: DataValue] = [:]
            for index in 0..<Int.random(in: 0...4, using: &generator) {
                fields["f\(index)"] = Self.value(&generator, depth: depth - 1)
            }
            return .object(fields)
        }
    }
}
