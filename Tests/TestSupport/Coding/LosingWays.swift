// SPDX-License-Identifier: MIT

/// Ways to use the containers of an encoder by which something is lost, or the program stopped.
enum LosingWays {
    typealias Key = CodingKeyText

    /// Is encoded as null where it is `none`.
    enum Null: Codable, Equatable, Sendable {
        case none, some(Int)
        init(from decoder: any Decoder) throws {
            let single = try decoder.singleValueContainer()
            self = single.decodeNil() ? .none : .some(try single.decode(Int.self))
        }
        func encode(to encoder: any Encoder) throws {
            var single = encoder.singleValueContainer()
            if case .some(let value) = self {
                try single.encode(value)
            } else {
                try single.encodeNil()
            }
        }
    }

    struct NestedOptional: Codable, Equatable, Sendable { var value: Int?? }
    struct NestedDeeply: Codable, Equatable, Sendable { var value: Int??? }
    struct NestedInList: Codable, Equatable, Sendable { var list: [Int??] }
    struct NestedInNames: Codable, Equatable, Sendable { var names: [String: Int??] }
    struct OptionalNull: Codable, Equatable, Sendable { var value: Null? }
    enum Case: Codable, Equatable, Sendable { case one(Int??), other(label: Int??) }

    /// A nested optional without a container of its own.
    struct Wrapper: Codable, Equatable, Sendable {
        var value: Int??
        init(_ value: Int??) { self.value = value }
        init(from decoder: any Decoder) throws { value = try Int??(from: decoder) }
        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    struct HoldsWrapper: Codable, Equatable, Sendable { var wrapper = Wrapper(.some(nil)) }

    /// Encodes nothing for nil, which nobody can read.
    struct NothingForNil: Codable, Equatable, Sendable {
        struct Inner: Codable, Equatable, Sendable {
            var value: Int?
            init() {}
            init(from decoder: any Decoder) throws {
                let single = try decoder.singleValueContainer()
                value = single.decodeNil() ? nil : try single.decode(Int.self)
            }
            func encode(to encoder: any Encoder) throws {
                guard let value else { return }
                var single = encoder.singleValueContainer()
                try single.encode(value)
            }
        }
        var inner = Inner()
    }

    /// A nested object is replaced as a whole, though its fields are needed.
    struct Replaced: Codable, Equatable, Sendable {
        var x = 1
        var y = 2
        init() {}
        init(from decoder: any Decoder) throws {
            let inner = try decoder.container(keyedBy: Key.self)
                .nestedContainer(keyedBy: Key.self, forKey: "n")
            (x, y) = (
                try inner.decode(Int.self, forKey: "x"), try inner.decode(Int.self, forKey: "y")
            )
        }
        func encode(to encoder: any Encoder) throws {
            var root = encoder.container(keyedBy: Key.self)
            var inner = root.nestedContainer(keyedBy: Key.self, forKey: "n")
            try inner.encode(x, forKey: "x")
            try root.encode(["y": y], forKey: "n")
        }
    }

    /// A list that was encoded is continued where it was to be replaced.
    struct ContinuedList: Codable, Equatable, Sendable {
        var numbers = [3]
        init() {}
        init(from decoder: any Decoder) throws {
            numbers = try decoder.container(keyedBy: Key.self).decode([Int].self, forKey: "n")
        }
        func encode(to encoder: any Encoder) throws {
            var root = encoder.container(keyedBy: Key.self)
            try root.encode([1, 2], forKey: "n")
            var list = root.nestedUnkeyedContainer(forKey: "n")
            try list.encode(numbers[0])
        }
    }

    /// Names by their bytes, two of which are the same text for a dictionary.
    struct Composed: Codable, Equatable, Sendable {
        var bytes: [[UInt8]] = [Array("e\u{301}".utf8), Array("\u{e9}".utf8)]
        var isReversed = false
        init(isReversed: Bool = false) { self.isReversed = isReversed }
        init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: Key.self).allKeys
            bytes = keys.map { Array($0.stringValue.utf8) }
                .sorted { $0.lexicographicallyPrecedes($1) }
        }
        func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: Key.self)
            for name in isReversed ? bytes.reversed() : bytes {
                try fields.encode(
                    1, forKey: Key(stringValue: String(decoding: name, as: UTF8.self)))
            }
        }
    }

    /// How containers are used where other encoders stop the program.
    enum Stopping: String, CaseIterable, Codable, Equatable, Sendable {
        case singleAfterFields, singleAfterElements, twoSingles, fieldsAfterSingle
        case elementsAfterSingle, elementsAfterFields, fieldsAfterElements
        case nestedFieldsAfterPlain, nestedElementsAfterPlain, nestedFieldsAfterElements

        init(from decoder: any Decoder) throws { throw CancellationError() }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .singleAfterFields:
                try fields(encoder)
                try single(encoder)
            case .singleAfterElements:
                try elements(encoder)
                try single(encoder)
            case .twoSingles:
                try single(encoder)
                try single(encoder)
            case .fieldsAfterSingle:
                try single(encoder)
                try fields(encoder)
            case .elementsAfterSingle:
                try single(encoder)
                try elements(encoder)
            case .elementsAfterFields:
                try fields(encoder)
                try elements(encoder)
            case .fieldsAfterElements:
                try elements(encoder)
                try fields(encoder)
            case .nestedFieldsAfterPlain:
                var root = encoder.container(keyedBy: Key.self)
                try root.encode(1, forKey: "n")
                var nested = root.nestedContainer(keyedBy: Key.self, forKey: "n")
                try nested.encode(1, forKey: "a")
            case .nestedElementsAfterPlain:
                var root = encoder.container(keyedBy: Key.self)
                try root.encodeNil(forKey: "n")
                var nested = root.nestedUnkeyedContainer(forKey: "n")
                try nested.encode(1)
            case .nestedFieldsAfterElements:
                var root = encoder.container(keyedBy: Key.self)
                _ = root.nestedUnkeyedContainer(forKey: "n")
                _ = root.nestedContainer(keyedBy: Key.self, forKey: "n")
            }
        }

        private func single(_ encoder: any Encoder) throws {
            var single = encoder.singleValueContainer()
            try single.encode(1)
        }
        private func fields(_ encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: Key.self)
            try fields.encode(1, forKey: "a")
        }
        private func elements(_ encoder: any Encoder) throws {
            var elements = encoder.unkeyedContainer()
            try elements.encode(1)
        }
    }

    struct Stops: Codable, Equatable, Sendable { var at: [Stopping] }
}
