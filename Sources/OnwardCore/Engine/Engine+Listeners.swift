// SPDX-License-Identifier: MIT

extension Engine {
    /// Reads a value of the state, computing outside the lock what has to be computed.
    package func read<Value>(_ getter: Getter<Value>) -> Value {
        getter.value(of: reading { look(at: getter, $0) })
    }

    /// Looks at the state for a value of it, which the getter makes of what is seen.
    package func look<Value>(
        at getter: Getter<Value>, _ locked: borrowing Locked
    ) -> Getter<Value>.Seen {
        getter.derive == nil
            ? .value(getter.read(from: locked.state.root)) : .state(locked.copyState())
    }

    /// A copy of the state now, to compute something from it.
    package func copyRoot() -> RootCopy { reading { rootCopy(isDelivery: false, $0) } }

    /// The first instance of a lens that an address names; nil when there is none.
    func find<Slice>(at lens: SliceLens, _ address: Address) -> Slice? {
        reading { $0.copyState() }.withPointer { lens.first(in: $0, address, as: Slice.self) }
    }

    /// Registers a subscriber and reads its first value at one moment.
    @usableFromInline
    package func subscribe(
        to getter: @autoclosure () -> AnyGetter, of path: AnyKeyPath?, at site: GroupSite?,
        key: @autoclosure () -> GroupKey?, isSame: Change.IsSame?, _ options: Listening,
        _ subscriber: Subscriber
    ) -> Subscription {
        if options.actor != nil, !isInsideReducer { sweepMailboxes() }
        let hasJoined = withLockUnlessReducing { locked in
            guard !options.initially, let group = group(path, at: site, key(), locked),
                !group.isDirty
            else { return false }
            // Others are there, and have seen what is there now: mostly nothing has to be read.
            register(subscriber, in: group, options, locked)
            // The key says of which kind the group is.
            unsafeDowncast(group, to: ValueGroup.self).add(subscriber, locked)
            return true
        }
        guard let hasJoined else { return .refused(subscriber) }
        if !hasJoined {
            subscribeLooking(
                at: getter(), of: path, at: site, key: key(), isSame: isSame, options, subscriber)
        }
        return Subscription(subscriber)
    }

    /// The same for a subscriber that has to see the value, for itself or for its group.
    @inline(never)
    private func subscribeLooking(
        at getter: AnyGetter, of path: AnyKeyPath?, at site: GroupSite?,
        key: @autoclosure () -> GroupKey?, isSame: Change.IsSame?, _ options: Listening,
        _ subscriber: Subscriber
    ) {
        // What was read is released after the lock: it may use the store when it goes.
        var seen = lookAhead(at: getter)
        let firstCall = withLock { locked -> FirstCall? in
            look(at: getter, &seen, locked)
            if seen.isLate { seen.keepRoot(rootCopy(isDelivery: false, locked)) }
            guard let value = seen.value else { preconditionFailure("A subscriber of nothing.") }
            let group: ValueGroup
            // While the value was computed, another thread may have made the group.
            let present = self.group(path, at: site, key(), locked)
            if let present, !present.isDirty {
                group = unsafeDowncast(present, to: ValueGroup.self)
            } else {
                group = ValueGroup(getter, key: key(), first: value, isSame: isSame)
                add(group, behind: present, locked)
            }
            register(subscriber, in: group, options, locked)
            group.add(subscriber, locked)
            guard options.initially else { return nil }
            return announce(firstOf: subscriber, locked) { getter.value(of: value) }
        }
        if let firstCall { make(firstCall, from: options.here) }
        withExtendedLifetime(seen) {}
    }

    /// Registers the subscriber of one row.
    ///
    /// `makeDetector` makes what watches the rows of the table behind the pointer, `addRow` has it
    /// watch the subscriber's row too. `first` copies the row.
    @usableFromInline
    package func subscribe(
        toRowOf getter: @autoclosure () -> AnyGetter, of path: AnyKeyPath?, at site: GroupSite?,
        key: @autoclosure () -> GroupKey?,
        isSame: Change.IsSame?, _ options: Listening,
        makeDetector: (UnsafeRawPointer) -> AnyRowChangeDetector,
        addRow: (AnyRowChangeDetector, _ table: UnsafeRawPointer, borrowing Locked) -> Void,
        first: (UnsafeRawPointer) -> ValueCopy, _ subscriber: Subscriber
    ) -> Subscription {
        if options.actor != nil, !isInsideReducer { sweepMailboxes() }
        var firstCall: FirstCall?
        let hasJoined = withLockUnlessReducing { locked in
            guard let group = group(path, at: site, key(), locked), !group.needsRoot,
                !group.isDirty
            else { return false }
            // Others are there: the table is looked at where it lies.
            let table = locked.address(at: group.ranges.first.lowerBound)
            register(subscriber, in: group, options, locked)
            // The key says of which kind the group is.
            let rows = unsafeDowncast(group, to: RowGroup.self)
            addRow(rows.detector, table, locked)
            rows.added(locked)
            if options.initially {
                let row = first(table)
                firstCall = announce(firstOf: subscriber, locked) { row }
            }
            return true
        }
        guard let hasJoined else { return .refused(subscriber) }
        if !hasJoined {
            subscribeLooking(
                toRowOf: getter(), of: path, at: site, key: key(), isSame: isSame, options,
                makeDetector: makeDetector, addRow: addRow, first: first, subscriber)
        } else if let firstCall {
            make(firstCall, from: options.here)
        }
        return Subscription(subscriber)
    }

