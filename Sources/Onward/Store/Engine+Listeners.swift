// SPDX-License-Identifier: MIT

extension Engine {
    /// Reads a value of the state, computing outside the lock what has to be computed.
    func read<Value>(_ projection: Projection<Value>) -> Value {
        lockForReading()
        return finishReading(projection)
    }

    /// Reads a value of the state as it is now.
    ///
    /// Releases the lock.
    func finishReading<Value>(_ projection: Projection<Value>) -> Value {
        guard let derive = projection.derive else {
            defer { lock.release() }
            return projection.read(from: root)
        }
        let copy = ValueCopy(of: root, stateType)
        lock.release()
        return copy.withPointer(derive)
    }

    /// A copy of the state now, for who computes something from it.
    func copyRoot() -> RootCopy {
        lockForReading()
        defer { lock.release() }
        return rootCopy(isDelivery: false)
    }

    /// The first instance at a place that an address names; nil when there is none.
    func find<Slice>(at place: Place, _ address: Address) -> Slice? {
        lockForReading()
        let copy = ValueCopy(of: root, stateType)
        lock.release()
        return copy.withPointer { place.first(in: $0, address, as: Slice.self) }
    }

    /// Takes the lock; stops the program inside a reducer, where there is nothing whole to read.
    @usableFromInline
    func lockForReading() {
        guard enter(CurrentThread.id) else {
            preconditionFailure(Misuse.readInsideReducer(stateType.name).description)
        }
    }

    /// Reads something of the engine under the lock; stops the program inside a reducer.
    func whole<Value>(_ read: () -> Value) -> Value {
        lockForReading()
        defer { lock.release() }
        return read()
    }

    /// Runs another program from the next dispatch on.
    func replace(_ program: Program) {
        lockForReading()
        // Let go of after the lock: what closures refer to may use the store when it goes.
        let old = (self.program, passages.retire())
        self.program = program
        let watches = watchState()
        lock.release()
        withExtendedLifetime(old) {}
        for watch in watches.old { watch.end() }
        for watch in watches.new { watch.begin() }
    }

    /// The version, under the lock.
    @usableFromInline
    var currentVersion: Version { version }

    @usableFromInline
    func unlock() {
        lock.release()
    }

    /// Where the value of a projection without `derive` lies.
    ///
    /// Under the lock.
    @usableFromInline
    func address(at offset: Int) -> UnsafeRawPointer {
        UnsafeRawPointer(root + offset)
    }

    /// Registers a subscriber and reads its first value at one moment.
    @usableFromInline
    func subscribe(
        to selection: @autoclosure () -> Selection, of path: AnyKeyPath?, at site: GroupSite?,
        key: @autoclosure () -> GroupKey?, isSame: Change.IsSame?, _ options: Listening,
        _ subscriber: Subscriber
    ) -> Subscription {
        if options.actor != nil { sweepMailboxes() }
        lockForReading()
        var joined = joinable(path, at: site, key())
        var first: Captured?
        if joined == nil || options.initially {
            let selection = selection()
            let captured = capture(selection)
            // While the value was computed, someone else may have made the group.
            joined = joinable(path, at: site, key())
            first = captured
            if joined == nil {
                let group = ValueGroup(selection, key: key(), first: captured, isSame: isSame)
                index.add(group)
                joined = group
            }
        }
        guard let joined else { preconditionFailure("A subscriber without a group.") }
        // The key says of which kind the group is.
        let group = unsafeDowncast(joined, to: ValueGroup.self)
        seat(subscriber, in: group, options)
        group.add(subscriber)
        guard options.initially, let first else {
            lock.release()
            return Subscription(subscriber)
        }
        let read = selection()
        return start(subscriber, from: options.here) { read.value(of: first) }
    }

    /// Registers the subscriber of one row.
    ///
    /// `makeWatch` makes what watches the rows of the table behind the pointer, `watchRow` has it
    /// watch the subscriber's row too; both under the lock. `first` copies the row.
    @usableFromInline
    func subscribe(
        toRowOf selection: Selection, of path: AnyKeyPath?, at site: GroupSite?,
        key: @autoclosure () -> GroupKey?,
        isSame: Change.IsSame?, _ options: Listening,
        makeWatch: (UnsafeRawPointer) -> AnyTableWatch,
        watchRow: (AnyTableWatch, UnsafeRawPointer) -> Void,
        first: (UnsafeRawPointer) -> ValueCopy, _ subscriber: Subscriber
    ) -> Subscription {
        if options.actor != nil { sweepMailboxes() }
        lockForReading()
        let table = selection.value(of: capture(selection))
        let group: RowGroup
        if let existing = joinable(path, at: site, key()) {
            // The key says of which kind the group is.
            group = unsafeDowncast(existing, to: RowGroup.self)
        } else {
            group = RowGroup(selection, key: key(), table.withPointer(makeWatch), isSame: isSame)
            index.add(group)
        }
        seat(subscriber, in: group, options)
        table.withPointer { watchRow(group.watch, $0) }
        group.added()
        guard options.initially else {
            lock.release()
            return Subscription(subscriber)
        }
        let value = table.withPointer(first)
        return start(subscriber, from: options.here) { value }
    }

    private func seat(
        _ subscriber: Subscriber, in group: SelectionGroup, _ options: Listening
    ) {
        let mailbox = options.actor.map(mailbox(of:))
        subscriber.join(
            self, order: index.nextOrder(),
            starts: options.initially && mailbox == nil)
        subscriber.sit(in: group, mailbox, options.policy, self)
    }

