// SPDX-License-Identifier: MIT

extension Engine {
    /// Reads a value of the state, computing outside the lock what has to be computed.
    package func read<Value>(_ projection: Projection<Value>) -> Value {
        lockForReading()
        return finishReading(projection)
    }

    /// Reads a value of the state as it is now.
    ///
    /// Releases the lock.
    package func finishReading<Value>(_ projection: Projection<Value>) -> Value {
        guard let derive = projection.derive else {
            defer { lock.release() }
            return projection.read(from: root)
        }
        let copy = ValueCopy(of: root, stateType)
        lock.release()
        return copy.withPointer(derive)
    }

    /// A copy of the state now, to compute something from it.
    package func copyRoot() -> RootCopy {
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

    /// Takes the lock; stops the program inside a reducer, where there is no whole state to read.
    @usableFromInline
    package func lockForReading() {
        guard enter(CurrentThread.id) else {
            preconditionFailure(Misuse.readInsideReducer(stateType.name).description)
        }
    }

    /// Reads something of the engine, not of the state, under the lock.
    ///
    /// Inside a reducer it is a mistake too, but not one that has no answer.
    package func whole<Value>(_ read: () -> Value) -> Value {
        guard enter(CurrentThread.id) else { return read() }
        defer { lock.release() }
        return read()
    }

    /// Runs reducers on a state that is not the store's; what they dispatch is refused.
    func replay<State>(_ entries: some Sequence<Entry>, from state: State) -> State {
        var state = state
        func run(_ program: Program) {
            withUnsafeMutablePointer(to: &state) { pointer in
                for entry in entries where entry.kind == .action {
                    program.reduce(
                        UnsafeMutableRawPointer(pointer), entry.action, to: entry.address)
                }
            }
        }
        if enter(CurrentThread.id) {
            let program = program
            callouts += 1
            lock.release()
            defer { endCallout() }
            ThreadFrame.push(engine: id, cause: nil, kind: .replay) { run(program) }
        } else {
            run(program)
        }
        return state
    }

    /// Runs another program from the next dispatch on.
    func replace(_ program: Program) {
        guard enter(CurrentThread.id) else { return }
        // Let go of after the lock: what closures refer to may use the store when it goes.
        let old = self.program
        self.program = program
        let following = followProgram()
        lock.release()
        withExtendedLifetime(old) {}
        for follow in following { follow() }
    }

    /// The version, under the lock.
    ///
    /// Other modules ask for it here: a property that they could reach themselves is checked for
    /// exclusive access, which takes 80 instructions of each commit.
    @usableFromInline
    package var currentVersion: Version { version }

    /// Whether the store has ended; under the lock.
    package var hasEnded: Bool { isClosed }

    @usableFromInline
    package func unlock() {
        lock.release()
    }

    /// Where the value of a projection without `derive` lies.
    ///
    /// Under the lock.
    @usableFromInline
    package func address(at offset: Int) -> UnsafeRawPointer {
        UnsafeRawPointer(root + offset)
    }

    /// Registers a subscriber and reads its first value at one moment.
    @usableFromInline
    package func subscribe(
        to selection: @autoclosure () -> Selection, of path: AnyKeyPath?, at site: GroupSite?,
        key: @autoclosure () -> GroupKey?, isSame: Change.IsSame?, _ options: Listening,
        _ subscriber: Subscriber
    ) -> Subscription {
        if options.actor != nil, !lock.isOwned(by: CurrentThread.id) { sweepMailboxes() }
        guard enter(CurrentThread.id) else { return .refused(subscriber) }
        guard !options.initially, let group = group(path, at: site, key()), !group.isDirty else {
            return subscribeLooking(
                at: selection(), of: path, at: site, key: key(), isSame: isSame, options,
                subscriber)
        }
        // Others are there, and have seen what is there now: mostly nothing has to be read.
        seat(subscriber, in: group, options)
        // The key says of which kind the group is.
        unsafeDowncast(group, to: ValueGroup.self).add(subscriber)
        lock.release()
        return Subscription(subscriber)
    }

    /// The same for one who has to see the value, for itself or for its group.
    ///
    /// Releases the lock.
    @inline(never)
    private func subscribeLooking(
        at selection: Selection, of path: AnyKeyPath?, at site: GroupSite?,
        key: @autoclosure () -> GroupKey?, isSame: Change.IsSame?, _ options: Listening,
        _ subscriber: Subscriber
    ) -> Subscription {
        var seen = Seen()
        // What was read is let go of after the lock: it may use the store when it goes.
        defer { withExtendedLifetime(seen) {} }
        look(at: selection, &seen)
        if seen.isLate { seen.keepRoot(rootCopy(isDelivery: false)) }
        let group: ValueGroup
        // While the value was computed, someone else may have made the group.
        if let joined = self.group(path, at: site, key()) {
            group = unsafeDowncast(joined, to: ValueGroup.self)
            if let value = seen.value, group.isAhead(in: version) {
                group.expect(value, in: version, after: index.lastOrder)
            }
        } else {
            guard let value = seen.value else { preconditionFailure("A group of nothing.") }
            group = ValueGroup(selection, key: key(), first: value, isSame: isSame)
            add(group)
        }
        seat(subscriber, in: group, options)
        group.add(subscriber)
        guard options.initially, let first = seen.value else {
            lock.release()
            return Subscription(subscriber)
        }
        return start(subscriber, from: options.here) { selection.value(of: first) }
    }

    /// Registers the subscriber of one row.
    ///
    /// `makeWatch` makes what watches the rows of the table behind the pointer, `watchRow` has it
    /// watch the subscriber's row too; both under the lock. `first` copies the row.
    @usableFromInline
    package func subscribe(
        toRowOf selection: @autoclosure () -> Selection, of path: AnyKeyPath?, at site: GroupSite?,
        key: @autoclosure () -> GroupKey?,
        isSame: Change.IsSame?, _ options: Listening,
        makeWatch: (UnsafeRawPointer) -> AnyTableWatch,
        watchRow: (_ watch: AnyTableWatch, _ table: UnsafeRawPointer, _ isAhead: Bool) -> Void,
        first: (UnsafeRawPointer) -> ValueCopy, _ subscriber: Subscriber
    ) -> Subscription {
        if options.actor != nil, !lock.isOwned(by: CurrentThread.id) { sweepMailboxes() }
        guard enter(CurrentThread.id) else { return .refused(subscriber) }
        guard let group = group(path, at: site, key()), !group.needsRoot else {
            return subscribeLooking(
                toRowOf: selection(), of: path, at: site, key: key(), isSame: isSame, options,
                makeWatch: makeWatch, watchRow: watchRow, first: first, subscriber)
        }
        // Others are there: the table is looked at where it lies.
        let table = address(at: group.ranges.first.lowerBound)
        seat(subscriber, in: group, options)
        // The key says of which kind the group is.
        let rows = unsafeDowncast(group, to: RowGroup.self)
        watchRow(rows.watch, table, rows.isDirty)
        rows.added(subscriber, isAhead: rows.isDirty)
        guard options.initially else {
            lock.release()
            return Subscription(subscriber)
        }
        let row = first(table)
        return start(subscriber, from: options.here) { row }
    }

    /// The same where the table is to be computed, or nobody watches it yet.
    ///
    /// Releases the lock.
    @inline(never)
    private func subscribeLooking(
        toRowOf selection: Selection, of path: AnyKeyPath?, at site: GroupSite?,
        key: @autoclosure () -> GroupKey?,
        isSame: Change.IsSame?, _ options: Listening,
        makeWatch: (UnsafeRawPointer) -> AnyTableWatch,
        watchRow: (_ watch: AnyTableWatch, _ table: UnsafeRawPointer, _ isAhead: Bool) -> Void,
        first: (UnsafeRawPointer) -> ValueCopy, _ subscriber: Subscriber
    ) -> Subscription {
        var seen = Seen()
        look(at: selection, &seen)
        guard let value = seen.value else { preconditionFailure("A row of no table.") }
        let table = selection.value(of: value)
        // What was read is let go of after the lock: it may use the store when it goes.
        defer { withExtendedLifetime((seen, table)) {} }
        let joined = group(path, at: site, key())
        let group: RowGroup
        if let joined {
            group = unsafeDowncast(joined, to: RowGroup.self)
        } else {
            group = RowGroup(selection, key: key(), table.withPointer(makeWatch), isSame: isSame)
            add(group)
        }
        seat(subscriber, in: group, options)
        let isAhead = joined != nil && (group.isDirty || seen.isLate)
        table.withPointer { watchRow(group.watch, $0, isAhead) }
        group.added(subscriber, isAhead: isAhead)
        var rest: Cause?
        // What was committed since the table was computed is told as a change of it.
        if seen.isLate {
            rest = enqueue(
                Delivery(
                    DeliveryContext(version: version, lastListener: index.lastOrder),
                    groups: [group]))
        }
        defer { withExtendedLifetime(rest) {} }
        guard options.initially else {
            deliver(upTo: version, on: options.here, CurrentThread.id)
            return Subscription(subscriber)
        }
        let row = table.withPointer(first)
        let token = start(subscriber, from: options.here) { row }
        if seen.isLate { deliverWhatIsDue(on: options.here) }
        return token
    }

    /// What someone who comes has seen.
    private struct Seen {
        /// The value, or that from which it is computed.
        private(set) var value: Captured?
        /// Whether there were commits while the value was computed.
        var isLate = false
        /// Kept only to be let go of later.
        private var rest: [Captured] = []

        mutating func note(_ value: Captured, from root: RootCopy) {
            self.value = value
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

    /// Reads the value of a selection.
    ///
    /// Holds the lock at the beginning and at the end, not while it computes.
    private func look(at selection: Selection, _ seen: inout Seen) {
        guard selection.needsRoot else {
            var none: EmptyCopy?
            return seen.note(selection.capture(root, nil, in: &none))
        }
        let version = version
        let copy = rootCopy(isDelivery: false)
        lock.release()
        seen.note(.value(selection.value(of: .root(copy))), from: copy)
        lock.acquire(as: CurrentThread.id)
        seen.isLate = self.version != version
    }

    private func add(_ group: SelectionGroup) {
        group.engine = self
        index.add(group)
    }

    private func seat(
        _ subscriber: Subscriber, in group: SelectionGroup, _ options: Listening
    ) {
        let mailbox = options.actor.map(mailbox(of:))
        subscriber.join(
            order: index.nextOrder(), starts: options.initially && mailbox == nil)
        subscriber.sit(in: group, mailbox, options.policy, self)
    }

    /// The group to join; nil when there is none.
    private func group(
        _ path: AnyKeyPath?, at site: GroupSite?, _ key: @autoclosure () -> GroupKey?
    ) -> SelectionGroup? {
        guard let path, let site else { return index.group(for: key()) }
        return index.group(of: path, at: site, key())
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
            subscriber.callFirst(with: value())
        }
        guard let mailbox = subscriber.mailbox else {
            callouts += 1
            lock.release()
            TaskPermit.withNone(call)
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
    package func mailbox(of actor: any Actor) -> Mailbox { mailboxes.mailbox(of: actor) }

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
        guard enter(CurrentThread.id) else { return .refused(seat) }
        seat.join(order: index.nextOrder())
        seat.sit(in: self)
        lock.release()
        return Subscription(seat)
    }

    /// Takes a listener out.
    ///
    /// Cancelling is allowed inside a reducer too, where the lock is held and the lists are not in
    /// use.
    func remove(_ listener: Listener) {
        withExtendedLifetime(takeOut(listener)) {}
        listener.hasLeft()
    }

    /// Takes a listener out; returns what is to be let go of outside the lock.
    func takeOut(_ listener: Listener) -> [Any?] {
        var rest: [Any?] = []
        leaveUnderLock { rest = listener.leave(self) }
        return rest
    }

    /// Whether the current thread is inside a reducer of this store.
    var isInsideReducer: Bool { lock.isOwned(by: CurrentThread.id) }

    /// Runs `body` under the lock, which a thread inside a reducer holds already.
    package func leaveUnderLock<Result>(_ body: () -> Result) -> Result {
        let thread = CurrentThread.id
        guard !lock.isOwned(by: thread) else { return body() }
        lock.acquire(as: thread)
        defer { lock.release() }
        return body()
    }

    func updateNeeds() {
        needs = observers.needs
    }

    // MARK: Timeline

    /// Has a timeline asked from the next action on, behind those that came before it.
    func attach(_ judge: TimelineJudge) {
        guard enter(CurrentThread.id) else { return }
        timelines.add(judge)
        lock.release()
    }

    func reconsider(_ judge: TimelineJudge) {
        guard enter(CurrentThread.id) else { return }
        timelines.reconsider(judge)
        lock.release()
    }

    /// A timeline decides otherwise from here on, with the store at a stand or alive.
    func reconsider(_ judge: TimelineJudge, _ state: TimelineState, on here: (any Actor)?) {
        let thread = CurrentThread.id
        guard enter(thread) else { return }
        guard timelines.reconsider(judge, state) else { return lock.release() }
        tellTimelineState(on: here, thread)
    }

    func remove(_ judge: TimelineJudge) {
        let thread = CurrentThread.id
        guard enter(thread) else { return }
        guard timelines.remove(judge) else { return lock.release() }
        tellTimelineState(on: nil, thread)
    }

    /// Tells participants, in turn with the deliveries, whether the store lives.
    ///
    /// Releases the lock.
    private func tellTimelineState(on here: (any Actor)?, _ thread: UInt) {
        let parts = parts(of: timelines.state)
        guard !parts.isEmpty else { return lock.release() }
        let context = DeliveryContext(version: version, lastListener: index.lastOrder)
        tell(Delivery(context, parts: parts), on: here, thread)
    }
}

/// How a subscriber wants to be told.
@usableFromInline
package struct Listening {
    /// Whether to call at once with the value at subscription.
    var initially: Bool
    var policy: DeliveryPolicy
    /// The actor on which the subscriber is called; nil for the thread that delivers.
    var actor: (any Actor)?
    /// The actor that the subscribing code runs on.
    var here: (any Actor)?

    @usableFromInline
    package init(initially: Bool, policy: DeliveryPolicy, actor: (any Actor)?, here: (any Actor)?) {
        self.initially = initially
        self.policy = policy
        self.actor = actor
        self.here = here
    }
}
