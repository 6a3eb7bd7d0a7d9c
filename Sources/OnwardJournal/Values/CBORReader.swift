// SPDX-License-Identifier: MIT

/// Reads one CBOR item (RFC 8949) from untrusted bytes.
///
/// No memory is allocated on the word of a length: an item is refused if the bytes that it
/// announces are not there.
struct CBORReader {
    private let bytes: [UInt8]
    private let limits: DataLimits
    private let flat: FlatValue
    private var offset = 0
    private var elements = 0

    init(_ bytes: [UInt8], _ limits: DataLimits, _ flat: FlatValue) {
        self.bytes = bytes
        self.limits = limits
        self.flat = flat
    }

    /// Reads the single item that the bytes consist of.
    mutating func readAll(into place: FlatValue.Place) throws(DataError) {
        try read(into: place, depth: 0)
        guard offset == bytes.count else {
            throw malformed("\(bytes.count - offset) bytes follow the value")
        }
    }

    private mutating func read(into place: FlatValue.Place, depth: Int) throws(DataError) {
        guard depth <= limits.levels else { throw .tooDeep(limits.levels, at: offset) }
        let start = offset
        let initial = try byte()
        let detail = initial & 0x1F
        guard let major = CBORWriter.Major(rawValue: initial >> 5) else {
            throw malformed("No kind of item", at: start)
        }
        switch major {
        case .unsigned:
            let value = try argument(detail, start)
            flat.set(Int64(exactly: value).map { .integer($0) } ?? .unsigned(value), at: place)
        case .negative:
            let value = try argument(detail, start)
            guard let integer = Int64(exactly: value) else {
                throw unsupported("A negative number below the range of 64 bits", at: start)
            }
            flat.set(.integer(~integer), at: place)
        case .bytes: flat.set(.bytes(try string(detail, major, start)), at: place)
        case .text: flat.set(.text(try text(detail, start)), at: place)
        case .list: try list(into: place, detail, depth, start)
        case .map: try object(into: place, detail, depth, start)
        case .tag:
            let tag = try argument(detail, start)
            // "This is CBOR" (section 3.4.6) says nothing about the value that follows it.
            guard tag == 55_799, depth == 0 else { throw unsupported("Tag \(tag)", at: start) }
            try read(into: place, depth: depth + 1)
        case .simple: flat.set(try simple(detail, start), at: place)
        }
    }

    // MARK: Kinds

    private mutating func simple(_ detail: UInt8, _ start: Int) throws(DataError) -> DataValue {
        switch detail {
        case 20: return .bool(false)
        case 21: return .bool(true)
        case 22: return .null
        case 25: return .number(HalfFloat(bits: try integer()).double)
        case 26: return .number(Double(Float(bitPattern: try integer())))
        case 27: return .number(Double(bitPattern: try integer()))
        case 28...30: throw malformed("A reserved form", at: start)
        case 31: throw malformed("An end without a beginning", at: start)
        case 24:
            let value: UInt8 = try integer()
            guard value >= 32 else { throw malformed("A simple value in two bytes", at: start) }
            throw unsupported("Simple value \(value)", at: start)
        default: throw unsupported("Simple value \(detail)", at: start)
        }
    }

    private mutating func text(_ detail: UInt8, _ start: Int) throws(DataError) -> String {
        if detail == 31 {
            // Its chunks were checked.
            return String(decoding: try string(detail, .text, start), as: UTF8.self)
        }
        let range = try range(argument(detail, start), at: start)
        let part = bytes[range]
        // Validation takes long, and ASCII needs none.
        if part.allSatisfy({ $0 < 0x80 }) { return String(decoding: part, as: UTF8.self) }
        guard let text = String(validating: part, as: UTF8.self) else {
            throw malformed("A text that is not UTF-8", at: start)
        }
        return text
    }

    /// The bytes of a string, which may come in chunks (section 3.2.3).
    private mutating func string(
        _ detail: UInt8, _ major: CBORWriter.Major, _ start: Int
    ) throws(DataError) -> [UInt8] {
        guard detail == 31 else { return try take(argument(detail, start), at: start) }
        var whole: [UInt8] = []
        while true {
            let chunk = offset
            let initial = try byte()
            if initial == 0xFF { return whole }
            guard initial >> 5 == major.rawValue, initial & 0x1F != 31 else {
                throw malformed("A chunk of another kind", at: chunk)
            }
            let part = try take(argument(initial & 0x1F, chunk), at: chunk)
            if major == .text, !part.isUTF8 {
                throw malformed("A text that is not UTF-8", at: chunk)
            }
            whole += part
        }
    }

