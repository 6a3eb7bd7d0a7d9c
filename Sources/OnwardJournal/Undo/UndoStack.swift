// SPDX-License-Identifier: MIT

internal import HashTreeCollections

/// What can be undone and redone in a slice: a part of the state, beside the slice.
///
/// Since it is state, it is replayed, saved and truncated with the rest. It keeps old values of the
/// slice, which share what did not change with the current one; and two versions of a stack, such
/// as those in the states of a history, share their common steps.
public struct UndoStack<Value: Sendable>: Sendable {
    /// One step: a change, or several in a group.
    struct Step: Sendable {
        let id: Int
        /// The value before the step, or after it once it has been undone.
        @OnHeap var value: Value
    }

    /// The steps at an earlier moment, which share nearly all with those of now.
    private struct Earlier: Sendable {
        let steps: TreeDictionary<Int, Step>
        let first: Int
    }

    /// Distinguishes it from other stacks that the same actions reach; nil if there are none.
    public let name: String?
    /// The steps by position: the oldest is `first`; those from `present` on were undone.
    ///
    /// A persistent tree, so that a full stack costs no more than an empty one, also while another
    /// version of it is kept.
    private var steps: TreeDictionary<Int, Step> = [:]
    private var first = 0
    private var present = 0
    private var nextID = 1
    /// The group of the last step, as long as other changes may join it.
    private var openGroup: UndoGroup?
    /// The steps before the group that is open, with those that it dropped: it is no step if it ends
    /// where it began.
    private var beforeGroup: Earlier?
    /// The value before the action that is being reduced.
    @OnHeap private var before: Value? = nil

    /// Creates a stack with nothing to undo.
    ///
    /// - Parameter name: Distinguishes the stack from others of the same feature. Stacks in
    ///   different scopes need no name if the actions are dispatched to the scope's store.
    public init(_ name: String? = nil) {
        self.name = name
    }

    /// The action that undoes the last step; nil if there is none.
    ///
    /// It names the step, so a late second click undoes nothing else.
    public var undo: UndoAction? { steps[present - 1].map { .undo(step: $0.id, of: name) } }

    /// The action that redoes the last undone step; nil if there is none.
    public var redo: UndoAction? { steps[present].map { .redo(step: $0.id, of: name) } }

    /// How many steps can be undone.
    public var count: Int { present - first }

    /// The steps that can be undone, the oldest first.
    private var done: [Step] { (first..<present).compactMap { steps[$0] } }
    /// The steps that can be redone, the last undone at the end.
    private var undone: [Step] { Self.undone(in: steps, from: present, first) }
    /// What the open group dropped of the steps that could be redone, in the same order.
    private var droppedUndone: [Step] {
        beforeGroup.map { Self.undone(in: $0.steps, from: present - 1, $0.first) } ?? []
    }
    /// What the open group dropped of the oldest steps, as there were too many.
    private var droppedOldest: [Step] {
        beforeGroup.map { earlier in (earlier.first..<first).compactMap { earlier.steps[$0] } }
            ?? []
    }

    private static func undone(
        in steps: TreeDictionary<Int, Step>, from present: Int, _ first: Int
    ) -> [Step] {
        (present..<first + steps.count).reversed().compactMap { steps[$0] }
    }

    /// Forgets all steps.
    public mutating func removeAll() {
        steps = [:]
        (first, present) = (0, 0)
        closeGroup()
        before = nil
    }

    // MARK: Recording

    mutating func begin(_ value: Value) { before = value }

    /// Notes what an action did; a new change drops what was undone.
    ///
    /// A group that comes back to where it began takes back its step, and what the step dropped is
    /// there again. `isSame` says whether two values are the same for undoing.
    mutating func end(
        _ value: Value, in group: UndoGroup?, limit: Int, isSame: (Value, Value) -> Bool
    ) {
        defer { before = nil }
        guard let before, !isSame(before, value) else { return }
        let last = openGroup
        if let group, let last, group.joins(last), let began = steps[present - 1] {
            openGroup = group
            guard isSame(began.value, value), let earlier = beforeGroup else { return }
            (steps, first) = (earlier.steps, earlier.first)
            present -= 1
            return closeGroup()
        }
        openGroup = group
        beforeGroup = group == nil ? nil : Earlier(steps: steps, first: first)
        dropUndone()
        steps[present] = Step(id: nextID, value: before)
        present += 1
        nextID += 1
        while count > limit {
            steps[first] = nil
            first += 1
        }
    }

