// SPDX-License-Identifier: MIT

public import Onward

/// One action in a ``HistoryLog``.
public struct HistoryEntry: Sendable, Identifiable {
    /// The number of the entry, from 1; 0 stands for the state before the first one.
    ///
    /// It stays with the entry when entries are moved. Numbers begin again when the log is emptied.
    public private(set) var id: Int
    /// The action as it left the middleware chain.
    public let action: any Action
    /// The instance that the action is meant for.
    public let address: Address
    /// Where it was dispatched.
    public let origin: ActionOrigin
    /// When it was committed or withheld by the history; nil if it came from a file without times.
    public let time: Timestamp?
    /// The version of its commit; nil if the history withheld it, or if it came from a file.
    public let version: CommitVersion?
    /// What its reducers are given besides the action; nil if none asked for it.
    public let stamp: EntryStamp?

    /// Creates an entry, for logs from elsewhere.
    public init(
        id: Int, action: any Action, address: Address = .root,
        origin: ActionOrigin = ActionOrigin(),
        time: Timestamp? = nil, version: CommitVersion? = nil, stamp: EntryStamp? = nil
    ) {
        self.id = id
        self.action = action
        self.address = address
        self.origin = origin
        self.time = time
        self.version = version
        self.stamp = stamp
    }

    /// The entry in the form that `StoreLog.replay(_:from:)` expects.
    package var replayed: LogEntry {
        LogEntry(
            version: UInt64(id), action: action, address: address, origin: origin, time: time,
            stamp: stamp)
    }

    func numbered(_ id: Int) -> HistoryEntry {
        var entry = self
        entry.id = id
        return entry
    }
}
