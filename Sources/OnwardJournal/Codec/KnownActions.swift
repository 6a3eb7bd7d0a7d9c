// SPDX-License-Identifier: MIT

internal import Onward

/// The action types that a store has registered, with what is looked up about each of them only
/// once, since that takes longer than coding an action.
struct KnownActions: Sendable {
    /// A name of entries.
    struct Name: Sendable {
        /// The type; nil where none is registered under its part of the name.
        let type: KnownAction?
        let caseName: String?
    }

    private let types: [ObjectIdentifier: KnownAction]
    private let typesByName: [String: KnownAction]
    /// The names of entries that were read, since splitting one creates two more strings.
    private let names = Guarded<[String: Name]>([:])
    /// A journal may have more names than its actions do; any beyond this are split each time.
    private static let mostNames = 1_024

    init(_ actions: ActionRegistry) {
        var types: [ObjectIdentifier: KnownAction] = [:]
        var typesByName: [String: KnownAction] = [:]
        for name in actions.names {
            guard let type = actions.type(named: name) else { continue }
            let known = KnownAction(type, named: name)
            types[ObjectIdentifier(type)] = known
            typesByName[name] = known
        }
        (self.types, self.typesByName) = (types, typesByName)
    }

    subscript(_ type: any Action.Type) -> KnownAction? { types[ObjectIdentifier(type)] }

    func type(named name: String) -> KnownAction? { typesByName[name] }

    /// What a name of entries means.
    subscript(_ name: String) -> Name {
        if let known = names.withValue({ $0[name] }) { return known }
        let (type, caseName) = ActionCodec.parts(of: name)
        let found = Name(type: typesByName[type], caseName: caseName)
        if found.type != nil, name.utf8.count <= KnownAction.longestName {
            names.withValue { if $0.count < Self.mostNames { $0[name] = found } }
        }
        return found
    }
}

/// A type of actions.
final class KnownAction: Sendable {
    private struct Cases {
        /// Whether the type is an enum; nil until an action that may be one has been written.
        var areThere: Bool?
        /// The names of entries, by those of the cases.
        var names: [String: String] = [:]
    }

    /// The name under which it is registered.
    let name: String
    let schema: Int
    let decodable: (any (Action & Decodable).Type)?
    private let encodable: (any (Action & Encodable).Type)?
    private let cases = Guarded(Cases())
    private static let mostCases = 1_024
    static let longestName = 512

    init(_ type: any Action.Type, named name: String) {
        self.name = name
        schema = schemaVersion(of: type)
        decodable = type as? any (Action & Decodable).Type
        encodable = type as? any (Action & Encodable).Type
    }

    /// What an action of the type is encoded as, or nil if the type isn't `Encodable`.
    func encode(
        _ action: any Action, revealing revealsRedacted: Bool, forJournal isForJournal: Bool
    ) throws -> FlatValue? {
        func encode<A: Action & Encodable>(_ type: A.Type) throws -> FlatValue? {
            guard let action = action as? A else { return nil }
            return try DataEncoder.encode(
                action, revealing: revealsRedacted, forJournal: isForJournal
            ) { $0 }
        }
        guard let encodable else { return nil }
        return try encode(encodable)
    }

    /// Refuses an action if one of two fields with the same name is lost, once a writer found any.
    func checkNames(_ action: any Action) throws {
        func check<A: Action & Encodable>(_ type: A.Type) throws {
            if let action = action as? A { try DataEncoder.check(action) }
        }
        if let encodable { try check(encodable) }
    }

    /// The name of entries with a case, or nil if the type is no enum.
    func name(ofCase caseName: String, of action: any Action) -> String? {
        let (areThere, known) = cases.withValue { ($0.areThere, $0.names[caseName]) }
        if let known { return known }
        // Reflection is slow.
        let isEnum = areThere ?? (Mirror(reflecting: action).displayStyle == .enum)
        let name = isEnum ? "\(name)/\(caseName)" : nil
        cases.withValue { cases in
            cases.areThere = isEnum
            if cases.names.count < Self.mostCases { cases.names[caseName] = name }
        }
        return name
    }
}
