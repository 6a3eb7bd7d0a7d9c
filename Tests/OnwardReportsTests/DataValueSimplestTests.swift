// SPDX-License-Identifier: MIT

import OnwardJournal
import Testing

@testable import OnwardReports
@testable import struct TestSupport.SeededGenerator

struct DataValueSimplestTests {
    /// The simplest value, and how many values were tried.
    private func simplest(
        _ value: DataValue, where passes: (DataValue) -> Bool
    ) throws -> (value: DataValue, tried: [DataValue]) {
        var tried: [DataValue] = []
        let found = try value.simplest { candidate in
            tried.append(candidate)
            return passes(candidate)
        }
        return (found, tried)
    }

    @Test(arguments: [Int64.max, .min, 917, -917, 1, -1])
    func `a number comes as near to 0 as it may`(number: Int64) throws {
        let bound = number / 3
        let isBeyond = { (value: DataValue) in
            value.integer(as: Int64.self).map { bound < 0 ? $0 <= bound : $0 >= bound } ?? false
        }
        let (found, tried) = try simplest(.integer(number), where: isBeyond)
        #expect(found == .integer(bound))
        #expect(tried.count <= 66)
        #expect(Set(tried).count == tried.count)
    }

    @Test func `other numbers come as near to 0 as they may`() throws {
        let isLarge = { (value: DataValue) in
            switch value {
            case .number(let number): number > 2
            case .unsigned(let number): number > 2
            case .integer(let number): number > 2
            default: false
            }
        }
        #expect(try simplest(.number(917.25), where: isLarge).value == .number(3))
        #expect(try simplest(.number(2.5), where: isLarge).value == .number(2.5))
        #expect(try simplest(.number(.infinity), where: isLarge).value == .number(.infinity))
        #expect(try simplest(.number(1e300), where: isLarge).value == .number(1e300))
        #expect(try simplest(.unsigned(.max), where: isLarge).value == .integer(3))
        #expect(try simplest(.bool(true), where: { _ in true }).value == false)
    }

    @Test func `texts and lists lose what isn't needed, and what is left becomes simpler`() throws {
        let value: DataValue = [
            "name": "Emma Woodhouse", "codes": [5, 917_000, -40, 3], "is": true,
            "bytes": .bytes([7, 8]),
        ]
        let (found, _) = try simplest(value) { value in
            guard let name = value["name"]?.text, let codes = value["codes"]?.list else {
                return false
            }
            return name.contains("o") && codes.contains { ($0.integer(as: Int.self) ?? 0) > 99 }
        }
        #expect(found == ["name": "o", "codes": [100]])
    }

    /// As many texts as the covers of a game have, each of which is needed.
    @Test func `what was tried in one place isn't tried again for another`() throws {
        let letters = String(repeating: "abcdefghij", count: 6)
        let texts = (0..<32).map { DataValue.text("\($0 % 10)\(letters)") }
        let (found, tried) = try simplest(.list(texts)) { value in
            value.list?.count == texts.count
                && value.list?.allSatisfy { $0.text?.contains("j") ?? false } == true
        }
        #expect(found == .list(Array(repeating: "j", count: texts.count)))
        #expect(Set(tried).count == tried.count)
        // Some 20 for each text; 16 times that where each success began anew.
        #expect(tried.count < 30 * texts.count)
    }

    @Test func `a test that says anything comes to an end`() throws {
        var generator = SeededGenerator(seed: 3)
        let values: [DataValue] = [
            .integer(.min), .integer(.max), .unsigned(.max), .number(.infinity),
            .number(-1e300), .text("gr\u{fc}n\u{0}"), .bytes([1, 2, 3]),
            [1, ["a": -7, "b": [true]], "x"],
        ]
        for value in values {
            for _ in 0..<100 {
                let (found, tried) = try simplest(value) { _ in .random(using: &generator) }
                #expect(tried.count < 200, "\(value)")
                #expect(found == value || tried.contains(found))
            }
        }
    }
}
