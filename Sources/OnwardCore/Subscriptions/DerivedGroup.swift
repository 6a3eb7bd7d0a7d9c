// SPDX-License-Identifier: MIT

internal import DequeModule

/// Subscribers of what closures derive from a slice, each with a closure of its own, all of one type of value.
///
/// Problem: a closure that captured something differs from all others, so each is computed and compared by
/// itself. With a group for each, three quarters of what a subscription takes would be the group's.
///
/// Strategy: a subscriber keeps its closure and the value that it was delivered last; what they share, the
/// comparison and the copies that a change is notified from, is here. A delivery computes them one
/// after the other from one copy of the state. A subscriber that came later than the delivery's commit is left
/// out, as it has seen that.
final class DerivedGroup: SubscriberGroup, @unchecked Sendable {
    /// What a delivery that waits notifies.
    private struct Step {
        let root: RootCopy
        /// The last member that had come by then.
        let lastMember: UInt64
    }

    /// A member that is notified.
    private struct Note {
        let member: Subscriber
        let change: Change
    }

    private let type: ValueType
    private let offset: Int
    @exclusivity(unchecked) private var members = MemberList()
    /// The position of the last member among all listeners.
    @exclusivity(unchecked) private var lastMember: UInt64 = 0
    /// By a member's position, the state in which it came, where that is newer than what it was derived from.
    @exclusivity(unchecked) private var lateSubscribers: [UInt64: RootCopy] = [:]
    /// The same of those who are being delivered.
    @exclusivity(unchecked) private var takenLateSubscribers: [UInt64: RootCopy] = [:]
    /// Those that left while a thread delivered them.
    @exclusivity(unchecked) private var departed: [DerivedSubscriber] = []
    @exclusivity(unchecked) private var waiting = Deque<Step>()
    /// What is being delivered, and to whom.
    @exclusivity(unchecked) private var taken: Step?
    @exclusivity(unchecked) private var audience: [Subscriber?] = []
    @exclusivity(unchecked) private var notes: [Note] = []
    /// The memory of changes that were notified.
    @exclusivity(unchecked) private var spares = SpareCopies()

    init(
        _ slice: Range<Int>, of type: ValueType, key: GroupKey, isSame: @escaping Change.IsSame
    ) {
        self.type = type
        offset = slice.lowerBound
        super.init(derivingFrom: slice, key: key, isSame: isSame)
    }

    override func everyone(_ locked: borrowing Locked) -> [Subscriber] {
        members.slots.compactMap(\.self)
    }

    override func isBehind(_ locked: borrowing Locked) -> Bool {
        isDirty || !waiting.isEmpty
    }

    /// Adds a member, with the state in which it comes if its last value is an older one.
    func add(
        _ member: DerivedSubscriber, seenIn root: RootCopy?, _ locked: borrowing Locked
    ) {
        members.add(member)
        if let root { lateSubscribers[member.order] = root }
        lastMember = member.order
        count += 1
    }

    override func remove(_ member: Subscriber, _ locked: borrowing Locked) -> Bool {
        members.remove(member)
        // Only such join.
        departed.append(unsafeDowncast(member, to: DerivedSubscriber.self))
        count -= 1
        return true
    }

    override func takeLeftovers(_ locked: borrowing Locked) -> [Any?] {
        var rest: [Any?] = departed.flatMap { $0.takeDerivation(locked) }
        if !lateSubscribers.isEmpty {
            rest += departed.map { lateSubscribers.removeValue(forKey: $0.order) }
        }
        departed = []
        return rest + super.takeLeftovers(locked)
    }

    override func takeContents(_ locked: borrowing Locked) -> [Any?] {
        defer { waiting = [] }
        return super.takeContents(locked) + [waiting]
    }

    override func capture(
        _ root: UnsafeRawPointer, _ copy: RootCopy?, isDueNow: Bool, _ locked: borrowing Locked
    ) {
        guard let copy else { return }
        waiting.append(Step(root: copy, lastMember: lastMember))
    }

    override func takeNow(_ locked: borrowing Locked) {
        isTaken = true
        audience = members.slots
        if !lateSubscribers.isEmpty { swap(&lateSubscribers, &takenLateSubscribers) }
    }

    override func take(_ locked: borrowing Locked) {
        guard let step = waiting.popFirst() else { return }
        takeNow(locked)
        taken = step
    }

    override func advance(in root: RootCopy?, of storage: LockedStorage) -> Bool {
        let step = taken.take()
        defer { audience = [] }
        deriveNewcomers()
        guard let root = step?.root ?? root, let isSame else { return false }
        let lastMember = step?.lastMember ?? .max
        root.withPointer { state in
            audience.forEachMember { member in
                guard member.order <= lastMember else { return }
                // Only such join.
                let derived = unsafeDowncast(member, to: DerivedSubscriber.self)
                advance(derived, in: state + offset, by: isSame)
            }
        }
        return !notes.isEmpty
    }

    /// Derives what late subscribers saw, so that they are notified of what came after it.
    private func deriveNewcomers() {
        guard !takenLateSubscribers.isEmpty else { return }
        audience.forEachMember { member in
            guard let root = takenLateSubscribers.removeValue(forKey: member.order) else { return }
            // Only such join.
            let derived = unsafeDowncast(member, to: DerivedSubscriber.self)
            root.withPointer { derived.start(in: $0 + offset) }
        }
        takenLateSubscribers = [:]
    }

    /// Derives and compares the value of a member.
    private func advance(
        _ member: DerivedSubscriber, in state: UnsafeRawPointer, by isSame: Change.IsSame
    ) {
        let empty = spares.take(type)
        guard member.derive(in: state, into: empty.pointer) else { return spares.keep(empty) }
        var isRepeat = false
        member.withLast { isRepeat = isSame(UnsafeRawPointer($0), UnsafeRawPointer(empty.pointer)) }
        if isRepeat {
            type.clear(empty.pointer)
            return spares.keep(empty)
        }
        let new = empty.filled()
        member.withLast { last in
            let change = Change(from: spares.copy(last, type), to: new)
            notes.append(Note(member: member, change: change))
            type.assign(last, from: new.pointer)
        }
    }

    override func forEachNotification(
        of storage: LockedStorage, _ body: (Subscriber, Change) -> Void
    ) {
        for note in notes { body(note.member, note.change) }
    }

    override func settle() {
        // Consumed, so that nothing else holds the copies.
        while let change = notes.popLast()?.change { spares.recycle(consume change) }
    }
}
