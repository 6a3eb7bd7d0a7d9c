// SPDX-License-Identifier: MIT

internal import DequeModule

/// A group whose members are notified of a whole selected value.
final class ValueGroup: SubscriberGroup, @unchecked Sendable {
    @exclusivity(unchecked) private var members = MemberList()
    @exclusivity(unchecked) private var waiting = Deque<Captured>()
    /// What is being delivered.
    @exclusivity(unchecked) private var taken: Captured?
    /// To which members; nil if these are looked up when there is something to notify.
    @exclusivity(unchecked) private var notification: [Subscriber?]?
    /// The value that the members know; nil while a change is notified, and once the last of them
    /// left.
    @exclusivity(unchecked) private var last: Captured?
    /// What the delivery that is under way notifies of.
    @exclusivity(unchecked) private var change: Borrowed<Change>?

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

    override func absorb(_ late: SubscriberGroup, _ locked: borrowing Locked) -> [Any?] {
        // Groups of one key are of one kind.
        let late = unsafeDowncast(late, to: ValueGroup.self)
        for case let member? in late.members.slots { add(member, locked) }
        defer {
            late.members = MemberList()
            late.last = nil
        }
        return [late.last]
    }

    override func remove(_ member: Subscriber, _ locked: borrowing Locked) -> Bool {
        members.remove(member)
        count -= 1
        return isEmpty
    }

    override func takeContents(_ locked: borrowing Locked) -> [Any?] {
        defer {
            waiting = []
            last = nil
        }
        return super.takeContents(locked) + [waiting, last]
    }

    override func capture(
        _ root: UnsafeRawPointer, _ copy: RootCopy?, isDueNow: Bool, _ locked: borrowing Locked
    ) {
        switch borrowedGetter {
        case .some(let getter):
            let captured = capture(getter.value, root, copy, isDueNow, locked)
            if isDueNow { take(captured) } else { waiting.append(captured) }
        case .none: return
        }
    }

    override func take(_ locked: borrowing Locked) {
        guard let captured = waiting.popFirst() else { return }
        take(captured)
    }

    private func take(_ captured: consuming Captured) {
        isTaken = true
        taken = captured
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
        // First, as a later state may change the last value of something that is gone.
        let old = getter.value(of: consume last)
        // Where there is no value, nothing is notified.
        guard let new = takeValue(getter, in: root) else {
            self.last = .value(old)
            notification = nil
            return false
        }
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
            notification = nil
            return false
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

    override func forEachNotification(
        of storage: LockedStorage, _ body: (Subscriber, Change) -> Void
    ) {
        switch change {
        case .some(let change):
            let notification = takeNotification(of: storage)
            for index in notification.indices {
                // The list keeps it alive; to count a reference would be a third of a further call.
                guard let member = notification[index].map(Unmanaged.passUnretained) else {
                    continue
                }
                member._withUnsafeGuaranteedRef { body($0, change.value) }
            }
        case .none: return
        }
    }

    /// The members present when the value was captured, or when it was found to differ; a member
    /// that came in between knows it, as its order shows.
    private func takeNotification(of storage: LockedStorage) -> [Subscriber?] {
        if let notification = notification.take() { return notification }
        return storage.withLock { _ in members.slots }
    }

    override func settle() {
        notification = nil
        guard let notified = change.take()?.taken() else { return }
        last = .value(notified.new)
        recycle((consume notified).oldValue())
    }
}
