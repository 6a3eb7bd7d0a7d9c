// SPDX-License-Identifier: MIT

internal import Onward

/// What becomes of the actions of a client's store, by their types.
struct ActionKinds: Sendable {
    enum Kind: Sendable {
        /// It is kept and proposed.
        case proposed
        /// It stays on its client.
        case local
        /// It would have to be proposed, and can't be written.
        case uncoded
    }

    private let kinds: [ObjectIdentifier: Kind]
    private let local: Set<String>

    init(_ actions: ActionRegistry, local: Set<String>) {
        self.local = local
        let types = actions.names.compactMap { actions.type(named: $0) }
        kinds = Dictionary(
            types.map { (ObjectIdentifier($0), Self.kind(of: $0, local)) }, uniquingKeysWith: { $1 }
        )
    }

    subscript(_ action: any Action) -> Kind {
        let type = type(of: action)
        // Features that came later may have others.
        return kinds[ObjectIdentifier(type)] ?? Self.kind(of: type, local)
    }

    private static func kind(of type: any Action.Type, _ local: Set<String>) -> Kind {
        if local.contains(type.actionName) { return .local }
        return type is any (Action & Codable).Type ? .proposed : .uncoded
    }
}
