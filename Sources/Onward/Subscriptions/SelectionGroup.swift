// SPDX-License-Identifier: MIT

/// The subscribers of one selection: it is read and compared once per commit for all of them.
///
/// Who may touch what: the members and the waiting values belong to the engine's lock; the last
/// and the current value belong to whoever delivers (there is one at a time), and to the engine's
/// lock before the group is in the index.
class SelectionGroup: @unchecked Sendable {
    /// The bytes of the root state on which the selection depends; nil for all of them.
    final let range: Range<Int>?
    /// The key under which others find and join the group; nil when it stays alone.
    final let key: GroupKey?
    /// Subscribers in the order in which they subscribed, with holes where one left.
    final private(set) var members: [Subscriber?] = []
    final private(set) var count = 0
    /// The position in the index.
    final var position = 0
    /// Whether a change waits to be told with others.
    final var isDirty = false

    init(range: Range<Int>?, key: GroupKey?) {
        self.range = range
        self.key = key
    }

    /// Whether a commit that changed the bytes `changed` may have changed the selection.
    final func reads(_ changed: Range<Int>) -> Bool {
        // A field without bytes shares its offset with its neighbour and is never changed, but its
        // subscribers may want to hear of every commit: an empty range counts as read.
        range.map { $0.isEmpty || changed.isEmpty || $0.overlaps(changed) } ?? true
    }

    /// Whether the group needs a copy of the whole state at each commit.
    var needsCopy: Bool { false }

    /// Notes what a delivery needs to compare later.
    ///
    /// Called under the lock, in version order.
    func capture(_ root: UnsafeRawPointer, _ copy: StateCopy?) {}

    /// Takes the oldest noted value.
    ///
    /// Called under the lock by who delivers.
    func take() {}

    /// Compares the taken value with the last one; true when the members have to hear of it.
    func advance() -> Bool { false }

    /// Lets go of values that were only needed for the calls.
    func settle() {}

    final func add(_ member: Subscriber) {
        member.slot = members.count
        members.append(member)
        count += 1
    }

    /// Takes a member out.
    ///
    /// - Complexity: O(1) on average.
    final func remove(_ member: Subscriber) {
        members[member.slot] = nil
        count -= 1
        guard members.count > 16, count < members.count / 2 else { return }
        members = members.filter { $0 != nil }
        for (slot, member) in members.enumerated() { member?.slot = slot }
    }
}

/// What makes two selections the same.
struct GroupKey: Hashable {
    /// A stored property by its offset, anything else by its key path from one.
    enum Source: Hashable {
        case field(offset: Int, type: ObjectIdentifier)
        case path(AnyKeyPath, from: Int)
    }

    let source: Source
    /// Whether equal values are skipped.
    let skipsRepeats: Bool
}
