// SPDX-License-Identifier: MIT

/// Reads one CBOR item (RFC 8949) from untrusted bytes.
///
/// Nothing is allocated because a length says so: an item is refused when the bytes that it
/// announces are not there.
struct CBORReader {
    private let bytes: [UInt8]
    private let limits: DataLimits
    private var offset = 0
    private var elements = 0

    init(_ bytes: [UInt8], _ limits: DataLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// Reads the one item that the bytes consist of.
    mutating func readAll() throws(DataError) -> DataValue {
        let value = try read(depth: 0)
        guard offset == bytes.count else {
            throw malformed("\(bytes.count - offset) bytes follow the value")
        }
        return value
    }

    private mutating func read(depth: Int) throws(DataError) -> DataValue {
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
            return Int64(exactly: value).map { .integer($0) } ?? .unsigned(value)
        case .negative:
            let value = try argument(detail, start)
            guard let integer = Int64(exactly: value) else {
                throw unsupported("A negative number below the range of 64 bits", at: start)
            }
            return .integer(~integer)
        case .bytes: return .bytes(try string(detail, major, start))
        case .text: return .text(try text(detail, start))
        case .list: return .list(try list(detail, depth, start))
        case .map: return .object(try object(detail, depth, start))
        case .tag:
            let tag = try argument(detail, start)
            // "This is CBOR" (section 3.4.6) says nothing about the value that follows it.
            guard tag == 55_799, depth == 0 else { throw unsupported("Tag \(tag)", at: start) }
            return try read(depth: depth + 1)
        case .simple: return try simple(detail, start)
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
        let text = bytes.withUnsafeBufferPointer {
            String(validating: $0[range], as: UTF8.self)
        }
        guard let text else { throw malformed("A text that is not UTF-8", at: start) }
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
        _ detail: UInt8, _ depth: Int, _ start: Int
    ) throws(DataError) -> [DataValue] {
        var values: [DataValue] = []
        var length = try length(detail, start)
        while try isNext(&length) {
            try count()
            values.append(try read(depth: depth + 1))
        }
        return values
    }

    private mutating func object(
        _ detail: UInt8, _ depth: Int, _ start: Int
    ) throws(DataError) -> [String: DataValue] {
        var fields: [String: DataValue] = [:]
        var length = try length(detail, start)
        while try isNext(&length) {
            try count()
            let place = offset
            guard case .text(let name) = try read(depth: depth + 1) else {
                throw unsupported("A name that is no text", at: place)
            }
            let value = try read(depth: depth + 1)
            guard fields.updateValue(value, forKey: name) == nil else {
                throw malformed("The name \"\(name.prefix(40))\" twice", at: place)
            }
        }
        return fields
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

    /// Where the next bytes stand, behind which the reader then is.
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
