// SPDX-License-Identifier: MIT

public import Onward

/// What several changes have in common, so that they are undone together.
public struct UndoGroup: Sendable, Hashable, Codable {
    /// The name of the group, such as "title of task 7".
    public let key: String
    /// When the change was made; nil where time does not matter.
    public let time: Timestamp?
    /// How long after the last change of the group another one joins it, in nanoseconds.
    public let pause: Int64?

    /// A group by its name: changes that follow one another under one name are one step.
    public init(_ key: String) {
        self.key = key
        time = nil
        pause = nil
    }

    /// A group by its name and by time.
    ///
    /// - Parameters:
    ///   - key: The name.
    ///   - time: When the change was made. The action carries it, so that a replay groups alike.
    ///   - pause: How long after the last change another one still joins.
    public init(_ key: String, at time: Timestamp, within pause: Duration) {
        self.key = key
        self.time = time
        self.pause = pause.wholeNanoseconds
    }

    /// Whether a change belongs to the step of the change before it.
    func joins(_ last: UndoGroup) -> Bool {
        guard key == last.key else { return false }
        guard let pause, let time, let before = last.time else { return true }
        return time - before <= .nanoseconds(pause)
    }
}