    /// The group to join; nil when there is none, or when its members wait to hear of commits that
    /// a newcomer has seen already and that it could not leave out.
    private func joinable(
        _ path: AnyKeyPath?, at site: GroupSite?, _ key: @autoclosure () -> GroupKey?
    ) -> SelectionGroup? {
        let group =
            if let path, let site {
                index.group(of: path, at: site, key())
            } else {
                index.group(for: key())
            }
        guard let group, !group.isDirty else { return nil }
        return group
    }

    /// The value of a selection in the version that is current when this returns.
    ///
    /// Holds the lock at the beginning and at the end, not while it computes.
    private func capture(_ selection: Selection) -> Captured {
        guard selection.needsRoot else { return selection.capture(root, nil) }
        for _ in 0..<8 {
            let seen = version
            let copy = rootCopy(isDelivery: false)
            lock.release()
            let value = selection.value(of: .root(copy))
            lock.acquire(as: CurrentThread.id)
            if version == seen { return .value(value) }
        }
        // Others commit faster than the value is computed: keep the state instead.
        return .root(rootCopy(isDelivery: false))
    }

    /// A copy of the state as it is, for what is computed from it outside the lock.
    ///
    /// Under the lock. A delivery is the last to ask for its version; so is a reader when everything
    /// is told.
    func rootCopy(isDelivery: Bool) -> RootCopy {
        RootCopy(
            ValueCopy(of: root, stateType), version: version,
            horizon: isDelivery || outbox.isIdle ? version : 0, isDelivery: isDelivery)
    }

    /// Makes the first call of a subscriber that wants one.
    ///
    /// The call is announced under the lock at the moment of registering, so that no call of a later
    /// commit comes before it. Releases the lock.
    private func start(
        _ subscriber: Subscriber, from here: (any Actor)?,
        with value: @escaping @Sendable () -> ValueCopy
    ) -> Subscription {
        let call: @Sendable () -> Void = {
            let value = value()
            subscriber.letter(telling: Change(from: value, to: value))()
        }
        guard let mailbox = subscriber.mailbox else {
            callouts += 1
            lock.release()
            EffectJob.outside(call)
            if subscriber.endFirst() { callLater(subscriber) }
            endCallout()
            return Subscription(subscriber)
        }
        let letter = Mailbox.Letter(
            subscriber: subscriber, version: version, generation: 0, cause: nil, call: call)
        if mailbox.post(letter) { callouts += 1 }
        lock.release()
        mailbox.flush(self, from: here)
        return Subscription(subscriber)
    }

    /// The letters that wait for an actor, which the caller keeps alive.
    ///
    /// Under the lock.
    func mailbox(of actor: any Actor) -> Mailbox { mailboxes.mailbox(of: actor) }

    /// Drops the mailboxes of actors that are gone, when there may be many.
    ///
    /// - Complexity: O(1) amortised over the actors that came.
    func sweepMailboxes() {
        guard let all = lock.withLock({ mailboxes.inventory() }) else { return }
        let gone = all.filter { !$0.isAlive }
        lock.withLock { mailboxes.remove(gone) }
    }

    /// Registers an observer.
    func attach<O: CommitObserver>(_ observer: O) -> Subscription {
        let seat = ObserverSeat(observer, needs: observer.needs)
        lockForReading()
        seat.join(self, order: index.nextOrder())
        observers.append(seat)
        updateNeeds()
        lock.release()
        return Subscription(seat)
    }

    /// Takes a listener out.
    ///
    /// Cancelling is allowed inside a reducer too, where the lock is held and the lists are not in
    /// use.
    func remove(_ listener: Listener) {
        var rest: [Any?] = []
        leaveUnderLock { rest = listener.leave(self) }
        withExtendedLifetime(rest) {}
    }

    /// Runs `body` under the lock, which a thread inside a reducer holds already.
    func leaveUnderLock(_ body: () -> Void) {
        let thread = CurrentThread.id
        guard !lock.isOwned(by: thread) else { return body() }
        lock.acquire(as: thread)
        body()
        lock.release()
    }

    func updateNeeds() {
        needs = observers.reduce(into: []) { $0.formUnion($1.needs.union(.entries)) }
    }

    // MARK: Timeline

    /// Gives the seat to a timeline; false when another one has it.
    func attach(_ judge: TimelineJudge) -> Bool {
        lockForReading()
        let isFree = timeline == nil
        if isFree {
            timeline = judge
            timelineTurn += 1
        }
        lock.release()
        if !isFree { options.misuse(.secondTimeline(stateType.name)) }
        return isFree
    }

    func reconsider(_ judge: TimelineJudge) {
        lockForReading()
        if timeline === judge { timelineTurn += 1 }
        lock.release()
    }

    func remove(_ judge: TimelineJudge) {
        lockForReading()
        guard timeline === judge else { return lock.release() }
        timeline = nil
        timelineTurn += 1
        tellEffects(.resume, on: nil, CurrentThread.id)
    }
}

/// How a subscriber wants to be told.
@usableFromInline
struct Listening {
    /// Whether to call at once with the value at subscription.
    var initially: Bool
    var policy: DeliveryPolicy
    /// The actor on which the subscriber is called; nil for the thread that delivers.
    var actor: (any Actor)?
    /// The actor that the subscribing code runs on.
    var here: (any Actor)?

    @usableFromInline
    init(initially: Bool, policy: DeliveryPolicy, actor: (any Actor)?, here: (any Actor)?) {
        self.initially = initially
        self.policy = policy
        self.actor = actor
        self.here = here
    }
}
