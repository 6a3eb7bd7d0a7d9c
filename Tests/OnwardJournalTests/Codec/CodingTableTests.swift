// SPDX-License-Identifier: MIT

import Foundation
import Onward
import Testing

@testable import OnwardJournal
@testable import TestSupport

/// Every way to use the containers, with Foundation's coders beside: what they keep is kept, and
/// what they lose is refused when it is encoded, or kept.
struct CodingTableTests {
    /// What becomes of a value that is encoded and decoded.
    enum Fate: Equatable, Sendable {
        case kept, lost
        /// It isn't encoded, as an error says that has this text.
        case refused(String)
        /// The program ends.
        case stops
    }

    struct Way: Sendable, CustomTestStringConvertible {
        let name: String
        let value: any Codable & Equatable & Sendable
        var json = Fate.kept
        var propertyList = Fate.kept
        var ours = Fate.kept
        var testDescription: String { name }

        init<Value: Codable & Equatable & Sendable>(
            _ value: Value, _ name: String = "\(Value.self)", json: Fate = .kept,
            propertyList: Fate = .kept, ours: Fate = .kept
        ) {
            (self.value, self.name) = (value, name)
            (self.json, self.propertyList, self.ours) = (json, propertyList, ours)
        }

        /// Lost by Foundation's coders, and refused by ours with a path.
        static func lost<Value: Codable & Equatable & Sendable>(
            _ value: Value, _ text: String, _ foundation: Fate = .lost
        ) -> Way {
            Way(
                value, "\(value)", json: foundation, propertyList: foundation,
                ours: .refused(text))
        }
    }

    private struct Weekday: RawRepresentable, Hashable, Codable, CodingKeyRepresentable, Sendable {
        let rawValue: Int
    }
    private enum Size: String, Codable, Hashable, CodingKeyRepresentable, Sendable { case s, m }
    private enum Plain: String, Codable, Hashable, Sendable { case a, b }
    private enum Side: Codable, Hashable, Sendable {
        case left, right(Int), both(Int, name: String)
    }

    private struct Keys: Codable, Equatable, Sendable {
        var texts = ["a": 1, "_0": 2, "value": 3, "": 4, "a.b/c": 5, "\u{e9}": 6, "1": 7]
        var integers = [3: "c", -1: "a"]
        var small: [Int8: Int] = [1: 2]
        var ids = [UUID(): 1, UUID(): 2]
        var fractions = [1.5: 1, -0.25: 2]
        var truths = [true: 1]
        var lists = [[1, 2]: 1, []: 2]
        var representable = [Weekday(rawValue: 3): 1]
        var sizes = [Size.m: 1]
        var plain = [Plain.a: 1, .b: 2]
        var sides = [Side.left: 1, .both(1, name: "x"): 2]
        var sets: Set<Side> = [.left, .right(2)]
        var nested = ["a": ["b": [1: ["c": 2]]]]
    }

    private struct Values: Codable, Equatable, Sendable {
        var integers = [Int.min, .max, 0]
        var large = UInt64.max
        var fractions = [
            0.1, -0.0, 1e300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1, 1e16, 0x1p53 + 2,
        ]
        var floats: [Float] = [0.1, .greatestFiniteMagnitude, .leastNonzeroMagnitude]
        var bytes: [UInt8] = [0, 255]
        var data = Data([1, 2])
        var date = Date(timeIntervalSinceReferenceDate: 0.1)
        var url = URL(string: "https://a.example/b?c=%20#d")
        var decimal = Decimal(string: "123456789.123456789")
        var id = UUID()
        var range = 1..<3
        var closed = 1.5...2
        var text = "\u{0}\u{1f}\"\\/\u{7f}\u{2028}\u{1F600}e\u{301}"
        var components = DateComponents(year: 2_026, month: 2)
        var locale = Locale(identifier: "de_CH")
        var sides: [Side] = [.left, .right(1), .both(2, name: "x")]
    }

