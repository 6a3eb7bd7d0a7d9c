// SPDX-License-Identifier: MIT

public import Onward

/// What clients may send to a server; everything else is refused as
/// ``SyncRefusal/Kind/forbidden``.
///
/// Whether an action is right on the present state is decided by the features' own `Check`s, for
/// clients as for anybody.
public struct ClientRules: Sendable {
    private let allows: @Sendable (any Action, Address, String?) -> Bool

    /// Rules that a closure decides.
    ///
    /// - Parameter allows: Whether an action may be sent to an address by somebody; called for each
    ///   proposal, one at a time.
    public init(
        _ allows:
            @escaping @Sendable (
                _ action: any Action, _ address: Address, _ identity: String?
            ) -> Bool
    ) {
        self.allows = allows
    }

    /// Actions of some types may be sent, to any address, by anybody who is connected.
    public static func actions(_ types: any (Action & Codable).Type...) -> ClientRules {
        let allowed = Set(types.map { ObjectIdentifier($0) })
        return ClientRules { action, _, _ in allowed.contains(ObjectIdentifier(type(of: action))) }
    }

    func allow(_ action: any Action, at address: Address, by identity: String?) -> Bool {
        allows(action, address, identity)
    }
}
