// SPDX-License-Identifier: MIT

import ExpensesCore
import Hummingbird
import HummingbirdTesting
import Onward
import OnwardJournal
import OnwardReports
import OnwardServer
import Testing

@testable import ExpensesPage

@Suite struct ReportTests {
    @Test func `a report is read and downloaded, without who was paid`() async throws {
        let journal = MemoryJournal()
        let kept = try await Persistence(of: Expenses(), in: journal, options: .ledger) {
            expenses
        }
        try await kept.dispatch(
            LedgerAction.add(
                payee: "Noodle House", amount: "12.50", category: "food", day: "2026-11-03"))
        let server = try PageServer.expenses(
            hosting: .shared(kept), report: { try await .ledger(of: kept.store, in: journal) })
        try await server.application().test(.router) { client in
            func get(_ path: String) async throws -> [UInt8] {
                Array(buffer: try await client.execute(uri: path, method: .get).body)
            }
            let page = String(decoding: try await get("/"), as: UTF8.self)
            #expect(page.contains(#"href="/reports/problem.onwardreport" download"#))
            let report = try Report(bytes: try await get("/reports/problem.onwardreport"))
            #expect(report.app == "Expenses")
            #expect(report.entries.map(\.name) == ["LedgerAction/add"])
            let text = String(decoding: try await get("/reports/problem.txt"), as: UTF8.self)
            #expect(text.contains("12.50"))
            #expect(!text.contains("Noodle"))
        }
        try await kept.shutdown()
    }

    @Test func `where nothing is kept there is no report`() async throws {
        let server = try PageServer.expenses(hosting: .shared(Store(Expenses()) { expenses }))
        try await server.application().test(.router) { client in
            let page = try await client.execute(uri: "/", method: .get)
            #expect(!String(buffer: page.body).contains("Report a problem"))
            let report = try await client.execute(uri: "/reports/problem.txt", method: .get)
            #expect(report.status == .notFound)
        }
    }
}
