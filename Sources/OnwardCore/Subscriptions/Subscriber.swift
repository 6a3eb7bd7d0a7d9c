// SPDX-License-Identifier: MIT

/// The store's side of a subscription.
///
/// As `Listener` says; `slot` belongs to the engine's lock. What ``sit(in:_:_:_:)`` sets never changes
/// afterwards.
@usableFromInline
package class Subscriber: Listener, @unchecked Sendable {
    /// Whether it is called in the plain way: by the deliverer, with every change of its group.
    ///
    /// Only then `extras` may come later.
    @exclusivity(unchecked) private final var isPlain = true
    /// The position among the members of a `ValueGroup`.
    @exclusivity(unchecked) final var slot: Int32 = 0
    @exclusivity(unchecked) private(set) final var group: SelectionGroup?

    @usableFromInline
    package override init() {}

    /// Takes its place; once, before anyone else knows the subscriber.
    final func sit(
        in group: SelectionGroup, _ mailbox: Mailbox?, _ policy: DeliveryPolicy, _ engine: Engine
    ) {
        self.group = group
        switch policy {
        case .every:
            guard mailbox != nil || hearsPart else { return }
            extras = ListenerExtras(mailbox)
        case .latest:
            extras = ListenerExtras(mailbox, nil, Joint(isSame))
        case .atMostOnce(let duration):
            let joint = mailbox.map { _ in Joint(isSame, keepsFirst: true) }
            extras = ListenerExtras(mailbox, Pace(duration, isSame, engine), joint)
        }
        isPlain = false
    }

    /// How it is called, when that is not the plain way.
    private final var manner: ListenerExtras? {
        @inline(__always) get { isPlain ? nil : extras }
    }

    /// Whether it is told only a part of what its group tells.
    var hearsPart: Bool { false }

    /// Whether two values that it is told are the same; nil where no two are.
    var isSame: Change.IsSame? { group?.isSame }

    /// What it is told of a change that its group tells; nil when that is not news to it.
    func heard(of change: Change) -> Change? { change }

    /// Tells two values of the type that is watched.
    @usableFromInline
    func tell(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) {}

    /// Where calls on an actor wait; nil for a subscriber without isolation.
    package final var mailbox: Mailbox? { manner?.mailbox }

    @inline(__always)
    private final func pass(_ change: Change) {
        change.withPointers { tell($0, $1) }
    }

    // MARK: Without isolation

    /// Tells of a change as the policy says; by the holder of the right to call.
    @inline(__always)
    final func call(_ change: Change, _ engine: Engine) {
        guard !isPlain else { return pass(change) }
        callByManner(change, engine)
    }

    @inline(never)
    private final func callByManner(_ change: Change, _ engine: Engine) {
        guard let manner else { return }
        // What waits may be due although this brings nothing new.
        guard let change = heard(of: change) else { return callWithNewest(engine) }
        if let pace = manner.pace { return pace.offer(change, to: self, pass) }
        guard let joint = manner.joint else { return pass(change) }
        _ = joint.join(change)
        callWithNewest(engine)
    }

    /// Makes the call that is due apart from a new change: after a pause, or with the newest value when
    /// the group has caught up; by the holder of the right to call.
    override func callWithDue(_ engine: Engine) {
        if let pace = manner?.pace { return pace.takePause(of: self, pass) }
        callWithNewest(engine)
    }

    private final func callWithNewest(_ engine: Engine) {
        guard let joint = manner?.joint, !engine.mustCatchUp(self) else { return }
        joint.take(pass)
    }

    override func call(with late: Backlog<LateChange>.Late, _ engine: Engine) {
        let change = late.call.change
        if change.isRepeat(by: late.call.isSame) { return }
        ThreadFrame.push(
            engine: engine.id, version: late.mark.version, generation: late.mark.generation,
            cause: late.mark.cause
        ) { call(change, engine) }
    }

    /// Leaves a change for the end of the first call; returns what is to be released.
    ///
    /// By the deliverer of the group.
    final func leave(
        _ change: Change, as mark: DeliveryMark, in backlog: inout Backlog<LateChange>,
        _ limits: Limits
    ) -> Backlog<LateChange>.Late? {
        // A subscriber that does not want every change is told of what came meanwhile as one change.
        let wantsEvery = manner?.pace == nil && manner?.joint == nil
        let limit = wantsEvery ? limits.waitingCommits : 1
        return backlog.add(LateChange(change: change), as: mark, limit: limit) { earlier, later in
            LateChange(change: earlier.change.joined(with: later.change), isSame: group?.isSame)
        }
    }

    // MARK: On an actor

    /// A call with a change, to be made on the actor; nil when there is no need of one.
    ///
    /// By the deliverer of the group. When `limit` calls wait for the actor, this call is joined with
    /// those that follow.
    final func letter(
        with change: Change, to mailbox: Mailbox, limit: Int
    ) -> (@Sendable () -> Void)? {
        guard let change = heard(of: change) else { return nil }
        let policy = manner?.joint
        guard let joint = policy ?? mailbox.joint(for: self, limit: limit, isSame) else {
            return { [self] in pass(change) }
        }
        // What is newest when the letter is opened counts.
        guard joint.join(change) else { return nil }
        guard let pace = manner?.pace else { return { [self] in joint.take(pass) } }
        return { [self] in joint.take { pace.offer($0, to: self, pass) } }
    }

    /// Makes the first call, whatever the policy.
    final func callFirst(with value: ValueCopy) {
        guard let change = heard(of: Change(from: value, to: value)) else { return }
        pass(change)
    }

    // MARK: As a listener

    override var engine: Engine? { group?.engine }

    package override var held: Version { group?.held ?? 0 }

    @usableFromInline
    override func release() {
        manner?.joint?.end()
        manner?.pace?.end()
    }

    override func leave(_ engine: Engine, _ locked: borrowing Locked) -> [Any?] {
        locked.state.index.remove(self, locked)
    }
}
