// SPDX-License-Identifier: MIT

/// The subscribers of one selection: it is read and compared once per commit for all of them.
///
/// Who may touch what: the members and the waiting values belong to the engine's lock; the values
/// being delivered belong to the deliverer (there is one at a time), and to the engine's lock
/// before the group is in the index.
class SelectionGroup: @unchecked Sendable {
    /// The bytes of the root state on which the selection depends.
    final let ranges: StateRanges
    /// The key under which others find and join the group; nil when it stays alone, or once the last
    /// member left.
    final private(set) var key: GroupKey?
    /// Whether two values are the same, so that the second one is skipped; nil where none are.
    final private(set) var isSame: Change.IsSame?
    /// The position in the index.
    final var position = 0
    /// The newest commit that waits to be told with others; 0 when none does.
    final var held: Version = 0
    /// Whether somebody is delivering it.
    final var isTaken = false

    init(ranges: StateRanges, key: GroupKey?, isSame: Change.IsSame?) {
        self.ranges = ranges
        self.key = key
        self.isSame = isSame
    }

    /// Whether a commit waits to be told with others.
    final var isDirty: Bool { held > 0 }

    /// Whether it left the index, and stands only in lists that were made before.
    final var isGone: Bool { position < 0 }

    /// Whether a commit that changed the bytes `changed` may have changed the selection.
    final func reads(_ changed: Range<Int>) -> Bool {
        ranges.mayOverlap(changed)
    }

    /// Whether the group needs a copy of the whole state at each commit.
    var needsRoot: Bool { false }

    /// Whether nobody is left.
    ///
    /// Under the lock.
    var isEmpty: Bool { true }

    /// All subscribers, in no order.
    ///
    /// Under the lock.
    var everyone: [Subscriber] { [] }

    /// Takes a subscriber out; true when it was the last one.
    ///
    /// Under the lock.
    func remove(_ member: Subscriber) -> Bool { false }

    /// Gives away what it reads and compares with, and remembers.
    ///
    /// When the last member left, nothing of that lives on, in whatever list the group still stands.
    /// Under the lock, while nobody delivers it; to be let go of outside, where it may use the store.
    func surrender() -> [Any?] {
        defer {
            isSame = nil
            key = nil
        }
        return [isSame, key]
    }

    /// Notes what a delivery needs to compare later.
    ///
    /// Called under the lock, in version order. With the captured value go those who came since the
    /// one before was captured and had seen more than the others (`Arrival`).
    func capture(_ root: UnsafeRawPointer, _ copy: RootCopy?) {}

    /// Takes the oldest noted value.
    ///
    /// Called under the lock by the deliverer.
    func take() {}

    /// Whether newer values wait behind the one that is being delivered.
    ///
    /// Under the lock.
    var isBehind: Bool { isDirty }

    /// Compares the taken value with the last one; true when there is something to tell.
    ///
    /// Called by the deliverer, outside the lock.
    func advance(_ lock: borrowing Lock) -> Bool { false }

    /// Adds those who have to hear of the last `advance`.
    ///
    /// Under the lock.
    func addAudiences(to audiences: inout [Audience]) {}

    /// Lets go of values that were only needed for the calls.
    ///
    /// The value before the current one may hold storage that the next reducer would have to copy.
    func settle() {}
}
