// SPDX-License-Identifier: MIT

public import Onward

/// An entry of the log as a journal keeps it: all about the commit, with the action as bytes.
///
/// The versions of a journal are its own: 1, 2, 3 … without gaps.
public struct JournalEntry: Sendable, Hashable {
    /// What an entry records.
    public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
        /// Reducers handled an action.
        case action = 1
        /// A state was installed, by the cause in ``JournalEntry/name``; the payload is an object:
        /// with `shown`, the version whose state is shown again; with `state`, the state itself,
        /// and with `missing` the commits that led to it but have no entries (see
        /// ``MissingCommits``); with `base` and `difference`, an earlier install that has a state,
        /// and the difference from it.
        case install = 2
        /// The original contents were erased: with a name, it is an action that lost some of its
        /// fields; without one, nothing is left to fold.
        case erased = 3
        /// Another replica decides from here on; no reducer handles it.
        case ownership = 4

        /// The name of the kind.
        public var name: String {
            switch self {
            case .action: "action"
            case .install: "install"
            case .erased: "erased"
            case .ownership: "ownership"
            }
        }
    }

    /// The version of the storage format; it grows with each change that older programs can't read.
    public static let format = 3

    /// The position in the journal, from 1.
    public let version: CommitVersion
    /// The entry's unique id, whatever its position.
    public let id: EntryID
    /// What the entry records.
    public let kind: Kind
    /// The term of the replica that decided it; 0 if a single store writes.
    public let epoch: UInt64
    /// The registered name of the action's type; for an enum, followed by "/" and the case.
    public let name: String
    /// The schema version that the action's type had when the entry was written.
    public let schema: Int
    /// The payload, in the format of the journal's codec.
    public let payload: [UInt8]
    /// The instance that handled the action; empty for every instance.
    ///
    /// Its rows are named by texts, as in every journal: an entry holds no id of this program.
    public let address: Address
    /// The position of the entry during whose delivery the action was dispatched; nil if there was
    /// none, or if it is not in this journal.
    public let parent: CommitVersion?
    /// Where in the source the action was dispatched.
    public let origin: ActionOrigin
    /// When the action was committed; nil if times were not requested.
    public let time: Timestamp?

    /// Creates an entry, for journals that read theirs from somewhere.
    public init(
        version: CommitVersion, id: EntryID = EntryID(), kind: Kind = .action, epoch: UInt64 = 0,
        name: String, schema: Int = 1, payload: [UInt8] = [], address: Address = .root,
        parent: CommitVersion? = nil, origin: ActionOrigin = ActionOrigin(), time: Timestamp? = nil
    ) {
        self.version = version
        self.id = id
        self.kind = kind
        self.epoch = epoch
        self.name = name
        self.schema = schema
        self.payload = payload
        self.address = address.recorded
        self.parent = parent
        self.origin = origin
        self.time = time
    }

    /// The position right after the entry.
    public var position: JournalPosition { JournalPosition(version: version, id: id) }

    /// Whether the payload is an action to fold; in an erased entry, it is what is left of one.
    public var hasAction: Bool { kind == .action || (kind == .erased && !name.isEmpty) }

    /// A hash of the whole entry, which a journal stores beside it and compares when the entry is
    /// read again.
    ///
    /// It doesn't depend on other entries. Damage within eight consecutive bytes always changes it.
    ///
    /// - Complexity: O(size of the payload), about a nanosecond for every eight bytes.
    public var checksum: UInt64 {
        var sum = Checksum()
        sum.add(version)
        sum.add(id.high)
        sum.add(id.low)
        sum.add(UInt64(kind.rawValue))
        sum.add(epoch)
        sum.add(name)
        sum.add(UInt64(bitPattern: Int64(schema)))
        sum.add(payload)
        sum.add(address == .root ? "" : address.description)
        sum.add(parent ?? .max)
        sum.add(origin.file)
        sum.add(UInt64(bitPattern: Int64(origin.line)))
        sum.add(UInt64(bitPattern: time?.nanosecondsSince1970 ?? .min))
        return sum.value
    }

    /// Returns the same entry at another position.
    public func moved(to version: CommitVersion, parent: CommitVersion?) -> JournalEntry {
        JournalEntry(
            version: version, id: id, kind: kind, epoch: epoch, name: name, schema: schema,
            payload: payload, address: address, parent: parent, origin: origin, time: time)
    }

    /// Checks that the entry may replace another one, of which it erases something.
    package func checkErases(_ other: JournalEntry) throws(JournalError) {
        let isInstall = kind == .install && other.kind == .install
        guard kind == .erased || isInstall else {
            throw .notErasable(self, "it is of the kind \(kind.name)")
        }
        guard id == other.id else {
            throw .notErasable(self, "it has the id \(id), the journal's has \(other.id)")
        }
    }
}
