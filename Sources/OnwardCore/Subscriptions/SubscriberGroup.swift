// SPDX-License-Identifier: MIT

/// The subscribers of one selection: it is read and compared once per commit for all of them.
///
/// A delivery captures the value under the lock, compares it outside, and calls the members. Who may
/// touch what: the members and the waiting values belong to the store's lock; the values being
/// delivered belong to the deliverer (there is one at a time), and to the store's lock before the
/// group is in the index. That access is exclusive follows from this; to check it at each use, here and in
/// `ValueGroup`, would take as long as all else that it takes to notify one subscriber.
class SubscriberGroup: @unchecked Sendable {
    /// The bytes of the root state on which the selection depends.
    final let ranges: StateRanges
    /// Whether the group needs a copy of the whole state at each commit.
    final let needsRoot: Bool
    @exclusivity(unchecked) private(set) final var borrowedGetter: Borrowed<AnyGetter>?
    /// The key under which others find and join the group; nil when it stays alone, or once the last
    /// member left.
    final private(set) var key: GroupKey?
    @exclusivity(unchecked) private final var comparison: BorrowedComparison?
    /// What has it in its index.
    @exclusivity(unchecked) final var host: (any SubscriberHost)?
    /// The position in the index.
    final var position = 0
    /// The newest commit that waits to be notified with others; 0 when none does.
    final var held: Version = 0
    /// Whether a thread is delivering it: written by the deliverer under the lock, so it may read it without.
    @exclusivity(unchecked) final var isTaken = false
    /// Whether somebody left meanwhile, so that this thread has something to let go of when it is done.
    @exclusivity(unchecked) final var hasLeftovers = false
    /// How many subscribers there are; in a group that was merged, of those that came to it.
    @exclusivity(unchecked) final var count = 0
    /// The groups of one key of which some wait for commits that others have seen; nil where there are none.
    final var succession: Succession?
    /// The group to which its members went.
    @exclusivity(unchecked) final var merged: SubscriberGroup?

    /// The memory of a value that is no longer needed; for the deliverer, and for the commit whose
    /// thread is about to become the deliverer.
    @exclusivity(unchecked) final var spare: EmptyCopy?
    /// The same of a value that is no longer needed on an actor; belongs to the store's lock.
    @exclusivity(unchecked) private final var returned: EmptyCopy?

    init(_ getter: AnyGetter, key: GroupKey?, isSame: Change.IsSame?) {
        ranges = getter.ranges
        needsRoot = getter.needsRoot
        borrowedGetter = Borrowed(getter)
        self.key = key
        if let isSame { comparison = BorrowedComparison(isSame) }
    }

    /// Whether two values are the same, so that the second one is skipped; nil where no two are.
    final var isSame: Change.IsSame? {
        switch comparison {
        case .some(let comparison): comparison.isSame
        case .none: nil
        }
    }

    /// What the members read; nil once the last of them left.
    final var getter: AnyGetter? {
        switch borrowedGetter {
        case .some(let getter): getter.value
        case .none: nil
        }
    }

    /// Whether a change from one value to another would change nothing.
    @inline(__always)
    final func isRepeat(from old: borrowing ValueCopy, to new: borrowing ValueCopy) -> Bool {
        switch comparison {
        case .some(let comparison): comparison.isSame(old.pointer, new.pointer)
        case .none: false
        }
    }

    /// Whether nobody is left.
    final var isEmpty: Bool { count == 0 }

    /// Whether a commit waits to be notified with others.
    final var isDirty: Bool { held > 0 }

    /// Whether it left the index, and is only in lists that were made before.
    final var isGone: Bool { position < 0 }

    /// Whether a commit that changed the bytes `changed` may have changed the selection.
    final func reads(_ changed: Range<Int>) -> Bool {
        ranges.mayOverlap(changed)
    }

    /// All subscribers, in no order.
    func everyone(_ locked: borrowing Locked) -> [Subscriber] { [] }

    /// Takes over the members of a group that knows the same; returns what is to be released outside the lock.
    func absorb(_ late: SubscriberGroup, _ locked: borrowing Locked) -> [Any?] { [] }

