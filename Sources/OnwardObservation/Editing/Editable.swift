// SPDX-License-Identifier: MIT

/// A form whose fields are edited one at a time, by one kind of action for all of them.
///
/// ```swift
/// struct SignUp: Equatable, Editable {
///     var name = "", mail = "", age: Int?, wantsNews = false
///     static let fields = Fields<SignUp>(\.name, \.mail, \.age, \.wantsNews)
/// }
///
/// let signUp = Feature<SignUp> { Edits() }
///
/// store.edit(\.name, "Ann")                             // an Edit<SignUp>
/// TextField("Name", text: $store[editing: \.name])      // in a view
/// ```
///
/// Each assignment is an ``Edit``, an action like any other: middlewares may withhold it, the log
/// keeps it with the name and the new value of the field, and pages and other programs can send it.
/// What isn't declared can't be edited, whoever tries.
public protocol Editable: Sendable {
    /// The fields that can be edited.
    static var fields: Fields<Self> { get }

    /// The name of the form's edits in logs, journals and on the wire.
    ///
    /// By default, the name of the form's type with `.Edit`, such as `SignUp.Edit`. Keep the old
    /// name when the type gets another one, so that old logs stay readable.
    static var editName: String { get }
}

/// The declared fields of a form, by name.
public struct Fields<Form: Sendable>: Sendable {
    let all: [Field<Form>]
    private let byName: [String: Field<Form>]

    /// Declares fields under the names of their properties.
    ///
    /// The properties are stored ones: a computed property has no name that a key path knows, so it
    /// is declared with ``adding(_:named:)``. The names are written into logs, so a property that
    /// gets another name keeps the old one there in the same way.
    ///
    /// - Complexity: O(fields); once for each type.
    public init<each Value: Codable & Equatable & Sendable>(
        _ path: repeat any WritableKeyPath<Form, each Value> & Sendable
    ) {
        var all: [Field<Form>] = []
        repeat all.append(Field(each path, name: nil))
        self.init(all)
    }

    /// Returns the fields with another one, under a name of its own.
    ///
    /// ```swift
    /// static let fields = Fields<Order>(\.note).adding(\.address.zip, named: "zip")
    /// ```
    public func adding<Value: Codable & Equatable & Sendable>(
        _ path: any WritableKeyPath<Form, Value> & Sendable, named name: String
    ) -> Fields {
        Fields(all + [Field(path, name: name)])
    }

    /// The names, in the order of the declaration.
    public var names: [String] { all.map(\.name) }

    private init(_ all: [Field<Form>]) {
        self.all = all
        byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
    }

    subscript(_ name: String) -> Field<Form>? { byName[name] }

    subscript(_ path: PartialKeyPath<Form>) -> Field<Form>? { all.first { $0.path == path } }

    /// Fields whose names don't tell them from the others.
    var unclear: [Field<Form>] {
        all.filter { !$0.hasName || byName[$0.name]?.path != $0.path }
    }
}

/// What a field holds.
typealias FieldValue = Codable & Equatable & Sendable

/// A field of a form, without the type of its value.
struct Field<Form: Sendable>: Sendable {
    let name: String
    let path: any PartialKeyPath<Form> & Sendable
    /// Sets the field, if the value is one of its type.
    let set: @Sendable (inout Form, any FieldValue) -> Void
    /// Reads a value of the field's type.
    let decode: @Sendable (KeyedDecodingContainer<EditKey>) throws -> any FieldValue

    init<Value: FieldValue>(
        _ path: any WritableKeyPath<Form, Value> & Sendable, name: String?
    ) {
        self.name = name ?? Self.property(path)
        self.path = path
        set = { form, value in
            if let value = value as? Value { form[keyPath: path] = value }
        }
        decode = { fields in
            // What fills in for a box that isn't checked has to know that it is one.
            guard fields.contains(.value) else {
                return try fields.decode(Value.self, forKey: .value)
            }
            return try fields.decode(DecodedField<Value>.self, forKey: .value).value
        }
    }

    /// Whether the name is one, and not what a key path without a name shows.
    var hasName: Bool {
        !name.isEmpty
            && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." || $0 == "-" }
    }

    /// The properties of a key path: `address.zip`.
    private static func property(_ path: AnyKeyPath) -> String {
        let text = "\(path)"
        return text.split(separator: ".", maxSplits: 1).last.map(String.init) ?? text
    }
}

/// A field's value as it stands in a log.
///
/// A type of its own, so that the shape of an edit doesn't say that every value is one of the first
/// field's type.
private struct DecodedField<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(Value.self)
    }
}
