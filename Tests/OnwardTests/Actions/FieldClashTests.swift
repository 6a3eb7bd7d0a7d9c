// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import TestSupport

@Suite struct `Fields of actions that would have one name` {
    enum Chart: Action, Codable {
        case clear
        case range(Int, Int, value1: Int)
        case place(Int, value1: Int)
        case mixed(Int, value: Int)
        case apart(Int, value2: Int, Int)
        case second(first: Int, Int)
        case pair(Int, Int)
        case named(value: Int, value1: Int)
    }
    enum Single: Action, Codable { case only(Int, value: Int) }
    enum Plain: Action, Codable { case one(Int), two(Int, Int), three(x: Int) }
    enum Raw: String, Action, Codable { case up, down }
    struct Field: Action, Codable { var value = 1 }
    struct Empty: Action, Codable {}
    /// Its own coding asks for what no probe has.
    struct Listed: Action, Codable {
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd { _ = try list.decode(Int.self) }
        }
        func encode(to encoder: any Encoder) throws {}
    }
    /// Keys of its own, which are no enum of plain cases.
    struct Own: Action, Codable {
        enum Keys: CodingKey {
            case flag(Bool), other(Bool)
            var stringValue: String { "flag" }
            var intValue: Int? { nil }
            init?(stringValue: String) { self = .flag(true) }
            init?(intValue: Int) { nil }
        }
        init(from decoder: any Decoder) throws {
            _ = try decoder.container(keyedBy: Keys.self).allKeys
        }
        func encode(to encoder: any Encoder) throws {}
    }

    /// Keys of two types, of which one has fewer cases.
    struct Both: Action, Codable {
        enum Many: CodingKey { case first, second, third }
        enum Few: CodingKey { case only }
        init(from decoder: any Decoder) throws {
            _ = try decoder.container(keyedBy: Many.self).allKeys
            _ = try decoder.container(keyedBy: Few.self).allKeys
        }
        func encode(to encoder: any Encoder) throws {}
    }

    @Test func `are found in each case of an enum`() {
        let clashes = FieldClash.all(in: Chart.self)
        #expect(clashes.map(\.field) == ["value1", "value", "value2"])
        #expect(
            clashes.map { $0.action.split(separator: "/").last } == ["range", "mixed", "apart"])
        #expect(FieldClash.all(in: Single.self).map(\.field) == ["value"])
    }

    @Test func `are not found where there are none`() {
        let types: [any (Action & Decodable).Type] = [
            Plain.self, Raw.self, Field.self, Empty.self, Listed.self, Own.self, Both.self,
        ]
        for type in types { #expect(FieldClash.all(in: type) == [], "\(type)") }
    }

    @Test func `are programmer errors when a store registers the type, which says what to rename`()
    {
        let mistakes = Mistakes()
        let store = Store(0, options: mistakes.options()) {
            Reduce { (_: inout Int, _: Single) in }
            Reduce { (_: inout Int, _: Single) in }
            Reduce { (_: inout Int, _: Plain) in }
        }
        #expect(mistakes.kinds == [.fieldClash])
        let text = mistakes.all.first?.description ?? ""
        #expect(text.hasPrefix("Two fields of "))
        #expect(text.contains("/only are called \"value\". In journals and on the wire, a field"))
        #expect(
            text.hasSuffix("give the label \"value\" another name, or labels to all fields."))
        store.log.replaceFeatures { Reduce { (_: inout Int, _: Chart) in } }
        #expect(mistakes.kinds == [.fieldClash, .fieldClash, .fieldClash, .fieldClash])
    }
}
