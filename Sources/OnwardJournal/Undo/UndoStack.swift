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
        var value: Value
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
    /// The value before the action that is being reduced.
    private var before: Value?

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
    private var undone: [Step] {
        (present..<first + steps.count).reversed().compactMap { steps[$0] }
    }

    /// Forgets all steps.
    public mutating func removeAll() {
        steps = [:]
        (first, present) = (0, 0)
        openGroup = nil
        before = nil
    }

    // MARK: Recording

    mutating func begin(_ value: Value) { before = value }

    /// Notes what an action did; a new change drops what was undone.
    mutating func end(_ value: Value, in group: UndoGroup?, limit: Int)
    where Value: Equatable {
        defer { before = nil }
        guard let before, before != value else { return }
        dropUndone()
        let last = openGroup
        openGroup = group
        if let group, let last, group.joins(last) { return }
        steps[present] = Step(id: nextID, value: before)
        present += 1
        nextID += 1
        while count > limit {
            steps[first] = nil
            first += 1
        }
    }

    /// Each step is dropped once, so this costs no more than having made them.
    private mutating func dropUndone() {
        var position = present
        while steps.removeValue(forKey: position) != nil { position += 1 }
    }

    // MARK: Undoing

    /// Undoes or redoes a step; false, and nothing done, where the action names another one.
    mutating func perform(_ action: UndoAction, on value: inout Value) -> Bool {
        switch action {
        case .undo(let id, name) where steps[present - 1]?.id == id:
            present -= 1
            exchange(&value, at: present)
        case .redo(let id, name) where steps[present]?.id == id:
            exchange(&value, at: present)
            present += 1
        default: return false
        }
        // This moment was shown, so it must stay reachable: the next change is a new step.
        openGroup = nil
        return true
    }

    private mutating func exchange(_ value: inout Value, at position: Int) {
        guard var step = steps[position] else { return }
        swap(&step.value, &value)
        steps[position] = step
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
    }
}

extension UndoStack.Step: Equatable where Value: Equatable {}
extension UndoStack.Step: Codable where Value: Codable {}

extension UndoStack: Codable where Value: Codable {
    private enum CodingKeys: String, CodingKey { case name, done, undone, nextID, openGroup }

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
        let ids = (done + undone).map(\.id)
        guard Set(ids).count == ids.count, (1...1 << 53).contains(nextID),
            ids.allSatisfy({ 1..<nextID ~= $0 })
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .nextID, in: container,
                debugDescription: "the ids of the steps are not those of one stack")
        }
        present = done.count
        for (position, step) in (done + undone.reversed()).enumerated() { steps[position] = step }
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
    }
}
