// SPDX-License-Identifier: MIT

/// The store's side of a subscription.
///
/// As `Listener` says; `slot` belongs to the engine's lock.
class Subscriber: Listener, @unchecked Sendable {
    final let group: SelectionGroup
    /// Where calls on an actor wait; nil for a subscriber without isolation.
    final let mailbox: Mailbox?
    /// The position among the members of its group or row.
    final var slot = 0

    init(
        order: UInt64, since: Version, group: SelectionGroup, mailbox: Mailbox?, engine: Engine,
        starts: Bool
    ) {
        self.group = group
        self.mailbox = mailbox
        super.init(order: order, since: since, engine: engine, starts: starts)
    }

    /// A call with the change being delivered, to be made later or elsewhere; nil when there is no
    /// need of one.
    func letter() -> (@Sendable () -> Void)? { nil }

    /// Calls the body with the change being delivered; by who has the right to.
    func call(_ lock: borrowing Lock) {}

    final override func leave(_ engine: Engine) {
        engine.index.remove(self)
    }
}

/// The subscriber of a selection, or of a row, with values of type `Value`.
final class ValueSubscriber<Value: Sendable>: Subscriber, @unchecked Sendable {  // As above.
    typealias Body = @Sendable (Value, Value) -> Void

    let values: Change<Value>
    private var body: Body?
    /// Joins changes; nil for a subscriber that wants every one.
    private let pace: Pace<Value>?

    init(
        order: UInt64, since: Version, group: SelectionGroup, values: Change<Value>,
        mailbox: Mailbox?, engine: Engine, starts: Bool, pace: Pace<Value>?, body: @escaping Body
    ) {
        self.values = values
        self.pace = pace
        self.body = body
        super.init(
            order: order, since: since, group: group, mailbox: mailbox, engine: engine,
            starts: starts)
    }

    override func call(_ lock: borrowing Lock) {
        guard let old = values.old, let new = values.new else { return }
        guard let pace else {
            body?(old, new)
            return
        }
        let isBehind = pace.joins && lock.withLock { group.isBehind }
        pace.offer(old, new, isBehind: isBehind, to: self) { body?($0, $1) }
    }

    override func letter() -> (@Sendable () -> Void)? {
        guard let old = values.old, let new = values.new else { return nil }
        guard let pace else { return letter(old, new) }
        if pace.joins {
            // What is newest when the letter is opened counts; letters behind it find nothing.
            pace.offer(old, new, isBehind: true, to: self) { _, _ in }
            return { [self] in pace.takeJoined { body?($0, $1) } }
        }
        var letter: (@Sendable () -> Void)?
        pace.offer(old, new, isBehind: false, to: self) { letter = self.letter($0, $1) }
        return letter
    }

    /// A call with given values.
    func letter(_ old: Value, _ new: Value) -> @Sendable () -> Void {
        { [self] in body?(old, new) }
    }

    override func release() {
        body = nil
        pace?.end()
    }
}
