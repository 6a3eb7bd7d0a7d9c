// SPDX-License-Identifier: MIT

/// A group whose members are notified of a whole selected value.
final class ValueGroup: SubscriberGroup, @unchecked Sendable {
    @exclusivity(unchecked) private var members = MemberList()
    /// Those who came while the others did not know the present value, each with what it has seen.
    @exclusivity(unchecked) private var late: LateMembers?
    /// What the round notifies of.
    @exclusivity(unchecked) private var value: ValueCopy?
    /// The members that it notifies.
    @exclusivity(unchecked) private var notified: [Subscriber?] = []
    /// The same of those that come to the group with this round.
    @exclusivity(unchecked) private var comers: [(member: Subscriber, seen: Captured)] = []
    @exclusivity(unchecked) private var changesOfComers: [(member: Subscriber, change: Change)] = []
    /// The value that the members know; nil while a change is notified, and once the last of them
    /// left.
    @exclusivity(unchecked) private var last: Captured?
    /// The change that the round notifies of.
    @exclusivity(unchecked) private var change: Borrowed<Change>?

    init(_ getter: AnyGetter, key: GroupKey?, first: Captured, isSame: Change.IsSame?) {
        last = first
        super.init(getter, key: key, isSame: isSame)
    }

    // MARK: Members, under the lock

    override func everyone(_ locked: borrowing Locked) -> [Subscriber] {
        members.slots.compactMap(\.self) + (late?.members.compactMap(\.self) ?? [])
    }

    /// Adds a member that knows what the others know.
    func add(_ member: Subscriber, _ locked: borrowing Locked) {
        members.add(member)
        count += 1
    }

    /// Adds a member that has seen something else: the next round compares with that, and it joins the others.
    func add(_ member: Subscriber, seeing value: Captured, _ locked: borrowing Locked) {
        let late = late ?? LateMembers()
        late.add(member, value)
        self.late = late
        hasLeftovers = true
        count += 1
    }

    override func remove(
        _ member: Subscriber, _ rest: inout [Any?], _ locked: borrowing Locked
    ) -> Bool {
        if member.slot >= 0 { members.remove(member) } else { rest.append(late?.remove(member)) }
        count -= 1
        return isEmpty
    }

    override func finish(_ locked: borrowing Locked) -> [Any?] {
        var rest = super.finish(locked)
        guard !isEmpty, !isMarked, let late else { return rest }
        // What they have seen is what the others know now.
        for case let member? in late.members { members.add(member) }
        rest.append(late.takeSeen())
        self.late = nil
        return rest
    }

    override func takeContents(_ locked: borrowing Locked) -> [Any?] {
        defer { (last, late) = (nil, nil) }
        return super.takeContents(locked) + [last, late]
    }

    // MARK: Rounds

    override func take(_ root: UnsafeRawPointer, _ locked: borrowing Locked) {
        isTaken = true
        takeReturned(locked)
        if !needsRoot {
            switch borrowedGetter {
            case .some(let getter): value = getter.value.copy(in: root, &spare)
            case .none: break
            }
        }
        notified = members.slots
        if late != nil { takeLate() }
    }

    @inline(never)
    private func takeLate() {
        guard let late = late.take() else { return }
        comers = late.all
        for comer in comers { members.add(comer.member) }
    }

    override func advance(in root: RootCopy?, of storage: LockedStorage) -> Bool {
        switch borrowedGetter {
        case .some(let getter): advance(getter.value, in: root)
        case .none: false
        }
    }

    @inline(__always)
    private func advance(_ getter: AnyGetter, in root: RootCopy?) -> Bool {
        guard let last = last.take() else { return false }
        // First, as a later state may change the last value of something that is gone.
        let old = getter.value(of: consume last)
        // Where there is no value, nothing is notified.
        guard let new = takeValue(getter, in: root) else {
            self.last = .value(old)
            return false
        }
        if !comers.isEmpty { compareComers(getter, new) }
        if isRepeat(from: old, to: new) {
            // What is not notified does not count: the next change begins at what was delivered
            // last. An equal value is as good, and a new table is compared with a near one faster;
            // but values that a closure of the subscriber considers the same may drift away step by
            // step.
            if key == nil {
                self.last = .value(consume old)
                recycle(consume new)
            } else {
                self.last = .value(consume new)
                recycle(consume old)
            }
            return !changesOfComers.isEmpty
        }
        change = Borrowed(Change(from: consume old, to: consume new))
        return true
    }

    /// The value that was taken, or that is computed from a root state.
    @inline(__always)
    private func takeValue(_ getter: AnyGetter, in root: RootCopy?) -> ValueCopy? {
        if let value = value.take() { return value }
        guard let root else { return nil }
        return getter.currentValue(of: root, in: &spare)
    }

    /// Compares what those who come have seen with the new value.
    @inline(never)
    private func compareComers(_ getter: AnyGetter, _ new: ValueCopy) {
        for comer in comers {
            let seen = getter.value(of: comer.seen)
            if isRepeat(from: seen, to: new) { continue }
            changesOfComers.append((comer.member, Change(from: seen, to: new)))
        }
        comers = []
    }

    override func notify(_ holder: inout TurnHolder, as context: DeliveryContext) {
        var members: [Subscriber?] = []
        swap(&members, &notified)
        switch change {
        case .some(let change): holder.call(members, with: change.value, context)
        case .none: break
        }
        for (member, change) in changesOfComers { holder.call(member, with: change, context) }
    }

    override func settle() {
        if !changesOfComers.isEmpty { changesOfComers = [] }
        guard let notified = change.take()?.taken() else { return }
        last = .value(notified.new)
        recycle((consume notified).oldValue())
    }
}

/// Members that came while the others did not know the present value, in their order.
///
/// Each has its place in `slot`, as a number below 0.
private final class LateMembers {
    private(set) var members: [Subscriber?] = []
    private var seen: [Captured?] = []

    func add(_ member: Subscriber, _ value: Captured) {
        member.slot = -1 - Int32(truncatingIfNeeded: members.count)
        members.append(member)
        seen.append(value)
    }

    /// Takes one out; returns what it has seen.
    func remove(_ member: Subscriber) -> Captured? {
        let place = Int(-1 - member.slot)
        members[place] = nil
        return seen[place].take()
    }

    /// All with what they have seen.
    var all: [(member: Subscriber, seen: Captured)] {
        zip(members, seen).compactMap { member, seen in
            guard let member, let seen else { return nil }
            return (member, seen)
        }
    }

    func takeSeen() -> [Captured?] {
        defer { seen = [] }
        return seen
    }
}
