// SPDX-License-Identifier: MIT

import Foundation

/// Ways to use the containers of an encoder after which a value comes back as it was.
enum KeptWays {
    typealias Key = CodingKeyText

    /// A nested object is asked for twice, and continued.
    struct NestedTwice: Codable, Equatable, Sendable {
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
            var first = root.nestedContainer(keyedBy: Key.self, forKey: "n")
            try first.encode(x, forKey: "x")
            var second = root.nestedContainer(keyedBy: Key.self, forKey: "n")
            try second.encode(y, forKey: "y")
        }
    }

    /// Many nested objects are asked for twice, so many that they are looked up.
    struct ManyNestedTwice: Codable, Equatable, Sendable {
        var values = Array(0..<40)
        init() {}
        init(from decoder: any Decoder) throws {
            let root = try decoder.container(keyedBy: Key.self)
            for index in values.indices {
                let key = Key(stringValue: "n\(index)")
                let inner = try root.nestedContainer(keyedBy: Key.self, forKey: key)
                values[index] = try inner.decode(Int.self, forKey: "x")
                guard try inner.decode(Int.self, forKey: "y") == -index else { values = []; return }
            }
        }
        func encode(to encoder: any Encoder) throws {
            var root = encoder.container(keyedBy: Key.self)
            for index in values.indices {
                let key = Key(stringValue: "n\(index)")
                var first = root.nestedContainer(keyedBy: Key.self, forKey: key)
                try first.encode(values[index], forKey: "x")
            }
            for index in values.indices {
                let key = Key(stringValue: "n\(index)")
                var second = root.nestedContainer(keyedBy: Key.self, forKey: key)
                try second.encode(-index, forKey: "y")
            }
        }
    }

    /// A nested list is asked for twice, and its count goes on.
    struct NestedListTwice: Codable, Equatable, Sendable {
        var values = [1, 2, 3]
        init() {}
        init(from decoder: any Decoder) throws {
            var list = try decoder.container(keyedBy: Key.self).nestedUnkeyedContainer(forKey: "n")
            values = []
            while !list.isAtEnd { values.append(try list.decode(Int.self)) }
        }
        func encode(to encoder: any Encoder) throws {
            var root = encoder.container(keyedBy: Key.self)
            for value in values {
                var list = root.nestedUnkeyedContainer(forKey: "n")
                try list.encode(list.count + 1 == value ? value : -1)
            }
        }
    }

    /// The containers of the encoder itself are asked for twice.
    struct RootsTwice: Codable, Equatable, Sendable {
        struct List: Codable, Equatable, Sendable {
            var values = [1, 2]
            init() {}
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                values = [try list.decode(Int.self), try list.decode(Int.self)]
            }
            func encode(to encoder: any Encoder) throws {
                var first = encoder.unkeyedContainer()
                try first.encode(values[0])
                var second = encoder.unkeyedContainer()
                try second.encode(values[1])
            }
        }
        var a = 1
        var b = List()
        init() {}
        enum CodingKeys: CodingKey { case a, b }
        func encode(to encoder: any Encoder) throws {
            var first = encoder.container(keyedBy: CodingKeys.self)
            try first.encode(a, forKey: .a)
            var second = encoder.container(keyedBy: Key.self)
            try second.encode(b, forKey: "b")
        }
    }

    /// Containers are filled in turns.
    struct InTurns: Codable, Equatable, Sendable {
        var values = [1, 2, 3, 4]
        init() {}
        init(from decoder: any Decoder) throws {
            let root = try decoder.container(keyedBy: Key.self)
            var list = try root.nestedUnkeyedContainer(forKey: "list")
            let object = try list.nestedContainer(keyedBy: Key.self)
            values = [
                try object.decode(Int.self, forKey: "a"), try list.decode(Int.self),
                try root.decode(Int.self, forKey: "b"), try object.decode(Int.self, forKey: "c"),
            ]
        }
        func encode(to encoder: any Encoder) throws {
            var root = encoder.container(keyedBy: Key.self)
            var list = root.nestedUnkeyedContainer(forKey: "list")
            var object = list.nestedContainer(keyedBy: Key.self)
            try object.encode(values[0], forKey: "a")
            try list.encode(values[1])
            try root.encode(values[2], forKey: "b")
            try object.encode(values[3], forKey: "c")
        }
    }

    /// A single value that is an object, and fields beside its own.
    struct SingleObjectThenFields: Codable, Equatable, Sendable {
        var inner = ["a": 1]
        var b = 2
        init() {}
        init(from decoder: any Decoder) throws {
            let root = try decoder.container(keyedBy: Key.self)
            inner = ["a": try root.decode(Int.self, forKey: "a")]
            b = try root.decode(Int.self, forKey: "b")
        }
        func encode(to encoder: any Encoder) throws {
            var single = encoder.singleValueContainer()
            try single.encode(inner)
            var fields = encoder.container(keyedBy: Key.self)
            try fields.encode(b, forKey: "b")
        }
    }

    /// A field that was encoded as an object is continued.
    struct FieldThenNested: Codable, Equatable, Sendable {
        var inner = ["a": 1, "b": 2]
        init() {}
        init(from decoder: any Decoder) throws {
            inner = try decoder.container(keyedBy: Key.self).decode([String: Int].self, forKey: "n")
        }
        func encode(to encoder: any Encoder) throws {
            var root = encoder.container(keyedBy: Key.self)
            try root.encode(["a": inner["a"]], forKey: "n")
            var nested = root.nestedContainer(keyedBy: Key.self, forKey: "n")
            try nested.encode(inner["b"], forKey: "b")
        }
    }

    /// A field is encoded twice: the last one counts.
    struct Overwritten: Codable, Equatable, Sendable {
        var kind = "final"
        init() {}
        enum CodingKeys: CodingKey { case kind }
        func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode("draft", forKey: .kind)
            try fields.encode(kind, forKey: .kind)
        }
    }

    /// What can't be encoded is replaced by something else.
    struct Fallback: Codable, Equatable, Sendable {
        struct Refusing: Encodable {
            func encode(to encoder: any Encoder) throws {
                var fields = encoder.container(keyedBy: Key.self)
                try fields.encode(1, forKey: "half")
                throw CancellationError()
            }
        }
        var value = 1
        init() {}
        enum CodingKeys: CodingKey { case value }
        func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try? fields.encode(Refusing(), forKey: .value)
            if (try? fields.encode(Refusing(), forKey: .value)) == nil {
                try fields.encode(value, forKey: .value)
            }
        }
    }

    /// Encodes nothing, as a field or an element.
    struct Nothing: Codable, Equatable, Sendable {
        init() {}
        init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws {}
    }

    struct HoldsNothing: Codable, Equatable, Sendable {
        var field = Nothing()
        var optional: Nothing? = Nothing()
        var elements = [Nothing(), Nothing()]
    }

    /// Nils in each container, written out.
    struct Nils: Codable, Equatable, Sendable {
        struct Single: Codable, Equatable, Sendable {
            var value: Int?
            init(_ value: Int?) { self.value = value }
            init(from decoder: any Decoder) throws {
                value = try decoder.singleValueContainer().decode(Int?.self)
            }
            func encode(to encoder: any Encoder) throws {
                var single = encoder.singleValueContainer()
                try single.encode(value)
            }
        }
        var field: Int?
        var list: [Int?] = [1, nil, 3]
        var names: [String: Int?] = ["a": nil, "b": 2]
        var single = [Single(nil), Single(1)]
        init() {}
        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Key.self)
            field = try fields.decode(Int?.self, forKey: "field")
            list = try fields.decode([Int?].self, forKey: "list")
            names = try fields.decode([String: Int?].self, forKey: "names")
            single = try fields.decode([Single].self, forKey: "single")
        }
        func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: Key.self)
            try fields.encode(field, forKey: "field")
            try fields.encode(list, forKey: "list")
            try fields.encode(names, forKey: "names")
            try fields.encode(single, forKey: "single")
        }
    }

    /// Reads its fields by the keys that are there, one of which looks like a payload's.
    struct OwnKeys: Codable, Equatable, Sendable {
        enum Key: String, CodingKey { case _0, _1, abc }
        var all: [String: Int]
        init(_ all: [String: Int]) { self.all = all }
        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Key.self)
            all = [:]
            for key in fields.allKeys where fields.contains(key) {
                all[key.rawValue] = try fields.decode(Int.self, forKey: key)
            }
        }
        func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: Key.self)
            for (name, value) in all {
                if let key = Key(rawValue: name) { try fields.encode(value, forKey: key) }
            }
        }
    }

    /// Reads where it is from the path.
    struct Placed: Codable, Equatable, Sendable {
        struct Here: Codable, Equatable, Sendable {
            var name = ""
            var index: Int?
            init(_ name: String, _ index: Int?) { (self.name, self.index) = (name, index) }
            init(from decoder: any Decoder) throws {
                let path = decoder.codingPath
                index = path.last?.intValue
                name = path.last { $0.intValue == nil }?.stringValue ?? ""
                _ = try decoder.singleValueContainer().decode(Int.self)
            }
            func encode(to encoder: any Encoder) throws {
                // A path that differs is an error, which the table shows.
                let path = encoder.codingPath
                guard path.last?.intValue == index,
                    path.last(where: { $0.intValue == nil })?.stringValue == name
                else { throw CocoaError(.coderInvalidValue) }
                var single = encoder.singleValueContainer()
                try single.encode(path.count)
            }
        }
        var list = [Here("list", 0), Here("list", 1)]
        var names = ["a": Here("a", nil)]
        var field = Here("field", nil)
    }
}
