// SPDX-License-Identifier: MIT

/// The store's side of a subscription.
///
/// As `Listener` says; `slot` belongs to the engine's lock. What ``sit(in:_:_:_:)`` sets never changes
/// afterwards.
@usableFromInline
class Subscriber: Listener, @unchecked Sendable {
    /// The position among the members of its group or row.
    final var slot: Int32 = 0
    private(set) final var group: SelectionGroup?
    /// The row that a member of a `RowGroup` watches.
    private(set) final var row: WatchedRow?
    /// How it is called, when that is not the plain way.
    private final var manner: Manner?

    /// How a subscriber is called that is bound to an actor or does not want every change; apart, as
    /// a store may have many subscribers and few of this kind.
    private final class Manner {
        let mailbox: Mailbox?
        let pace: Pace?
        /// Joins changes while the mailbox is crowded; belongs to who delivers.
        var overflow: Pace?

        init(_ mailbox: Mailbox?, _ pace: Pace?) {
            self.mailbox = mailbox
            self.pace = pace
        }
    }

    @usableFromInline
    override init() {}

    /// Takes its place; once, under the engine's lock, before anyone else knows the subscriber.
    final func sit(
        in group: SelectionGroup, _ row: WatchedRow?, _ mailbox: Mailbox?, _ pace: Pace?
    ) {
        self.group = group
        self.row = row
        if mailbox != nil || pace != nil { manner = Manner(mailbox, pace) }
    }

    /// Tells of two values of the type that is watched.
    @usableFromInline
    func tell(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) {}

    /// Where calls on an actor wait; nil for a subscriber without isolation.
    final var mailbox: Mailbox? { manner?.mailbox }

    /// Joins changes; nil for a subscriber that wants every one.
    private final var pace: Pace? { manner?.pace }

    /// The last two values of what is watched.
    private final var change: Change? { row ?? group?.change }

    /// Calls the body with the change being delivered; by who has the right to.
    final func call(_ lock: borrowing Lock) {
        guard let old = change?.old, let new = change?.new else { return }
        guard let pace else { return call(old, new) }
        if pace.duration != nil { return pace.offer(old, new, to: self, call) }
        _ = pace.join(old, new)
        if !lock.withLock({ group?.isBehind ?? false }) { pace.takeJoined(call) }
    }

    private final func call(_ old: ValueCopy, _ new: ValueCopy) {
        tell(old.pointer, new.pointer)
    }

    /// A call with the change being delivered, to be made later or elsewhere; nil when there is no
    /// need of one.
    ///
    /// With `isCrowded` so many calls wait that this one is joined with those that follow.
    final func letter(isCrowded: Bool = false) -> (@Sendable () -> Void)? {
        guard let old = change?.old, let new = change?.new else { return nil }
        if let pace, pace.duration != nil {
            var letter: (@Sendable () -> Void)?
            pace.offer(old, new, to: self) { letter = self.letter($0, $1) }
            return letter
        }
        if let joint = pace ?? crowded(if: isCrowded) {
            // What is newest when the letter is opened counts.
            guard joint.join(old, new) else { return nil }
            return { [self] in joint.takeJoined(call) }
        }
        return letter(old, new)
    }

    /// Where the changes of a crowded mailbox join, until the letter with them was opened.
    private final func crowded(if isCrowded: Bool) -> Pace? {
        guard let manner, isCrowded || manner.overflow?.isJoining == true else { return nil }
        if manner.overflow == nil, let engine = manner.mailbox?.engine {
            manner.overflow = Pace(nil, group?.isSame, engine)
        }
        return manner.overflow
    }

    /// A call with given values.
    final func letter(_ old: ValueCopy, _ new: ValueCopy) -> @Sendable () -> Void {
        { [self] in call(old, new) }
    }

    override var isStale: Bool { group?.isDirty ?? false }

    @usableFromInline
    override func release() {
        pace?.end()
    }

    override func leave(_ engine: Engine) -> [Any?] {
        engine.index.remove(self)
    }
}
