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

    // MARK: Subscribing to a value

    /// Registers a subscriber and reads its first value at one moment.
    @usableFromInline
    package func subscribe(
        to getter: @autoclosure () -> AnyGetter, of path: AnyKeyPath?, at site: GroupSite?,
        key: @autoclosure () -> GroupKey?, isSame: Change.IsSame?, _ options: Listening,
        _ subscriber: Subscriber
    ) -> Subscription {
        if options.actor != nil, !isInsideReducer { sweepMailboxes() }
        let hasJoined = withLockUnlessReducing(as: .subscribe) { locked in
            guard options.isPlain, let group = group(path, at: site, key(), locked), group.isQuiet
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
    ///
    /// A first call is made before the subscriber joins, which it does with what it was given.
    @inline(never)
    private func subscribeLooking(
        at getter: AnyGetter, of path: AnyKeyPath?, at site: GroupSite?,
        key: @autoclosure () -> GroupKey?, isSame: Change.IsSame?, _ options: Listening,
        _ subscriber: Subscriber
    ) {
        // What was read is released after the lock: it may use the store when it goes.
        var seen = Seen()
        if getter.needsRoot || options.initially { look(at: getter, &seen) }
        let first = beginFirstCall(of: subscriber, options, with: seen.valueCopy)
        finish(first, of: subscriber, options) { locked in
            if seen.captured == nil { seen.note(getter.copy(in: locked.state.root), in: locked) }
            let isBehind = seen.version != locked.state.version
            // Without a first call, what is there now counts as seen.
            if isBehind, !options.initially {
                seen.keep(rootCopy(isDelivery: false, locked))
            }
            guard let value = seen.captured else { preconditionFailure("A subscriber of nothing.") }
            // Those before it know an older value than what it was given.
            let behind = isBehind && options.initially
            if options.every == nil, let present = group(path, at: site, key(), locked) {
                let group = unsafeDowncast(present, to: ValueGroup.self)
                register(subscriber, in: group, options, locked)
                if group.isQuiet, !behind {
                    group.add(subscriber, locked)
                } else {
                    group.add(subscriber, seeing: value, locked)
                }
                return behind ? group : nil
            }
            if let every = options.every {
                let group = EveryCommitGroup(
                    getter, first: value, isSame: isSame, every, subscriber)
                add(group, locked)
                register(subscriber, in: group, options, locked)
                return behind ? group : nil
            }
            let group = ValueGroup(getter, key: key(), first: value, isSame: isSame)
            add(group, locked)
            register(subscriber, in: group, options, locked)
            group.add(subscriber, locked)
            return behind ? group : nil
        }
        withExtendedLifetime(seen) {}
    }

    // MARK: Subscribing to a row

    /// Registers the subscriber of one row.
    ///
    /// `makeDetector` makes what watches the rows of the table behind the pointer, `addRow` has it
    /// watch the subscriber's row too. `first` copies the row, and has the subscriber know it.
    @usableFromInline
    package func subscribe(
        toRowOf getter: @autoclosure () -> AnyGetter, of path: AnyKeyPath?, at site: GroupSite?,
        key: @autoclosure () -> GroupKey?,
        isSame: Change.IsSame?, _ options: Listening,
        makeDetector: (UnsafeRawPointer) -> AnyRowChangeDetector,
        addRow: (AnyRowChangeDetector, _ table: UnsafeRawPointer, RowJoining, borrowing Locked) ->
            Void,
        first: (UnsafeRawPointer) -> ValueCopy, _ subscriber: Subscriber
    ) -> Subscription {
        if options.actor != nil, !isInsideReducer { sweepMailboxes() }
        let hasJoined = withLockUnlessReducing(as: .subscribe) { locked in
            guard options.isPlain, let group = group(path, at: site, key(), locked),
                !group.needsRoot, group.isQuiet
            else { return false }
            // Others are there: the table is looked at where it lies.
            let table = locked.address(at: group.ranges.first.lowerBound)
            register(subscriber, in: group, options, locked)
            // The key says of which kind the group is.
            let rows = unsafeDowncast(group, to: RowGroup.self)
            addRow(rows.detector, table, .knowingAll, locked)
            rows.added(isLate: false, locked)
            return true
        }
        guard let hasJoined else { return .refused(subscriber) }
        if !hasJoined {
            subscribeLooking(
                toRowOf: getter(), of: path, at: site, key: key(), isSame: isSame, options,
                makeDetector: makeDetector, addRow: addRow, first: first, subscriber)
        }
        return Subscription(subscriber)
    }

    /// The same where the table is to be computed, or is not watched yet, or with a first call.
    @inline(never)
    private func subscribeLooking(
        toRowOf getter: AnyGetter, of path: AnyKeyPath?, at site: GroupSite?,
        key: @autoclosure () -> GroupKey?,
        isSame: Change.IsSame?, _ options: Listening,
        makeDetector: (UnsafeRawPointer) -> AnyRowChangeDetector,
        addRow: (AnyRowChangeDetector, _ table: UnsafeRawPointer, RowJoining, borrowing Locked) ->
            Void,
        first: (UnsafeRawPointer) -> ValueCopy, _ subscriber: Subscriber
    ) {
        // What was read is released after the lock: it may use the store when it goes.
        var seen = Seen()
        if getter.needsRoot { look(at: getter, &seen) }
        var row: ValueCopy?
        if options.initially {
            if let table = seen.valueCopy {
                row = table.withPointer(first)
            } else {
                row = reading { locked in
                    seen.version = locked.state.version
                    return first(getter.address(in: locked.state.root))
                }
            }
        }
        let call = beginFirstCall(of: subscriber, options, with: row)
        finish(call, of: subscriber, options) { locked in
            let isComputed = getter.needsRoot
            let isBehind =
                (isComputed || options.initially) && seen.version != locked.state.version
            let computed = seen.valueCopy
            let stored = getter.address(in: locked.state.root)
            func withTable<R>(_ body: (UnsafeRawPointer) -> R) -> R {
                computed.map { $0.withPointer(body) } ?? body(stored)
            }
            let group: RowGroup
            var knowsAll = !isBehind
            if let present = self.group(path, at: site, key(), locked) {
                group = unsafeDowncast(present, to: RowGroup.self)
                knowsAll = knowsAll && group.isQuiet
            } else {
                group = RowGroup(getter, key: key(), withTable(makeDetector), isSame: isSame)
                add(group, locked)
                // It begins with the table that was computed.
                knowsAll = knowsAll || isComputed
            }
            register(subscriber, in: group, options, locked)
            let joining: RowJoining =
                knowsAll ? .knowingAll : options.initially ? .knowingItsRow : .late
            if let computed {
                computed.withPointer { addRow(group.detector, $0, joining, locked) }
            } else {
                addRow(group.detector, stored, joining, locked)
            }
            group.added(isLate: !knowsAll, locked)
            return isBehind ? group : nil
        }
        withExtendedLifetime((seen, row)) {}
    }

    // MARK: Subscribing to instances

    /// Registers a subscriber that is called when a reader has found changed instances, at first
    /// with those that there are.
    package func subscribe(
        to reader: some InstanceReader, in range: Range<Int>, _ subscriber: Subscriber
    ) -> Subscription {
        let options = Listening(initially: true, actor: nil, here: nil)
        let group = InstanceGroup(of: range, reader, subscriber)
        let seen = withLockUnlessReducing(as: .subscribe) { locked in
            reader.look(at: locked.state.root, locked)
            return locked.state.version
        }
        guard let seen else { return .refused(subscriber) }
        let first = beginFirstCall(of: subscriber, options, with: group.nothing)
        finish(first, of: subscriber, options) { locked in
            add(group, locked)
            register(subscriber, in: group, options, locked)
            return seen == locked.state.version ? nil : group
        }
        return Subscription(subscriber)
    }

    // MARK: First calls

    /// What a subscriber has seen before it joined.
    private struct Seen {
        /// The value, or that from which it is computed.
        private(set) var captured: Captured?
        /// The version of which it is.
        var version: CommitVersion = 0
        /// The value, where it was read or computed.
        private(set) var valueCopy: ValueCopy?
        /// Kept only to be released later.
        private var rest: RootCopy?

        mutating func note(_ value: ValueCopy, of root: RootCopy? = nil, in version: CommitVersion)
        {
            (captured, valueCopy, rest) = (.value(value), value, root)
            self.version = version
        }

        mutating func note(_ value: ValueCopy, in locked: borrowing Locked) {
            note(value, in: locked.state.version)
        }

        /// Takes a later state in place of the value.
        mutating func keep(_ root: RootCopy) {
            captured = .root(root, orElse: valueCopy)
        }
    }

    /// Reads the value of a selection; what has to be computed is computed outside the lock.
    private func look(at getter: AnyGetter, _ seen: inout Seen) {
        guard getter.needsRoot else {
            return reading { seen.note(getter.copy(in: $0.state.root), in: $0) }
        }
        let copy = copyRoot()
        seen.note(getter.value(of: .root(copy)), of: copy, in: copy.version)
    }

    /// Makes the first call of a subscriber that wants one, where this thread may; returns the change that the
    /// subscriber's actor is to be notified of otherwise.
    private func beginFirstCall(
        of subscriber: Subscriber, _ options: Listening, with value: ValueCopy?
    ) -> Change? {
        guard options.initially, let value else { return nil }
        let metersFrom = withLock { locked -> CommitVersion? in
            // Until it has joined, the store is not at rest.
            locked.state.callbacksInProgress += 1
            return locked.state.metersSubscribers ? locked.state.version : nil
        }
        if let metersFrom { subscriber.measure(SubscriberMeter(options.origin, since: metersFrom)) }
        guard let change = subscriber.notified(of: Change(from: value, to: value)) else {
            return nil
        }
        if let actor = options.actor, !Mailbox.isCurrent(actor, from: options.here) {
            return change
        }
        TaskPermit.withNone { subscriber.pass(change) }
        return nil
    }

    /// Has a subscriber join, after its first call; `join` returns the group if there were commits since what the
    /// subscriber has seen.
    private func finish(
        _ first: Change?, of subscriber: Subscriber, _ options: Listening,
        _ join: (borrowing Locked) -> SubscriberGroup?
    ) {
        let thread = CurrentThread.id
        let outer = options.initially ? ThreadFrame.place(of: id) : nil
        var isMine = false
        var work: DeferredWork?
        withLock(as: thread) { locked in
            let version = locked.state.version
            if let behind = join(locked) {
                // What it is notified of may be its own answer to the first call.
                let context = DeliveryContext(
                    version: version, generation: (outer?.frame.generation ?? -1) + 1,
                    chain: outer?.frame.chain)
                isMine = submit([behind], [], context, thread, locked)
            }
            if let first, let mailbox = subscriber.mailbox {
                _ = post(
                    SingleCall(first, to: subscriber, isFirst: true), to: mailbox,
                    DeliveryContext(version: version), isHere: false, &work, locked)
            }
            guard options.initially else { return }
            locked.state.callbacksInProgress -= 1
            if let idlers = takeIdlers(locked) { DeferredWork.add(idlers, to: &work) }
        }
        work?.finish(self)
        if isMine { makeRounds(on: options.here, thread) }
    }

    // MARK: Groups and mailboxes

    private func add(_ group: SubscriberGroup, _ locked: borrowing Locked) {
        group.host = self
        locked.state.index.add(group)
    }

    private func register(
        _ subscriber: Subscriber, in group: SubscriberGroup, _ options: Listening,
        _ locked: borrowing Locked
    ) {
        var mailbox: Mailbox?
        if let actor = options.actor { mailbox = self.mailbox(of: actor, locked) }
        subscriber.register(in: group, order: locked.state.index.nextOrder(), mailbox)
        if locked.state.metersSubscribers, subscriber.meter == nil {
            subscriber.measure(SubscriberMeter(options.origin, since: locked.state.version))
        }
        subscriber.meter?.join(group, locked)
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
    /// A round is the last to ask for its version; so is a reader where no round is being made.
    func rootCopy(isDelivery: Bool, _ locked: borrowing Locked) -> RootCopy {
        let version = locked.state.version
        return RootCopy(
            locked.copyState(), version: version,
            horizon: isDelivery || !locked.state.turn.isHeld ? version : 0,
            isDelivery: isDelivery)
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
    var origin: ActionOrigin?
    /// How many commits may wait for a subscriber that is notified of every one; nil for one that is notified of the
    /// latest.
    @usableFromInline package var every: EveryCommit?

    /// Whether nothing has to be read for it.
    var isPlain: Bool { !initially && every == nil }

    @usableFromInline
    package init(
        initially: Bool, actor: (any Actor)?, here: (any Actor)?, origin: ActionOrigin? = nil,
        every: EveryCommit? = nil
    ) {
        self.every = every
        self.initially = initially
        self.actor = actor
        self.here = here
        self.origin = origin
    }
}

/// What the subscriber of a row knows when it joins.
@usableFromInline
package enum RowJoining {
    /// The same table as the others.
    case knowingAll
    /// A table that may be another one than theirs.
    case late
    /// Its row only, which may be of another table.
    case knowingItsRow
}
