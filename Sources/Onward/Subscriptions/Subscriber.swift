// SPDX-License-Identifier: MIT

/// The store's side of a subscription.
///
/// As `Listener` says; `slot` belongs to the engine's lock.
@usableFromInline
final class Subscriber: Listener, @unchecked Sendable {
    /// Gets pointers to the old and the new value; made where their type was known.
    @usableFromInline
    typealias Body = @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Void

    /// The position among the members of its group or row.
    var slot: Int32 = 0
    let group: SelectionGroup
    private let change: Change
    /// How it is called, when that is not the plain way.
    private let manner: Manner?
    private var body: Body?

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

    init(
        order: UInt64, since: Version, group: SelectionGroup, change: Change, mailbox: Mailbox?,
        engine: Engine, starts: Bool, pace: Pace?, body: @escaping Body
    ) {
        self.group = group
        self.change = change
        manner = mailbox == nil && pace == nil ? nil : Manner(mailbox, pace)
        self.body = body
        super.init(order: order, since: since, engine: engine, starts: starts)
    }

    /// Where calls on an actor wait; nil for a subscriber without isolation.
    var mailbox: Mailbox? { manner?.mailbox }

    /// Joins changes; nil for a subscriber that wants every one.
    private var pace: Pace? { manner?.pace }

    /// The row that is watched; nil for the subscriber of a selection.
    var row: WatchedRow? { change as? WatchedRow }

    /// Calls the body with the change being delivered; by who has the right to.
    func call(_ lock: borrowing Lock) {
        guard let old = change.old, let new = change.new else { return }
        guard let pace else { return call(old, new) }
        if pace.duration != nil { return pace.offer(old, new, to: self, call) }
        _ = pace.join(old, new)
        if !lock.withLock({ group.isBehind }) { pace.takeJoined(call) }
    }

    private func call(_ old: ValueCopy, _ new: ValueCopy) {
        body?(old.pointer, new.pointer)
    }

    /// A call with the change being delivered, to be made later or elsewhere; nil when there is no
    /// need of one.
    ///
    /// With `isCrowded` so many calls wait that this one is joined with those that follow.
    func letter(isCrowded: Bool = false) -> (@Sendable () -> Void)? {
        guard let old = change.old, let new = change.new else { return nil }
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
    private func crowded(if isCrowded: Bool) -> Pace? {
        guard let manner, isCrowded || manner.overflow?.isJoining == true else { return nil }
        if manner.overflow == nil, let engine = manner.mailbox?.engine {
            manner.overflow = Pace(.latest, group.isSame, engine)
        }
        return manner.overflow
    }

    /// A call with given values.
    func letter(_ old: ValueCopy, _ new: ValueCopy) -> @Sendable () -> Void {
        { [self] in call(old, new) }
    }

    override func release() {
        body = nil
        pace?.end()
    }

    override func leave(_ engine: Engine) -> [Any?] {
        engine.index.remove(self)
    }
}
