// SPDX-License-Identifier: MIT

internal import DequeModule

/// A group whose members hear of a whole selected value.
final class ValueGroup: SelectionGroup, @unchecked Sendable {
    private let last = Change(nil)
    /// Nil once the last member left.
    private var selection: Selection?
    @exclusivity(unchecked) private var members = MemberList()
    @exclusivity(unchecked) private var waiting = Deque<Captured>()
    @exclusivity(unchecked) private var taken: Captured?
    /// Where the first comparison starts from; nil after it.
    private var first: Captured?

    init(_ selection: Selection, key: GroupKey?, first: Captured?, isSame: Change.IsSame?) {
        self.selection = selection
        self.first = first
        super.init(ranges: selection.ranges, key: key, isSame: isSame)
    }

    override var change: Change? { last }
    override var needsRoot: Bool { selection?.needsRoot ?? false }
    override var isEmpty: Bool { members.count == 0 }
    override var everyone: [Subscriber] { members.slots.compactMap(\.self) }
    override var changed: [Subscriber?] { members.slots }
    override var isBehind: Bool { isDirty || !waiting.isEmpty }

    func add(_ member: Subscriber) { members.add(member) }

    override func remove(_ member: Subscriber) -> Bool {
        members.remove(member)
        return isEmpty
    }

    override func surrender() -> [Any?] {
        defer {
            selection = nil
            waiting = []
            first = nil
        }
        return super.surrender() + last.surrender() + [selection, waiting, first]
    }

    override func capture(_ root: UnsafeRawPointer, _ copy: RootCopy?) {
        guard let selection else { return }
        waiting.append(selection.capture(root, copy))
    }

    override func take() { taken = waiting.popFirst() }

    override func advance(to version: Version, _ lock: borrowing Lock) -> Bool {
        guard let captured = taken, let selection else { return false }
        taken = nil
        if let first {
            last.start(from: selection.value(of: first))
            self.first = nil
        }
        return last.advance(to: selection.value(of: captured), isSame)
    }

    override func settle() { last.settle() }
}