    /// The same where the table is to be computed, or is not watched yet.
    @inline(never)
    private func subscribeLooking(
        toRowOf getter: AnyGetter, of path: AnyKeyPath?, at site: GroupSite?,
        key: @autoclosure () -> GroupKey?,
        isSame: Change.IsSame?, _ options: Listening,
        makeDetector: (UnsafeRawPointer) -> AnyRowChangeDetector,
        addRow: (AnyRowChangeDetector, _ table: UnsafeRawPointer, borrowing Locked) -> Void,
        first: (UnsafeRawPointer) -> ValueCopy, _ subscriber: Subscriber
    ) {
        // What was read is released after the lock: it may use the store when it goes.
        var seen = lookAhead(at: getter)
        var table: ValueCopy?
        defer { withExtendedLifetime((seen, table)) {} }
        let thread = CurrentThread.id
        var delivery: Delivery?
        let firstCall = withLock(as: thread) { locked -> FirstCall? in
            look(at: getter, &seen, locked)
            guard let value = seen.value else { preconditionFailure("A row of no table.") }
            let seenTable = getter.value(of: value)
            table = seenTable
            let present = self.group(path, at: site, key(), locked)
            let group: RowGroup
            if let present, !present.isDirty, !seen.isLate {
                group = unsafeDowncast(present, to: RowGroup.self)
            } else {
                group = RowGroup(
                    getter, key: key(), seenTable.withPointer(makeDetector), isSame: isSame)
                add(group, behind: present, locked)
            }
            register(subscriber, in: group, options, locked)
            seenTable.withPointer { addRow(group.detector, $0, locked) }
            group.added(locked)
            if seen.isLate {
                // What was committed since the table was computed is delivered as a change of it.
                let context = DeliveryContext(
                    version: locked.state.version, lastListener: locked.state.index.lastOrder)
                delivery = submit(Delivery(context, groups: [group]), thread, locked)
            }
            guard options.initially else { return nil }
            let row = seenTable.withPointer(first)
            return announce(firstOf: subscriber, locked) { row }
        }
        // What the subscriber is notified of waits for the end of its first call.
        deliver(delivery, on: options.here, thread)
        if let firstCall { make(firstCall, from: options.here) }
    }

    /// What a late subscriber has seen.
    private struct Seen {
        /// The value, or that from which it is computed.
        private(set) var value: Captured?
        /// The version of which the value was computed.
        private(set) var version: Version = 0
        /// Whether there were commits while the value was computed.
        var isLate = false
        /// Kept only to be released later.
        private var rest: [Captured] = []

        mutating func note(_ value: Captured, from root: RootCopy) {
            self.value = value
            version = root.version
            rest.append(.root(root))
        }

        mutating func note(_ value: Captured) { self.value = value }

        /// Takes a later state in place of the value.
        mutating func keepRoot(_ root: RootCopy) {
            var seen: ValueCopy?
            if case .value(let value) = value { seen = value }
            value = .root(root, orElse: seen)
        }
    }

    /// Computes the value of a selection, where the whole state is needed for that.
    private func lookAhead(at getter: AnyGetter) -> Seen {
        var seen = Seen()
        guard getter.needsRoot else { return seen }
        let copy = copyRoot()
        seen.note(.value(getter.value(of: .root(copy))), from: copy)
        return seen
    }

    /// Reads the value of a selection where it lies, or finds out whether what was computed is late.
    private func look(at getter: AnyGetter, _ seen: inout Seen, _ locked: borrowing Locked) {
        guard !getter.needsRoot else {
            return seen.isLate = seen.version != locked.state.version
        }
        var none: EmptyCopy?
        seen.note(getter.capture(locked.state.root, nil, in: &none))
    }

    func add(
        _ group: SubscriberGroup, behind earlier: SubscriberGroup?, _ locked: borrowing Locked
    ) {
        group.host = self
        locked.state.index.add(group, behind: earlier)
    }