    /// Takes a subscriber out; true when that leaves something to give away.
    func remove(_ member: Subscriber, _ locked: borrowing Locked) -> Bool { false }

    /// Gives away what nobody needs any more of those who left.
    ///
    /// While nobody delivers it; to be let go of outside the lock, where it may use the store.
    func takeLeftovers(_ locked: borrowing Locked) -> [Any?] {
        hasLeftovers = false
        return isEmpty ? takeContents(locked) : []
    }

    /// Gives away what it reads and compares with, and remembers.
    ///
    /// When the last member left, nothing of that lives on, in whatever list the group still stands.
    func takeContents(_ locked: borrowing Locked) -> [Any?] {
        defer {
            borrowedGetter = nil
            comparison = nil
            key = nil
        }
        return [getter, isSame, key]
    }

    /// Notes what a delivery needs to compare later; one that is made at once needs no queue.
    ///
    /// In version order.
    func capture(
        _ root: UnsafeRawPointer, _ copy: RootCopy?, isDueNow: Bool, _ locked: borrowing Locked
    ) {}

    /// Copies what a delivery needs, in the memory of an earlier copy where no delivery is under way.
    final func capture(
        _ getter: AnyGetter, _ root: UnsafeRawPointer, _ copy: RootCopy?, _ isDueNow: Bool,
        _ locked: borrowing Locked
    ) -> Captured {
        if isDueNow {
            takeReturned(locked)
            return getter.capture(root, copy, in: &spare)
        }
        var none: EmptyCopy?
        return getter.capture(root, copy, in: &none)
    }

    /// Keeps the memory of a copy that is no longer needed for the next one.
    ///
    /// By the deliverer, outside the lock, as a value that goes may run code of the app.
    final func recycle(_ value: consuming ValueCopy) {
        let empty = (consume value).emptied()
        if spare == nil { spare = empty }
    }

    private final func takeReturned(_ locked: borrowing Locked) {
        if spare == nil, returned != nil { swap(&spare, &returned) }
    }

    /// The same after a call on an actor, when somebody else may deliver already.
    @inline(never)
    final func giveBack(_ value: consuming ValueCopy, to storage: LockedStorage) {
        var empty = (consume value).emptied()
        guard empty != nil else { return }
        storage.withLock { _ in
            let group = merged ?? self
            if group.returned == nil { swap(&empty, &group.returned) }
        }
    }

    /// Notes that this thread, which has become the deliverer, notifies at once what needs the whole state.
    func takeNow(_ locked: borrowing Locked) {
        isTaken = true
        takeReturned(locked)
    }

    /// Takes the oldest noted value; by the deliverer.
    func take(_ locked: borrowing Locked) {}

    /// Whether newer values wait behind the one that is being delivered.
    func isBehind(_ locked: borrowing Locked) -> Bool { isDirty }

    /// Compares the taken value with the last one; true when there is something to notify.
    ///
    /// `root` is where a group that needs it, and has taken nothing, finds its value. Called by the
    /// deliverer, outside the lock.
    func advance(in root: RootCopy?, of storage: LockedStorage) -> Bool { false }

    /// Calls `body` with the members that have to be notified of the last `advance`, in the order in
    /// which they subscribed, and with their change.
    ///
    /// Called by the deliverer, outside the lock.
    func forEachNotification(of storage: LockedStorage, _ body: (Subscriber, Change) -> Void) {}

    /// Releases values that were only needed for the calls, if there was something to notify.
    ///
    /// The value before the current one may hold storage that the next reducer would have to copy.
    func settle() {}
}

extension [SubscriberGroup] {
    /// Calls `body` with each group, which the list keeps alive.
    ///
    /// It counts no references, which deliveries to one subscriber would feel.
    @inline(__always)
    func forEachGroup(_ body: (SubscriberGroup) -> Void) {
        for index in indices {
            Unmanaged.passUnretained(self[index])._withUnsafeGuaranteedRef(body)
        }
    }
}
