// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import NIOCore
import Onward
import OnwardNavigation
import OnwardReports
import OnwardServer
import Testing
import ToDoCore
import ToDoSync
import ToDoTasks

@testable import ToDoPage

/// Users can report a problem: what is downloaded leads to the same list, without what they have written.
@Suite struct ReportTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("todo-reports-\(UUID().uuidString)").path
    private let path = "/reports/problem.onwardreport"
    private let few = [
        TaskItem(id: "a", name: "Buy milk"),
        TaskItem(
            id: "b", name: "Call Anna", dueDate: CalendarDate(year: 2026, month: 2, day: 1),
            notes: "About Friday"),
    ]

    private func serve(
        canReport: Bool = true, _ body: @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        var options = ServerOptions(port: 0)
        options.logger.logLevel = .critical
        let server = try PageServer.toDo(
            on: Memory(few), reports: canReport ? ListReports(in: folder) : nil, options: options)
        try await server.application().test(.router) { try await body($0) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    @Test func `a session is downloaded, leads to the same list, and can be read before`()
        async throws
    {
        try await serve { client in
            let page = try await client.executeRequest(
                uri: "/", method: .get, headers: [:], body: nil)
            #expect(String(buffer: page.body).contains(#"href="\#(path)" download"#))
            let cookie = String(page.headers[.setCookie]?.split(separator: ";").first ?? "")
            func get(_ path: String) async throws -> TestResponse {
                try await client.executeRequest(
                    uri: path, method: .get, headers: [.cookie: cookie], body: nil)
            }
            func post(_ fields: String) async throws {
                let answer = try await client.executeRequest(
                    uri: "/", method: .post,
                    headers: [.contentType: "application/json", .cookie: cookie],
                    body: ByteBuffer(string: "{\(fields)}"))
                #expect(answer.status.code < 400, "\(fields)")
            }
            while try await !String(buffer: get("/").body).contains("Buy milk") {
                await Task.yield()
            }
            try await post(#""type":"ListAction/toggle","id":"a","request":"12345671""#)
            try await post(
                #""type":"SelectionAction/save","id":"b","name":"Call Bea","notes":" ","request":"12345672""#
            )
            try await post(
                #""type":"SelectionAction/title","id":"a","name":"Buy tea","request":"12345673""#)

            let answer = try await get(path)
            #expect(answer.status == .ok)
            let report = try Report(bytes: Array(buffer: answer.body))
            #expect(report.app == "To-do")
            #expect(report.redaction?.course == .same)
            let session: ReplayedReport<ToDo> = try report.replayed(in: toDoReducers)
            let list = session.store.state.list
            #expect(list.tasks.count == 2)
            #expect(list.tasks.map(\.state).contains(.done))
            #expect(list.tasks.compactMap(\.dueDate).map(\.description) == ["2026-02-01"])
            #expect(session.store.state.editing.count == 1)
            let text = String(buffer: try await get("/reports/problem.txt").body)
            #expect(text.contains("ListAction/toggle") && text.contains("to the same course"))
            let file = String(decoding: Array(buffer: answer.body), as: UTF8.self)
            for secret in ["milk", "Anna", "Friday", "Bea", "tea"] {
                #expect(!text.contains(secret) && !file.contains(secret), "\(secret)")
            }
            let foreign = try await client.executeRequest(
                uri: path, method: .get, headers: [:], body: nil)
            #expect(foreign.status == .notFound)
        }
    }

    @Test func `sessions that aren't recorded offer no report`() async throws {
        try await serve(canReport: false) { client in
            let page = try await client.executeRequest(
                uri: "/", method: .get, headers: [:], body: nil)
            #expect(!String(buffer: page.body).contains("Report a problem"))
            let cookie = String(page.headers[.setCookie]?.split(separator: ";").first ?? "")
            let answer = try await client.executeRequest(
                uri: path, method: .get, headers: [.cookie: cookie], body: nil)
            #expect(answer.status == .notFound)
        }
    }

    @Test func `of what crashes have left the newest hundred stay`() throws {
        _ = try ListReports(in: folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for number in 1...102 {
            let left = "\(folder)/\(number)"
            try FileManager.default.createDirectory(
                atPath: left, withIntermediateDirectories: true)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(number))],
                ofItemAtPath: left)
        }
        _ = try ListReports(in: folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(Set(names) == Set((3...102).map { "\($0)" }))
    }

    @Test func `a screen is read from its parts or from its URL`() throws {
        let screens = [
            Screen.list(Query(search: "tea", show: .done, rows: 400)), .new, .task("a"), .notFound,
        ]
        for screen in screens {
            let parts = try JSONEncoder().encode(screen)
            #expect(try JSONDecoder().decode(Screen.self, from: parts) == screen)
            guard let url = Screen.codec.text(of: screen) else { continue }
            let text = try JSONEncoder().encode(url)
            #expect(try JSONDecoder().decode(Screen.self, from: text) == screen)
        }
        // No more rows than a page may have, wherever they come from.
        let many = Data(#"{"list":{"search":"","show":"all","rows":1000000000}}"#.utf8)
        #expect(
            try JSONDecoder().decode(Screen.self, from: many) == .list(Query(rows: Query.mostRows)))
    }
}
