// SPDX-License-Identifier: MIT

public import Onward

// What the views show, each computed from what changed: an expense more costs the same among ten and among
// 50,000.

private let all = StateSelector<Expenses, EntityTable<Expense>>(\.ledger.expenses)

/// The expenses that a query wants, the newest first.
public let found = SelectorFamily<Expenses, Query, EntityTable<Expense>> { query in
    all.filter { query.matches($0) }.sorted { Expense.isNewer($0, $1) }
}

/// What the expenses that a query wants are together, in cents.
public let foundTotal = SelectorFamily<Expenses, Query, Int> { found($0).sum { $0.amount.cents } }

/// What was spent in each month, in cents.
public let byMonth = all.grouped { $0.day.month }.sum { $0.amount.cents }

/// The newest month with an expense; nil while there is none.
public let newestMonth = StateSelector(byMonth) { $0.keys.max() }

/// What was spent in each category in a month, in cents.
public let byCategory = SelectorFamily<Expenses, Month?, GroupValues<Category, Int>> { month in
    all.filter { $0.day.month == month }.grouped { $0.category }.sum { $0.amount.cents }
}

/// The categories whose budget is exceeded in the newest month.
public let exceeded = StateSelector(byCategory(newestMonth), StateSelector(\.ledger.budgets)) {
    spent, budgets in
    Set(budgets.filter { spent[$0.key] > $0.value.cents }.keys)
}
