// SPDX-License-Identifier: MIT

/// The subscribers of one selection: it is read and compared once per round for all of them.
///
/// A round takes the value under the lock, compares it outside, and calls the members. Who may touch what: the members, the
/// mark and those who come late belong to the store's lock; what was taken belongs to the holder of the turn, and to
/// the store's lock before the group is in the index. That access is exclusive follows from this; to check it at each
/// use, here and in `ValueGroup`, would take as long as all else that it takes to notify one subscriber.
class SubscriberGroup: @unchecked Sendable {
    /// The bytes of the root state on which the selection depends.
    final let ranges: StateRanges
    /// Whether the group needs a copy of the whole state for each round.
    final let needsRoot: Bool
    /// Whether every commit is notified of, and not only the newest.
    final let takesEveryCommit: Bool
    @exclusivity(unchecked) private(set) final var borrowedGetter: Borrowed<AnyGetter>?
    /// The key under which others find and join the group; nil when it stays alone, or once the last
    /// member left.
    final private(set) var key: GroupKey?
    @exclusivity(unchecked) private final var comparison: BorrowedComparison?
    /// What has it in its index.
    @exclusivity(unchecked) final var host: (any SubscriberHost)?
    /// The position in the index.
    final var position = 0
    /// How many subscribers there are.
    @exclusivity(unchecked) final var count = 0

    /// How many commits that it was marked for were notified with later ones.
    @exclusivity(unchecked) final var skippedCount = 0
    /// Whether commits wait to be notified of.
    @exclusivity(unchecked) final var isMarked = false
    /// These commits; meaningless where there are none.
    @exclusivity(unchecked) final var mark = DeliveryContext(version: 0)
    /// Whether it is part of a round: written under the lock by the holder of the turn, so that one may read it without.
    @exclusivity(unchecked) final var isTaken = false
    /// The commits that such a round notifies it of, where they are several.
    @exclusivity(unchecked) final var taken = DeliveryContext(version: 0)
    /// Whether there is something to do at the end of the round: somebody came or left meanwhile.
    @exclusivity(unchecked) final var hasLeftovers = false

    /// The memory of a value that is no longer needed; belongs to the holder of the turn.
    @exclusivity(unchecked) final var spare: EmptyCopy?
    /// The same of a value that is no longer needed on an actor; belongs to the store's lock.
    @exclusivity(unchecked) private final var returned: EmptyCopy?

    init(
        _ getter: AnyGetter, key: GroupKey?, isSame: Change.IsSame?, takesEveryCommit: Bool = false
    ) {
        ranges = getter.ranges
        needsRoot = getter.needsRoot
        self.takesEveryCommit = takesEveryCommit
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

    /// Whether the members know the present value, so that one more of them may join.
    final var isQuiet: Bool { !isMarked && !isTaken }

    /// Whether it left the index, and is only in lists that were made before.
    final var isGone: Bool { position < 0 }

    /// Whether a commit that changed the bytes `changed` may have changed the selection.
    final func reads(_ changed: Range<Int>) -> Bool {
        ranges.mayOverlap(changed)
    }

    // MARK: Under the lock

    /// All subscribers, in no order.
    func everyone(_ locked: borrowing Locked) -> [Subscriber] { [] }

    /// Takes a subscriber out; true when that leaves something to give away.
    ///
    /// `rest` gets what is to be released outside the lock.
    func remove(_ member: Subscriber, _ rest: inout [Any?], _ locked: borrowing Locked) -> Bool {
        false
    }

    /// Ends a round, and lets those join who came meanwhile; returns what is to be released outside the lock.
    func finish(_ locked: borrowing Locked) -> [Any?] {
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

    /// Takes part in a round: takes the value, unless it is computed from the root.
    func take(_ root: UnsafeRawPointer, _ locked: borrowing Locked) {}

    /// Notes the state of a commit, for a group that takes every one.
    func note(
        _ context: DeliveryContext, _ root: UnsafeRawPointer, _ copy: RootCopy?,
        _ locked: borrowing Locked
    ) {}

    @inline(__always)
    final func takeReturned(_ locked: borrowing Locked) {
        if spare == nil, returned != nil { swap(&spare, &returned) }
    }

    /// Keeps the memory of a copy that was needed for a call on an actor.
    final func giveBack(_ value: inout EmptyCopy?, _ locked: borrowing Locked) {
        if returned == nil { swap(&value, &returned) }
    }

    // MARK: For the holder of the turn

    /// Keeps the memory of a copy that is no longer needed for the next one.
    ///
    /// Outside the lock, as a value that goes may run code of the app.
    final func recycle(_ value: consuming ValueCopy) {
        let empty = (consume value).emptied()
        if spare == nil { spare = empty }
    }

    /// Compares what was taken with the last value; true when there is something to notify of.
    ///
    /// `root` is where a group that needs it finds its value.
    func advance(in root: RootCopy?, of storage: LockedStorage) -> Bool { false }

    /// Has the members called that have to be notified of the last `advance`, in the order in which they
    /// subscribed, with their change, and with the commits that it is of.
    func notify(_ holder: inout TurnHolder, as context: DeliveryContext) {}

    /// Releases values that were only needed for the calls, if there was something to notify of.
    ///
    /// The value before the current one may hold storage that the next reducer would have to copy.
    func settle() {}
}

extension [SubscriberGroup] {
    /// Calls `body` with each group, which the list keeps alive.
    ///
    /// It counts no references, which rounds for one subscriber would feel.
    @inline(__always)
    func forEachGroup(_ body: (SubscriberGroup) -> Void) {
        for index in indices {
            Unmanaged.passUnretained(self[index])._withUnsafeGuaranteedRef(body)
        }
    }
}
