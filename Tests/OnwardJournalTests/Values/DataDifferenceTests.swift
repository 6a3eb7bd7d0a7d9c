// SPDX-License-Identifier: MIT

import Testing

@testable import OnwardJournal
@testable import struct TestSupport.SeededGenerator

struct DataDifferenceTests {
    static let pairs: [(DataValue, DataValue)] = [
        (1, 2), (1, "1"), ([], [1]), ([1], []), ([1, 2, 3], [1, 3]), ([1, 3], [1, 2, 3]),
        ([1, 2, 3], [1, 9, 3]), (["a": 1], ["a": 2]), (["a": 1], [:]), ([:], ["a": nil]),
        (["a": ["b": [1, 2]], "c": 3], ["a": ["b": [1, 5]], "c": 3]), ([1, 1, 1], [1, 1]),
        (.number(0), .number(-0.0)),
        ("\u{e9}", "e\u{301}"), (nil, [:]), ([[1], [2]], [[1], [2, 3]]),
        (["value": ["fields": 1]], ["value": ["fields": 2]]),
    ]

    @Test(arguments: pairs)
    func `leads from one value to the other, also once it was written`(
        old: DataValue, new: DataValue
    ) throws {
        let difference = try #require(DataDifference(from: old, to: new))
        let bytes = DataFormat.cbor.bytes(of: difference.value)
        let read = try #require(DataDifference(try DataFormat.cbor.value(of: bytes)))
        #expect(read == difference)
        let made = try #require(read.applied(to: old))
        #expect(DataFormat.cbor.bytes(of: made) == DataFormat.cbor.bytes(of: new))
    }

    @Test func `there is none between equal values`() {
        for value: DataValue in [nil, 1, [1, [2]], ["a": [.number(.nan)]], "x"] {
            #expect(DataDifference(from: value, to: value) == nil)
        }
    }

    @Test func `is as small as what differs`() throws {
        let rows: [DataValue] = (0..<1_000).map { ["id": .integer($0), "title": "a row"] }
        let old: DataValue = ["rows": .list(rows)]
        var changed = rows
        changed[500] = ["id": 500, "title": "another"]
        var longer = changed
        longer.insert(["id": 2_000, "title": "new"], at: 700)
        for new in [changed, longer] {
            let difference = try #require(
                DataDifference(from: old, to: ["rows": .list(new)]))
            #expect(difference.size < old.size / 2)
        }
        let one = try #require(DataDifference(from: old, to: ["rows": .list(changed)]))
        #expect(one.size < 40)
    }

    @Test func `what does not fit gives nothing`() throws {
        let difference = try #require(DataDifference(from: [1, 2, 3], to: [1, 2, 4]))
        #expect(difference.applied(to: [1]) == nil)
        #expect(difference.applied(to: 7) == nil)
        let shorter = try #require(DataDifference(from: [1, 2, 3], to: [1]))
        #expect(shorter.applied(to: [1]) == nil)
        for written: DataValue in [
            7, ["fields": 1], ["elements": [1]], ["elements": [["x", 1]]],
            ["from": 2, "to": 1, "with": []], ["from": -1, "to": 1, "with": []],
            ["fields": [:], "without": [1]],
        ] { #expect(DataDifference(written) == nil) }
    }

    @Test func `random values lead to one another`() throws {
        for seed in 0..<300 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let old = Self.random(&generator)
            let new =
                Bool.random(using: &generator)
                ? Self.random(&generator) : Self.changed(old, &generator)
            let made = DataDifference(from: old, to: new).map { $0.applied(to: old) } ?? old
            #expect(made == new, "seed \(seed)")
        }
    }

    private static func random(_ generator: inout SeededGenerator, depth: Int = 0) -> DataValue {
        switch Int.random(in: 0..<(depth < 4 ? 6 : 3), using: &generator) {
        case 0: return .integer(Int64.random(in: 0..<4, using: &generator))
        case 1: return .text(["a", "b", ""].randomElement(using: &generator) ?? "")
        case 2: return .bool(.random(using: &generator))
        case 3, 4:
            let count = Int.random(in: 0..<5, using: &generator)
            return .list((0..<count).map { _ in random(&generator, depth: depth + 1) })
        default:
            var fields: [String: DataValue] = [:]
            for name in ["a", "b", "value", "fields"] where Bool.random(using: &generator) {
                fields[name] = random(&generator, depth: depth + 1)
            }
            return .object(fields)
        }
    }

    private static func changed(
        _ value: DataValue, _ generator: inout SeededGenerator
    ) -> DataValue {
        switch value {
        case .list(var values) where !values.isEmpty:
            let index = Int.random(in: values.indices, using: &generator)
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: values.remove(at: index)
            case 1: values.insert(random(&generator, depth: 3), at: index)
            default: values[index] = changed(values[index], &generator)
            }
            return .list(values)
        case .object(var fields):
            let name = fields.keys.sorted().randomElement(using: &generator) ?? "a"
            fields[name] = changed(fields[name] ?? .null, &generator)
            return .object(fields)
        default: return random(&generator, depth: 2)
        }
    }
}
