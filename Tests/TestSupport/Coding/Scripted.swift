// SPDX-License-Identifier: MIT

import Foundation

/// A value that uses the containers as a plan says, whatever that is.
///
/// A decoder has no value yet, so who decodes one says first which plan it has.
struct Scripted: Codable, Equatable, Sendable {
    typealias Key = CodingKeyText

    indirect enum Plan: Equatable, Sendable {
        case truth(Bool), integer(Int), number(Double), text(String), data(Data), date(Date)
        case null, nothing
        /// Another value, in the single value container.
        case single(Plan)
        case fields([Field])
        case elements([Element])
    }

    struct Field: Equatable, Sendable {
        var key: String
        var way: Way
        var plan: Plan
    }

    struct Element: Equatable, Sendable {
        var way: Way
        var plan: Plan
    }

    enum Way: Equatable, Sendable {
        case encode, optional, absent, nested, nestedTwice, inherited
        /// An optional in an optional: with a value, nil, or nil inside.
        case twoOptionals, noOptional, nilInside
    }

    /// The plan of what is decoded next.
    final class Ambient: @unchecked Sendable {  // Used by one task.
        var plan = Plan.nothing
    }

    @TaskLocal static var ambient = Ambient()

    var plan: Plan

    init(_ plan: Plan) { self.plan = plan }

    /// Decodes a value whose plan is known.
    static func decoding<Result>(_ plan: Plan, _ decode: () throws -> Result) rethrows -> Result {
        ambient.plan = plan
        return try decode()
    }

    // MARK: Encoding

    func encode(to encoder: any Encoder) throws {
        // Who checks what was encoded decodes it next.
        defer { Self.ambient.plan = plan }
        switch plan {
        case .nothing: return
        case .fields(let fields):
            var container = encoder.container(keyedBy: Key.self)
            try Self.write(fields, to: &container)
        case .elements(let elements):
            var container = encoder.unkeyedContainer()
            try Self.write(elements, to: &container)
        default:
            var container = encoder.singleValueContainer()
            switch plan {
            case .truth(let value): try container.encode(value)
            case .integer(let value): try container.encode(value)
            case .number(let value): try container.encode(value)
            case .text(let value): try container.encode(value)
            case .data(let value): try container.encode(value)
            case .date(let value): try container.encode(value)
            case .single(let inner): try container.encode(Scripted(inner))
            default: try container.encodeNil()
            }
        }
    }

    private static func write(
        _ fields: [Field], to container: inout KeyedEncodingContainer<Key>
    ) throws {
        for field in fields {
            let (key, value) = (Key(stringValue: field.key), Scripted(field.plan))
            switch field.way {
            case .encode: try container.encode(value, forKey: key)
            case .optional: try container.encodeIfPresent(Scripted?.some(value), forKey: key)
            case .absent: try container.encodeIfPresent(Scripted?.none, forKey: key)
            case .twoOptionals: try container.encode(Scripted??.some(value), forKey: key)
            case .noOptional: try container.encode(Scripted??.none, forKey: key)
            case .nilInside: try container.encode(Scripted??.some(nil), forKey: key)
            case .inherited: try value.encode(to: container.superEncoder(forKey: key))
            case .nested, .nestedTwice:
                for part in parts(of: field.plan, field.way) {
                    switch part {
                    case .fields(let fields):
                        var nested = container.nestedContainer(keyedBy: Key.self, forKey: key)
                        try write(fields, to: &nested)
                    case .elements(let elements):
                        var nested = container.nestedUnkeyedContainer(forKey: key)
                        try write(elements, to: &nested)
                    default: try container.encode(value, forKey: key)
                    }
                }
            }
        }
    }

    private static func write(
        _ elements: [Element], to container: inout any UnkeyedEncodingContainer
    ) throws {
        for element in elements {
            let value = Scripted(element.plan)
            switch element.way {
            case .encode, .absent: try container.encode(value)
            case .optional: try container.encode(Scripted?.some(value))
            case .twoOptionals: try container.encode(Scripted??.some(value))
            case .noOptional: try container.encode(Scripted??.none)
            case .nilInside: try container.encode(Scripted??.some(nil))
            case .inherited: try value.encode(to: container.superEncoder())
            case .nested, .nestedTwice:
                switch element.plan {
                case .fields(let fields):
                    var nested = container.nestedContainer(keyedBy: Key.self)
                    try write(fields, to: &nested)
                case .elements(let elements):
                    var nested = container.nestedUnkeyedContainer()
                    try write(elements, to: &nested)
                default: try container.encode(value)
                }
            }
        }
    }

