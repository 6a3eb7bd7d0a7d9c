// SPDX-License-Identifier: MIT

public import Onward

/// How one store's log is written and read: its actions, its states, the features that made them,
/// and what happens to unreadable entries.
public struct JournalCodec<State: Codable & Sendable>: Sendable {
    /// How actions are written and read.
    public var actions: ActionCodec
    /// How states are written and read.
    public var states: StateCodec<State>
    /// The features that run now; see ``FeatureFingerprint``.
    public var fingerprint: FeatureFingerprint
    /// What happens to an entry that cannot be decoded.
    public var whenUnreadable: UnreadableEntryPolicy

    /// The codec of a store.
    ///
    /// - Parameters:
    ///   - store: The store of a whole app.
    ///   - format: How payloads and states are written; a journal is read with the format it was
    ///     written in.
    ///   - migrations: How old entries and snapshots are migrated to the current schema versions.
    ///   - revision: A text that the program changes whenever its reducers behave differently.
    ///   - policy: What happens to an entry that cannot be decoded.
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
