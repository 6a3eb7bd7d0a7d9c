// SPDX-License-Identifier: MIT

public import OnwardCore

// Problem: a value that is read must be able to notify Observation of its next change, but a value
// that is no longer read must cost commits nothing; and nothing says whether a reader tracks what
// it reads.
//
// Strategy: every read through a subscript arms a cell, which subscribes to the value. A change
// notifies everything that tracks the cell, once, on the actor of the reader. A change that comes
// before the next read finds no reader that could be waiting, and disarms the cell; the next read
// arms another one.

extension Engine {
    /// The values that are armed.
    func observed(_ locked: borrowing Locked) -> ObservedValues {
        attachment(ObservedValues.self, locked)
    }

    /// Reads a value on an actor for a reader that may track it; its cell is found again by `key`,
    /// and `subscribe` subscribes a cell to changes of the value.
    ///
    /// The value is that of the moment at which the cell notes the selection. A later value might
    /// never be notified: when commits are delivered as one, only the last value is.
    func observe<Value>(
        _ key: ObservedKey, on reader: (any Actor)?, _ getter: Getter<Value>,
        subscribe: (@escaping @Sendable () -> Void) -> Subscription
    ) -> Value {
        let (observed, seen) = noteSelection(key, on: reader, subscribe) { look(at: getter, $0) }
        defer { observed?.access() }
        return getter.value(of: seen)
    }

    /// The same for a value read by something else, which may see a later state.
    ///
    /// If it does, the value is read again; if others commit faster than that, the reader is asked
    /// to look once more.
    package func observe<Value>(
        _ key: ObservedKey, on reader: (any Actor)?, reading read: () -> Value,
        subscribe: (@escaping @Sendable () -> Void) -> Subscription
    ) -> Value {
        var attempts = 0
        while true {
            let (observed, seen) = noteSelection(key, on: reader, subscribe) { $0.version }
            observed?.access()
            let value = read()
            attempts += 1
            guard let observed, whole({ $0.version }) != seen else { return value }
            guard attempts == 8 else { continue }
            // Not here, where the reader is still collecting what it tracks.
            Task.detached { self.notify(observed, of: .max) }
            return value
        }
    }

    /// Notes that a value is read now; returns its cell, nil if nothing changes any more, and
    /// what `look` sees at the same moment.
    private func noteSelection<Seen>(
        _ key: ObservedKey, on reader: (any Actor)?,
        _ subscribe: (@escaping @Sendable () -> Void) -> Subscription,
        _ look: (borrowing Locked) -> Seen
    ) -> (ObservedValue?, Seen) {
        while true {
            var since: CommitVersion = 0
            let noted = reading { locked -> (ObservedValue?, Seen)? in
                since = locked.version
                let value = observed(locked).read(key, by: reader, locked)
                guard value != nil || locked.isClosed else { return nil }
                return (value, look(locked))
            }
            if let noted { return noted }
            let new = ObservedValue(key, reader: reader, since: since)
            // Called by the deliverer, even for a reader on an actor: a subscriber of an actor may
            // be given several changes as one, or none if they cancel each other, but the reader
            // may have seen the value between them.
            let token = subscribe { [unowned self] in changed(new) }
            arm(new, token, by: reader)
        }
    }

    /// Where a stored value is read.
    @usableFromInline
    func site(
        _ path: AnyKeyPath, from start: Int, _ kind: GroupKey.Kind, on reader: (any Actor)?
    ) -> ObservedSite {
        ObservedSite(path, from: start, kind, reader: reader)
    }

    /// Where a row of a stored table is read; `row` is the hash of its id.
    @usableFromInline
    func site(
        _ path: AnyKeyPath, from start: Int, row: Int, on reader: (any Actor)?
    ) -> ObservedSite {
        ObservedSite(path, from: start, .rows, row: row, reader: reader)
    }

    /// Notes that a stored value is read where it was read before and is still armed; nil
    /// elsewhere.
    ///
    /// - Complexity: one look-up by the identity of the key path.
    @usableFromInline
    func readObserved(
        at site: ObservedSite, on reader: (any Actor)?, _ locked: borrowing Locked
    ) -> ObservedValue? {
        observed(locked).read(at: site, by: reader, locked)
    }

    /// Makes the cell of a stored value findable by where it was read.
    func noteSite(
        _ site: ObservedSite, _ path: any AnyKeyPath & Sendable, of key: ObservedKey, offset: Int,
        row: ObservedRow? = nil
    ) {
        reading { observed($0).find(key, at: site, path, offset: offset, row: row, $0) }
    }

    private func arm(_ value: ObservedValue, _ token: Subscription, by reader: (any Actor)?) {
        let armed = reading { observed($0).arm(value, token, by: reader, $0) }
        guard let (evicted, replaced) = armed else { return token.cancel() }
        replaced?.token?.cancel()
        guard !evicted.isEmpty else { return }
        // Not here, where the reader may still be collecting what it tracks.
        Task.detached {
            for value in evicted {
                value.token?.cancel()
                self.notify(value, of: .max)
            }
        }
    }

    /// Takes note of a change of a value.
    private func changed(_ value: ObservedValue) {
        guard let frame = ThreadFrame.innermost(of: id) else { return }
        var token: Subscription?
        let hasReader = !value.isBound || value.reader != nil
        let mustNotify = withLock { locked in
            guard value.seen < frame.version else { return false }
            if hasReader, value.canNotify { return true }
            observed(locked).disarm(value, locked)
            token = value.token
            return false
        }
        token?.cancel()
        if mustNotify { notify(value, of: frame.version, frame) }
    }

    /// Makes sure that readers that read a value between commits that were notified together are
    /// notified.
    ///
    /// They are notified whenever there was a later commit, even if its value is the one they read.
    func notifyUncertain(_ value: ObservedValue, of version: CommitVersion) {
        guard withLock({ _ in value.canNotify && value.seen < version }) else { return }
        notify(value, of: version, ThreadFrame.innermost(of: id))
    }

    /// Makes sure that those that track a value are notified of its change in a version.
    private func notify(
        _ value: ObservedValue, of version: CommitVersion, _ frame: ThreadFrame? = nil
    ) {
        guard value.isBound else {
            if withLock({ _ in value.changed(in: version) && value.takeChange() }) {
                value.notify()
            }
            return
        }
        guard let reader = value.reader else { return }
        var mailbox: Mailbox?
        withLock { locked in
            if value.changed(in: version) { mailbox = self.mailbox(of: reader, locked) }
        }
        guard let mailbox else { return }
        call(on: mailbox, for: value.messenger, within: frame) { [self] in
            if withLock({ _ in value.takeChange() }) { value.notify() }
        }
    }
}
