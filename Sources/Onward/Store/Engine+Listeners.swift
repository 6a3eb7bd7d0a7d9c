// SPDX-License-Identifier: MIT

extension Engine {
    /// Reads a value of the state, computing outside the lock what has to be computed.
    func read<Value>(_ projection: Projection<Value>) -> Value {
        lockForReading()
        guard let derive = projection.derive else {
            defer { lock.release() }
            return projection.read(from: root)
        }
        let copy = StateCopy(of: root, stateType)
        lock.release()
        return derive(copy.pointer)
    }

    /// The first instance at a place that an address names; nil when there is none.
    func find<Slice>(at place: Place, _ address: Address) -> Slice? {
        lockForReading()
        let copy = StateCopy(of: root, stateType)
        lock.release()
        return place.first(in: copy.pointer, address, as: Slice.self)
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
        let old = (self.program, sparePassage)
        self.program = program
        sparePassage = nil
        lock.release()
        withExtendedLifetime(old) {}
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
    func subscribe<Value: Sendable>(
        to projection: Projection<Value>, key: GroupKey?,
        isSame: (@Sendable (Value, Value) -> Bool)?, initially: Bool, actor: (any Actor)?,
        from here: (any Actor)?, _ body: @escaping ValueSubscriber<Value>.Body
    ) -> Subscription {
        let thread = CurrentThread.id
        lockForReading()
        let group = joinableGroup(key, as: Value.self)
        let first = group == nil || initially ? firstValue(of: projection, thread) : .notNeeded
        let shared = joinableGroup(key, as: Value.self)
        let joined =
            shared
            ?? ValueGroup(projection, key: key, last: first, isSame: isSame)
        if shared == nil { index.add(joined, shared: index.group(for: key) == nil) }
        let mailbox = actor.map(mailbox(of:))
        let subscriber = ValueSubscriber(
            order: index.nextOrder(), since: version, group: joined, mailbox: mailbox, engine: self,
            starts: initially && mailbox == nil, body: body)
        joined.add(subscriber)
        if initially { announce(subscriber, with: first) }
        lock.release()
        if initially { start(subscriber, with: first, from: here) }
        return Subscription(subscriber)
    }

    /// Notes that a subscriber's first call is due: no call of a later commit comes before it.
    ///
    /// Under the lock, at the moment of registering.
    private func announce<Value>(
        _ subscriber: ValueSubscriber<Value>, with first: FirstValue<Value>
    ) {
        guard let mailbox = subscriber.mailbox else {
            callouts += 1
            return
        }
        let letter = Mailbox.Letter(
            subscriber: subscriber, version: subscriber.since, generation: 0, cause: nil,
            call: subscriber.firstLetter(first))
        if mailbox.post(letter) { callouts += 1 }
    }

    /// The group to join; nil when there is none, or when its members wait to hear of commits that
    /// a newcomer has seen already and that it cannot leave out.
    private func joinableGroup<Value>(
        _ key: GroupKey?, as type: Value.Type
    ) -> ValueGroup<Value>? {
        guard let group = index.group(for: key), !group.isDirty else { return nil }
        // The key holds the type of the values.
        return unsafeDowncast(group, to: ValueGroup<Value>.self)
    }

    /// The value of a projection in the version that is current when this returns.
    ///
    /// Holds the lock at the beginning and at the end, not while it computes.
    private func firstValue<Value>(
        of projection: Projection<Value>, _ thread: UInt
    ) -> FirstValue<Value> {
        guard let derive = projection.derive else { return .value(projection.read(from: root)) }
        var copy = StateCopy(of: root, stateType)
        for _ in 0..<8 {
            let seen = version
            lock.release()
            let value = derive(copy.pointer)
            lock.acquire(as: thread)
            if version == seen { return .value(value) }
            copy = StateCopy(of: root, stateType)
        }
        // Others commit faster than the value is computed: keep the state instead.
        return .state(copy)
    }

    /// Makes the first call of a subscriber that wants one.
    private func start<Value>(
        _ subscriber: ValueSubscriber<Value>, with first: FirstValue<Value>, from here: (any Actor)?
    ) {
        if let mailbox = subscriber.mailbox { return mailbox.flush(self, from: here) }
        subscriber.firstLetter(first)()
        subscriber.end()
        endCallout()
    }

    private func mailbox(of actor: any Actor) -> Mailbox {
        let key = ObjectIdentifier(actor)
        if let mailbox = mailboxes[key], mailbox.isAlive { return mailbox }
        let mailbox = Mailbox(actor)
        mailboxes = mailboxes.filter { $0.value.isAlive }
        mailboxes[key] = mailbox
        return mailbox
    }

    /// Registers an observer.
    func attach<O: CommitObserver>(_ observer: O) -> Subscription {
        let needs = observer.needs
        lockForReading()
        let seat = ObserverSeat(
            observer, needs: needs, order: index.nextOrder(), since: version, engine: self)
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
        leaveUnderLock { listener.leave(self) }
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
        if timeline === judge {
            timeline = nil
            timelineTurn += 1
        }
        lock.release()
    }
}

/// The value that a subscriber starts from.
enum FirstValue<Value: Sendable>: Sendable {
    case value(Value)
    /// The state from which it is to be derived.
    case state(StateCopy)
    /// The group has one already.
    case notNeeded

    func resolve(_ projection: Projection<Value>) -> Value? {
        switch self {
        case .value(let value): value
        case .state(let copy): projection.read(from: copy.pointer)
        case .notNeeded: nil
        }
    }
}
