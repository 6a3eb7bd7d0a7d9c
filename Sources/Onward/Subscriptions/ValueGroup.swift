// SPDX-License-Identifier: MIT

internal import DequeModule

/// A group whose selection has values of type `Value`.
final class ValueGroup<Value: Sendable>: SelectionGroup, @unchecked Sendable {
    let values: Change<Value>
    private let waiting: Waiting<Value>
    private let isSame: (@Sendable (Value, Value) -> Bool)?
    private var members = MemberList()
    private var taken: Captured<Value>?
    /// Where the first comparison starts from; nil after it.
    private var first: Captured<Value>?

    init(
        _ projection: Projection<Value>, key: GroupKey?, last: Captured<Value>?,
        isSame: (@Sendable (Value, Value) -> Bool)?
    ) {
        values = Change(nil)
        waiting = Waiting(projection)
        self.isSame = isSame
        first = last
        super.init(range: projection.range, key: key)
    }

    override var needsCopy: Bool { waiting.needsCopy }
    override var count: Int { members.count }
    override var everyone: [Subscriber] { members.slots.compactMap(\.self) }
    override var changed: [Subscriber?] { members.slots }

    func add(_ member: Subscriber) { members.add(member) }

    override func remove(_ member: Subscriber) { members.remove(member) }

    override func capture(_ root: UnsafeRawPointer, _ copy: StateCopy?) {
        waiting.append(root, copy)
    }

    override func take() {
        taken = waiting.popFirst()
    }

    override var isBehind: Bool { isDirty || !waiting.isEmpty }

    override func advance(to version: Version, _ lock: borrowing Lock) -> Bool {
        guard let captured = taken else { return false }
        taken = nil
        if let first {
            values.start(from: waiting.value(of: first))
            self.first = nil
        }
        return values.advance(to: waiting.value(of: captured), isSame)
    }

    override func settle() { values.settle() }
}

/// A value as it was captured under the lock.
enum Captured<Value: Sendable>: Sendable {
    /// The value itself, copied from the state.
    case value(Value)
    /// The state from which it will be derived, outside the lock.
    case state(StateCopy)
}

/// The captured values of a projection that were not delivered yet.
///
/// Belongs to the engine's lock, but for the projection, which never changes.
final class Waiting<Value: Sendable>: @unchecked Sendable {
    private let projection: Projection<Value>
    private var captured = Deque<Captured<Value>>()

    init(_ projection: Projection<Value>) {
        self.projection = projection
    }

    var needsCopy: Bool { projection.derive != nil }
    var isEmpty: Bool { captured.isEmpty }

    func append(_ root: UnsafeRawPointer, _ copy: StateCopy?) {
        if needsCopy, let copy {
            captured.append(.state(copy))
        } else {
            captured.append(.value(projection.read(from: root)))
        }
    }

    func popFirst() -> Captured<Value>? { captured.popFirst() }

    /// The value itself; computed, outside the lock, where it has to be.
    func value(of captured: Captured<Value>) -> Value {
        switch captured {
        case .value(let value): value
        case .state(let copy): projection.read(from: copy.pointer)
        }
    }
}
