// SPDX-License-Identifier: MIT

import Onward

/// Withholds what makes no sense before it comes to the reducers and to the log, whoever sends it.
struct Checking: Middleware {
    typealias State = Expenses

    func handle<A: Action>(
        _ action: A, in context: borrowing MiddlewareContext<Expenses>
    ) -> DispatchResult {
        if let action = action as? LedgerAction, problem(of: action, in: context.state) != nil {
            return .withheld
        }
        return context.next(action)
    }
}

/// The field of an action that can't be read, as forms name it; nil if it is none.
public func wrongField(of action: LedgerAction) -> String? {
    if case .budget(_, let amount) = action {
        return amount.isEmpty || Money(amount) != nil ? nil : "amount"
    }
    return action.entry?.mistake?.field
}

/// Why the ledger doesn't take an action, in a sentence; nil if it does.
public func problem(of action: LedgerAction, in state: Expenses) -> String? {
    let expenses = state.ledger.expenses
    switch action {
    case .add:
        return expenses.count < Ledger.limit ? action.entry?.problem : "The ledger is full."
    case .change(let id, _, _, _, _):
        return expenses[id: id] == nil ? "That expense is gone." : action.entry?.problem
    case .remove(let id): return expenses[id: id] == nil ? "That expense is gone already." : nil
    case .budget(_, let amount):
        return amount.isEmpty || Money(amount) != nil
            ? nil : "Please enter a budget such as 400, or nothing."
    case .addSamples(let count, _):
        return 1...Ledger.limit - expenses.count ~= count ? nil : "The ledger is full."
    }
}
