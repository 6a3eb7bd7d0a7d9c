// SPDX-License-Identifier: MIT

import Foundation
import Onward
import Testing

@testable import OnwardJournal

struct DataValueTests {
    struct Everything: Codable, Equatable {
        enum Kind: Codable, Equatable {
            case plain
            case one(Int)
            case two(String, Int)
            case named(seed: UInt64, name: String?)
            case mixed(Int, value: Int)
        }
        class Base: Codable {}

        var bool = true
        var int = Int.min
        var unsigned = UInt64.max
        var small: Int8 = -7
        var double = 1.1
        var float: Float = 0.5
        var text = "gr\u{fc}n \"quoted\" \\ \n\t\u{1}"
        var nothing: String?
        var list = [[1, 2], []]
        var names = ["_0": 1, "value": 2, "b": 3]
        var numbers = [3: "c", 1: "a"]
        var bytes: [UInt8] = [0, 255, 7]
        var data = Data([1, 2, 3])
        var date = Date(timeIntervalSince1970: 1_700_000_000.25)
        var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        var kinds: [Kind] = [
            .plain, .one(1), .two("a", 2), .named(seed: 7, name: nil), .mixed(1, value: 2),
        ]
    }

    @Test(arguments: DataFormat.allCases)
    func `whatever is Codable comes back as it was`(format: DataFormat) throws {
        let everything = Everything()
        let bytes = format.bytes(of: try DataValue(encoding: everything))
        let back = try format.value(of: bytes).decoded(as: Everything.self)
        #expect(back == everything)
    }

    @Test func `payloads without a label are named, and a dictionary's keys are left alone`() throws
    {
        let value = try DataValue(encoding: Everything())
        #expect(value["kinds"]?.list?[1] == ["one": ["value": 1]])
        #expect(value["kinds"]?.list?[2] == ["two": ["value": "a", "value1": 2]])
        #expect(value["kinds"]?.list?[4] == ["mixed": ["_0": 1, "value": 2]])
        #expect(value["names"] == ["_0": 1, "value": 2, "b": 3])
    }

