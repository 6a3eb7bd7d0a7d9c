// SPDX-License-Identifier: MIT

/// Which expenses somebody wants to see.
public struct Query: Hashable, Sendable {
    /// A part of the payee's name; empty for all.
    public var text = ""
    /// The category; nil for all.
    public var category: Category?
    /// The month; nil for all.
    public var month: Month?

    /// All expenses.
    public init(text: String = "", category: Category? = nil, month: Month? = nil) {
        (self.text, self.category, self.month) = (text, category, month)
    }

    func matches(_ expense: Expense) -> Bool {
        (category ?? expense.category) == expense.category
            && (month ?? expense.day.month) == expense.day.month
            && (text.isEmpty || expense.payee.lowercased().contains(text.lowercased()))
    }
}