    /// What is written into a container each time it is asked for.
    private static func parts(of plan: Plan, _ way: Way) -> [Plan] {
        guard way == .nestedTwice else { return [plan] }
        switch plan {
        case .fields(let fields):
            let half = fields.count / 2
            return [.fields(Array(fields[..<half])), .fields(Array(fields[half...]))]
        case .elements(let elements):
            let half = elements.count / 2
            return [.elements(Array(elements[..<half])), .elements(Array(elements[half...]))]
        default: return [plan]
        }
    }

    // MARK: Decoding

    init(from decoder: any Decoder) throws {
        let plan = Self.ambient.plan
        switch plan {
        case .nothing: self.plan = .nothing
        case .fields(let fields):
            self.plan = .fields(
                try Self.read(fields, from: decoder.container(keyedBy: Key.self)))
        case .elements(let elements):
            var container = try decoder.unkeyedContainer()
            self.plan = .elements(try Self.read(elements, from: &container))
        default:
            let container = try decoder.singleValueContainer()
            switch plan {
            case .truth: self.plan = .truth(try container.decode(Bool.self))
            case .integer: self.plan = .integer(try container.decode(Int.self))
            case .number: self.plan = .number(try container.decode(Double.self))
            case .text: self.plan = .text(try container.decode(String.self))
            case .data: self.plan = .data(try container.decode(Data.self))
            case .date: self.plan = .date(try container.decode(Date.self))
            case .single(let inner):
                self.plan = .single(
                    try Self.decoding(inner) { try container.decode(Scripted.self) }.plan)
            default: self.plan = container.decodeNil() ? .null : .text("no null")
            }
        }
    }

    private static func read(
        _ fields: [Field], from container: KeyedDecodingContainer<Key>
    ) throws -> [Field] {
        try fields.map { field in
            var (field, key) = (field, Key(stringValue: field.key))
            switch field.way {
            case .encode:
                field.plan = try decoding(field.plan) {
                    try container.decode(Scripted.self, forKey: key)
                }.plan
            case .optional, .absent:
                let value = try decoding(field.plan) {
                    try container.decodeIfPresent(Scripted.self, forKey: key)
                }
                field.way = value == nil ? .absent : .optional
                if let value { field.plan = value.plan }
            case .twoOptionals, .noOptional, .nilInside:
                let value = try decoding(field.plan) {
                    try container.decode(Scripted??.self, forKey: key)
                }
                (field.way, field.plan) = way(of: value, field.plan)
            case .inherited:
                field.plan = try decoding(field.plan) {
                    try Scripted(from: container.superDecoder(forKey: key))
                }.plan
            case .nested, .nestedTwice:
                switch field.plan {
                case .fields(let fields):
                    let nested = try container.nestedContainer(keyedBy: Key.self, forKey: key)
                    field.plan = .fields(try read(fields, from: nested))
                case .elements(let elements):
                    var nested = try container.nestedUnkeyedContainer(forKey: key)
                    field.plan = .elements(try read(elements, from: &nested))
                default:
                    field.plan = try decoding(field.plan) {
                        try container.decode(Scripted.self, forKey: key)
                    }.plan
                }
            }
            return field
        }
    }

    private static func read(
        _ elements: [Element], from container: inout any UnkeyedDecodingContainer
    ) throws -> [Element] {
        var read: [Element] = []
        for var element in elements {
            switch (element.way, element.plan) {
            case (.optional, _):
                let value = try decoding(element.plan) { try container.decode(Scripted?.self) }
                if let value { element.plan = value.plan } else { element.way = .noOptional }
            case (.twoOptionals, _), (.noOptional, _), (.nilInside, _):
                let value = try decoding(element.plan) { try container.decode(Scripted??.self) }
                (element.way, element.plan) = way(of: value, element.plan)
            case (.inherited, _):
                element.plan = try decoding(element.plan) {
                    try Scripted(from: container.superDecoder())
                }.plan
            case (.nested, .fields(let fields)), (.nestedTwice, .fields(let fields)):
                let nested = try container.nestedContainer(keyedBy: Key.self)
                element.plan = .fields(try Self.read(fields, from: nested))
            case (.nested, .elements(let inner)), (.nestedTwice, .elements(let inner)):
                var nested = try container.nestedUnkeyedContainer()
                element.plan = .elements(try Self.read(inner, from: &nested))
            default:
                element.plan = try decoding(element.plan) {
                    try container.decode(Scripted.self)
                }.plan
            }
            read.append(element)
        }
        return read
    }

    private static func way(of value: Scripted??, _ plan: Plan) -> (Way, Plan) {
        switch value {
        case .none: (.noOptional, plan)
        case .some(.none): (.nilInside, plan)
        case .some(.some(let value)): (.twoOptionals, value.plan)
        }
    }
}
