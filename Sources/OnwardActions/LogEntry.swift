// SPDX-License-Identifier: MIT

/// One committed action, as recorded in the log.
public struct LogEntry: Sendable {
    /// What kind of commit an entry records.
    public enum Kind: Sendable, Hashable {
        /// Reducers handled the action.
        case action
        /// A gate installed a state; no reducer ran and ``LogEntry/action`` is ``Travel``.
        case travel
    }

    /// The number of the commit.
    public let version: CommitVersion
    /// Whether reducers ran or a state was installed.
    public let kind: Kind
    /// The action as it left the middleware chain.
    public let action: any Action
    /// The instance that handled it; empty for every instance.
    public let address: Address
    /// The entry during whose delivery the action was dispatched, or that started the work that
    /// dispatched it; nil if there was none.
    public let parent: CommitVersion?
    /// Where the action was dispatched.
    public let origin: ActionOrigin
    /// When it was committed; nil unless an observer asked with ``ObserverNeeds/time``.
    public let time: Timestamp?
    /// How long its reducers took; nil unless an observer asked with ``ObserverNeeds/duration``.
    public let duration: Duration?

    /// What its reducers were given besides the action; nil if none asked for it.
    public let stamp: EntryStamp?

    /// What a reducer gets that asks: what was recorded, or else what follows from its number and time.
    package var givenStamp: EntryStamp {
        stamp ?? EntryStamp(seed: version, time: time ?? Timestamp(nanosecondsSince1970: 0))
    }

    /// Makes an entry, for logs from elsewhere and for replay.
    public init(
        version: CommitVersion, kind: Kind = .action, action: any Action, address: Address = .root,
        parent: CommitVersion? = nil, origin: ActionOrigin = ActionOrigin(), time: Timestamp? = nil,
        duration: Duration? = nil, stamp: EntryStamp? = nil
    ) {
        self.version = version
        self.kind = kind
        self.action = action
        self.address = address
        self.parent = parent
        self.origin = origin
        self.time = time
        self.duration = duration
        self.stamp = stamp
    }
}
