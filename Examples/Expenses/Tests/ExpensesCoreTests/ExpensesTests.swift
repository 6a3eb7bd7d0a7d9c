// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardTesting
import Testing

@testable import ExpensesCore

@Suite struct ExpensesTests {
    private let clock = ManualClock()

    private func store() -> Store<Expenses> {
        Store(Expenses(), options: StoreOptions(clock: clock)) { expenses }
    }

    private func lunch(_ amount: String, on day: String = "2026-11-03") -> LedgerAction {
        .add(payee: "  Noodle   House ", amount: amount, category: "food", day: day)
    }

    @Test func `an expense is added, corrected and removed, and each is undone`() {
        let store = store()
        store.dispatch(lunch("12.50"))
        #expect(store.state.ledger.expenses.first?.payee == "Noodle House")
        store.dispatch(
            LedgerAction.change(
                id: 1, payee: "Café", amount: "3", category: "leisure", day: "2026-11-04"))
        #expect(store.state.ledger.expenses[id: 1]?.amount == Money(cents: 300))
        store.dispatch(LedgerAction.remove(id: 1))
        #expect(store.state.ledger.expenses.isEmpty)
        for amount in [300, 1_250] {
            if let undo = store.state.undo.undo { store.dispatch(undo) }
            #expect(store.state.ledger.expenses[id: 1]?.amount == Money(cents: amount))
        }
        if let undo = store.state.undo.undo { store.dispatch(undo) }
        #expect(store.state.ledger == Ledger())
        if let redo = store.state.undo.redo { store.dispatch(redo) }
        #expect(store.state.ledger.expenses.count == 1)
    }

    @Test(arguments: [
        LedgerAction.add(payee: "", amount: "1", category: "food", day: "2026-11-03"),
        .add(payee: "A", amount: "0", category: "food", day: "2026-11-03"),
        .change(id: 7, payee: "A", amount: "1", category: "food", day: "2026-11-03"),
        .remove(id: 7), .budget(category: .food, amount: "much"),
        .addSamples(count: 0, seed: 1), .addSamples(count: .max, seed: 1),
        .addSamples(count: .min, seed: 1),
    ])
    func `what makes no sense is withheld, and leaves no trace in the log`(action: LedgerAction) {
        let store = store()
        #expect(store.dispatch(action) == .withheld)
        #expect(problem(of: action, in: store.state) != nil)
        #expect(store.log.version == 0)
    }

    @Test func `a budget that is exceeded is announced once, and a notice goes after a while`()
        async throws
    {
        let store = store()
        store.dispatch(LedgerAction.budget(category: .food, amount: "20"))
        store.dispatch(lunch("15"))
        await store.waitUntilIdle()
        #expect(store.state.notice == nil)
        store.dispatch(lunch("6"))
        _ = try await store.wait { $0.notice?.text == "Over budget: Food." }
        store.dispatch(lunch("1"))
        await clock.sleepers(1)
        clock.advance(by: .seconds(8))
        _ = try await store.wait { $0.notice == nil }
        // An undo of what exceeded it, and a redo, say it again.
        for _ in 0..<2 { if let undo = store.state.undo.undo { store.dispatch(undo) } }
        #expect(store.value(of: .selector(exceeded)) == [])
        if let redo = store.state.undo.redo { store.dispatch(redo) }
        _ = try await store.wait { $0.notice?.text == "Over budget: Food." }
        await store.shutdown()
    }

    @Test func `only the newest month counts for a budget`() {
        let store = store()
        store.dispatch(LedgerAction.budget(category: .food, amount: "20"))
        store.dispatch(lunch("50", on: "2026-10-31"))
        #expect(store.value(of: .selector(exceeded)) == [.food])
        store.dispatch(lunch("5", on: "2026-11-01"))
        #expect(store.value(of: .selector(exceeded)) == [])
        #expect(store.value(of: .selector(newestMonth)) == Month("2026-11"))
    }

    @Test func `of 50,000 expenses a change looks at those that it concerns`() {
        let store = store()
        store.dispatch(LedgerAction.addSamples(count: 50_000, seed: 1))
        let query = Query(text: "noodle", category: .food)
        let selector = found(query)
        let token = store.subscribe(.selector(selector)) { _, _ in }
        let before = store.value(of: .selector(selector))
        let total = store.value(of: .selector(foundTotal(query)))
        #expect(before.count > 1_000)
        #expect(Array(before.map(\.id)) == before.sorted(by: Expense.isNewer).map(\.id))

        store.dispatch(lunch("12.50", on: "2030-01-01"))
        let after = store.value(of: .selector(selector))
        let changes = after.changes(since: before)
        #expect(changes.inserted == [50_001])
        #expect(changes.removed == [] && changes.updated == [])
        #expect(after.first?.id == 50_001)
        #expect(store.value(of: .selector(foundTotal(query))) == total + 1_250)
        token.cancel()
    }

    @Test func `samples follow from their seed`() {
        let (one, same, other) = (Samples(seed: 1), Samples(seed: 1), Samples(seed: 2))
        #expect(one.expenses(1_000, from: 1).count == 1_000)
        #expect(one.expenses(100, from: 1) == same.expenses(100, from: 1))
        #expect(one.expenses(100, from: 1) != other.expenses(100, from: 1))
    }

    @Test func `the ledger is there again from its log, with the steps that can be undone`()
        async throws
    {
        let journal = MemoryJournal()
        let first = try await Persistence(of: Expenses(), in: journal, options: .ledger) {
            expenses
        }
        try await first.dispatch(LedgerAction.addSamples(count: 1_000, seed: 1))
        try await first.dispatch(lunch("12.50"))
        try await first.dispatch(LedgerAction.remove(id: 3))
        let state = first.store.state
        try await first.flush()

        let second = try await Persistence(of: Expenses(), in: journal, options: .ledger) {
            expenses
        }
        #expect(second.store.state.ledger == state.ledger)
        if let undo = second.store.state.undo.undo { second.store.dispatch(undo) }
        #expect(second.store.state.ledger.expenses[id: 3] != nil)
        try await second.shutdown()
    }

    @Test func `no sequence of actions breaks the ledger`() {
        let days = ["2026-10-30", "2026-11-03", "2026-02-30"]
        expensesReducers.check(
            from: Expenses(),
            always: [
                "an undo stack has at most 50 steps": { $0.undo.count <= 50 },
                "ids are in the order of entering": {
                    let ids = Array($0.ledger.expenses.ids)
                    return ids == ids.sorted()
                },
                "amounts are positive": { $0.ledger.expenses.allSatisfy { $0.amount.cents > 0 } },
            ]
        ) { random, state in
            let id = Int.random(in: 0...9, using: &random)
            let day = days.randomElement(using: &random) ?? ""
            switch Int.random(in: 0...4, using: &random) {
            case 0: return state.undo.undo ?? LedgerAction.remove(id: id)
            case 1: return state.undo.redo ?? LedgerAction.remove(id: id)
            case 2: return LedgerAction.remove(id: id)
            case 3:
                return LedgerAction.change(
                    id: id, payee: "A", amount: "\(id)", category: "home", day: day)
            default:
                return LedgerAction.add(payee: "B", amount: "\(id)", category: "food", day: day)
            }
        }
    }
}
