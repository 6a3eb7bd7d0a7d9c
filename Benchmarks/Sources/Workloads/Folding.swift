// SPDX-License-Identifier: MIT

import Onward

struct Expense: Sendable, Identifiable, Equatable {
    let id: Int
    var account: Int
    var payee: Int
    var cents: Int
    var note: String
}

struct Payee: Sendable, Identifiable, Equatable {
    let id: Int
    var name: String
}

struct Ledger: Sendable {
    var expenses: EntityTable<Expense> = []
    var payees: EntityTable<Payee> = []
    var query = ""
}

private struct PayAction: Action { let id: Int, cents: Int }
private struct RenameAction: Action { let id: Int }
private struct SearchAction: Action { let query: String }

private func makeLedger(_ count: Int) -> Store<Ledger> {
    var ledger = Ledger()
    ledger.expenses.append(
        contentsOf: (0..<count).map {
            Expense(
                id: $0, account: $0 % 200, payee: $0 % 10_000, cents: $0 % 9_973,
                note: "receipt \($0 &* 2_654_435_761 % 1_000_003)")
        })
    ledger.payees.append(contentsOf: (0..<10_000).map { Payee(id: $0, name: "payee \($0)") })
    return Store(ledger) {
        Reduce { (ledger: inout Ledger, action: PayAction) in
            ledger.expenses.update(id: action.id) { $0.cents = action.cents }
        }
        Reduce { (ledger: inout Ledger, action: RenameAction) in
            ledger.payees.update(id: action.id) { $0.name += "." }
        }
        Reduce { (ledger: inout Ledger, action: SearchAction) in ledger.query = action.query }
    }
}

private let expenses = StateSelector<Ledger, EntityTable<Expense>>(\.expenses)
private let found = expenses.filter(with: \.query) { $0.note.contains($1) }
private let total = expenses.sum { $0.cents }
private let balances = expenses.grouped { $0.account }.sum { $0.cents }
private let least = expenses.min { $0.cents }
private let payees = StateSelector<Ledger, EntityTable<Payee>>(\.payees)
private let lines = expenses.joined(with: payees, on: { $0.payee }) { expense, payee in
    Payee(id: expense.id, name: payee?.name ?? "")
}

extension Workload {
    /// F1…F4: one of many rows changes, and what all come to is read.
    static func fold<Value: Sendable>(
        _ selector: StateSelector<Ledger, Value>, _ count: Int, _ name: String, _ what: String
    ) -> Workload {
        Workload(name, "\(what) of \(count) rows; change one row, read", budget: "≤ 10 µs") {
            let store = makeLedger(count)
            _ = store.value(of: .selector(selector))
            return { steps in
                for step in 0..<steps {
                    store.dispatch(PayAction(id: step &* 7_919 % count, cents: step % 9_973))
                    _ = store.value(of: .selector(selector))
                }
            }
        }
    }

    static let folds = [
        fold(total, 100_000, "F1", "the sum"),
        fold(balances, 100_000, "F2", "a sum for each account"),
        fold(least, 100_000, "F3", "the least number"),
        fold(lines, 100_000, "F4", "a join with 10,000 others"),
        fold(found, 100_000, "F5", "a search"),
        search(100_000),
    ]

    /// F6: another query, beside a plain loop over an array of the same rows.
    static func search(_ count: Int) -> Workload {
        let queries = ["1", "12", "123", "12", "1", "7"]
        return Workload(
            "F6", "a search in \(count) rows, another query each time, read",
            budget: "≤ 1.5 × limit", period: queries.count,
            limit: {
                let rows = Array(makeLedger(count).state.expenses)
                var found = 0
                return { steps in
                    for step in 0..<steps {
                        let query = queries[step % queries.count]
                        found &+= rows.filter { $0.note.contains(query) }.count
                    }
                    withExtendedLifetime(found) {}
                }
            }
        ) {
            let store = makeLedger(count)
            _ = store.value(of: .selector(found))
            return { steps in
                for step in 0..<steps {
                    store.dispatch(SearchAction(query: queries[step % queries.count]))
                    _ = store.value(of: .selector(found)).count
                }
            }
        }
    }
}