    @Test func `no two payloads of a case share a name`() throws {
        enum Chart: Codable, Equatable {
            case range(Int, Int, value1: Int)
            case place(Int, value1: Int)
            case far(Int, Int, Int, value2: Int)
            case apart(Int, value2: Int, Int)
            case second(first: Int, Int)
        }
        let charts: [Chart] = [
            .range(1, 2, value1: 3), .place(4, value1: 5), .far(6, 7, 8, value2: 9),
            .apart(1, value2: 2, 3), .second(first: 1, 2),
        ]
        let value = try DataValue(encoding: charts)
        #expect(
            value == [
                ["range": ["value": 1, "_1": 2, "value1": 3]],
                ["place": ["value": 4, "value1": 5]],
                ["far": ["value": 6, "value1": 7, "_2": 8, "value2": 9]],
                ["apart": ["value": 1, "value2": 2, "_2": 3]],
                ["second": ["first": 1, "value1": 2]],
            ])
        #expect(try value.decoded(as: [Chart].self) == charts)
    }

    @Test(arguments: DataFormat.allCases)
    func `bytes are written as bytes, wherever they stand`(format: DataFormat) throws {
        struct Photos: Codable, Equatable {
            var first = Data([1, 2, 3])
            var second: Data? = Data([4])
            var none: Data?
            var all: [Data?] = [Data(), nil, Data([5])]
            var byName = ["a": Data([6])]
            var plain: [UInt8] = [7, 8]
        }
        let value = try DataValue(encoding: Photos())
        #expect(
            value == [
                "first": .bytes([1, 2, 3]), "second": .bytes([4]),
                "all": [.bytes([]), nil, .bytes([5])], "byName": ["a": .bytes([6])],
                "plain": .bytes([7, 8]),
            ])
        let read = try format.value(of: format.bytes(of: value))
        #expect(try read.decoded(as: Photos.self) == Photos())
        // As lists of numbers, which other programs write.
        let lists: DataValue = [
            "first": [1, 2, 3], "second": [4], "all": [[], nil, [5]], "byName": ["a": [6]],
            "plain": [7, 8],
        ]
        #expect(try lists.decoded(as: Photos.self) == Photos())
    }

    @Test(arguments: DataFormat.allCases)
    func `what is nested too deeply is refused when it is encoded, before the stack ends`(
        format: DataFormat
    ) async throws {
        try await onSmallStack {
            let limits = DataLimits(depth: DataLimits.deepest)
            let deep = Nested(levels: DataLimits.deepest)
            let bytes = try format.bytes(of: DataValue(encoding: deep), within: limits)
            #expect(
                try format.value(of: bytes, limits: limits).decoded(as: Nested.self).levels
                    == deep.levels)
            #expect {
                try DataValue(encoding: Nested(levels: DataLimits.deepest + 2))
            } throws: { ($0 as? DataError)?.code == .tooDeep }
            #expect {
                try format.bytes(of: DataValue(encoding: deep), within: DataLimits())
            } throws: {

                ($0 as? DataError)?.description
                    == "The value is nested deeper than 64 levels, at 0.0.0.0.0.0.0.0…"

            }
        }
    }

    /// A list in a list in a list.
    private struct Nested: Codable {
        private var inner: [Nested] = []

        init(levels: Int) {
            for _ in 1..<levels { inner = [self] }
        }

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd { inner.append(try list.decode(Nested.self)) }
        }

        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            for nested in inner { try list.encode(nested) }
        }

        var levels: Int {
            var (count, next) = (1, inner.first)
            while let nested = next { (count, next) = (count + 1, nested.inner.first) }
            return count
        }
    }

    /// Runs something on a thread with a stack as the threads of a pool have it.
    private func onSmallStack(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            let thread = Thread { continuation.resume(with: Result(catching: body)) }
            thread.stackSize = 512 << 10
            thread.start()
        }
    }

    @Test(arguments: DataFormat.allCases)
    func `what has to be loaded is written as its case, with the value from before`(
        format: DataFormat
    ) throws {
        let books: [Loadable<[String], Int>] = [
            .idle, .loading(), .loading(previous: ["Emma"]), .loaded(["Emma"]),
            .failed(503, previous: ["Emma"]),
        ]
        let value = try DataValue(encoding: books)
        #expect(
            value == [
                ["idle": [:]], ["loading": [:]], ["loading": ["previous": ["Emma"]]],
                ["loaded": ["value": ["Emma"]]],
                ["failed": ["value": 503, "previous": ["Emma"]]],
            ])
        let back = try format.value(of: format.bytes(of: value))
        #expect(try back.decoded(as: [Loadable<[String], Int>].self) == books)
    }

    @Test func `a set and a dictionary by numbers have the same bytes in each order`() throws {
        let numbers = Array(0..<100)
        var other = Set<Int>(minimumCapacity: 1_000)
        for number in numbers.reversed() { other.insert(number) }
        #expect(try DataValue(encoding: Set(numbers)) == DataValue(encoding: other))
        var names: [Int: Int] = [:]
        for number in numbers.reversed() { names[number] = number }
        let straight = Dictionary(uniqueKeysWithValues: numbers.map { ($0, $0) })
        #expect(try DataValue(encoding: names) == DataValue(encoding: straight))
    }

    private struct Refusing: Encodable {
        func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: Key.self)
            try fields.encode(1, forKey: .half)
            throw CancellationError()
        }
        enum Key: CodingKey { case half }
    }

    @Test func `of what fails to be encoded nothing stays, where the rest goes on`() throws {
        struct Field: Encodable {
            func encode(to encoder: any Encoder) throws {
                var fields = encoder.container(keyedBy: Key.self)
                try? fields.encode(Refusing(), forKey: .first)
                try fields.encode(2, forKey: .second)
            }
            enum Key: CodingKey { case first, second }
        }
        struct Element: Encodable {
            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                try list.encode([0])
                try? list.encode(Refusing())
                try list.encode(2)
                #expect(list.count == 2)
            }
        }
        struct Fallback: Encodable {
            func encode(to encoder: any Encoder) throws {
                var single = encoder.singleValueContainer()
                do { try single.encode(Refusing()) } catch { try single.encode(["other": 2]) }
            }
        }
        #expect(try DataValue(encoding: Field()) == ["second": 2])
        #expect(try DataValue(encoding: Element()) == [[0], 2])
        #expect(try DataValue(encoding: Fallback()) == ["other": 2])
    }

    @Test func `containers are filled in turns, and when their encoder is gone`() throws {
        struct PlainKey: CodingKey, ExpressibleByStringLiteral {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringLiteral value: String) { stringValue = value }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        struct Turns: Encodable {
            func encode(to encoder: any Encoder) throws {
                var root = encoder.container(keyedBy: PlainKey.self)
                var list = root.nestedUnkeyedContainer(forKey: "list")
                var object = root.nestedContainer(keyedBy: PlainKey.self, forKey: "object")
                try list.encode(1)
                try object.encode(2, forKey: "two")
                try root.encode(3, forKey: "three")
                try list.encode(4)
                var again = encoder.container(keyedBy: PlainKey.self)
                try again.encode(5, forKey: "five")
                // Of two with one name the last counts.
                try object.encode(6, forKey: "two")
            }
        }
        struct TurnsAction: Action, Encodable {
            let turns: Turns
            func encode(to encoder: any Encoder) throws { try turns.encode(to: encoder) }
        }
        let value: DataValue = ["list": [1, 4], "object": ["two": 6], "three": 3, "five": 5]
        #expect(try DataValue(encoding: Turns()) == value)
        let store = Store(0) { Reduce { (_: inout Int, _: TurnsAction) in } }
        let codec = ActionCodec(for: store.log.actions)
        let written = try codec.encode(LogEntry(version: 1, action: TurnsAction(turns: Turns())))
        #expect(written.payload == DataFormat.cbor.bytes(of: value))
    }

    @Test(arguments: DataFormat.allCases)
    func `an object of many fields is read as one of few`(format: DataFormat) throws {
        let names = Dictionary(uniqueKeysWithValues: (0..<300).map { ("name \($0)", $0) })
        let bytes = format.bytes(of: try DataValue(encoding: names))
        #expect(try format.value(of: bytes).decoded(as: [String: Int].self) == names)
        #expect(throws: DecodingError.self) {
            try format.value(of: bytes).decoded(as: Nested.self)
        }
    }

    @Test func `what does not fit is refused with its path`() throws {
        struct Item: Codable { var count: Int8 }
        struct Page: Codable { var items: [Item] }
        let value: DataValue = ["items": [["count": 1], ["count": 300]]]
        #expect {
            try value.decoded(as: Page.self)
        } throws: { error in
            guard case .typeMismatch(_, let context)? = error as? DecodingError else {
                return false
            }
            return context.codingPath.map(\.stringValue) == ["items", "1", "count"]
                && context.debugDescription.contains("between -128 and 127")
        }
    }

    @Test func `NaN equals NaN, in any place, and hashes alike`() {
        let quiet = DataValue.number(.nan)
        let other = DataValue.number(Double(nan: 7, signaling: false))
        #expect(quiet == other && quiet.hashValue == other.hashValue)
        #expect(Set([quiet, other, .number(-.nan)]).count == 1)
        let deep: DataValue = ["a": [1, quiet]]
        #expect(deep == ["a": [1, other]])
        #expect(deep.changes(from: ["a": [1, other]]).isEmpty)
        #expect(deep.firstDifference(from: ["a": [1, other]]) == nil)
        #expect(DataDifference(from: deep, to: ["a": [1, other]]) == nil)
        #expect(quiet != 0.0 && quiet != nil && DataValue.number(1) != 1)
    }

    @Test func `fields are read, set and removed`() {
        var value: DataValue = ["a": 1]
        value["b"] = "two"
        value["a"] = nil
        #expect(value == ["b": "two"])
        value = 7
        value["x"] = true
        #expect(value == ["x": true])
    }

    @Test(arguments: ["[1,2", "{\"a\":}", "nul", "\"\u{1}", "[1] 2", ""])
    func `broken JSON is refused`(text: String) {
        #expect {
            try DataFormat.json.value(of: Array(text.utf8))
        } throws: { ($0 as? DataError)?.code == .malformed }
    }

    @Test func `deep JSON is refused before anything is built`() {
        let deep = Array(String(repeating: "[", count: 5_000_000).utf8)
        #expect {
            try DataFormat.json.value(of: deep)
        } throws: { ($0 as? DataError)?.code == .tooDeep }
    }
}