    /// A value of one of two types, which are tried in turn.
    private enum Either: Codable, Equatable, Sendable {
        case number(Int), text(String)
        init(from decoder: any Decoder) throws {
            let single = try decoder.singleValueContainer()
            if let number = try? single.decode(Int.self) {
                self = .number(number)
            } else {
                self = .text(try single.decode(String.self))
            }
        }
        func encode(to encoder: any Encoder) throws {
            var single = encoder.singleValueContainer()
            switch self {
            case .number(let number): try single.encode(number)
            case .text(let text): try single.encode(text)
            }
        }
    }

    private indirect enum Tree: Codable, Equatable, Sendable {
        case leaf, node(Tree)
        static func deep(_ levels: Int) -> Tree {
            (0..<levels).reduce(.leaf) { tree, _ in .node(tree) }
        }
    }

    private struct Wide: Codable, Equatable, Sendable {
        var signed = Int128.min
        var unsigned = UInt128.max
        var small: Int128 = 3
        var list: [Int128] = [.max]
        var pair = Pair()
        struct Pair: Codable, Equatable, Sendable {
            var one = UInt128.max
            init() {}
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                one = try list.decode(UInt128.self)
            }
            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                try list.encode(one)
            }
        }
    }

    static let ways: [Way] =
        [
            // Asked for twice.
            Way(KeptWays.NestedTwice()), Way(KeptWays.ManyNestedTwice()),
            Way(KeptWays.NestedListTwice()), Way(KeptWays.RootsTwice()), Way(KeptWays.InTurns()),
            Way(KeptWays.SingleObjectThenFields()), Way(KeptWays.FieldThenNested()),
            Way(KeptWays.Overwritten()), Way(KeptWays.Fallback()),
            .lost(LosingWays.Replaced(), #"n: there is no "x""#),
            .lost(LosingWays.ContinuedList(), "another value is read"),
            // What is inherited.
            Way(InheritedWays.Dog()), Way(InheritedWays.Cat()), Way(InheritedWays.Supers()),
            Way(InheritedWays.Unused()), Way(InheritedWays.Holder()),
            Way(InheritedWays.Parrot(called: "Rex"), "a name twice that is the same"),
            Way(
                InheritedWays.Parrot(called: "Polly"), "a name twice", json: .lost,
                propertyList: .lost,
                ours: .refused("Parrot would not be read as it is: another value is read")),
            .lost(
                InheritedWays.SplitSupers(),
                "SplitSupers would not be read as it is: s: there is no"),
            // Nothing.
            Way(KeptWays.HoldsNothing()),
            Way(KeptWays.Nothing(), json: .refused("did not"), propertyList: .refused("Unable")),
            .lost(LosingWays.NothingForNil(), "inner: Inner would not be read as it is: expected"),
            // Optionals.
            Way(KeptWays.Nils()),
            .lost(LosingWays.NestedOptional(value: .some(nil)), "value: an optional with a value"),
            .lost(LosingWays.NestedDeeply(value: .some(nil)), "value: an optional with a value"),
            .lost(
                LosingWays.NestedDeeply(value: .some(.some(nil))), "value: an optional with a value"
            ),
            Way(LosingWays.NestedDeeply(value: 1)),
            .lost(LosingWays.NestedInList(list: [1, nil, .some(nil)]), "list.2: an optional"),
            .lost(LosingWays.NestedInNames(names: ["a": .some(nil)]), "names.a: an optional"),
            .lost(LosingWays.OptionalNull(value: .some(.none)), "value: an optional with a value"),
            Way(LosingWays.OptionalNull(value: .some(.some(1)))),
            .lost(LosingWays.Case.one(.some(nil)), "one.value: an optional with a value"),
            .lost(
                LosingWays.Case.other(label: .some(nil)), "other.label: an optional with a value"),
            .lost(LosingWays.HoldsWrapper(), "wrapper: Wrapper would not be read as it is"),
            Way(LosingWays.HoldsWrapper(wrapper: .init(nil))),
            Way(LosingWays.HoldsWrapper(wrapper: .init(1))),
            // Keys and paths.
            Way(KeptWays.OwnKeys(["_0": 1, "abc": 2])), Way(KeptWays.OwnKeys(["_1": 1])),
            Way(KeptWays.OwnKeys([:])), Way(KeptWays.Placed()), Way(Keys()),
            Way(
                LosingWays.Composed(), json: .lost, propertyList: .lost,
                ours: .refused("")),
            // Values.
            Way(Values()),
            Way([Either.text("12"), .number(12), .text("NaN"), .text("x")], "unions"),
            Way(Wide(), propertyList: .refused("Unable")), Way(Tree.deep(20), "20 levels"),
            Way(
                Tree.deep(70), "140 levels",
                ours: .refused("nested deeper than 128 levels, at ")),

            Way([Double.infinity], json: .refused("Unable")),
        ]
        + LosingWays.Stopping.allCases.map {
            .lost(LosingWays.Stops(at: [$0]), "would be lost", .stops)
        }

    @Test(arguments: ways)
    func `Foundation's coders do what the table says`(way: Way) throws {
        func check<Value: Codable & Equatable>(_ value: Value) {
            if way.json != .stops {
                let found = fate(of: value) {
                    let encoder = JSONEncoder()
                    return try JSONDecoder().decode(Value.self, from: encoder.encode($0))
                }
                #expect(isSame(found, way.json), "JSON: \(found)")
            }
            if way.propertyList != .stops {
                let found = fate(of: value) {
                    try PropertyListDecoder()
                        .decode(Value.self, from: PropertyListEncoder().encode($0))
                }
                #expect(isSame(found, way.propertyList), "property list: \(found)")
            }
        }
        check(way.value)
    }

    @Test(arguments: ways, DataFormat.allCases)
    func `what is encoded comes back as it was, what would be lost is refused with its path`(
        way: Way, format: DataFormat
    ) throws {
        func check<Value: Codable & Equatable & Sendable>(_ value: Value) {
            let limits = DataLimits(depth: DataLimits.deepest)
            let found = fate(of: value) {
                let bytes = try format.bytes(of: DataValue(encoding: $0), within: limits)
                return try format.value(of: bytes, limits: limits)
                    .decoded(as: Value.self, texts: format.texts)
            }
            #expect(isSame(found, way.ours), "a value: \(found)")
            let states = StateCodec<Value>(format: format)
            let state = fate(of: value) {
                try states.decode(
                    states.encode($0, at: 1, by: FeatureFingerprint(rawValue: 1)))
            }
            #expect(isSame(state, way.ours), "a state: \(state)")
            let store = Store(0) { Reduce { (_: inout Int, _: Carrying<Value>) in } }
            var actions = ActionCodec(for: store.log.actions, format: format)
            actions.limits = limits
            let action = fate(of: Carrying.carry(value)) {
                let entry = try actions.encode(LogEntry(version: 1, action: $0))
                let read = try actions.decode(entry).first?.action as? Carrying<Value>
                return try #require(read)
            }
            #expect(isSame(action, way.ours), "an action: \(action)")
        }
        check(way.value)
    }

    private enum Carrying<Value: Codable & Equatable & Sendable>: Action, Codable, Equatable {
        case carry(Value)
        static var actionName: String { "Carrying" }
    }

    // MARK: Fates

    private func fate<Value: Equatable>(
        of value: Value, _ copy: (Value) throws -> Value
    ) -> Fate {
        do {
            return try copy(value) == value ? .kept : .lost
        } catch let error as JournalError where error.code == .unreadable {
            return .lost
        } catch is DecodingError {
            return .lost
        } catch {
            return .refused(ActionCodec.reason(error))
        }
    }

    private func isSame(_ found: Fate, _ expected: Fate) -> Bool {
        if case (.refused(let found), .refused(let expected)) = (found, expected) {
            return expected.isEmpty || found.contains(expected)
        }
        return found == expected
    }
}
