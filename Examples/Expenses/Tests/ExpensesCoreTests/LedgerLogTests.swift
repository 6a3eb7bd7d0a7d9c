// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardReports
import OnwardTesting
import Testing

@testable import ExpensesCore

@Suite struct LedgerLogTests {
    private let journal = MemoryJournal()

    private func kept() async throws -> Persistence<Expenses> {
        try await Persistence(
            of: Expenses(), in: journal, options: .ledger,
            storeOptions: StoreOptions(clock: ManualClock())
        ) { expenses }
    }

    private func buy(_ payee: String, _ amount: String) -> LedgerAction {
        .add(payee: payee, amount: amount, category: "food", day: "2026-11-03")
    }

    @Test func `what the app says by itself is not kept`() async throws {
        let first = try await kept()
        try await first.dispatch(LedgerAction.budget(category: .food, amount: "10"))
        try await first.dispatch(buy("Noodle House", "12.50"))
        _ = try await first.store.wait { $0.notice?.text == "Over budget: Food." }
        try await first.flush()
        let names = try journal.entries(from: 1, limit: .max).map(\.name)
        #expect(names == ["LedgerAction/budget", "LedgerAction/add"])

        let second = try await kept()
        #expect(second.store.state.notice == nil)
        #expect(second.store.state.ledger == first.store.state.ledger)
        #expect(try journal.lastPosition().version == 2)
        await first.store.shutdown()
        try await second.shutdown()
    }

    @Test func `a report leads to the same sums, and says nothing of who was paid`() async throws {
        let kept = try await kept()
        try await kept.dispatch(LedgerAction.addSamples(count: 100, seed: 1))
        try await kept.dispatch(buy("Dr. Weiss", "80"))
        if let undo = kept.store.state.undo.undo { try await kept.dispatch(undo) }
        try await kept.dispatch(buy("Noodle House", "12.50"))
        try await kept.dispatch(LedgerAction.budget(category: .food, amount: ""))
        try await kept.flush()

        let report = try await Report.ledger(of: kept.store, in: journal)
        #expect(report.redaction?.course == .same)
        let file = String(decoding: try report.bytes(), as: UTF8.self)
        for secret in ["Noodle", "Weiss"] {
            #expect(!file.contains(secret) && !report.text().contains(secret), "\(secret)")
        }
        let session = try report.replayed(in: expensesReducers)
        let total = Selection<Expenses, Int>.selector(foundTotal(Query()))
        #expect(session.history.log.staged.count == 5)
        #expect(session.store.value(of: total) == kept.store.value(of: total))
        // As if the noodles had never been paid for.
        session.history.toggle(4)
        #expect(session.store.value(of: total) == kept.store.value(of: total) - 1_250)
        try await kept.shutdown()
    }

    @Test func `a report begins behind the last moment that was travelled to`() async throws {
        let kept = try await kept()
        for payee in ["Noodle House", "Corner Bakery"] {
            try await kept.dispatch(buy(payee, "12.50"))
        }
        try await kept.dispatch(buy("Market Hall", "1"))
        let travelled = History(of: kept.store)
        try await kept.dispatch(buy("Market Hall", "2"))
        travelled.jump(to: 0)
        travelled.detach()
        try await kept.dispatch(buy("Market Hall", "3"))
        try await kept.flush()
        let report = try await Report.ledger(of: kept.store, in: journal)
        let session = try report.replayed(in: expensesReducers)
        #expect(session.history.log.staged.count == 1)
        let total = Selection<Expenses, Int>.selector(foundTotal(Query()))
        #expect(session.store.value(of: total) == 2_900)
        try await kept.shutdown()
    }
}
