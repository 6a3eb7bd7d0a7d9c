// SPDX-License-Identifier: MIT

/// The store's side of a subscription.
///
/// As `Listener` says; `slot` belongs to the engine's lock.
@usableFromInline
final class Subscriber: Listener, @unchecked Sendable {
    /// Gets pointers to the old and the new value; made where their type was known.
    @usableFromInline
    typealias Body = @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Void

    let group: SelectionGroup
    /// Where calls on an actor wait; nil for a subscriber without isolation.
    let mailbox: Mailbox?
    /// The position among the members of its group or row.
    var slot = 0
    private let change: Change
    /// Joins changes; nil for a subscriber that wants every one.
    private let pace: Pace?
    private var body: Body?

    init(
        order: UInt64, since: Version, group: SelectionGroup, change: Change, mailbox: Mailbox?,
        engine: Engine, starts: Bool, pace: Pace?, body: @escaping Body
    ) {
        self.group = group
        self.change = change
        self.mailbox = mailbox
        self.pace = pace
        self.body = body
        super.init(order: order, since: since, engine: engine, starts: starts)
    }

    /// The row that is watched; nil for the subscriber of a selection.
    var row: WatchedRow? { change as? WatchedRow }

    /// Calls the body with the change being delivered; by who has the right to.
    func call(_ lock: borrowing Lock) {
        guard let old = change.old, let new = change.new else { return }
        guard let pace else { return call(old, new) }
        let isBehind = pace.joins && lock.withLock { group.isBehind }
        pace.offer(old, new, isBehind: isBehind, to: self, call)
    }

    private func call(_ old: ValueCopy, _ new: ValueCopy) {
        body?(old.pointer, new.pointer)
    }

    /// A call with the change being delivered, to be made later or elsewhere; nil when there is no
    /// need of one.
    func letter() -> (@Sendable () -> Void)? {
        guard let old = change.old, let new = change.new else { return nil }
        guard let pace else { return letter(old, new) }
        if pace.joins {
            // What is newest when the letter is opened counts; letters behind it find nothing.
            pace.offer(old, new, isBehind: true, to: self) { _, _ in }
            return { [self] in pace.takeJoined(call) }
        }
        var letter: (@Sendable () -> Void)?
        pace.offer(old, new, isBehind: false, to: self) { letter = self.letter($0, $1) }
        return letter
    }

    /// A call with given values.
    func letter(_ old: ValueCopy, _ new: ValueCopy) -> @Sendable () -> Void {
        { [self] in call(old, new) }
    }

    override func release() {
        body = nil
        pace?.end()
    }

    override func leave(_ engine: Engine) {
        engine.index.remove(self)
    }
}
