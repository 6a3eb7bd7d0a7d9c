// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Onward
import OnwardServer
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A page of 1,000 rows` {
    @Test(
        arguments: [
            (.toggle(id: 500), #"{"html":"\#(row(500, "done"))","row":"500"}"#),
            (.rename(id: 0, title: "<"), #"{"html":"\#(row(0, title: "&lt;"))","row":"0"}"#),
            (.insert(id: 7777, at: 500), #"{"after":"499","html":"\#(row(7777))","row":"7777"}"#),
            (.insert(id: 7777, at: 0), #"{"after":null,"html":"\#(row(7777))","row":"7777"}"#),
            (.insert(id: 7777, at: 1_000), #"{"after":"999","html":"\#(row(7777))","row":"7777"}"#),
            (.remove(id: 500), #"{"row":"500"}"#),
            (.move(id: 10, to: 900), #"{"after":"900","row":"10"}"#),
            (.move(id: 900, to: 10), #"{"after":"9","row":"900"}"#),
            (.move(id: 900, to: 0), #"{"after":null,"row":"900"}"#),
        ] as [(TodoAction, String)])
    func `sends one row when one row changes, comes, leaves or moves`(
        action: TodoAction, step: String
    ) async throws {
        let store = TodoList.store()
        try await application(store).test(.live) { client in
            try await RawConnection.with(
                port: #require(client.port), send: RawConnection.events()
            ) { reader in
                _ = try await reader.event()
                _ = try await reader.read(until: "\r\n")
                store.dispatch(action)
                let event = try await reader.read(until: "\n\n")
                #expect(event.hasSuffix("data: {\"key\":\"todos\",\"rows\":[\(step)]}\n\n"))
                #expect(event.utf8.count < 400)
                #expect(event.matches(of: /data-row/).count <= 1)
            }
        }
    }

    @Test func `is whole in the document, each form with a request id of its own`() async throws {
        let store = TodoList.store()
        store.dispatch(TodoAction.move(id: 999, to: 0))
        try await application(store).test(.router) { client in
            let page = try await client.get()
            let rows = page.text.matches(of: /data-row="(\d+)"/).map { String($0.1) }
            #expect(rows == ["999"] + (0..<999).map { "\($0)" })
            #expect(Set(page.fields("request")).count == 1_000)
            #expect(page.text.contains("<ul data-fragment=\"todos\"><li data-row=\"999\""))
        }
    }

    @Test func `sends a reader that skipped versions the rows that changed since`() async throws {
        let store = TodoList.store()
        try await application(store).test(.live) { client in
            let port = try #require(client.port)
            let id = try await RawConnection.with(port: port, send: RawConnection.events()) {
                reader in
                let id = try await reader.event().id
                for row in 1...3 {
                    store.dispatch(TodoAction.toggle(id: row))
                    _ = try await reader.event()
                }
                return id
            }
            try await RawConnection.with(port: port, send: RawConnection.events(after: id)) {
                let missed = try await $0.event()
                #expect(missed.rows == ["1", "2", "3"])
                #expect(missed.data.count == 1 && missed.data[0].utf8.count < 1_200)
            }
        }
    }

    @Test func `sends a reader that skipped a change of the order the whole list`() async throws {
        let store = TodoList.store()
        try await application(store).test(.live) { client in
            let port = try #require(client.port)
            let id = try await RawConnection.with(port: port, send: RawConnection.events()) {
                reader in
                let id = try await reader.event().id
                for action in [TodoAction.remove(id: 5), .toggle(id: 6)] {
                    store.dispatch(action)
                    _ = try await reader.event()
                }
                return id
            }
            try await RawConnection.with(port: port, send: RawConnection.events(after: id)) {
                let missed = try await $0.event()
                #expect(missed.rows.count == 999 && missed.data.count == 1)
                #expect(missed.data[0].hasSuffix(#"</li>","key":"todos","tag":"ul"}"#))
            }
        }
    }

    @Test func `sends nothing when no row looks different`() async throws {
        let store = TodoList.store()
        try await application(store).test(.live) { client in
            try await RawConnection.with(
                port: #require(client.port), send: RawConnection.events()
            ) { reader in
                _ = try await reader.event()
                store.dispatch(TodoAction.rename(id: 1, title: "To do"))
                _ = try await reader.read(until: "event: beat\ndata:\n\n")
                store.dispatch(TodoAction.toggle(id: 2))
                #expect(try await reader.event().rows == ["2"])
            }
        }
    }

    private static func row(_ id: Int, _ name: String = "", title: String = "To do") -> String {
        """
        <li data-row=\\"\(id)\\" class=\\"\(name)\\">\(title)\\n<form method=\\"post\\" data-action>\\n\
        <input type=\\"hidden\\" name=\\"request\\" value=\\"\\">\\n\
        <input type=\\"hidden\\" name=\\"type\\" value=\\"TodoAction/toggle\\">\\n\
        <button name=\\"id\\" value=\\"\(id)\\">Done</button></form></li>
        """
    }

    private func application(_ store: Store<TodoList>) throws -> some ApplicationProtocol {
        var options = TestServer().options
        options.frame = .zero
        return try PageServer(TodoList.page(), hosting: .shared(store), options: options)
            .application()
    }
}

extension Event {
    /// The rows whose HTML it brings, in their order.
    fileprivate var rows: [String] {
        data.flatMap { $0.matches(of: /data-row=\\"(\w+)\\"/).map { String($0.1) } }
    }
}
#endif