    private mutating func list(
        into place: FlatValue.Place, _ detail: UInt8, _ depth: Int, _ start: Int
    ) throws(DataError) {
        flat.becomeList(place)
        var length = try length(detail, start)
        while try isNext(&length) {
            try count()
            try read(into: flat.append(to: place), depth: depth + 1)
        }
    }

    private mutating func object(
        into place: FlatValue.Place, _ detail: UInt8, _ depth: Int, _ start: Int
    ) throws(DataError) {
        flat.becomeObject(place)
        // Looking through a few fields takes less than keeping a set of them.
        var names: Set<String> = []
        var length = try length(detail, start)
        while try isNext(&length) {
            try count()
            let start = offset
            let name = try name()
            let isKnown: Bool
            if flat.count(in: place) < 8 {
                isKnown = flat.field(name, in: place) != nil
            } else {
                if names.isEmpty { names = Set(flat.children(of: place).map(flat.name)) }
                isKnown = !names.insert(name).inserted
            }
            try read(into: flat.append(name, to: place), depth: depth + 1)
            if isKnown { throw malformed("The name \"\(name.prefix(40))\" twice", at: start) }
        }
    }

    private mutating func name() throws(DataError) -> String {
        let start = offset
        let initial = try byte()
        guard initial >> 5 == CBORWriter.Major.text.rawValue else {
            throw unsupported("A name that is no text", at: start)
        }
        return try text(initial & 0x1F, start)
    }

    // MARK: Parts of items

    /// How many items follow; nil until the end is marked.
    private mutating func length(
        _ detail: UInt8, _ start: Int
    ) throws(DataError) -> UInt64? {
        if detail == 31 { return nil }
        let length = try argument(detail, start)
        guard length <= UInt64(bytes.count - offset) else {
            throw malformed("\(length) values are announced, but the bytes end", at: start)
        }
        return length
    }

    private mutating func isNext(_ left: inout UInt64?) throws(DataError) -> Bool {
        if let count = left {
            guard count > 0 else { return false }
            left = count - 1
            return true
        }
        guard offset < bytes.count else { throw malformed("The bytes end in a value") }
        guard bytes[offset] != 0xFF else {
            offset += 1
            return false
        }
        return true
    }

    private mutating func count() throws(DataError) {
        elements += 1
        guard elements <= limits.elements else {
            throw .tooManyValues(limit: limits.elements, at: offset)
        }
    }

    private mutating func argument(_ detail: UInt8, _ start: Int) throws(DataError) -> UInt64 {
        switch detail {
        case ..<24: return UInt64(detail)
        case 24: return UInt64(try integer() as UInt8)
        case 25: return UInt64(try integer() as UInt16)
        case 26: return UInt64(try integer() as UInt32)
        case 27: return try integer()
        default: throw malformed("A reserved form", at: start)
        }
    }

    private mutating func integer<Number: FixedWidthInteger>() throws(DataError) -> Number {
        var number: Number = 0
        for _ in 0..<Number.bitWidth / 8 {
            number = Number(truncatingIfNeeded: UInt64(truncatingIfNeeded: number) << 8)
            number |= Number(try byte())
        }
        return number
    }

    private mutating func take(_ count: UInt64, at start: Int) throws(DataError) -> [UInt8] {
        Array(bytes[try range(count, at: start)])
    }

    /// The range of the next bytes; the reader moves past them.
    private mutating func range(
        _ count: UInt64, at start: Int
    ) throws(DataError) -> Range<Int> {
        guard count <= UInt64(bytes.count - offset) else {
            throw malformed("\(count) bytes are announced, but the bytes end", at: start)
        }
        let range = offset..<offset + Int(count)
        offset = range.upperBound
        return range
    }

    private mutating func byte() throws(DataError) -> UInt8 {
        guard offset < bytes.count else { throw malformed("The bytes end in a value") }
        defer { offset += 1 }
        return bytes[offset]
    }

    // MARK: Complaints

    private func malformed(_ what: String, at place: Int? = nil) -> DataError {
        DataError(.malformed, at: place ?? offset, what)
    }

    private func unsupported(_ what: String, at place: Int) -> DataError {
        DataError(.unsupported, at: place, "\(what) does not occur in payloads")
    }
}
