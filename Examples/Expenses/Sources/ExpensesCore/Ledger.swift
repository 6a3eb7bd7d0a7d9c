// SPDX-License-Identifier: MIT

public import Onward

/// What was spent and what may be: the part of the state that can be undone.
public struct Ledger: Equatable, Codable, Sendable {
    /// The most expenses that there may be.
    public static let limit = 1_000_000

    /// All expenses, in the order in which they were entered.
    public private(set) var expenses: EntityTable<Expense> = []
    /// What may be spent in a month, for categories with a budget.
    public private(set) var budgets: [Category: Money] = [:]
    /// The number of the next entry.
    private var next = 1

    /// An empty ledger.
    public init() {}

    mutating func apply(_ action: LedgerAction) {
        switch action {
        case .add:
            guard let expense = action.entry?.expense(next) else { return }
            expenses.append(expense)
            next += 1
        case .change(let id, _, _, _, _):
            guard expenses[id: id] != nil, let expense = action.entry?.expense(id) else { return }
            expenses[id: id] = expense
        case .remove(let id): expenses.remove(id: id)
        case .budget(let category, let amount): budgets[category] = Money(amount)
        case .addSamples(let count, let seed):
            let count = min(max(count, 0), Self.limit - expenses.count)
            for expense in Samples(seed: seed).expenses(count, from: next) {
                expenses.append(expense)
            }
            next += count
        }
    }
}

/// What can happen to the ledger.
public enum LedgerAction: Action, Codable, Equatable {
    /// Something was spent: texts as they were entered, see ``Entry``.
    case add(payee: String, amount: String, category: String, day: String)
    /// An expense was corrected.
    case change(id: Int, payee: String, amount: String, category: String, day: String)
    /// An expense was taken out.
    case remove(id: Int)
    /// A category has another budget for a month; none if the text is empty.
    case budget(category: Category, amount: String)
    /// Made-up expenses are added, to try the app: the same seed makes the same ones.
    case addSamples(count: Int, seed: UInt64)
}

extension LedgerAction {
    /// What was entered, where something was.
    var entry: Entry? {
        switch self {
        case .add(let payee, let amount, let category, let day),
            .change(_, let payee, let amount, let category, let day):
            Entry(payee: payee, amount: amount, category: category, day: day)
        case .remove, .budget, .addSamples: nil
        }
    }
}