    private mutating func closeGroup() {
        openGroup = nil
        beforeGroup = nil
    }

    /// Each step is dropped once, so this costs no more than having made them.
    private mutating func dropUndone() {
        var position = present
        while steps.removeValue(forKey: position) != nil { position += 1 }
    }

    // MARK: Undoing

    /// Undoes or redoes a step; false, and nothing done, where the action names another one.
    ///
    /// `exchange` exchanges what is restored of two values.
    mutating func perform(
        _ action: UndoAction, on value: inout Value,
        exchange: (inout Value, inout Value) -> Void = { swap(&$0, &$1) }
    ) -> Bool {
        let position: Int
        switch action {
        case .undo(let id, name) where steps[present - 1]?.id == id:
            present -= 1
            position = present
        case .redo(let id, name) where steps[present]?.id == id:
            position = present
            present += 1
        default: return false
        }
        if var step = steps[position] {
            exchange(&step.value, &value)
            steps[position] = step
        }
        // This moment was shown, so it must stay reachable: the next change is a new step.
        closeGroup()
        return true
    }
}

extension UndoStack: Equatable where Value: Equatable {
    /// Whether the same steps can be undone and redone.
    public static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.nextID == right.nextID && left.count == right.count
            && left.openGroup == right.openGroup && left.steps.count == right.steps.count
            && (left.first == right.first
                ? left.steps == right.steps
                : left.done == right.done && left.undone == right.undone)
            && left.droppedOldest == right.droppedOldest
            && left.droppedUndone == right.droppedUndone
    }
}

extension UndoStack.Step: Equatable where Value: Equatable {}
extension UndoStack.Step: Codable where Value: Codable {}

extension UndoStack: Codable where Value: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, done, undone, nextID, openGroup, droppedOldest, droppedUndone
    }

    /// Decodes a stack, which may come from a file written elsewhere.
    ///
    /// - Throws: `DecodingError` for steps whose ids are not those of one stack.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        let done = try container.decode([Step].self, forKey: .done)
        let undone = try container.decode([Step].self, forKey: .undone)
        nextID = try container.decode(Int.self, forKey: .nextID)
        openGroup = try container.decodeIfPresent(UndoGroup.self, forKey: .openGroup)
        let oldest = try container.decodeIfPresent([Step].self, forKey: .droppedOldest) ?? []
        let dropped = try container.decodeIfPresent([Step].self, forKey: .droppedUndone) ?? []
        let ids = (oldest + done + undone + dropped).map(\.id)
        guard Set(ids).count == ids.count, (1...1 << 53).contains(nextID),
            ids.allSatisfy({ 1..<nextID ~= $0 })
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .nextID, in: container,
                debugDescription: "the ids of the steps are not those of one stack")
        }
        present = done.count
        for (position, step) in (done + undone.reversed()).enumerated() { steps[position] = step }
        guard openGroup != nil, present > 0 else { return }
        var earlier = TreeDictionary<Int, Step>()
        for (position, step) in (oldest + done.dropLast() + dropped.reversed()).enumerated() {
            earlier[position - oldest.count] = step
        }
        beforeGroup = Earlier(steps: earlier, first: -oldest.count)
    }

    /// Encodes the steps as two lists, omitting what is needed only while an action is reduced.
    ///
    /// - Throws: What `encode(to:)` of the values throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encode(done, forKey: .done)
        try container.encode(undone, forKey: .undone)
        try container.encode(nextID, forKey: .nextID)
        try container.encodeIfPresent(openGroup, forKey: .openGroup)
        if !droppedOldest.isEmpty { try container.encode(droppedOldest, forKey: .droppedOldest) }
        if !droppedUndone.isEmpty { try container.encode(droppedUndone, forKey: .droppedUndone) }
    }
}
