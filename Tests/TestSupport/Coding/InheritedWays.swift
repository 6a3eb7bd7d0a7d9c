// SPDX-License-Identifier: MIT

/// Ways in which classes, and encoders of what they inherit, use containers.
enum InheritedWays {
    typealias Key = CodingKeyText

    class Animal: Codable, Equatable, @unchecked Sendable {  // Never changed once it is made.
        var name = "Rex"
        init() {}
        static func == (left: Animal, right: Animal) -> Bool { left.isEqual(right) }
        func isEqual(_ other: Animal) -> Bool { name == other.name }
    }

    /// What it inherits has an encoder of its own.
    final class Dog: Animal, @unchecked Sendable {
        var age = 3
        override init() { super.init() }
        enum Key: CodingKey { case age }
        required init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Key.self)
            age = try fields.decode(Int.self, forKey: .age)
            try super.init(from: fields.superDecoder())
        }
        override func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: Key.self)
            try super.encode(to: fields.superEncoder())
            try fields.encode(age, forKey: .age)
        }
        override func isEqual(_ other: Animal) -> Bool {
            super.isEqual(other) && age == (other as? Dog)?.age
        }
    }

    /// What it inherits is in the same object.
    final class Cat: Animal, @unchecked Sendable {
        var lives = 9
        override init() { super.init() }
        enum Key: CodingKey { case lives }
        required init(from decoder: any Decoder) throws {
            lives = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .lives)
            try super.init(from: decoder)
        }
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var fields = encoder.container(keyedBy: Key.self)
            try fields.encode(lives, forKey: .lives)
        }
        override func isEqual(_ other: Animal) -> Bool {
            super.isEqual(other) && lives == (other as? Cat)?.lives
        }
    }

    /// What it inherits is in the same object, and one of its fields has the same name.
    final class Parrot: Animal, @unchecked Sendable {
        var called: String
        init(called: String) {
            self.called = called
            super.init()
        }
        enum Key: CodingKey { case name }
        required init(from decoder: any Decoder) throws {
            called = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .name)
            try super.init(from: decoder)
        }
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var fields = encoder.container(keyedBy: Key.self)
            try fields.encode(called, forKey: .name)
        }
        override func isEqual(_ other: Animal) -> Bool {
            super.isEqual(other) && called == (other as? Parrot)?.called
        }
    }

    /// Encoders of what is inherited, with keys and in a list, two at a time.
    struct Supers: Codable, Equatable, Sendable {
        var values = [1, 2, 3, 4]
        init() {}
        init(from decoder: any Decoder) throws {
            let root = try decoder.container(keyedBy: Key.self)
            var list = try root.nestedUnkeyedContainer(forKey: "list")
            func read(_ decoder: any Decoder) throws -> Int {
                try decoder.singleValueContainer().decode(Int.self)
            }
            values = [
                try read(root.superDecoder(forKey: "k")), try read(list.superDecoder()),
                try read(list.superDecoder()), try list.decode(Int.self),
            ]
        }
        func encode(to encoder: any Encoder) throws {
            var root = encoder.container(keyedBy: Key.self)
            func write(_ value: Int, _ encoder: any Encoder) throws {
                var single = encoder.singleValueContainer()
                try single.encode(value)
            }
            try write(values[0], root.superEncoder(forKey: "k"))
            var list = root.nestedUnkeyedContainer(forKey: "list")
            try write(values[1], list.superEncoder())
            try write(values[2], list.superEncoder())
            try list.encode(values[3])
        }
    }

    /// An encoder of what is inherited is used for nothing, or not asked for.
    struct Unused: Codable, Equatable, Sendable {
        var missing: Int?
        var missingByKey: Int?
        var isEmpty = true
        init() {}
        init(from decoder: any Decoder) throws {
            let root = try decoder.container(keyedBy: Key.self)
            missing = try Int?(from: root.superDecoder())
            missingByKey = try Int?(from: root.superDecoder(forKey: "k"))
            isEmpty = try root.superDecoder(forKey: "e").container(keyedBy: Key.self).allKeys
                .isEmpty
        }
        func encode(to encoder: any Encoder) throws {
            var root = encoder.container(keyedBy: Key.self)
            _ = root.superEncoder(forKey: "e")
        }
    }

    /// Two encoders for one key, each with a part: the first part is lost.
    struct SplitSupers: Codable, Equatable, Sendable {
        var x = 1
        var y = 2
        init() {}
        init(from decoder: any Decoder) throws {
            let inner = try decoder.container(keyedBy: Key.self).superDecoder(forKey: "s")
                .container(keyedBy: Key.self)
            (x, y) = (
                try inner.decode(Int.self, forKey: "x"), try inner.decode(Int.self, forKey: "y")
            )
        }
        func encode(to encoder: any Encoder) throws {
            var root = encoder.container(keyedBy: Key.self)
            var first = root.superEncoder(forKey: "s").container(keyedBy: Key.self)
            try first.encode(x, forKey: "x")
            var second = root.superEncoder(forKey: "s").container(keyedBy: Key.self)
            try second.encode(y, forKey: "y")
        }
    }

    /// A class holds another one, which it may share.
    struct Holder: Codable, Equatable, Sendable {
        var one = Animal()
        var other: Animal? = Animal()
        init() {}
        enum CodingKeys: CodingKey { case one, other }
        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            one = try fields.decode(Animal.self, forKey: .one)
            other = try fields.decodeIfPresent(Animal.self, forKey: .other)
        }
        func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode(one, forKey: .one)
            if let other { try fields.encodeConditional(other, forKey: .other) }
        }
    }
}
