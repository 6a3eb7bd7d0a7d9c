// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import Testing
import ToDoTasks

@testable import ToDoService

@Suite struct TaskServiceTests {
    private let milk = #"{"id":"a","name":"Buy milk","dueDate":"24/12/2026","state":0}"#

    @Test func `tasks are created, listed, updated and deleted`() async throws {
        try await Service.run { service in
            #expect(try await service.ask(.get, "/tasks").body == "[]")
            let created = try await service.ask(.post, "/task", milk)
            #expect(created.status == 201)
            let kept =
                #"{"dueDate":"2026-12-24T00:00:00+0000","id":"a","name":"Buy milk","state":0}"#
            #expect(created.body == kept)
            #expect(try await service.ask(.get, "/tasks").body == "[\(kept)]")
            let done = #"{"id":"a","name":"Milk","notes":"Two","dueDate":"--","state":1}"#
            let updated = try await service.ask(.patch, "/task", done)
            #expect(updated.status == 200)
            #expect(updated.body == #"{"id":"a","name":"Milk","notes":"Two","state":1}"#)
            #expect(try await service.ask(.get, "/tasks").body == "[\(updated.body)]")
            #expect(try await service.ask(.delete, "/task/a").status == 204)
            #expect(try await service.ask(.get, "/tasks").body == "[]")
        }
    }

