// SPDX-License-Identifier: MIT

import ExpensesCore
import Onward
import OnwardJournal

/// The newest month, the one before, and the last twelve as bars.
struct SummaryView: Equatable, Sendable {
    struct Bar: Equatable, Sendable {
        let name: String
        let shortName: String
        let total: String
        let cents: Int
    }

    let hasExpenses: Bool
    let month: String
    let total: String
    let change: String
    let bars: [Bar]

    init(_ byMonth: GroupValues<Month, Int>, newest: Month?) {
        hasExpenses = newest != nil
        guard let newest else {
            (month, total, change, bars) = ("", "", "", [])
            return
        }
        let months = Array(
            sequence(first: newest, next: \.previous).prefix(12).reversed())
        month = newest.name
        total = Money(cents: byMonth[newest]).description
        let difference = byMonth[newest] - byMonth[newest.previous]
        change =
            "\(Money(cents: abs(difference))) \(difference > 0 ? "more" : "less") than in \(newest.previous.name)"
        bars = months.map { month in
            Bar(
                name: month.name, shortName: month.shortName,
                total: Money(cents: byMonth[month]).description, cents: byMonth[month])
        }
    }
}

/// What was spent in a category in the newest month, beside its budget.
struct BudgetView: Identifiable, Equatable, Sendable {
    let id: String
    let name: String
    let spent: String
    let budget: String?
    let field: String
    let cents: Int
    let most: Int
    let isOver: Bool

    init(_ category: Category, spent: Int, budget: Money?) {
        (id, name, cents) = (category.rawValue, category.name, spent)
        self.spent = Money(cents: spent).description
        self.budget = budget.map { "of \($0)" }
        field = budget.map(\.plain) ?? ""
        most = max(budget?.cents ?? 0, 1)
        isOver = budget.map { spent > $0.cents } ?? false
    }
}

/// What a visitor looks for, and how much there is of it.
struct FilterView: Equatable, Sendable {
    struct Choice: Equatable, Sendable {
        let value: String
        let name: String
        let isCurrent: Bool
    }

    let hasExpenses: Bool
    let text: String
    let categories: [Choice]
    let months: [Choice]
    let result: String

    init(_ query: Query, months: [Month], count: Int, total: Int) {
        hasExpenses = !months.isEmpty
        text = query.text
        categories =
            [Choice(value: "", name: "All categories", isCurrent: query.category == nil)]
            + Category.allCases.map {
                Choice(value: $0.rawValue, name: $0.name, isCurrent: query.category == $0)
            }
        self.months =
            [Choice(value: "", name: "All months", isCurrent: query.month == nil)]
            + months.map {
                Choice(value: "\($0)", name: $0.name, isCurrent: query.month == $0)
            }
        result = "\(count) \(count == 1 ? "expense" : "expenses"), \(Money(cents: total))"
    }
}

/// An expense as a row, with the form that corrects it.
struct ExpenseView: Identifiable, Equatable, Sendable {
    let id: Int
    let day: String
    let payee: String
    let category: String
    let amount: String
    let field: String
    let choices: [FilterView.Choice]

    init(_ expense: Expense) {
        (id, day, payee) = (expense.id, "\(expense.day)", expense.payee)
        category = expense.category.name
        amount = expense.amount.description
        field = expense.amount.plain
        choices = FilterView.Choice.all(expense.category)
    }
}

extension FilterView.Choice {
    /// All categories, one of them current.
    static func all(_ current: Category) -> [Self] {
        Category.allCases.map { Self(value: $0.rawValue, name: $0.name, isCurrent: $0 == current) }
    }
}

/// The form for an expense, and the way to samples while there is none.
struct EntryView: Equatable, Sendable {
    let isEmpty: Bool
    let choices = FilterView.Choice.all(.food)
}

/// How many more there are.
struct MoreView: Equatable, Sendable {
    let left: Int
    let isFull: Bool
    let hasMore: Bool

    init(shown: Int, of count: Int) {
        left = count - shown
        isFull = left > 0 && shown >= Look.limit
        hasMore = left > 0 && !isFull
    }
}

/// The steps that can be taken back, and again.
struct StepsView: Equatable, Sendable {
    let undo: Int?
    let redo: Int?

    init(_ stack: UndoStack<Ledger>) {
        undo = if case .undo(let step, _)? = stack.undo { step } else { nil }
        redo = if case .redo(let step, _)? = stack.redo { step } else { nil }
    }
}

extension Money {
    /// The amount as a field takes it: "1234.50".
    fileprivate var plain: String { description.replacing("\u{202F}", with: "") }
}

/// What is said to everybody; nothing most of the time.
struct NoticeView: Equatable, Sendable {
    let text: String?
}

/// The way to a report of what happened, to read it and to send it.
struct ReportView: Equatable, Sendable {
    let canReport: Bool
}
