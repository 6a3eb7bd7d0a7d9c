// SPDX-License-Identifier: MIT

/// What can be undone and redone in a slice: a part of the state beside it.
///
/// As it is state, it is replayed, saved and truncated with the rest. It keeps old values of the slice,
/// which share with the present one what did not change.
public struct UndoStack<Value: Sendable>: Sendable {
    /// One step: a change, or several in a group.
    struct Step: Sendable {
        let id: Int
        /// The value before the step, or after it once it was undone.
        var value: Value
    }

    /// What distinguishes it from other stacks that the same actions reach; nil where there is no other.
    public let name: String?
    private(set) var done: [Step] = []
    private(set) var undone: [Step] = []
    private var nextID = 1
    /// What the changes of the last step have in common, as long as others may join them.
    private var openGroup: UndoGroup?
    /// The value before the action that is being reduced.
    private var before: Value?

    /// Nothing to undo.
    ///
    /// - Parameter name: What distinguishes the stack from others of the same feature. Stacks in
    ///   different scopes need none where the actions are dispatched to the scope's store.
    public init(_ name: String? = nil) {
        self.name = name
    }

    /// The action that undoes the last step; nil where there is none.
    ///
    /// It names the step, so that a late second click undoes nothing else.
    public var undo: UndoAction? { done.last.map { .undo(step: $0.id, of: name) } }

    /// The action that redoes what was undone last; nil where there is nothing.
    public var redo: UndoAction? { undone.last.map { .redo(step: $0.id, of: name) } }

    /// How many steps can be undone.
    public var count: Int { done.count }

    /// Forgets all steps.
    public mutating func removeAll() {
        done = []
        undone = []
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
        undone = []
        let last = openGroup
        openGroup = group
        if let group, let last, group.joins(last) { return }
        done.append(Step(id: nextID, value: before))
        nextID += 1
        if done.count > limit { done.removeFirst(done.count - limit) }
    }

    // MARK: Undoing

    /// Undoes or redoes a step; false, and nothing done, where the action names another one.
    mutating func perform(_ action: UndoAction, on value: inout Value) -> Bool {
        let isDone =
            switch action {
            case .undo(let id, name): Self.exchange(id, &value, from: &done, to: &undone)
            case .redo(let id, name): Self.exchange(id, &value, from: &undone, to: &done)
            default: false
            }
        // This moment was shown, so it can be reached again: the next change is a new step.
        if isDone { openGroup = nil }
        return isDone
    }

    private static func exchange(
        _ id: Int, _ value: inout Value, from source: inout [Step], to target: inout [Step]
    ) -> Bool {
        guard source.last?.id == id, var step = source.popLast() else { return false }
        swap(&step.value, &value)
        target.append(step)
        return true
    }
}

extension UndoStack: Equatable where Value: Equatable {
    /// Whether the same steps can be undone and redone.
    public static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.nextID == right.nextID && left.done == right.done
            && left.undone == right.undone && left.openGroup == right.openGroup
    }
}

extension UndoStack.Step: Equatable where Value: Equatable {}
extension UndoStack.Step: Codable where Value: Codable {}

extension UndoStack: Codable where Value: Codable {
    private enum CodingKeys: String, CodingKey { case name, done, undone, nextID, openGroup }

    /// Reads a stack, which may come from a file written elsewhere.
    ///
    /// - Throws: `DecodingError` for steps whose ids are not those of one stack.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        done = try container.decode([Step].self, forKey: .done)
        undone = try container.decode([Step].self, forKey: .undone)
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
    }
}
