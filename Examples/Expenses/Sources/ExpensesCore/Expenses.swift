// SPDX-License-Identifier: MIT

import Onward
public import OnwardJournal

/// The whole state of the app.
public struct Expenses: Codable, Sendable {
    /// What was spent and what may be.
    public var ledger = Ledger()
    /// The last changes of the ledger, to take them back.
    public var undo = UndoStack<Ledger>()
    /// What is said to everybody who looks, for a moment.
    public var notice: Notice?
    /// Counts the notices, so that a newer one is not taken away with an older one.
    var notices = 0

    /// What is written of it where it is written whole, as in a report: each step of the stack would be a whole ledger.
    private enum CodingKeys: CodingKey { case ledger, notice, notices }

    /// The app without an expense.
    public init() {}
}

/// Something that is said.
public struct Notice: Hashable, Codable, Sendable {
    let number: Int
    /// The words.
    public let text: String
}

/// What the app says by itself; nobody can post it, and it isn't kept.
enum NoticeAction: Action, Codable, Equatable {
    case say(String)
    case gone(Int)
}
