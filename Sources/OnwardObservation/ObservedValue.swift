// SPDX-License-Identifier: MIT

public import Observation
package import OnwardCore

/// A value of a store that may be observed: a cell between the store and Observation.
///
/// `value` is the property that readers access and changes mutate; it stands for the store's value,
/// which stays in the store. Everything mutable belongs to the store's lock.
@usableFromInline
final class ObservedValue: Observable, @unchecked Sendable {
    let key: ObservedKey
    private let registrar = ObservationRegistrar()
    /// Whether the reader runs on an actor.
    let isBound: Bool
    /// The actor that the reader runs on.
    ///
    /// To be loaded by a caller that runs on it, never under a lock, where it may be the last
    /// reference to the actor.
    weak let reader: (any Actor)?
    /// In whose name the reader's actor is called; it subscribes to nothing.
    let messenger = Subscriber()
    /// The subscription that reports changes; set when the cell is armed.
    var token: Subscription?
    /// Where a stored value lies in the root state; set with its first site, never changed.
    @usableFromInline private(set) var offset = 0
    /// The row of a stored table; set with its first site, never changed.
    @usableFromInline private(set) var row: ObservedRow?
    /// What finds the cell of a stored value quickly, with the key paths whose identity that is.
    private(set) var sites: [(site: ObservedSite, path: any AnyKeyPath & Sendable)] = []
    /// The version in which it was first read since it notified of a change: no waiting reader has
    /// seen less, and one may have seen no more.
    private(set) var seen: CommitVersion
    /// The version in which it was last read.
    private var lastSeen: CommitVersion
    /// The turn of the last reading, among all readings of the store.
    private(set) var turn: UInt64 = 0
    /// Whether it was read since it notified of a change; otherwise no reader can be waiting.
    private var isRead = false
    /// The newest version in which it changed, while that is going to be notified.
    private var due: CommitVersion?
    /// Whether it was read between commits that are going to be notified together: its
    /// subscription's notification then shows nothing about what this reader saw.
    var isUncertain = false

    init(_ key: ObservedKey, reader: (any Actor)?, since version: CommitVersion) {
        self.key = key
        isBound = reader != nil
        self.reader = reader
        seen = version
        lastSeen = version
    }

    private var value: Void { () }

    /// Whether it will notify a reader, which the caller keeps alive, of the next change.
    func isArmed(for reader: (any Actor)?) -> Bool {
        token != nil && (!isBound || self.reader === reader)
    }

    /// Whether a reader may be waiting to be notified.
    var canNotify: Bool { isRead || due != nil }

    /// Notes a selection.
    func read(in version: CommitVersion, turn: UInt64) {
        if !isRead { seen = version }
        isRead = true
        lastSeen = version
        self.turn = turn
    }

    /// Adds a site that finds the cell; false when there are enough.
    func add(
        _ site: ObservedSite, _ path: any AnyKeyPath & Sendable, offset: Int, row: ObservedRow?
    ) -> Bool {
        guard sites.count < 4 else { return false }
        sites.append((site, path))
        (self.offset, self.row) = (offset, row)
        return true
    }

    /// Notes a change; true when it still has to be notified.
    func changed(in version: CommitVersion) -> Bool {
        defer { due = version }
        return due == nil
    }

    /// Takes the change that is to be notified; false when all readers that may be waiting have
    /// seen it.
    func takeChange() -> Bool {
        defer { due = nil }
        guard let due, seen < due else { return false }
        isRead = lastSeen >= due
        // Readers that read it no earlier than it changed may begin to wait only after the others
        // were notified, for a later change.
        if isRead { seen = due }
        return true
    }

    /// Notes that the current thread read the value, if it tracks what it reads.
    ///
    /// - Complexity: without tracking, a look at a thread-local variable.
    @usableFromInline
    func access() {
        registrar.access(self, keyPath: \.value)
    }

    /// Notifies those that track the value that it changed.
    func notify() {
        registrar.withMutation(of: self, keyPath: \.value) {}
    }
}

/// What distinguishes one observed value from another.
package struct ObservedKey: Hashable, Sendable {
    let source: GroupKey.Source
    let kind: GroupKey.Kind
    /// The actor that the reader runs on.
    let reader: ObjectIdentifier?

    package init(_ source: GroupKey.Source, _ kind: GroupKey.Kind, reader: (any Actor)?) {
        self.source = source
        self.kind = kind
        self.reader = reader.map { ObjectIdentifier($0) }
    }
}
