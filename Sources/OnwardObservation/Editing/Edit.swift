// SPDX-License-Identifier: MIT

public import OnwardCore

/// The action that gives a field of a form another value.
///
/// A store sends it with ``Store/edit(_:_:file:line:isolation:)-(WritableKeyPath<State,Value>Sendable,_,_,_,_)``
/// and through `store[editing: \.name]`; ``Edits`` applies it. It is written with the name of the
/// field and the value: `{"field": "name", "value": "Ann"}`, as an action that is called
/// `SignUp.Edit`. What is read has to name a declared field and hold a value of its type.
///
/// ```swift
/// Reduce { (form, edit: Edit<SignUp>) in
///     if let name = edit.value(of: \.name) { form.greeting = "Hello, \(name)" }
/// }
/// ```
public struct Edit<Form: Editable>: Action, Codable, Equatable {
    /// The declared name of the field.
    public let field: String
    let value: any FieldValue

    /// An edit of a field.
    ///
    /// The field has to be declared in the form's ``Editable/fields``. If it isn't, the edit can't
    /// be written, changes nothing, and is reported where it is dispatched.
    ///
    /// - Complexity: O(declared fields).
    public init<Value: Codable & Equatable & Sendable>(
        _ path: any WritableKeyPath<Form, Value> & Sendable, _ value: Value
    ) {
        field = Form.fields[path]?.name ?? "\(path)"
        self.value = value
    }

    /// The new value of a field; nil if this is an edit of another one.
    ///
    /// For an optional field the result is a value even if that is nil.
    ///
    /// - Complexity: O(declared fields).
    public func value<Value: Codable & Equatable & Sendable>(
        of path: any WritableKeyPath<Form, Value> & Sendable
    ) -> Value? {
        guard Form.fields[path]?.name == field else { return nil }
        return value as? Value
    }

    /// Whether both give the same field the same value.
    public static func == (left: Edit, right: Edit) -> Bool {
        func isSame<Value: FieldValue>(_ value: Value) -> Bool { right.value as? Value == value }
        let value: any FieldValue = left.value
        return left.field == right.field && isSame(value)
    }

    /// The form's ``Editable/editName``.
    public static var actionName: String { Form.editName }

    // MARK: Coding

    /// Reads an edit.
    ///
    /// - Throws: `DecodingError` if no field has the name, or the value isn't one of its type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: EditKey.self)
        let field = try container.decode(DeclaredField<Form>.self, forKey: .field).field
        self.field = field.name
        value = try field.decode(container)
    }

    /// Writes the name of the field and the value.
    ///
    /// - Throws: `EncodingError` if the field isn't declared.
    public func encode(to encoder: any Encoder) throws {
        guard let field = DeclaredField<Form>(rawValue: field) else {
            throw EncodingError.invalidValue(
                self,
                .init(
                    codingPath: encoder.codingPath,
                    debugDescription: "\(Self.actionName) is of \(field), which isn't declared"))
        }
        var container = encoder.container(keyedBy: EditKey.self)
        let value: any FieldValue = value
        try container.encode(field, forKey: .field)
        try container.encode(value, forKey: .value)
    }
}

extension Editable {
    /// The name of the type, without its module, with `.Edit`.
    public static var editName: String { "\(TypeName.withoutModule(Self.self)).Edit" }
}

/// What is written of an edit.
enum EditKey: CodingKey { case field, value }

/// The name of a field as it is written: one of those that are declared.
///
/// As an enum would do, it tells what looks at its type which names there are, and what looks at a
/// value that it is a name of the program and nothing that a user has entered.
private struct DeclaredField<Form: Editable>: Codable, RawRepresentable, CaseIterable {
    let field: Field<Form>

    static var allCases: [DeclaredField] { Form.fields.all.map(DeclaredField.init) }

    private init(_ field: Field<Form>) { self.field = field }

    init?(rawValue name: String) {
        guard let field = Form.fields[name] else { return nil }
        self.field = field
    }

    var rawValue: String { field.name }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let declared = DeclaredField(rawValue: name) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: """
                    \(Form.editName) has no field "\(name.prefix(40))"; there are \
                    \(Form.fields.names.joined(separator: ", "))
                    """)
        }
        self = declared
    }
}

extension DeclaredField: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .enum) }
}
