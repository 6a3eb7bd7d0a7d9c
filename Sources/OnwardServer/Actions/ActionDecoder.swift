// SPDX-License-Identifier: MIT
#if Server

import Foundation
import OnwardJournal

/// Decodes a value from the wire form of a ``DataValue``.
///
/// Swift encodes an enum case as `{"choose": {"weapon": "rock"}}`, with `_0` for an unlabelled
/// value. On the wire, the case is part of the type's name and labels are never `_0`; this decoder
/// converts between the two:
///
/// - the root of `Game/choose` is an object with the single key `choose`, or the text `choose` for
///   an enum with raw values; the root of a name without a case is the payload itself,
/// - the keys `_0`, `_1`, … are read from `value`, `value1`, …
///
/// In everything else it reads what `DataFormat.json` writes, except numbers that JSON lacks, and
/// also what forms have: texts for numbers and truth values, one text for a list.
struct ActionDecoder: Decoder {
    let value: DataValue
    let codingPath: [any CodingKey]
    /// The files that came with the post.
    let files: ReceivedFiles
    /// The case that an enum with raw values would be coded as; only at the root.
    private var caseName: String?

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Decodes an action of a type from the parts of its wire form.
    ///
    /// - Throws: `DecodingError`, or what the type's own `init(from:)` throws.
    static func decode<A: Decodable>(
        _ type: A.Type, caseName: String?, payload: [String: DataValue],
        files: ReceivedFiles = .none
    ) throws -> A {
        let root = caseName.map { DataValue.object([$0: .object(payload)]) } ?? .object(payload)
        var decoder = ActionDecoder(root, at: [], files)
        decoder.caseName = caseName
        return try A(from: decoder)
    }

    init(_ value: DataValue, at codingPath: [any CodingKey], _ files: ReceivedFiles) {
        self.value = value
        self.codingPath = codingPath
        self.files = files
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let fields) = value else { throw mismatch(type, "an object") }
        return KeyedDecodingContainer(
            ActionKeyedContainer<Key>(fields: fields, codingPath: codingPath, files: files))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        switch value {
        case .list(let elements):
            return ActionUnkeyedContainer(elements: elements, codingPath: codingPath, files)
        // A form submits one checked box out of several exactly as it submits a single box; so it
        // does with files, of which those that didn't come are objects as well.
        case .text, .object:
            return ActionUnkeyedContainer(elements: [value], codingPath: codingPath, files)
        default: throw mismatch([DataValue].self, "a list")
        }
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        guard let caseName else { return self }
        return ActionDecoder(.text(caseName), at: codingPath, files)
    }
}

extension ActionDecoder: SingleValueDecodingContainer {
    /// A blank field of a form has no value.
    func decodeNil() -> Bool { value == .null || value.isBlank }
    func decode(_ type: Bool.Type) throws -> Bool {
        try value.wireBool ?? fail(type, "true or false")
    }
    func decode(_ type: String.Type) throws -> String { try value.text ?? fail(type, "a text") }
    func decode(_ type: Double.Type) throws -> Double {
        try value.wireDouble ?? fail(type, "a number")
    }
    func decode(_ type: Float.Type) throws -> Float {
        let float = try Float(decode(Double.self))
        return float.isFinite ? float : try fail(type, "a number")
    }
    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

    func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try make(type) }

    /// The value of a type; asked for a standard type, its own `init(from:)` comes back through
    /// ``singleValueContainer()``.
    func make<T: Decodable>(_ type: T.Type) throws -> T {
        if type == Data.self, let bytes, let data = bytes as? T { return data }
        if type == [UInt8].self, let bytes, let array = Array(bytes) as? T { return array }
        guard let date = try date(as: type) else { return try T(from: self) }
        return date
    }

    /// The bytes of a text in base 64.
    private var bytes: Data? { value.text.flatMap { Data(base64Encoded: $0) } }

    private func integer<I: FixedWidthInteger>(_ type: I.Type) throws -> I {
        try value.wireInteger(type) ?? fail(type, "a whole number between \(I.min) and \(I.max)")
    }

    private func fail<T>(_ type: T.Type, _ expected: String) throws -> T {
        guard !value.isBlank else {
            throw DecodingError.valueNotFound(
                type, .init(codingPath: codingPath, debugDescription: expected))
        }
        throw mismatch(type, expected)
    }

    private func mismatch(_ type: any Any.Type, _ expected: String) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: expected))
    }
}

// A form sends a date as a text.
extension ActionDecoder {
    /// Whether a type is that of dates.
    static func isDate(_ type: any Any.Type) -> Bool { type is Date.Type }

    /// The date in a text, if `type` is that of dates: a day, a day and a time (both in Greenwich), or ISO 8601
    /// with a time zone.
    fileprivate func date<T>(as type: T.Type) throws -> T? {
        guard Self.isDate(type), let text = value.text else { return nil }
        let zone =
            switch text.utf8.count {
            case 10: "T00:00:00Z"
            case 16: ":00Z"
            case 19: "Z"
            default: ""
            }
        guard let date = try? Date(text + zone, strategy: .iso8601) else {
            return try fail(type, "a date")
        }
        return date as? T
    }
}

extension DataValue {
    /// Whether it is a text of nothing but spaces, as of a field that is left blank.
    var isBlank: Bool { text?.allSatisfy(\.isWhitespace) ?? false }
}
#endif
