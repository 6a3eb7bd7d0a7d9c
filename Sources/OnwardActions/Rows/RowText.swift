// SPDX-License-Identifier: MIT

/// The texts of ids of rows.
///
/// An id is written as its `encode(to:)` says: a single value as it is, everything else as JSON
/// that is the same for equal ids. This coding uses nothing but the standard library, because an
/// address has the same text everywhere, with a journal or without one.
enum RowText {
    /// Whether ids of a type are their text, as nearly all are.
    static func isPlain(_ type: any Any.Type) -> Bool {
        type == Int.self || type == String.self
    }

    /// The text of an id, and whether it is the id's coded form.
    static func write<ID>(_ id: ID) -> (text: String, isCoded: Bool) {
        if ID.self == Int.self, let number = id as? Int { return (String(number), true) }
        if ID.self == String.self, let text = id as? String { return (text, true) }
        // By its type, as the value of an optional would be unwrapped.
        func encode<Value: Encodable>(_ type: Value.Type) -> RowTextValue? {
            (id as? Value).flatMap { try? RowTextEncoder.value(of: $0) }
        }
        guard let type = ID.self as? any (Encodable & Decodable).Type, let value = encode(type)
        else { return (String(describing: id), false) }
        // A text may be "null", which nil must not be taken for.
        if ID.self is any OptionalID.Type { return (value.json, true) }
        return (value.single ?? value.json, true)
    }
}

/// Reads texts as ids of one type.
package struct RowTextReader<ID: Hashable & Sendable>: Sendable {
    private let isOptional = ID.self is any OptionalID.Type

    /// Nil for ids that aren't `Codable`.
    package init?() {
        guard ID.self is any (Encodable & Decodable).Type else { return nil }
    }

    /// The id that is written so; nil where none is, as for "07", which no number is written as.
    ///
    /// Of a text that is this library's own, a log's, it isn't checked that the id is written so.
    package func read(_ text: String, isOwn: Bool = false) -> ID? {
        guard let id = decode(text) else { return nil }
        return isOwn || RowText.write(id).text == text ? id : nil
    }

    private func decode(_ text: String) -> ID? {
        if ID.self == Int.self { return Int(text) as? ID }
        if ID.self == String.self { return text as? ID }
        // Looked up each time, as a type with its conformances can't be kept by what several threads use.
        guard let type = ID.self as? any Decodable.Type else { return nil }
        let value = isOptional ? RowTextValue(json: text) : .plain(text)
        return value.flatMap { try? type.init(from: RowTextDecoder(value: $0)) } as? ID
    }
}

/// An id that may be nil.
private protocol OptionalID {}

extension Optional: OptionalID {}
