// SPDX-License-Identifier: MIT

internal import DequeModule

/// A group whose members hear of a whole selected value.
final class ValueGroup: SelectionGroup, @unchecked Sendable {
    /// Nil once the last member left.
    private var selection: Selection?
    @exclusivity(unchecked) private var members = MemberList()
    @exclusivity(unchecked) private var waiting = Deque<Captured>()
    @exclusivity(unchecked) private var taken: Captured?
    /// The value that the members know; nil once the last of them left.
    @exclusivity(unchecked) private var last: Captured?
    /// What the delivery that is under way tells.
    @exclusivity(unchecked) private var change: Change?

    init(_ selection: Selection, key: GroupKey?, first: Captured, isSame: Change.IsSame?) {
        self.selection = selection
        last = first
        super.init(ranges: selection.ranges, key: key, isSame: isSame)
    }

    override var needsRoot: Bool { selection?.needsRoot ?? false }
    override var isEmpty: Bool { members.count == 0 }
    override var everyone: [Subscriber] { members.slots.compactMap(\.self) }
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
            last = nil
        }
        return super.surrender() + [selection, waiting, last]
    }

    override func capture(_ root: UnsafeRawPointer, _ copy: RootCopy?) {
        guard let selection else { return }
        waiting.append(selection.capture(root, copy))
    }

    override func take() { taken = waiting.popFirst() }

    override func advance(_ lock: borrowing Lock) -> Bool {
        guard let captured = taken, let last, let selection else { return false }
        taken = nil
        let step = Change(from: selection.value(of: last), to: selection.value(of: captured))
        let isRepeat = step.isRepeat(by: isSame)
        // What is not told does not count: the next change is one from what was told last.
        self.last = .value(isRepeat ? step.old : step.new)
        change = isRepeat ? nil : step
        return !isRepeat
    }

    override func addAudiences(to audiences: inout [Audience]) {
        if let change { audiences.append(Audience(of: change, others: members.slots)) }
    }

    override func settle() { change = nil }
}
