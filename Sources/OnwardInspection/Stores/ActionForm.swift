// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// An action that can be dispatched, with its fields.
public struct ActionForm: Sendable, Hashable, Codable {
    /// A field of an action.
    public struct Field: Sendable, Hashable, Codable {
        /// What kind of value it has.
        public enum Kind: String, Sendable, Hashable, Codable {
            /// A text, entered without quotes.
            case text
            /// A whole number.
            case integer
            /// A number.
            case number
            /// `true` or `false`.
            case truth
            /// One of ``choices``.
            case choice
            /// JSON.
            case other
        }

        /// The name of the field.
        public var name: String
        /// What kind of value it has.
        public var kind: Kind
        /// Whether the field may be left out.
        public var isOptional: Bool
        /// The texts to choose from; empty for other kinds.
        public var choices: [String]
    }

    /// The name of the action, `Basket.Action/add`.
    public var name: String
    /// The fields of the action.
    public var fields: [Field]

    init(name: String, fields: [Field]) { (self.name, self.fields) = (name, fields) }

    init(_ shape: ActionShape) {
        name = shape.name
        fields = shape.fields.map { field in
            let (kind, choices): (Field.Kind, [String]) =
                switch field.kind {
                case .text: (.text, [])
                case .integer: (.integer, [])
                case .number: (.number, [])
                case .truth: (.truth, [])
                case .choice(let names): (.choice, names)
                case .other: (.other, [])
                }
            return Field(
                name: field.name, kind: kind, isOptional: field.isOptional, choices: choices)
        }
    }

    /// Returns an action with filled-in fields as JSON, for ``InspectorCommand/dispatch(json:)``.
    ///
    /// - Parameter texts: The input for each field by name; a missing or empty one is left out, but
    ///   an empty text stays if the field requires one.
    /// - Returns: The JSON.
    /// - Throws: ``InspectorError``, naming the field whose value has the wrong kind.
    public func json(_ texts: [String: String]) throws(InspectorError) -> String {
        var action: DataValue = [:]
        for field in fields {
            let text = texts[field.name] ?? ""
            if text.isEmpty, field.isOptional || field.kind != .text { continue }
            action[field.name] = try field.value(of: text)
        }
        if action["type"] != nil { action = ["@payload": action] }
        action["type"] = .text(name)
        return String(decoding: DataFormat.json.bytes(of: action), as: UTF8.self)
    }
}

extension ActionForm.Field {
    fileprivate func value(of text: String) throws(InspectorError) -> DataValue {
        if kind == .text || kind == .choice { return .text(text) }
        let value = try? DataFormat.json.value(of: Array(text.utf8))
        let isRight =
            switch (kind, value) {
            case (_, nil): false
            case (.integer, .integer?), (.integer, .unsigned?): true
            case (.number, .integer?), (.number, .unsigned?), (.number, .number?): true
            case (.truth, .bool?): true
            case (.other, _): true
            default: false
            }
        guard isRight, let value else {
            throw InspectorError(.invalid, "\"\(name)\" is no \(kind.noun): \(text.prefix(100))")
        }
        return value
    }
}

extension ActionForm.Field.Kind {
    /// What the value of a field has to be.
    package var noun: String {
        switch self {
        case .text, .choice: "text"
        case .integer: "whole number"
        case .number: "number"
        case .truth: "true or false"
        case .other: "JSON"
        }
    }
}
