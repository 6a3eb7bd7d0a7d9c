// SPDX-License-Identifier: MIT

public import Onward

/// A state as a journal keeps it, so that reading need not start at the first entry.
public struct JournalSnapshot: Sendable, Hashable {
    /// The last entry that the state includes; 0 for a state before all entries.
    public let version: CommitVersion
    /// The schema version of the state's type when the snapshot was stored.
    public let schema: Int
    /// The features that made the state; see ``FeatureFingerprint``.
    public let fingerprint: FeatureFingerprint
    /// The state, in the format of the journal's codec.
    public let payload: [UInt8]

    /// Creates a snapshot, for journals that read theirs from somewhere.
    public init(
        version: CommitVersion, schema: Int = 1, fingerprint: FeatureFingerprint, payload: [UInt8]
    ) {
        self.version = version
        self.schema = schema
        self.fingerprint = fingerprint
        self.payload = payload
    }

    /// A hash of the whole snapshot, like ``JournalEntry/checksum`` for an entry.
    ///
    /// - Complexity: O(size of the payload), about a nanosecond for every eight bytes.
    public var checksum: UInt64 {
        var sum = Checksum()
        sum.add(version)
        sum.add(UInt64(bitPattern: Int64(schema)))
        sum.add(fingerprint.rawValue)
        sum.add(payload)
        return sum.value
    }
}
