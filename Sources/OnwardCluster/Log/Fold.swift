// SPDX-License-Identifier: MIT

package import Onward
package import OnwardJournal

/// What a log leads to at a place: its state, its owner, and the completed requests.
package struct Fold<Features: ClusterFeatures>: Sendable {
    /// The last entry that is folded.
    package private(set) var position = JournalPosition.start
    /// Who decides there; nil if nobody ever did.
    package private(set) var ownership: Ownership?
    /// The last requests that produced entries.
    package private(set) var requests: RequestWindow
    /// The durable work that has begun but not ended.
    package private(set) var work = UnendedWork()
    /// The state.
    package private(set) var state: Features.State

    package var version: CommitVersion { position.version }

    /// What a log leads to before its first entry.
    package init(_ features: Features, window: Int) {
        state = features.initial
        requests = RequestWindow(limit: window)
    }

    /// Folds the next entry.
    ///
    /// - Throws: The features' error for an entry that they can't read; then nothing has changed.
    package mutating func apply(
        _ entry: JournalEntry, _ features: Features
    ) throws(JournalError) {
        try features.reduce(entry, into: &state)
        if let ownership = Ownership(entry) {
            self.ownership = ownership
            work.end(ownership.ended)
        }
        if entry.hasAction {
            requests.insert(entry.id.request(in: entry.epoch), at: entry.version)
            if features.beginsWork(ActionDraft(entry)) { work.begin(entry) }
        }
        position = entry.position
    }

    // MARK: Snapshots

    /// Encodes everything as a snapshot.
    package func snapshot(_ features: Features) throws(JournalError) -> JournalSnapshot {
        let value: DataValue = [
            "id": .text(position.id.description), "ownership": ownership?.value ?? .null,
            "requests": requests.value, "work": work.value,
            "state": try features.value(of: state),
        ]
        return JournalSnapshot(
            version: version, fingerprint: features.fingerprint,
            payload: DataFormat.cbor.bytes(of: value))
    }

    /// Decodes a snapshot.
    ///
    /// - Throws: ``JournalError/Code/unreadable`` for a snapshot that a cluster didn't store.
    package init(
        _ snapshot: JournalSnapshot, _ features: Features, window: Int
    ) throws(JournalError) {
        guard let value = try? DataFormat.cbor.value(of: snapshot.payload),
            let id = value["id"]?.text.flatMap({ EntryID($0) }),
            let requests = value["requests"].flatMap({ RequestWindow($0, limit: window) }),
            let work = UnendedWork(value["work"] ?? .list([])),
            let state = value["state"], let ownership = value["ownership"]
        else {
            throw JournalError(
                .unreadable, version: snapshot.version,
                """
                The snapshot of version \(snapshot.version) was not stored by a cluster: the ids of the last \
                requests are missing. Begin the cluster's log with an empty journal.
                """)
        }
        position = JournalPosition(version: snapshot.version, id: id)
        self.ownership = Ownership(ownership)
        self.requests = requests
        self.work = work
        self.state = try features.state(of: state)
    }
}
