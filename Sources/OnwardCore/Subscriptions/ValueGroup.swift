// SPDX-License-Identifier: MIT

internal import DequeModule

/// A group whose members are given a whole selected value.
///
/// Problem: a subscriber that comes while the others wait for commits that are delivered as one has seen
/// more than they have, so one change cannot be right for all.
///
/// Strategy: the group stays one group, and notes after which member the late subscribers begin and which
/// value they saw. Members are in the order in which they came, so a delivery splits them there,
/// notifies each part of its own change, and forgets the difference.
final class ValueGroup: SubscriberGroup, @unchecked Sendable {
    /// Members that came at one version, while those before them waited.
    private struct Arrival {
        /// The last listener before them.
        let lastListener: UInt64
        let version: Version
        /// What they saw.
        let value: Captured
    }

    /// The arrivals that a delivery has to notify; kept apart, as there are usually none.
    private final class Arrivals {
        var all: [Arrival] = []
        /// The last commit that may have changed the value.
        var held: Version = 0
        /// What each of them is notified; nil where nothing changed for it.
        var changes: [Change?] = []
    }

    private struct Step {
        let captured: Captured
        let arrivals: Arrivals?
    }

    @exclusivity(unchecked) private var members = MemberList()
    @exclusivity(unchecked) private var waiting = Deque<Step>()
    /// Those that came since the group became dirty.
    @exclusivity(unchecked) private var arrivals: Arrivals?
    /// What is being delivered.
    @exclusivity(unchecked) private var taken: Captured?
    @exclusivity(unchecked) private var takenArrivals: Arrivals?
    /// To which members; nil where these are looked up when there is something to notify.
    @exclusivity(unchecked) private var notification: [Subscriber?]?
    /// The value that the members know; nil while a change is notified, and once the last of them left.
    @exclusivity(unchecked) private var last: Captured?
    /// What the delivery that is under way notifies, and which members it says something else.
    @exclusivity(unchecked) private var change: Borrowed<Change>?
    @exclusivity(unchecked) private var split: Arrivals?

    init(_ getter: AnyGetter, key: GroupKey?, first: Captured, isSame: Change.IsSame?) {
        last = first
        super.init(getter, key: key, isSame: isSame)
    }

    override func everyone(_ locked: borrowing Locked) -> [Subscriber] {
        members.slots.compactMap(\.self)
    }
    override func isBehind(_ locked: borrowing Locked) -> Bool {
        isDirty || !waiting.isEmpty
    }

    func add(_ member: Subscriber, _ locked: borrowing Locked) {
        members.add(member)
        count += 1
    }

    /// Whether a late subscriber has seen more than the others, and nobody came yet who saw the same.
    func isAhead(in version: Version, _ locked: borrowing Locked) -> Bool {
        isDirty && arrivals?.all.last?.version != version
    }

    /// Notes what those saw who come next.
    func expect(
        _ value: Captured, in version: Version, after lastListener: UInt64,
        _ locked: borrowing Locked
    ) {
        let arrivals = arrivals ?? Arrivals()
        arrivals.all.append(
            Arrival(lastListener: lastListener, version: version, value: value))
        self.arrivals = arrivals
    }

    override func remove(_ member: Subscriber, _ locked: borrowing Locked) -> Bool {
        members.remove(member)
        count -= 1
        return isEmpty
    }

    override func takeContents(_ locked: borrowing Locked) -> [Any?] {
        defer {
            waiting = []
            arrivals = nil
            last = nil
        }
        return super.takeContents(locked) + [waiting, arrivals, last]
    }

    override func capture(
        _ root: UnsafeRawPointer, _ copy: RootCopy?, isDueNow: Bool, _ locked: borrowing Locked
    ) {
        switch borrowedGetter {
        case .some(let getter):
            arrivals?.held = held
            let captured = capture(getter.value, root, copy, isDueNow, locked)
            let step = Step(captured: captured, arrivals: arrivals.take())
            if isDueNow { take(step) } else { waiting.append(step) }
        case .none: return
        }
    }

    override func take(_ locked: borrowing Locked) {
        guard let step = waiting.popFirst() else { return }
        take(step)
    }

    private func take(_ step: consuming Step) {
        isTaken = true
        taken = step.captured
        takenArrivals = step.arrivals
        notification = members.slots
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
        // First, as a later state may change what a value that is gone was.
        let old = getter.value(of: consume last)
        // Where there is no value, nothing is notified.
        guard let new = takeValue(getter, in: root) else {
            self.last = .value(old)
            notification = nil
            return false
        }
        if let arrivals = takenArrivals.take() { split(at: arrivals, getter, new) }
        if isRepeat(from: old, to: new) {
            // What is not notified does not count: the next change begins at what was delivered last. An equal
            // value is as good, and a new table is compared with a near one faster; but values that a
            // closure of the subscriber considers the same may drift away step by step.
            if key == nil {
                self.last = .value(consume old)
                recycle(consume new)
            } else {
                self.last = .value(consume new)
                recycle(consume old)
            }
            if split == nil { notification = nil }
            return split != nil
        }
        change = Borrowed(Change(from: consume old, to: consume new))
        return true
    }

    /// The value that was taken, or that is computed from a root state.
    @inline(__always)
    private func takeValue(_ getter: AnyGetter, in root: RootCopy?) -> ValueCopy? {
        if let captured = taken.take() {
            return getter.currentValue(of: consume captured, in: &spare)
        }
        guard let root else { return nil }
        return getter.currentValue(of: root, in: &spare)
    }

    /// Notes what is notified to those that came when the others waited.
    @inline(never)
    private func split(at arrivals: Arrivals, _ getter: AnyGetter, _ new: ValueCopy) {
        arrivals.changes = arrivals.all.map { arrival in
            if arrival.version >= arrivals.held { return nil }
            let change = Change(from: getter.value(of: arrival.value), to: new)
            return change.isRepeat(by: isSame) ? nil : change
        }
        split = arrivals
    }

    override func forEachNotification(
        of storage: LockedStorage, _ body: (Subscriber, Change) -> Void
    ) {
        guard split == nil else { return forEachPart(of: takeNotification(of: storage), body) }
        switch change {
        case .some(let change):
            let notification = takeNotification(of: storage)
            for index in notification.indices {
                // The list keeps it alive. Counting a reference would take 47 instructions for each call.
                guard let member = notification[index].map(Unmanaged.passUnretained) else {
                    continue
                }
                member._withUnsafeGuaranteedRef { body($0, change.value) }
            }
        case .none: return
        }
    }

    /// Those who were there when the value was captured, or when it was found to be another one: who
    /// came between knows it, as the order says.
    private func takeNotification(of storage: LockedStorage) -> [Subscriber?] {
        if let notification = notification.take() { return notification }
        return storage.withLock { _ in members.slots }
    }

    @inline(never)
    private func forEachPart(of notification: [Subscriber?], _ body: (Subscriber, Change) -> Void) {
        guard let split else { return }
        var arrivals = zip(split.all, split.changes).makeIterator()
        var (change, next) = (commonChange, arrivals.next())
        for case let member? in notification {
            while let (arrival, later) = next, member.order > arrival.lastListener {
                (change, next) = (later, arrivals.next())
            }
            if let change { body(member, change) }
        }
    }

    /// What those are notified that did not come while the others waited.
    private var commonChange: Change? {
        switch change {
        case .some(let change): change.value
        case .none: nil
        }
    }

    override func settle() {
        notification = nil
        split = nil
        guard let notified = change.take()?.taken() else { return }
        last = .value(notified.new)
        recycle((consume notified).oldValue())
    }
}
