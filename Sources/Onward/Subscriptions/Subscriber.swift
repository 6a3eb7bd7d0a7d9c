// SPDX-License-Identifier: MIT

/// The store's side of a subscription.
///
/// As `Listener` says; `slot` belongs to the engine's lock.
class Subscriber: Listener, @unchecked Sendable {
    final let group: SelectionGroup
    /// Where calls on an actor wait; nil for a subscriber without isolation.
    final let mailbox: Mailbox?
    /// The position in the group.
    final var slot = 0

    init(
        order: UInt64, since: Version, group: SelectionGroup, mailbox: Mailbox?, engine: Engine,
        starts: Bool
    ) {
        self.group = group
        self.mailbox = mailbox
        super.init(order: order, since: since, engine: engine, starts: starts)
    }

    /// A call with the group's current values, to be made later or elsewhere.
    func letter() -> @Sendable () -> Void { {} }

    /// Calls the body with the group's current values.
    func call() {}

    final override func leave(_ engine: Engine) {
        engine.index.remove(self)
    }
}

/// The subscriber of a selection with values of type `Value`.
final class ValueSubscriber<Value: Sendable>: Subscriber, @unchecked Sendable {  // As above.
    typealias Body = @Sendable (Value, Value) -> Void

    private let values: ValueGroup<Value>
    private var body: Body?

    init(
        order: UInt64, since: Version, group: ValueGroup<Value>, mailbox: Mailbox?, engine: Engine,
        starts: Bool, body: @escaping Body
    ) {
        values = group
        self.body = body
        super.init(
            order: order, since: since, group: group, mailbox: mailbox, engine: engine,
            starts: starts)
    }

    override func letter() -> @Sendable () -> Void {
        letter(values.old, values.new)
    }

    /// A call with given values.
    func letter(_ old: Value?, _ new: Value?) -> @Sendable () -> Void {
        { [self] in call(old, new) }
    }

    /// The first call, with the value at subscription.
    func firstLetter(_ first: FirstValue<Value>) -> @Sendable () -> Void {
        { [self] in
            let value = first.resolve(values.projection)
            call(value, value)
        }
    }

    override func call() {
        call(values.old, values.new)
    }

    /// Calls the body; by who has the right to.
    func call(_ old: Value?, _ new: Value?) {
        guard let body, let old, let new else { return }
        body(old, new)
    }

    override func release() {
        body = nil
    }
}
