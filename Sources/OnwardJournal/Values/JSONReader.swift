// SPDX-License-Identifier: MIT

/// Reads one JSON text (RFC 8259) from untrusted bytes.
///
/// The limits are checked while reading, so a hostile text costs no more than the part before the
/// place where it exceeds them.
struct JSONReader {
    private let bytes: [UInt8]
    private let limits: DataLimits
    private var offset = 0
    private var elements = 0
    /// A field of the outermost object; only the first element of its list is read.
    private let skipped: String?
    private var isSkipping = false

    init(_ bytes: [UInt8], _ limits: DataLimits, skipping field: String? = nil) {
        self.bytes = bytes
        self.limits = limits
        skipped = field
    }

    /// Reads the single value that the bytes consist of.
    mutating func readAll() throws(DataError) -> DataValue {
        guard bytes.isUTF8 else {
            throw DataError(.malformed, at: 0, "The text is not UTF-8")
        }
        let value = try read(depth: 0)
        guard next() == nil else { throw malformed("something follows the value") }
        return value
    }

    private mutating func read(depth: Int) throws(DataError) -> DataValue {
        switch next() {
        case UInt8(ascii: "{"): return .object(try fields(depth))
        case UInt8(ascii: "["): return .list(try list(depth))
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "t"): return try take("true", as: .bool(true))
        case UInt8(ascii: "f"): return try take("false", as: .bool(false))
        case UInt8(ascii: "n"): return try take("null", as: .null)
        case nil: throw malformed("it ends too early")
        default: return try number()
        }
    }

    // MARK: Lists and objects

    private mutating func list(_ depth: Int) throws(DataError) -> [DataValue] {
        try enter(depth)
        var values: [DataValue] = []
        guard !skip(UInt8(ascii: "]")) else { return values }
        repeat {
            try count()
            let value = try read(depth: depth + 1)
            if !isSkipping { values.append(value) }
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "]")) else { throw malformed("a list has no end") }
        return values
    }

    /// A list of which only the first element is read; nulls that don't count replace the others.
    private mutating func firstOfList(_ depth: Int) throws(DataError) -> [DataValue] {
        try enter(depth)
        var values: [DataValue] = []
        guard !skip(UInt8(ascii: "]")) else { return values }
        repeat {
            try count()
            isSkipping = !values.isEmpty
            let value = try read(depth: depth + 1)
            isSkipping = false
            values.append(values.isEmpty ? value : .null)
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "]")) else { throw malformed("a list has no end") }
        return values
    }

    /// The fields of an object; if two have the same name the last one counts, as in a script.
    private mutating func fields(_ depth: Int) throws(DataError) -> [String: DataValue] {
        try enter(depth)
        var fields: [String: DataValue] = [:]
        guard !skip(UInt8(ascii: "}")) else { return fields }
        repeat {
            try count()
            guard next() == UInt8(ascii: "\"") else { throw malformed("a field has no name") }
            let name = try text()
            guard skip(UInt8(ascii: ":")) else { throw malformed("a field has no value") }
            if depth == 0, name == skipped, next() == UInt8(ascii: "[") {
                fields[name] = .list(try firstOfList(depth + 1))
                continue
            }
            let value = try read(depth: depth + 1)
            if !isSkipping { fields[name] = value }
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "}")) else { throw malformed("an object has no end") }
        return fields
    }

    private mutating func enter(_ depth: Int) throws(DataError) {
        guard depth < limits.levels else { throw .tooDeep(limits.levels, at: offset) }
        offset += 1
    }

    private mutating func count() throws(DataError) {
        if isSkipping { return }
        elements += 1
        guard elements <= limits.elements else {
            throw .tooManyValues(limit: limits.elements, at: offset)
        }
    }

    // MARK: Numbers

    private mutating func number() throws(DataError) -> DataValue {
        let start = offset
        if current == UInt8(ascii: "-") { offset += 1 }
        let first = offset
        let digits = takeDigits()
        guard digits > 0, digits == 1 || bytes[first] != UInt8(ascii: "0") else {
            throw malformed("there is no value")
        }
        var isWhole = true
        if current == UInt8(ascii: ".") {
            offset += 1
            isWhole = false
            guard takeDigits() > 0 else { throw malformed("a number has no digits") }
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            offset += 1
            isWhole = false
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { offset += 1 }
            guard takeDigits() > 0 else { throw malformed("a number has no digits") }
        }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if isWhole, let integer = Int64(text) { return .integer(integer) }
        if isWhole, let integer = UInt64(text) { return .unsigned(integer) }
        guard let number = Double(text), number.isFinite else {
            throw malformed("a number is too large")
        }
        return .number(number)
    }

    /// Skips digits, and returns how many there were.
    private mutating func takeDigits() -> Int {
        let start = offset
        while let byte = current, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
            offset += 1
        }
        return offset - start
    }

    // MARK: Texts

    private mutating func text() throws(DataError) -> String {
        offset += 1
        let start = offset
        while let byte = current, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"),
            byte >= 0x20
        {
            offset += 1
        }
        if current == UInt8(ascii: "\"") {
            offset += 1
            return String(decoding: bytes[start..<offset - 1], as: UTF8.self)
        }
        // A text with escapes is assembled.
        var units = Array(bytes[start..<offset])
        while let byte = current, byte >= 0x20 {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: units, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(&units)
            default: units.append(byte)
            }
        }
        throw malformed(current == nil ? "a text has no end" : "a control character is in a text")
    }

    private mutating func escape(_ units: inout [UInt8]) throws(DataError) {
        let byte = current
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): units.append(byte ?? 0)
        case UInt8(ascii: "b"): units.append(0x08)
        case UInt8(ascii: "f"): units.append(0x0C)
        case UInt8(ascii: "n"): units.append(0x0A)
        case UInt8(ascii: "r"): units.append(0x0D)
        case UInt8(ascii: "t"): units.append(0x09)
        case UInt8(ascii: "u"):
            units += Array(String(Character(try scalar())).utf8)
        default:
            offset -= 1
            throw malformed("there is no such escape")
        }
    }

    /// The character of an escape in hexadecimal digits, or of a pair of them.
    private mutating func scalar() throws(DataError) -> Unicode.Scalar {
        var code = try hexadecimal()
        if code & 0xFC00 == 0xD800, current == UInt8(ascii: "\\"), offset + 1 < bytes.count,
            bytes[offset + 1] == UInt8(ascii: "u")
        {
            offset += 2
            let low = try hexadecimal()
            guard low & 0xFC00 == 0xDC00 else { throw malformed("half of a character") }
            code = 0x10000 + (code & 0x3FF) << 10 + low & 0x3FF
        }
        guard let scalar = Unicode.Scalar(code) else { throw malformed("half of a character") }
        return scalar
    }

    private mutating func hexadecimal() throws(DataError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue
            else { throw malformed("there is no such escape") }
            code = code << 4 | UInt32(digit)
            offset += 1
        }
        return code
    }

    // MARK: Bytes

    private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    /// The next byte that is not white space, at which the reader stops.
    private mutating func next() -> UInt8? {
        while let byte = current {
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            offset += 1
        }
        return nil
    }

    /// Skips a byte if it is the next one.
    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next() == byte else { return false }
        offset += 1
        return true
    }

    private mutating func take(
        _ word: StaticString, as value: DataValue
    ) throws(DataError) -> DataValue {
        for index in 0..<word.utf8CodeUnitCount {
            guard current == (word.utf8Start + index).pointee else {
                throw malformed("there is no value")
            }
            offset += 1
        }
        return value
    }

    private func malformed(_ what: String) -> DataError {
        DataError(.malformed, at: offset, "The text is not JSON: \(what)")
    }
}

extension [UInt8] {
    /// Whether the bytes are valid UTF-8.
    var isUTF8: Bool { withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) } != nil }
}
