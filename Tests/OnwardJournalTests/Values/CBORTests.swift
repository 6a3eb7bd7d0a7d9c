// SPDX-License-Identifier: MIT

import OnwardJournal
import Testing

@testable import struct TestSupport.SeededGenerator

struct CBORTests {
    private func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.count, by: 2).map { offset in
            let start = hex.index(hex.startIndex, offsetBy: offset)
            return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16) ?? 0
        }
    }

    /// The examples of RFC 8949, appendix A, that a payload can contain, in their shortest form.
    static let examples: [(String, DataValue)] = [
        ("00", 0), ("01", 1), ("0a", 10), ("17", 23), ("1818", 24), ("1819", 25), ("1864", 100),
        ("1903e8", 1000), ("1a000f4240", 1_000_000), ("1b000000e8d4a51000", 1_000_000_000_000),
        ("1bffffffffffffffff", .unsigned(.max)), ("20", -1), ("29", -10), ("3863", -100),
        ("3903e7", -1000), ("f90000", 0.0), ("f98000", .number(-0.0)), ("f93c00", 1.0),
        ("fb3ff199999999999a", 1.1), ("f93e00", 1.5), ("f97bff", 65504.0), ("fa47c35000", 100000.0),
        ("fa7f7fffff", 3.4028234663852886e+38), ("fb7e37e43c8800759c", 1.0e+300),
        ("f90001", 5.960464477539063e-8), ("f90400", 0.00006103515625), ("f9c400", -4.0),
        ("fbc010666666666666", -4.1), ("f97c00", .number(.infinity)),
        ("f9fc00", .number(-.infinity)),
        ("f4", false), ("f5", true), ("f6", nil), ("40", .bytes([])),
        ("4401020304", .bytes([1, 2, 3, 4])),
        ("60", ""), ("6161", "a"), ("6449455446", "IETF"), ("62225c", "\"\\"), ("62c3bc", "\u{fc}"),
        ("63e6b0b4", "\u{6c34}"), ("64f0908591", "\u{10151}"), ("80", []), ("83010203", [1, 2, 3]),
        ("8301820203820405", [1, [2, 3], [4, 5]]),
        (
            "98190102030405060708090a0b0c0d0e0f101112131415161718181819",
            .list((1...25).map { .integer($0) })
        ),
        ("a0", [:]), ("a26161016162820203", ["a": 1, "b": [2, 3]]),
        ("826161a161626163", ["a", ["b": "c"]]),
        (
            "a56161614161626142616361436164614461656145",
            ["a": "A", "b": "B", "c": "C", "d": "D", "e": "E"]
        ),
    ]

    @Test(arguments: examples)
    func `reads and writes the examples of the RFC`(hex: String, value: DataValue) throws {
        #expect(try DataFormat.cbor.value(of: bytes(hex)) == value)
        #expect(DataFormat.cbor.bytes(of: value) == bytes(hex))
    }

    static let longExamples: [(String, DataValue)] = [
        ("5f42010243030405ff", DataValue.bytes([1, 2, 3, 4, 5])),
        ("7f657374726561646d696e67ff", "streaming"), ("9fff", []),
        ("9f018202039f0405ffff", [1, [2, 3], [4, 5]]),
        ("83018202039f0405ff", [1, [2, 3], [4, 5]]),
        ("bf61610161629f0203ffff", ["a": 1, "b": [2, 3]]),
        ("bf6346756ef563416d7421ff", ["Fun": true, "Amt": -2]), ("fa7f800000", .number(.infinity)),
        ("fbfff0000000000000", .number(-.infinity)), ("d9d9f701", 1),
    ]

    @Test(arguments: longExamples)
    func `reads the examples of the RFC that are not in their shortest form`(
        hex: String, value: DataValue
    ) throws {
        #expect(try DataFormat.cbor.value(of: bytes(hex)) == value)
    }

    @Test(arguments: [
        "3bffffffffffffffff", "c249010000000000000000",
        "c074323031332d30332d32315432303a30343a30305a",
        "f7", "f0", "f8ff", "a201020304",
    ])
    func `refuses by name what the RFC has and payloads do not`(hex: String) {
        #expect {
            try DataFormat.cbor.value(of: bytes(hex))
        } throws: { error in
            let error = error as? DataError
            return error?.code == .unsupported && error?.description.contains("payloads") == true
        }
    }

    @Test(arguments: [
        "", "18", "1a0000", "1c", "1f", "3e", "5b00000000000000ff", "61", "62c328", "7f4161ff",
        "7f61", "82", "9f", "9b7fffffffffffffff", "bb7fffffffffffffff", "a1", "a161",
        "a2616101616102",
        "f818", "fc", "ff", "0000", "5f", "7f6180ff",
    ])
    func `refuses broken bytes and says where`(hex: String) {
        #expect {
            try DataFormat.cbor.value(of: bytes(hex))
        } throws: { error in
            let error = error as? DataError
            return error?.code == .malformed && error?.description.contains("byte") == true
        }
    }

    @Test(arguments: [2, 8, 9, 10, 40])
    func `refuses a name that is there twice, however many there are`(count: Int) throws {
        // Each name has one byte; the last one is that of the first again.
        let names = (0..<count - 1).map { UInt8(0x41 + $0) } + [0x41]
        let head: [UInt8] = count < 24 ? [0xA0 | UInt8(count)] : [0xB8, UInt8(count)]
        let bytes = head + names.flatMap { [0x61, $0, 0x00] }
        #expect {
            try DataFormat.cbor.value(of: bytes)
        } throws: { ($0 as? DataError)?.description.contains("The name \"A\" twice") == true }
        let other = bytes.dropLast(2) + [0x7A, 0x00]
        #expect(try DataFormat.cbor.value(of: Array(other)).fields?.count == count)
    }

    @Test func `a length that is not there costs no memory`() {
        // 2^40 bytes, announced by nine.
        #expect(throws: DataError.self) {
            try DataFormat.cbor.value(of: bytes("5b0000010000000000"))
        }
    }

    @Test func `refuses what is nested too deeply, before the stack ends`() {
        let deep = [UInt8](repeating: 0x81, count: 1_000_000) + [0]
        #expect {
            try DataFormat.cbor.value(of: deep)
        } throws: { ($0 as? DataError)?.code == .tooDeep }
    }

    @Test func `refuses more values and more bytes than the limits say`() {
        let many: DataValue = .list(Array(repeating: 0, count: 11))
        let limits = DataLimits(bytes: 1_000, depth: 4, elements: 10)
        #expect {
            try DataFormat.cbor.value(of: DataFormat.cbor.bytes(of: many), limits: limits)
        } throws: { ($0 as? DataError)?.code == .tooLarge }
        #expect {
            try DataFormat.cbor.value(of: [UInt8](repeating: 0, count: 1_001), limits: limits)
        } throws: { ($0 as? DataError)?.code == .tooLarge }
    }

    @Test func `no bytes whatsoever crash the reader`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0..<24, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            guard let value = try? DataFormat.cbor.value(of: bytes) else { continue }
            let written = DataFormat.cbor.bytes(of: value)
            #expect((try? DataFormat.cbor.value(of: written)).map { "\($0)" } == "\(value)")
        }
    }

    @Test func `equal objects have equal bytes`() {
        let names = ["b", "aa", "a", "\u{e9}", "ccc"]
        let one = DataValue.object(Dictionary(uniqueKeysWithValues: names.map { ($0, 1) }))
        let other = DataValue.object(
            Dictionary(uniqueKeysWithValues: names.reversed().map { ($0, 1) }))
        #expect(DataFormat.cbor.bytes(of: one) == DataFormat.cbor.bytes(of: other))
        #expect(DataFormat.cbor.bytes(of: one).prefix(3) == [0xA5, 0x61, 0x61])
    }

    @Test func `every half-precision number comes back`() throws {
        for bits in UInt16.min...UInt16.max {
            let bytes = [0xF9, UInt8(bits >> 8), UInt8(bits & 0xFF)]
            let value = try DataFormat.cbor.value(of: bytes)
            guard case .number(let number) = value, !number.isNaN else { continue }
            #expect(DataFormat.cbor.bytes(of: value) == bytes)
        }
    }
}