    func register(
        _ subscriber: Subscriber, in group: SubscriberGroup, _ options: Listening,
        _ locked: borrowing Locked
    ) {
        var mailbox: Mailbox?
        if let actor = options.actor { mailbox = self.mailbox(of: actor, locked) }
        subscriber.join(
            order: locked.state.index.nextOrder(), starts: options.initially && mailbox == nil)
        subscriber.register(in: group, mailbox)
        if locked.state.metersSubscribers {
            subscriber.measure(SubscriberMeter(options.origin, since: locked.state.version))
        }
    }

    /// The group to join; nil when there is none.
    private func group(
        _ path: AnyKeyPath?, at site: GroupSite?, _ key: @autoclosure () -> GroupKey?,
        _ locked: borrowing Locked
    ) -> SubscriberGroup? {
        let index = locked.state.index
        guard let path, let site else { return index.group(for: key()) }
        return index.group(of: path, at: site, key())
    }

    /// A copy of the state as it is, for what is computed from it outside the lock.
    ///
    /// A delivery is the last to ask for its version; so is a reader when everything is notified.
    func rootCopy(isDelivery: Bool, _ locked: borrowing Locked) -> RootCopy {
        let version = locked.state.version
        return RootCopy(
            locked.copyState(), version: version,
            horizon: isDelivery || locked.state.deliveryQueue.isIdle ? version : 0,
            isDelivery: isDelivery)
    }

    /// The first call of a subscriber that wants one.
    struct FirstCall {
        let subscriber: Subscriber
        let call: @Sendable () -> Void
    }

    /// Announces the first call of a subscriber at the moment of registering, so that no call of a later commit
    /// comes before it.
    func announce(
        firstOf subscriber: Subscriber, _ locked: borrowing Locked,
        with value: @escaping @Sendable () -> ValueCopy
    ) -> FirstCall {
        let call: @Sendable () -> Void = { subscriber.callFirst(with: value()) }
        if let mailbox = subscriber.mailbox {
            let actorCall = ActorCall(
                subscriber: subscriber, version: locked.state.version, generation: 0, chain: nil,
                content: .closure(call))
            // A call of a closure replaces none.
            var none: ActorCall?
            post(actorCall, to: mailbox, replacing: &none, locked)
        } else {
            locked.state.callbacksInProgress += 1
        }
        return FirstCall(subscriber: subscriber, call: call)
    }

    /// Makes a first call that was announced, or sees to it that the subscriber's actor does.
    func make(_ first: FirstCall, from here: (any Actor)?) {
        if let mailbox = first.subscriber.mailbox { return mailbox.flush(self, from: here) }
        TaskPermit.withNone(first.call)
        if first.subscriber.endFirst() { callLater(first.subscriber) }
        endCallback()
    }

    /// The calls that wait for an actor, which the caller keeps alive.
    package func mailbox(of actor: any Actor, _ locked: borrowing Locked) -> Mailbox {
        locked.state.mailboxes.mailbox(of: actor)
    }

    /// Drops the mailboxes of actors that are gone, when there may be many.
    ///
    /// - Complexity: O(1) amortised over the actors that came.
    func sweepMailboxes() {
        guard let all = withLock({ $0.state.mailboxes.inventory() }) else { return }
        let gone = all.filter { !$0.isAlive }
        withLock { $0.state.mailboxes.remove(gone) }
    }

    package func index(_ locked: borrowing Locked) -> SubscriptionIndex { locked.state.index }

    /// Takes a listener out.
    ///
    /// Cancelling is allowed inside a reducer too, where the lock is held and the lists are not in
    /// use.
    package func remove(_ listener: Listener) {
        withExtendedLifetime(takeOut(listener)) {}
        listener.hasLeft()
    }

    /// Takes a listener out; returns what is to be released outside the lock.
    package func takeOut(_ listener: Listener) -> [Any?] {
        withLockAnywhere { listener.leave(self, $0) }
    }
}

/// How a subscriber wants to be notified.
@usableFromInline
package struct Listening {
    /// Whether to call at once with the value at subscription.
    var initially: Bool
    /// The actor on which the subscriber is called; nil for the thread that delivers.
    var actor: (any Actor)?
    /// The actor that the subscribing code runs on.
    var here: (any Actor)?
    /// Where it subscribes; nil for what the library subscribes itself.
    var origin: Origin?

    @usableFromInline
    package init(
        initially: Bool, actor: (any Actor)?, here: (any Actor)?, origin: Origin? = nil
    ) {
        self.initially = initially
        self.actor = actor
        self.here = here
        self.origin = origin
    }
}
