// SPDX-License-Identifier: MIT

internal import OnwardJournal
package import OnwardNavigation

/// The question to a page, as texts by the names of its fields: as it is in URLs and forms.
package struct PageQuestion: Sendable, Hashable {
    /// The maximum number of fields, and of letters in one.
    package static let (mostFields, mostLetters) = (20, 1_000)

    /// The texts.
    package private(set) var texts: [String: String] = [:]
    private var value = DataValue.object([:])

    /// What the names of the fields begin with in the query of a URL.
    package static let mark = "ask."

    package init(texts: [String: String]) { self.texts = texts }

    /// Reads the question in the query of a URL, as far as there is room for it.
    package init(in query: RouteValues) {
        for field in query.fields where field.name.hasPrefix(Self.mark) {
            guard texts.count < Self.mostFields else { break }
            let name = String(field.name.dropFirst(Self.mark.count))
            texts[name] = String(field.value.prefix(Self.mostLetters))
        }
    }

    /// Writes the question into the query of a URL.
    package func write(to query: inout RouteValues) {
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
            query.append(text, as: Self.mark + name)
        }
    }

    /// Creates the question that a value asks; none if the value can't be encoded as fields.
    init(_ question: some Encodable) {
        guard let value = try? DataValue(encoding: question), let fields = value.fields else {
            return
        }
        self.value = value
        for (name, field) in fields where field != .null { texts[name] = Self.text(of: field) }
    }

    /// The fields to fill in, by name.
    var fields: [PageField] {
        (value.fields ?? [:]).sorted { $0.key < $1.key }.compactMap { name, field in
            let kind: PageField.Kind? =
                switch field {
                case .text: .text
                case .integer, .unsigned: .integer
                case .number: .number
                case .bool: .truth
                case .null, .bytes, .list, .object: nil
                }
            return kind.map { PageField(name: name, kind: $0, text: Self.text(of: field)) }
        }
    }

    /// Decodes the question that asks something else in some fields.
    ///
    /// - Throws: ``InspectorError`` that names the field, or says what is wrong.
    func asking<Question: Decodable>(_ other: PageQuestion) throws(InspectorError) -> Question {
        var asked = value
        // A field without a value of its own may be a text or something else, as its type says.
        var unsure: [String: String] = [:]
        for (name, text) in other.texts {
            switch value[name] {
            case .text?: asked[name] = .text(text)
            case .null?, nil:
                unsure[name] = text
                asked[name] = Self.parsed(text) ?? .text(text)
            case let known?:
                let given = Self.parsed(text)
                guard Self.isLike(known, given), let given else {
                    throw InspectorError(
                        .invalid,
                        "\"\(name.prefix(100))\" is no \(Self.noun(known)): \(text.prefix(100))")
                }
                asked[name] = given
            }
        }
        while true {
            do {
                return try asked.decoded()
            } catch {
                guard case DecodingError.typeMismatch(_, let context) = error,
                    let name = context.codingPath.first?.stringValue,
                    let text = unsure.removeValue(forKey: name)
                else {
                    throw InspectorError(
                        .invalid, String("The question can't be read: \(error)".prefix(1_000)))
                }
                asked[name] = .text(text)
            }
        }
    }

    private static func text(of value: DataValue) -> String {
        value.text ?? String(decoding: DataFormat.json.bytes(of: value), as: UTF8.self)
    }

    private static func parsed(_ text: String) -> DataValue? {
        try? DataFormat.json.value(of: Array(text.utf8))
    }

    private static func isLike(_ known: DataValue, _ given: DataValue?) -> Bool {
        switch (known, given) {
        case (_, nil): false
        case (.integer, .integer?), (.integer, .unsigned?), (.unsigned, .integer?): true
        case (.number, .integer?), (.number, .unsigned?), (.number, .number?): true
        case (.unsigned, .unsigned?), (.bool, .bool?), (.list, .list?), (.object, .object?): true
        default: false
        }
    }

    private static func noun(_ value: DataValue) -> String {
        switch value {
        case .bool: "true or false"
        case .integer, .unsigned: "whole number"
        case .number: "number"
        default: "value of its kind"
        }
    }
}

/// A field of the question to a page.
package struct PageField: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable {
        case text
        case integer
        case number
        /// `true` or `false`.
        case truth
    }

    package var name: String
    package var kind: Kind
    /// What it is unless something else is asked.
    package var text: String
}
