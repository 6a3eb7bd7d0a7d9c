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
        isSame: (@Sendable (Value, Value) -> Bool)?, _ options: Listening,
        _ body: @escaping ValueSubscriber<Value>.Body
    ) -> Subscription {
        let thread = CurrentThread.id
        lockForReading()
        let needsFirst = joinable(key) == nil || options.initially
        let first = needsFirst ? firstValue(of: projection, thread) : nil
        // While the first value was computed, someone else may have made the group.
        let existing = joinable(key)
        // The key holds the type of the values.
        let group =
            existing.map { unsafeDowncast($0, to: ValueGroup<Value>.self) }
            ?? ValueGroup(projection, key: key, last: first, isSame: isSame)
        if existing == nil { index.add(group) }
        let subscriber = makeSubscriber(
            in: group, group.values, options, Pace(options.policy, isSame, self), body)
        group.add(subscriber)
        lock.release()
        if options.initially {
            let value =
                switch first {
                case .value(let value): value
                case .state(let copy): projection.read(from: copy.pointer)
                case nil: Value?.none
                }
            if let value { start(subscriber, with: value, from: options.here) }
        }
        return Subscription(subscriber)
    }

    /// Registers the subscriber of one row.
    func subscribe<Element: Identifiable & Sendable>(
        to projection: Projection<EntityTable<Element>>, row id: Element.ID, key: GroupKey,
        isSame: (@Sendable (Element?, Element?) -> Bool)?, _ options: Listening,
        _ body: @escaping ValueSubscriber<Element?>.Body
    ) -> Subscription where Element.ID: Sendable {
        let thread = CurrentThread.id
        lockForReading()
        let first = firstValue(of: projection, thread)
        let table =
            switch first {
            case .value(let table): table
            case .state(let copy): projection.read(from: copy.pointer)
            }
        let existing = joinable(key)
        let group =
            existing.map { unsafeDowncast($0, to: RowGroup<Element>.self) }
            ?? RowGroup(projection, key: key, mark: table.mark, isSame: isSame)
        if existing == nil { index.add(group) }
        let row = group.row(id, last: table[id: id], since: version)
        let subscriber = makeSubscriber(
            in: group, row, options, Pace(options.policy, isSame, self), body)
        group.add(subscriber, to: row)
        lock.release()
        if options.initially { start(subscriber, with: table[id: id], from: options.here) }
        return Subscription(subscriber)
    }

    private func makeSubscriber<Value>(
        in group: SelectionGroup, _ values: Change<Value>, _ options: Listening,
        _ pace: Pace<Value>?, _ body: @escaping ValueSubscriber<Value>.Body
    ) -> ValueSubscriber<Value> {
        let mailbox = options.actor.map(mailbox(of:))
        return ValueSubscriber(
            order: index.nextOrder(), since: version, group: group, values: values,
            mailbox: mailbox, engine: self, starts: options.initially && mailbox == nil,
            pace: pace, body: body)
    }

    /// The group to join; nil when there is none, or when its members wait to hear of commits that
    /// a newcomer has seen already and that it could not leave out.
    private func joinable(_ key: GroupKey?) -> SelectionGroup? {
        guard let group = index.group(for: key), !group.isDirty else { return nil }
        return group
    }

    /// The value of a projection in the version that is current when this returns.
    ///
    /// Holds the lock at the beginning and at the end, not while it computes.
    private func firstValue<Value>(
        of projection: Projection<Value>, _ thread: UInt
    ) -> Captured<Value> {
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
        _ subscriber: ValueSubscriber<Value>, with value: Value, from here: (any Actor)?
    ) {
        let call = subscriber.letter(value, value)
        guard let mailbox = subscriber.mailbox else {
            call()
            return subscriber.started()
        }
        let letter = Mailbox.Letter(
            subscriber: subscriber, version: subscriber.since, generation: 0, cause: nil,
            call: call)
        if mailbox.post(letter) { beginCallout() }
        mailbox.flush(self, from: here)
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
        let thread = CurrentThread.id
        guard !lock.isOwned(by: thread) else { return listener.leave(self) }
        lock.acquire(as: thread)
        listener.leave(self)
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

/// How a subscriber wants to be told.
struct Listening {
    /// Whether to call at once with the value at subscription.
    var initially: Bool
    var policy: DeliveryPolicy
    /// The actor on which the subscriber is called; nil for the thread that delivers.
    var actor: (any Actor)?
    /// The actor that the subscribing code runs on.
    var here: (any Actor)?
}
