// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import Testing
import ToDoSync
import ToDoTasks

@testable import ToDoClient

@Suite struct HTTPTaskServerTests {
    private let day = CalendarDate(year: 2026, month: 12, day: 24)

    @Test func `the list is what the server answers`() async throws {
        let json = """
            [{"id": "a", "name": "Buy milk", "dueDate": "2026-12-24T00:00:00+0000", "state": 0},
            {"id": "b c/ü", "name": "", "notes": "Two", "state": 1, "owner": "me"},
            {"id": "d", "name": "D", "state": 7}, {"id": "e", "name": "E", "state": -1}]
            """
        try await TestServer.serve(.init(200, json)) { server in
            let tasks = try await server.client.tasks()
            #expect(
                tasks == [
                    TaskItem(id: "a", name: "Buy milk", dueDate: day),
                    TaskItem(id: "b c/ü", notes: "Two", state: .done),
                    TaskItem(id: "d", name: "D", state: .unknown),
                    TaskItem(id: "e", name: "E", state: .unknown),
                ])
            #expect(server.requests.map(\.line) == ["GET /tasks"])
        }
    }

    @Test(arguments: [
        (Change.Kind.create, "POST /task"), (.update, "PATCH /task"),
    ])
    func `a change is sent in the wire's form`(kind: Change.Kind, line: String) async throws {
        try await TestServer.serve(.init(200, "")) { server in
            let task = TaskItem(id: "a", name: "Buy milk", dueDate: day, notes: "Two", state: .done)
            try await server.client.perform(Change(kind, task))
            try await server.client.perform(Change(kind, TaskItem(id: "b", name: "B")))
            let requests = server.requests
            #expect(requests.map(\.line) == [line, line])
            #expect(requests.allSatisfy { $0.type == "application/json" })
            let sent = try requests.map { request in
                try #require(
                    try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? NSDictionary
                )
            }
            #expect(
                sent == [
                    [
                        "id": "a", "name": "Buy milk", "dueDate": "24/12/2026", "notes": "Two",
                        "state": 1,
                    ],
                    ["id": "b", "name": "B", "dueDate": "--", "state": 0],
                ])
        }
    }

    @Test func `a task is deleted by its id, whatever that is`() async throws {
        try await TestServer.serve(.init(204, "")) { server in
            for id in ["a", "a b/c?d#e", "ü", ".."] {
                try await server.client.perform(Change(.delete, TaskItem(id: id)))
            }
            #expect(
                server.requests.map(\.line) == [
                    "DELETE /task/a", "DELETE /task/a%20b%2Fc%3Fd%23e", "DELETE /task/%C3%BC",
                    "DELETE /task/..",
                ])
        }
    }

    @Test(arguments: [200, 201, 204, 299, 300, 302, 399])
    func `statuses from 100 to 399 are success, with any body or none`(status: Int) async throws {
        try await TestServer.serve(.init(status, "whatever")) { server in
            try await server.client.perform(Change(.update, TaskItem(id: "a")))
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: [400, 404, 409, 499, 500, 503, 599])
    func `statuses from 400 to 599 are failures`(status: Int) async throws {
        let refusal = Problem.refused(status: status, reason: nil)
        try await TestServer.serve(.init(status, "whatever")) { server -> Void in
            await #expect(throws: refusal) {
                try await server.client.perform(Change(.create, TaskItem(id: "a")))
            }
            await #expect(throws: refusal) { try await server.client.tasks() }
        }
    }

    @Test(arguments: [
        (#"{"title": "Conflict", "detail": "Taken."}"#, "Taken."),
        (#"{"title": "Conflict"}"#, "Conflict"),
        (
            #"{"detail": "No task.", "errors": [{"detail": "No title."}, {"detail": "No id."}]}"#,
            "No title. No id."
        ),
        (#"{"detail": 7}"#, nil), ("[]", nil), ("", nil), ("<p>", nil),
        (
            #"{"detail": "\#(String(repeating: "a", count: 5_000))"}"#,
            String(repeating: "a", count: 300)
        ),
    ])
    func `what the server says of a failure is reported`(body: String, reason: String?) async throws
    {
        try await TestServer.serve(.init(409, body)) { server -> Void in
            await #expect(throws: Problem.refused(status: 409, reason: reason)) {
                try await server.client.tasks()
            }
        }
    }

    @Test(arguments: [
        "", "{", "<html>", "{}", "null", "7", #"[{"id": "a", "name": "A"}]"#,
        #"[{"id": 1, "name": "A", "state": 0}]"#, #"[{"name": "A", "state": 0}]"#,
        #"[{"id": "a", "name": "A", "state": "0"}]"#,
        #"[{"id": "a", "name": "A", "state": 0, "dueDate": "24/12/2026"}]"#,
        #"[{"id": "a", "name": "A", "state": 0, "dueDate": "2026-02-30T00:00:00+0000"}]"#,
    ])
    func `success without a list, or with a broken one, is an error`(body: String) async throws {
        try await TestServer.serve(.init(200, body)) { server -> Void in
            await #expect(throws: Problem.unreadable) { try await server.client.tasks() }
        }
    }

    @Test func `an address where nothing listens can't be reached`() async throws {
        let port = try await TestServer.closedPort()
        let address = try #require(ServerAddress("http://127.0.0.1:\(port)"))
        await #expect(throws: Problem.unreachable) {
            try await HTTPTaskServer(at: address).tasks()
        }
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n["])
    func `a server that breaks off can't be reached`(bytes: String) async throws {
        try await TestServer.sendRaw(bytes) { address -> Void in
            await #expect(throws: Problem.unreachable) {
                try await HTTPTaskServer(at: address).tasks()
            }
        }
    }

    @Test func `a server that doesn't speak HTTP makes no sense`() async throws {
        try await TestServer.sendRaw("220 smtp.example ESMTP\r\n") { address -> Void in
            await #expect(throws: Problem.unreadable) {
                try await HTTPTaskServer(at: address).tasks()
            }
        }
    }

    @Test func `a redirect is not followed`() async throws {
        try await TestServer.serve(.init(302, "[]", ["location": "http://example.com/"])) {
            server in
            let tasks = try await server.client.tasks()
            #expect(tasks == [])
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: [
        "http://localhost", "https://tasks.example:8443/api", "http://[::1]:80",
    ])
    func `an address of a server is read`(text: String) throws {
        #expect(ServerAddress(text)?.description == text)
        #expect(ServerAddress(text + "//")?.description == text)
    }

    @Test(arguments: [
        "", "localhost:80", "ftp://a", "http://", "http://a?b", "http://a#b", "http://u@a",
        "http://u:p@a", "file:///etc/passwd", "http://a b",
    ])
    func `what is no address of a server isn't read`(text: String) {
        #expect(ServerAddress(text) == nil)
    }
}
