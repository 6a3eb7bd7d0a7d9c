// SPDX-License-Identifier: MIT

public import Onward

/// Why something can't be done to a list.
public enum TaskRefusal: RefusalReason, Equatable {
    /// The title is blank, or longer than ``TaskItem/longestName``.
    case nameless, tooLong
    /// The task isn't there.
    case unknown
    /// There are as many tasks as there may be.
    case full

    /// The reason in one sentence.
    public var sentence: String {
        switch self {
        case .nameless: "Every task needs a title."
        case .tooLong: "A title has at most \(TaskItem.longestName) characters."
        case .unknown: "There is no such task; it may have been deleted."
        case .full: "The list is full: delete what is done."
        }
    }
}
