// SPDX-License-Identifier: MIT

/// What is to be sent, in the order in which it was done.
///
/// One change is under way at a time, so none overtakes another. When the server can't be reached,
/// everything stays, in its order, until somebody sends it again.
public struct Outbox: Equatable, Sendable {
    /// The changes, the first one to be sent at the front.
    public private(set) var changes: [Change] = []
    /// Whether nothing is sent, since the server couldn't be reached.
    public internal(set) var isResting = false
    private var lastNumber = 0

    /// The change that is under way.
    var current: Change? { isResting ? nil : changes.first }

    /// Puts a change at the end, or into another one of the same task that waits.
    ///
    /// The first may be under way, so it stays as it is. Hence there are never more than two of a task.
    mutating func append(
        _ kind: Change.Kind, _ task: TaskItem, isFollowedByList: Bool
    ) -> Change {
        lastNumber += 1
        isResting = false
        let earlier = changes.dropFirst().firstIndex { $0.task.id == task.id }
        let isCreated = earlier.map { changes[$0].kind == .create } ?? false
        let isFollowed = isFollowedByList || earlier.map { changes[$0].isFollowedByList } ?? false
        let change = Change(
            number: lastNumber, kind: isCreated && kind == .update ? .create : kind, task: task,
            isFollowedByList: isFollowed)
        if isCreated && kind == .delete {
            earlier.map { _ = changes.remove(at: $0) }
        } else if let earlier {
            changes[earlier] = change
        } else {
            changes.append(change)
        }
        return change
    }

    /// Takes out the change that is under way, if it has this number.
    mutating func finish(_ number: Int) -> Change? {
        current?.number == number ? changes.removeFirst() : nil
    }

    /// Takes out a change that was refused, and what was to follow a creation.
    mutating func drop(_ change: Change) {
        changes.removeAll {
            $0.number == change.number
                || change.kind == .create && $0.task.id == change.task.id
        }
    }
}
