// SPDX-License-Identifier: MIT

public import OnwardCore

// Problem: a value that is read must be able to tell Observation of its next change, but a value that
// is no longer read must cost commits nothing; and nothing says whether a reader tracks what it
// reads.
//
// Strategy: every reading through a subscript arms a cell, which subscribes to the value. A change
// tells those who track the cell, once, on the actor of the reader. A change that comes before the
// next reading finds no reader that could be waiting, and disarms it; the next reading arms another
// one.

extension Engine {
    /// The values that are armed; under the lock.
    var observed: ObservedValues { attachment(ObservedValues.self) }

    /// Reads a value on an actor for a reader that may track it; its cell is found again by `key`,
    /// and `subscribe` subscribes a cell to changes of the value.
    ///
    /// The value is that of the moment at which the cell notes the reading. A later value might never
    /// be told: of commits that are told as one, only the last value is.
    func observe<Value>(
        _ key: ObservedKey, on reader: (any Actor)?, _ projection: Projection<Value>,
        subscribe: (@escaping @Sendable () -> Void) -> Subscription
    ) -> Value {
        let observed = beginObserving(key, on: reader, subscribe: subscribe)
        defer { observed?.access() }
        return finishReading(projection)
    }

    /// The same for a value that something else reads, which may take a later state.
    ///
    /// Then it is read again; where others commit faster than that, the reader is asked to look once
    /// more.
    package func observe<Value>(
        _ key: ObservedKey, on reader: (any Actor)?, reading read: () -> Value,
        subscribe: (@escaping @Sendable () -> Void) -> Subscription
    ) -> Value {
        var attempts = 0
        while true {
            let observed = beginObserving(key, on: reader, subscribe: subscribe)
            let seen = currentVersion
            lock.release()
            observed?.access()
            let value = read()
            attempts += 1
            guard let observed, whole({ currentVersion }) != seen else { return value }
            guard attempts == 8 else { continue }
            // Not here, where the reader is still collecting what it tracks.
            Task.detached { self.tell(observed, of: .max) }
            return value
        }
    }

    /// Notes that a value is read now, and takes the lock; returns its cell, nil where nothing changes
    /// any more.
    private func beginObserving(
        _ key: ObservedKey, on reader: (any Actor)?,
        subscribe: (@escaping @Sendable () -> Void) -> Subscription
    ) -> ObservedValue? {
        while true {
            lockForReading()
            if let value = observed.read(key, by: reader, in: currentVersion) { return value }
            if hasEnded { return nil }
            let since = currentVersion
            lock.release()
            let new = ObservedValue(key, reader: reader, since: since)
            // Called by the deliverer, even for a reader on an actor: a subscriber of an actor may be
            // told several changes as one, or none if they cancel each other, but the reader may have
            // seen the value between them.
            let token = subscribe { [unowned self] in changed(new) }
            arm(new, token, by: reader)
        }
    }

    /// Begins to read a stored value where it was read before and is still armed, and takes the lock;
    /// nil, without the lock, elsewhere.
    ///
    /// - Complexity: one look-up by the identity of the key path.
    @usableFromInline
    func beginObserved(
        _ path: AnyKeyPath, from start: Int, _ kind: GroupKey.Kind, on reader: (any Actor)?
    ) -> ObservedValue? {
        let site = ObservedSite(path, from: start, kind, reader: reader)
        lockForReading()
        if let value = observed.read(at: site, by: reader, in: currentVersion) { return value }
        lock.release()
        return nil
    }

    /// Has the cell of a stored value found by where it was read.
    func noteSite(
        _ site: ObservedSite, _ path: any AnyKeyPath & Sendable, of key: ObservedKey, offset: Int
    ) {
        lockForReading()
        observed.find(key, at: site, path, offset: offset)
        lock.release()
    }

    private func arm(_ value: ObservedValue, _ token: Subscription, by reader: (any Actor)?) {
        lockForReading()
        let armed = observed.arm(value, token, by: reader, in: currentVersion)
        lock.release()
        guard let (evicted, replaced) = armed else { return token.cancel() }
        replaced?.token?.cancel()
        guard !evicted.isEmpty else { return }
        // Not here, where the reader may still be collecting what it tracks.
        Task.detached {
            for value in evicted {
                value.token?.cancel()
                self.tell(value, of: .max)
            }
        }
    }

    /// Takes note of a change of a value.
    private func changed(_ value: ObservedValue) {
        guard let frame = ThreadFrame.innermost(of: id) else { return }
        var token: Subscription?
        let hasReader = !value.isBound || value.reader != nil
        let mustTell = lock.withLock {
            guard value.seen < frame.version else { return false }
            if hasReader, value.canTell { return true }
            observed.disarm(value)
            token = value.token
            return false
        }
        token?.cancel()
        if mustTell { tell(value, of: frame.version, frame) }
    }

    /// Makes sure that readers that read a value between commits that were told together are told.
    ///
    /// They are told whenever there was a later commit, although its value may be the one they read.
    func tellUncertain(_ value: ObservedValue, of version: Version) {
        guard lock.withLock({ value.canTell && value.seen < version }) else { return }
        tell(value, of: version, ThreadFrame.innermost(of: id))
    }

    /// Makes sure that those that track a value are told of its change in a version.
    private func tell(_ value: ObservedValue, of version: Version, _ frame: ThreadFrame? = nil) {
        guard value.isBound else {
            if lock.withLock({ value.changed(in: version) && value.takeChange() }) {
                value.notify()
            }
            return
        }
        guard let reader = value.reader else { return }
        var mailbox: Mailbox?
        lock.withLock {
            if value.changed(in: version) { mailbox = self.mailbox(of: reader) }
        }
        guard let mailbox else { return }
        call(on: mailbox, for: value.messenger, within: frame) { [self] in
            if lock.withLock({ value.takeChange() }) { value.notify() }
        }
    }
}
