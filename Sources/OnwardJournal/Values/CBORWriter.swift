// SPDX-License-Identifier: MIT

/// Writes values as RFC 8949, section 4.2.1, prescribes: shortest forms, definite lengths, names
/// sorted by their bytes.
struct CBORWriter {
    private(set) var bytes: [UInt8]

    init() {
        bytes = []
        // What a small payload takes.
        bytes.reserveCapacity(64)
    }

    /// The kinds of items (section 3.1).
    enum Major: UInt8 {
        case unsigned = 0
        case negative = 1
        case bytes = 2
        case text = 3
        case list = 4
        case map = 5
        case tag = 6
        case simple = 7
    }

    mutating func write(_ value: DataValue) {
        switch value {
        case .null: bytes.append(0xF6)
        case .bool(let bool): bytes.append(bool ? 0xF5 : 0xF4)
        case .integer(let integer) where integer < 0: head(.negative, UInt64(~integer))
        case .integer(let integer): head(.unsigned, UInt64(integer))
        case .unsigned(let integer): head(.unsigned, integer)
        case .number(let number): write(number)
        case .text(let text): write(text)
        case .bytes(let content):
            head(.bytes, UInt64(content.count))
            bytes += content
        case .list(let values):
            head(.list, UInt64(values.count))
            for value in values { write(value) }
        case .object(let fields):
            head(.map, UInt64(fields.count))
            guard fields.count > 1 else {
                for (name, value) in fields { write(name, value) }
                return
            }
            let sorted = fields.sorted { Self.areInOrder($0.key, $1.key) }
            for (name, value) in sorted { write(name, value) }
        }
    }

    /// Writes a part of a value that was encoded.
    ///
    /// - Throws: ``DataError/Code/tooDeep`` if lists and objects are nested more deeply;
    ///   ``DataError/Code/unsupported`` for names that only differ in their Unicode form, which
    ///   Swift's dictionaries don't distinguish.
    mutating func write(
        _ flat: FlatValue, at place: FlatValue.Place, levels: Int, depth: Int = 0
    ) throws(DataError) {
        let kind = flat.kind(of: place)
        if kind == .leaf { return write(flat.leaf(at: place)) }
        guard depth < levels else { throw .tooDeep(levels, at: flat.path(to: place)) }
        let isList = kind == .list
        if !isList, !areInOrder(flat, place) {
            return try writeSorted(flat, place, levels, depth)
        }
        head(isList ? .list : .map, UInt64(flat.count(in: place)))
        var next = flat.first(in: place)
        var isASCII = true
        while let child = next {
            if !isList {
                let start = bytes.count
                write(flat.name(of: child))
                for byte in bytes[start...] where byte >= 0x80 { isASCII = false }
            }
            try write(flat, at: child, levels: levels, depth: depth + 1)
            next = flat.next(after: child)
        }
        if !isASCII { try checkNames(flat.children(of: place), flat) }
    }

    /// Refuses names that are equal, but have different bytes.
    private func checkNames(
        _ fields: [FlatValue.Place], _ flat: FlatValue
    ) throws(DataError) {
        guard fields.count > 1 else { return }
        var names: [String: FlatValue.Place] = [:]
        for field in fields {
            guard names.updateValue(field, forKey: flat.name(of: field)) == nil else {
                throw .sameName(at: flat.path(to: field))
            }
        }
    }

    /// Whether the fields of an object already lie in their order.
    private func areInOrder(_ flat: FlatValue, _ place: FlatValue.Place) -> Bool {
        guard var field = flat.first(in: place) else { return true }
        while let next = flat.next(after: field) {
            guard Self.areInOrder(flat.name(of: field), flat.name(of: next)) else { return false }
            field = next
        }
        return true
    }

    private mutating func writeSorted(
        _ flat: FlatValue, _ place: FlatValue.Place, _ levels: Int, _ depth: Int
    ) throws(DataError) {
        // Of two with the same name the last one counts.
        var fields: [(key: String, place: FlatValue.Place)] = []
        let all = flat.children(of: place).map { (key: flat.name(of: $0), place: $0) }
            .sorted { one, other in
                one.key == other.key
                    ? one.place > other.place : Self.areInOrder(one.key, other.key)
            }
        for field in all where fields.last?.key != field.key { fields.append(field) }
        if fields.count != all.count { flat.hasRepeatedNames = true }
        try checkNames(fields.map(\.place), flat)
        head(.map, UInt64(fields.count))
        for field in fields {
            write(field.key)
            try write(flat, at: field.place, levels: levels, depth: depth + 1)
        }
    }

    /// The order of encoded names: the shorter one first, since its length comes before it.
    private static func areInOrder(_ first: String, _ second: String) -> Bool {
        let (first, second) = (first.utf8, second.utf8)
        guard first.count == second.count else { return first.count < second.count }
        return first.lexicographicallyPrecedes(second)
    }

    private mutating func write(_ name: String, _ value: DataValue) {
        write(name)
        write(value)
    }

    private mutating func write(_ text: String) {
        head(.text, UInt64(text.utf8.count))
        bytes += text.utf8
    }

    /// Writes the number in the shortest of the three widths that preserves it.
    private mutating func write(_ number: Double) {
        if number.isNaN {
            bytes += [0xF9, 0x7E, 0x00]
        } else if let half = HalfFloat(exactly: number) {
            bytes.append(0xF9)
            append(half.bits)
        } else if let single = Float(exactly: number) {
            bytes.append(0xFA)
            append(single.bitPattern)
        } else {
            bytes.append(0xFB)
            append(number.bitPattern)
        }
    }

    private mutating func head(_ major: Major, _ argument: UInt64) {
        let kind = major.rawValue << 5
        switch argument {
        case ..<24: bytes.append(kind | UInt8(argument))
        case ...0xFF:
            bytes.append(kind | 24)
            append(UInt8(argument))
        case ...0xFFFF:
            bytes.append(kind | 25)
            append(UInt16(argument))
        case ...0xFFFF_FFFF:
            bytes.append(kind | 26)
            append(UInt32(argument))
        default:
            bytes.append(kind | 27)
            append(argument)
        }
    }

    private mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
