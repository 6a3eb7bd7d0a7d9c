// SPDX-License-Identifier: MIT

public import Onward

/// What several changes share, so that they are undone together.
public struct UndoGroup: Sendable, Hashable, Codable {
    /// The name of the group, such as "title of task 7".
    public let key: String
    /// When the change was made; nil if time does not matter.
    public let time: Timestamp?
    /// How long after the last change of the group another one can join it, in nanoseconds.
    public let pause: Int64?

    /// Creates a group by name: consecutive changes with the same name are one step.
    public init(_ key: String) {
        self.key = key
        time = nil
        pause = nil
    }

    /// Creates a group by name and time.
    ///
    /// - Parameters:
    ///   - key: The name.
    ///   - time: When the change was made. Put it in the action, so that a replay groups alike.
    ///   - pause: How long after the last change another one can still join; as long before it, if
    ///     a clock was set back.
    public init(_ key: String, at time: Timestamp, within pause: Duration) {
        self.key = key
        self.time = time
        self.pause = pause.wholeNanoseconds
    }

    /// Whether a change joins the step of the change before it.
    func joins(_ last: UndoGroup) -> Bool {
        guard key == last.key else { return false }
        guard let pause, let time, let before = last.time else { return true }
        let most = Duration.nanoseconds(pause)
        return time - before <= most && before - time <= most
    }
}
