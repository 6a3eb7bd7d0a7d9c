// SPDX-License-Identifier: MIT

import Onward
import ToDoTasks

/// The changes to send, in the order in which they were made.
///
/// One change is under way at a time, so none overtakes another. When the server can't be reached,
/// everything stays, in its order, until the user sends it again.
public struct Outbox: Codable, Equatable, Sendable {
    /// The changes, the first one to be sent at the front.
    public private(set) var changes: [Change]
    /// Whether nothing is sent, since the server couldn't be reached.
    public var isResting = false
    private var lastNumber: Int

    /// Begins with what an earlier launch couldn't send.
    public init(_ changes: [Change] = []) {
        self.changes = changes
        lastNumber = changes.map(\.number).max() ?? 0
    }

    /// The change that is under way.
    public var current: Change? { isResting ? nil : changes.first }

    /// Puts a change at the end, or into another one of the same task that waits.
    ///
    /// The first may be under way, so it stays as it is. So there are at most two of a task.
    mutating func append(_ kind: Change.Kind, _ task: TaskItem, isFollowedByList: Bool) {
        lastNumber += 1
        isResting = false
        var (kind, isFollowed) = (kind, isFollowedByList)
        let place = changes.dropFirst().firstIndex { $0.task.id == task.id }
        if let place {
            let waiting = changes[place]
            guard let both = waiting.kind.followed(by: kind) else {
                changes.remove(at: place)
                return
            }
            (kind, isFollowed) = (both, isFollowed || waiting.isFollowedByList)
        }
        let change = Change(
            number: lastNumber, kind: kind, task: task, isFollowedByList: isFollowed)
        if let place { changes[place] = change } else { changes.append(change) }
    }

    /// The server has these tasks by now: what waits to create one of them is to change it.
    mutating func know(_ tasks: EntityTable<TaskItem>) {
        for place in changes.indices.dropFirst() where changes[place].kind == .create {
            let id = changes[place].task.id
            // After a deletion that is still to be sent it is created all the same.
            let isFirst = !changes[..<place].contains { $0.task.id == id }
            if isFirst, tasks[id: id] != nil { changes[place].kind = .update }
        }
    }

    /// Takes out the change that is under way, if it has this number.
    mutating func finish(_ number: Int) -> Change? {
        current?.number == number ? changes.removeFirst() : nil
    }

    /// Takes out a change that was refused, and sees to what was to follow it.
    mutating func drop(_ change: Change) {
        changes.removeAll { $0.number == change.number }
        guard let next = changes.firstIndex(where: { $0.task.id == change.task.id }) else { return }
        switch change.kind {
        case .create: changes.remove(at: next)
        // The task is still there.
        case .delete: changes[next].kind = .update
        case .update: break
        }
    }
}
