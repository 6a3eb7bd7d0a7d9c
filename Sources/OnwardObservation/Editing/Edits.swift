// SPDX-License-Identifier: MIT

public import OnwardCore

/// The part of a feature that applies the edits of its form: each gives one declared field another
/// value.
///
/// ```swift
/// let signUp = Feature<SignUp> {
///     Edits()
///     Reduce { (form, edit: Edit<SignUp>) in form.touched.insert(edit.field) }
/// }
/// ```
///
/// It is listed like a ``Reduce``, and those behind it see the new value. Like any action, an edit
/// can be withheld by a middleware, which asks it with ``Edit/value(of:)``.
///
/// - Complexity: one look-up by name for each edit, besides the assignment.
public struct Edits<Form: Editable>: Part {
    /// The part.
    public init() {}

    /// Registers the reducer.
    public func register(in registration: inout Registration<Form>) {
        for field in Form.fields.unclear {
            registration.compiler.note(.unclearField(field.name, "\(field.path)", of: Form.self))
        }
        let options = registration.compiler.options
        registration.add(
            Reduce { (form, edit: Edit<Form>) in
                if let field = Form.fields[edit.field] {
                    field.set(&form, edit.value)
                } else {
                    options.report(.undeclaredField(edit.field, of: Form.self))
                }
            })
    }
}

extension ProgrammerError.Kind {
    /// A field was to be edited that its form doesn't declare.
    public static var undeclaredField: ProgrammerError.Kind {
        ProgrammerError.Kind("undeclaredField")
    }

    /// A field of a form has no name, or that of another one.
    public static var unclearField: ProgrammerError.Kind { ProgrammerError.Kind("unclearField") }
}

extension ProgrammerError {
    static func undeclaredField<Form: Editable>(_ path: String, of form: Form.Type)
        -> ProgrammerError
    {
        let names = Form.fields.names
        return ProgrammerError(
            kind: .undeclaredField,
            description: """
                \(path) was to be edited, but it isn't among the fields that \(Form.self) declares, so it \
                stays as it is. The log and other programs know a field by its declared name. The fields \
                are: \(names.isEmpty ? "none" : names.joined(separator: ", ")). To fix this, list the key \
                path in `static let fields = Fields<\(Form.self)>(…)`, or change the property in a Reduce.
                """)
    }

    static func unclearField<Form: Editable>(
        _ name: String, _ path: String, of form: Form.Type
    ) -> ProgrammerError {
        ProgrammerError(
            kind: .unclearField,
            description: """
                The field \(path) of \(Form.self) is declared as "\(name)", which is no name or that of \
                another field. The log and other programs know a field by its name, so none of them can \
                edit this one. To fix this, declare it once, and give it a name if the property is \
                computed: Fields<\(Form.self)>(…).adding(\(path), named: "…").
                """)
    }
}
