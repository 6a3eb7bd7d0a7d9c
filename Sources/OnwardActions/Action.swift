// SPDX-License-Identifier: MIT

/// A plain value that says what happened.
///
/// A feature has one closed enum of actions, or a few structs. The actions of an app are an open
/// set: each feature brings its own type, and there is no global enum to edit.
///
/// To be received from outside (from a page, a journal, another program), an action type must also
/// be `Decodable`; to be written with more than its name, `Encodable`.
public protocol Action: Sendable {
    /// The name of the type in logs, journals and on the wire, unique within a store.
    ///
    /// By default, the name of the type with its enclosing types but without its module, so that
    /// old logs stay readable when a module is renamed: `GameAction`, `Game.Action`.
    static var actionName: String { get }

    /// The name under which this value appears in logs; by default, the name of its type.
    ///
    /// Implement it in an action that wraps others, such as those of another library, and is shown
    /// under their names.
    var entryName: String { get }
}

extension Action {
    /// The type's name without its module.
    public static var actionName: String { TypeName.withoutModule(Self.self) }

    /// The name of the type.
    public var entryName: String { Self.actionName }

    /// The name of this value on the wire: the type's name, followed for an enum by "/" and the
    /// case.
    ///
    /// - Complexity: O(length of the name), by reflection; it is never called while an action goes
    ///   through a store.
    public var wireName: String {
        TypeName.withCase(entryName, of: self)
    }
}

/// Readable names of types.
package enum TypeName {
    /// A name of a value's type, followed for an enum by "/" and the case.
    static func withCase(_ name: String, of value: some Any) -> String {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .enum else { return name }
        return name + "/" + (mirror.children.first?.label ?? "\(value)")
    }

    /// The qualified name of a type, with the module removed from every path.
    ///
    /// `Shop.Basket.Action` becomes `Basket.Action`, `Shop.Page<Shop.Row>` becomes `Page<Row>`;
    /// the parts that the compiler adds for local types are left out.
    package static func withoutModule(_ type: any Any.Type) -> String {
        var result = ""
        var path: [Substring] = []
        var rest = Substring(String(reflecting: type))
        func flush() {
            let kept = path.count > 1 ? path.dropFirst() : path[...]
            result += kept.joined(separator: ".")
            path = []
        }
        while let character = rest.first {
            if character == "(", let close = rest.firstIndex(of: ")"),
                rest[..<close].hasPrefix("(unknown context")
            {
                rest = rest[rest.index(after: close)...].drop { $0 == "." }
            } else if character.isLetter || character.isNumber || character == "_" {
                let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                path.append(word)
                rest = rest.dropFirst(word.count)
                if rest.first == "." { rest = rest.dropFirst() } else { flush() }
            } else {
                flush()
                result.append(character)
                rest = rest.dropFirst()
            }
        }
        flush()
        return result
    }
}

/// The action types that a store handles, by name.
///
/// Code that reads actions from outside (a page, a journal, an inspector) looks them up here, so
/// that only registered types are accepted.
public struct ActionRegistry: Sendable {
    private let types: [String: any Action.Type]

    /// The names of those with a reducer that asks for stamps.
    private let stamped: Set<String>

    package init(types: [any Action.Type], stamped: Set<String> = []) {
        self.stamped = stamped
        self.types = Dictionary(types.map { ($0.actionName, $0) }) { first, _ in first }
    }

    /// The registered names, sorted.
    public var names: [String] { types.keys.sorted() }

    /// Whether a reducer asks for the stamps of a type's actions.
    package func asksForStamp(_ name: String) -> Bool { stamped.contains(name) }

    /// The type with a name; nil if no feature of the store handles such actions.
    ///
    /// - Complexity: O(1).
    public func type(named name: String) -> (any Action.Type)? { types[name] }
}