    @Test func `the newest task comes first`() async throws {
        try await Service.run { service in
            for id in ["a", "b", "c"] {
                _ = try await service.ask(.post, "/task", #"{"id":"\#(id)","name":"N","state":0}"#)
            }
            #expect(try await service.database.tasks().map(\.id) == ["c", "b", "a"])
        }
    }

    @Test func `the same task twice is one, and another one of its id is refused`() async throws {
        try await Service.run { service in
            _ = try await service.ask(.post, "/task", milk)
            #expect(try await service.ask(.post, "/task", milk).status == 200)
            let other = try await service.ask(
                .post, "/task", #"{"id":"a","name":"Other","state":0}"#)
            #expect(other.status == 409 && other.isProblem)
            #expect(try await service.database.tasks().count == 1)
        }
    }

    @Test(arguments: ["x", "..", "%2e%2e", "a%20b", "a%00", String(repeating: "a", count: 65)])
    func `a task that isn't there isn't found`(id: String) async throws {
        try await Service.run { service in
            let answer = try await service.ask(.delete, "/task/\(id)")
            #expect(answer.status == 404 && answer.isProblem)
        }
    }

    @Test func `an update of a task that isn't there isn't a creation`() async throws {
        try await Service.run { service in
            let answer = try await service.ask(.patch, "/task", milk)
            #expect(answer.status == 404 && answer.isProblem)
            #expect(try await service.database.isEmpty())
        }
    }

    @Test(arguments: [
        (#"{"name":"N","state":0}"#, "#/id"),
        (#"{"id":"","name":"N","state":0}"#, "#/id"),
        (#"{"id":"a b","name":"N","state":0}"#, "#/id"),
        (#"{"id":"\#(String(repeating: "a", count: 65))","name":"N","state":0}"#, "#/id"),
        (#"{"id":7,"name":"N","state":0}"#, "#/id"),
        (#"{"id":"a","state":0}"#, "#/name"),
        (#"{"id":"a","name":"","state":0}"#, "#/name"),
        (#"{"id":"a","name":" \u2003\u00a0","state":0}"#, "#/name"),
        (#"{"id":"a","name":"a\nb","state":0}"#, "#/name"),
        (#"{"id":"a","name":"\#(String(repeating: "ä", count: 201))","state":0}"#, "#/name"),
        (#"{"id":"a","name":null,"state":0}"#, "#/name"),
        (#"{"id":"a","name":"N"}"#, "#/state"),
        (#"{"id":"a","name":"N","state":2}"#, "#/state"),
        (#"{"id":"a","name":"N","state":-2}"#, "#/state"),
        (#"{"id":"a","name":"N","state":0.5}"#, "#/state"),
        (#"{"id":"a","name":"N","state":"0"}"#, "#/state"),
        (#"{"id":"a","name":"N","state":true}"#, "#/state"),
        (#"{"id":"a","name":"N","state":0,"dueDate":"2026-12-24"}"#, "#/dueDate"),
        (#"{"id":"a","name":"N","state":0,"dueDate":"29/02/2023"}"#, "#/dueDate"),
        (#"{"id":"a","name":"N","state":0,"dueDate":""}"#, "#/dueDate"),
        (#"{"id":"a","name":"N","state":0,"dueDate":null}"#, "#/dueDate"),
        (#"{"id":"a","name":"N","state":0,"notes":7}"#, "#/notes"),
        (#"{"id":"a","name":"N","state":0,"notes":null}"#, "#/notes"),
        (#"{"id":"a","name":"N","state":0,"notes":"\u0000"}"#, "#/notes"),
        (
            #"{"id":"a","name":"N","state":0,"notes":"\#(String(repeating: "a", count: 10_001))"}"#,
            "#/notes"
        ),
        (#"{"id":"a","name":"N","state":0,"owner":"me"}"#, "#/owner"),
    ])
    func `what is wrong with a task is said, and it isn't kept`(
        json: String, pointer: String
    ) async throws {
        try await Service.run { service in
            for method in [HTTPRequest.Method.post, .patch] {
                let answer = try await service.ask(method, "/task", json)
                #expect(answer.status == 422 && answer.isProblem)
                #expect(answer.body.contains(#""pointer":"\#(pointer)""#), "\(answer.body)")
            }
            #expect(try await service.database.isEmpty())
        }
    }

    @Test(arguments: ["", "{", "nonsense", #"{"id":"a""#, "\u{FEFF}"])
    func `what isn't JSON is a bad request`(json: String) async throws {
        try await Service.run { service in
            let answer = try await service.ask(.post, "/task", json)
            #expect(answer.status == 400 && answer.isProblem)
        }
    }

    @Test(arguments: ["[]", "7", "null", #""a""#])
    func `JSON that is no object is no task`(json: String) async throws {
        try await Service.run { service in
            let answer = try await service.ask(.post, "/task", json)
            #expect(answer.status == 422 && answer.isProblem)
        }
    }

    @Test func `the longest notes are kept as they are`() async throws {
        try await Service.run { service in
            let notes = String(repeating: #"\ud83d\ude00"#, count: 10_000)
            let answer = try await service.ask(
                .post, "/task", #"{"id":"a","name":"N","state":0,"notes":"\#(notes)"}"#)
            #expect(answer.status == 201)
            let kept = try await service.database.tasks()[0].notes
            #expect(kept == String(repeating: "😀", count: 10_000))
        }
    }

    @Test func `a body that is too large is refused`() async throws {
        try await Service.run { service in
            let body = milk + String(repeating: " ", count: TaskService.bodyLimit)
            let answer = try await service.ask(.post, "/task", body)
            #expect(answer.status == 413 && answer.isProblem)
        }
    }

    @Test(arguments: [nil, "text/plain", "application/x-www-form-urlencoded", "application/jsonp"])
    func `another content type is refused`(type: String?) async throws {
        try await Service.run { service in
            let answer = try await service.ask(.post, "/task", milk, type: type)
            #expect(answer.status == 415 && answer.isProblem)
        }
    }

    @Test(arguments: ["application/json; charset=utf-8", "Application/JSON"])
    func `JSON may be declared in several ways`(type: String) async throws {
        try await Service.run { service in
            let answer = try await service.ask(.post, "/task", milk, type: type)
            #expect(answer.status == 201)
        }
    }

    @Test(arguments: [
        (HTTPRequest.Method.post, "/tasks", "GET"), (.get, "/task", "POST, PATCH"),
        (.put, "/task", "POST, PATCH"), (.get, "/task/a", "DELETE"),
        (.delete, "/openapi.json", "GET"),
    ])
    func `another method is refused with those that are there`(
        method: HTTPRequest.Method, path: String, allowed: String
    ) async throws {
        try await Service.run { service in
            let answer = try await service.ask(method, path)
            #expect(answer.status == 405 && answer.isProblem)
            #expect(answer.allow == allowed)
        }
    }

    @Test(arguments: [
        (HTTPRequest.Method.get, "/"), (.get, "/task/a/b"), (.post, "/x"), (.delete, "/"),
    ])
    func `another path isn't found`(method: HTTPRequest.Method, path: String) async throws {
        try await Service.run { service in
            let answer = try await service.ask(method, path)
            #expect(answer.status == 404 && answer.isProblem)
        }
    }

    @Test(arguments: ["localhost:8081", "127.0.0.1:1", "[::1]:80", "LOCALHOST", "127.0.0.1"])
    func `this machine has several names`(host: String) {
        #expect(Gate<BasicRequestContext>.isLocal(host))
    }

    @Test(arguments: [
        "evil.example", "127.0.0.1.evil.example:80", "localhost.evil.example", "[::2]", "",
        "evil.example:80@localhost", "localhost:80:80",
    ])
    func `another host name isn't this machine's`(host: String) {
        #expect(!Gate<BasicRequestContext>.isLocal(host))
    }

    @Test func `a full list takes no other task`() async throws {
        try await Service.run(limit: 1) { service in
            _ = try await service.ask(.post, "/task", milk)
            let answer = try await service.ask(.post, "/task", #"{"id":"b","name":"N","state":0}"#)
            #expect(answer.status == 507 && answer.isProblem)
            #expect(try await service.ask(.post, "/task", milk).status == 200)
        }
    }

    @Test func `texts are data, whatever they look like`() async throws {
        try await Service.run { service in
            let name = #"'); DROP TABLE task; -- %s ?1 <b>"#
            let json = #"{"id":"a","name":"\#(name)","state":0}"#
            let answer = try await service.ask(.post, "/task", json)
            #expect(answer.status == 201)
            let names = try await service.database.tasks().map(\.name)
            #expect(names == [name])
        }
    }

    @Test func `the service describes itself`() async throws {
        try await Service.run { service in
            let answer = try await service.ask(.get, "/openapi.json")
            #expect(answer.status == 200 && answer.type == "application/json")
            let description = try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
            #expect((description as? [String: Any])?["openapi"] as? String == "3.1.0")
        }
    }

    @Test func `each commit is on the disk before it is acknowledged`() async throws {
        try await Service.run { service in
            let settings = try await service.database.settings()
            #expect(settings.journal == "wal")
            #expect(settings.synchronous == 2)
        }
    }
}
