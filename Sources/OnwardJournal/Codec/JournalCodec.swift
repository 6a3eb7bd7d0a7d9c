// SPDX-License-Identifier: MIT

public import Onward

/// How the log of one store is written and read: its actions, its states, which features made them, and
/// what happens to what cannot be read.
public struct JournalCodec<State: Codable & Sendable>: Sendable {
    /// How actions are written and read.
    public var actions: ActionCodec
    /// How states are written and read.
    public var states: StateCodec<State>
    /// The features that run now; see ``FeatureFingerprint``.
    public var fingerprint: FeatureFingerprint
    /// What happens with an entry that cannot be decoded.
    public var whenUnreadable: UnreadableEntryPolicy

    /// The codec of a store.
    ///
    /// - Parameters:
    ///   - store: The store of a whole app.
    ///   - format: How payloads and states are written; a journal is read with the format it was
    ///     written in.
    ///   - migrations: How old entries and snapshots are brought to the present schema versions.
    ///   - revision: A text that the program changes with the behaviour of its reducers.
    ///   - policy: What happens with an entry that cannot be decoded.
    /// - Complexity: O(registered types).
    public init(
        for store: Store<State>, format: DataFormat = .cbor, migrations: Migrations = Migrations(),
        revision: String = "", whenUnreadable policy: UnreadableEntryPolicy = .fail
    ) {
        let registry = store.log.actions
        actions = ActionCodec(for: registry, format: format, migrations: migrations)
        states = StateCodec(format: format, migrations: migrations)
        fingerprint = FeatureFingerprint(of: registry, revision: revision)
        whenUnreadable = policy
    }
}
