// SPDX-License-Identifier: MIT

/// What money was spent on, when, and with whom.
public struct Expense: Identifiable, Hashable, Codable, Sendable {
    /// The number of the entry.
    public let id: Int
    /// When it was paid.
    public var day: Day
    /// Who was paid.
    public var payee: String
    /// What it was for.
    public var category: Category
    /// How much it was.
    public var amount: Money

    /// Creates an expense.
    public init(id: Int, day: Day, payee: String, category: Category, amount: Money) {
        (self.id, self.day, self.payee, self.category, self.amount) = (
            id, day, payee, category, amount
        )
    }

    /// The newest first; of one day what was entered last.
    static func isNewer(_ left: Expense, _ right: Expense) -> Bool {
        left.day == right.day ? left.id > right.id : left.day > right.day
    }
}

/// What money is spent on.
public enum Category: String, CaseIterable, Codable, Sendable {
    case food, home, travel, leisure, health, other

    /// The name for people.
    public var name: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
