// SPDX-License-Identifier: MIT

internal import DequeModule

/// A group whose selection has values of type `Value`.
final class ValueGroup<Value: Sendable>: SelectionGroup, @unchecked Sendable {
    /// A value that waits for its delivery.
    private enum Waiting {
        /// The value itself, copied from the state.
        case value(Value)
        /// The state from which it will be derived, outside the lock.
        case state(StateCopy)
    }

    let projection: Projection<Value>
    private let isSame: (@Sendable (Value, Value) -> Bool)?
    private var waiting = Deque<Waiting>()
    private var taken: Waiting?
    /// Where the first comparison starts from; nil after it.
    private var first: FirstValue<Value>?
    /// The value that the members saw before the current one.
    private(set) var old: Value?
    /// The value being delivered, or the last one that was.
    private(set) var new: Value?

    init(
        _ projection: Projection<Value>, key: GroupKey?, last: FirstValue<Value>,
        isSame: (@Sendable (Value, Value) -> Bool)?
    ) {
        self.projection = projection
        self.isSame = isSame
        first = last
        super.init(range: projection.range, key: key)
    }

    override var needsCopy: Bool { projection.derive != nil }

    override func capture(_ root: UnsafeRawPointer, _ copy: StateCopy?) {
        if projection.derive != nil, let copy {
            waiting.append(.state(copy))
        } else {
            waiting.append(.value(projection.read(from: root)))
        }
    }

    override func take() {
        taken = waiting.popFirst()
    }

    override func advance() -> Bool {
        let value: Value
        switch taken {
        case .value(let copied): value = copied
        case .state(let copy): value = projection.read(from: copy.pointer)
        case nil: return false
        }
        taken = nil
        if let first {
            new = first.resolve(projection)
            self.first = nil
        }
        if let isSame, let new, isSame(new, value) { return false }
        old = new
        new = value
        return true
    }

    override func settle() {
        // The value before the current one may hold large storage that would be copied on change.
        old = nil
    }
}
