// SPDX-License-Identifier: MIT

/// The store's side of a subscription.
///
/// As `Listener` says; `slot` belongs to the engine's lock. What ``sit(in:_:_:)`` sets never changes
/// afterwards.
@usableFromInline
class Subscriber: Listener, @unchecked Sendable {
    /// The position among the members of a `ValueGroup`.
    final var slot: Int32 = 0
    private(set) final var group: SelectionGroup?
    /// How it is called, when that is not the plain way.
    @exclusivity(unchecked) private final var manner: Manner?

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
    final func sit(in group: SelectionGroup, _ mailbox: Mailbox?, _ pace: Pace?) {
        self.group = group
        if mailbox != nil || pace != nil { manner = Manner(mailbox, pace) }
    }

    /// Tells of two values of the type that is watched.
    @usableFromInline
    func tell(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) {}

    /// Where calls on an actor wait; nil for a subscriber without isolation.
    final var mailbox: Mailbox? { manner?.mailbox }

    /// Joins changes; nil for a subscriber that wants every one.
    private final var pace: Pace? { manner?.pace }

    /// Calls the body with a change; by who has the right to.
    final func call(_ change: Change, _ lock: borrowing Lock) {
        guard let pace else { return call(change) }
        if pace.duration != nil { return pace.offer(change, to: self, call) }
        _ = pace.join(change)
        if !lock.withLock({ group?.isBehind ?? false }) { pace.takeJoined(call) }
    }

    @inline(__always)
    private final func call(_ change: Change) {
        change.withPointers(tell)
    }

    /// A call with a change, to be made later or elsewhere; nil when there is no need of one.
    ///
    /// With `isCrowded` so many calls wait that this one is joined with those that follow.
    final func letter(with change: Change, isCrowded: Bool = false) -> (@Sendable () -> Void)? {
        if let pace, pace.duration != nil {
            var letter: (@Sendable () -> Void)?
            pace.offer(change, to: self) { letter = self.letter(telling: $0) }
            return letter
        }
        if let joint = pace ?? crowded(if: isCrowded) {
            // What is newest when the letter is opened counts.
            guard joint.join(change) else { return nil }
            return { [self] in joint.takeJoined(call) }
        }
        return letter(telling: change)
    }

    /// Where the changes of a crowded mailbox join, until the letter with them was opened.
    private final func crowded(if isCrowded: Bool) -> Pace? {
        guard let manner, isCrowded || manner.overflow?.isJoining == true else { return nil }
        if manner.overflow == nil, let engine = manner.mailbox?.engine {
            manner.overflow = Pace(nil, group?.isSame, engine)
        }
        return manner.overflow
    }

    /// A call with a change, whatever the pace.
    final func letter(telling change: Change) -> @Sendable () -> Void {
        { [self] in call(change) }
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
