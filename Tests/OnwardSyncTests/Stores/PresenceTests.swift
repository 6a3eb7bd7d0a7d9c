// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardSync
import OnwardTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct PresenceTests {
    private let heard = Store<[String]>([]) {
        Reduce { (heard: inout [String], word: Word) in heard.append(word.text) }
    }

    private struct Word: Action { let text: String }

    private func server() async throws -> SyncServer<TodoList> {
        try await SyncServer(
            of: Store(TodoList()) { todoList }, accepting: .actions(TodoAction.self)
        ) { [heard] name, isHere in
            heard.dispatch(Word(text: "\(name) \(isHere ? "came" : "left")"))
        }
    }

    @Test func `somebody is here from the first connection to the end of the last one`()
        async throws
    {
        let server = try await server()
        let phone = await server.connect(as: "Ann")
        let laptop = await server.connect(as: "Ann")
        #expect(heard.state == ["Ann came"])
        phone.close()
        let bob = await server.connect(as: "Bob")
        bob.close()
        // The first end came before.
        _ = try await heard.wait { $0.last == "Bob left" }
        #expect(heard.state == ["Ann came", "Bob came", "Bob left"])
        laptop.close()
        _ = try await heard.wait { $0.last == "Ann left" }
        _ = await server.connect(as: "Ann")
        #expect(heard.state.suffix(2) == ["Ann left", "Ann came"])
    }

    @Test func `a server that stops has nobody, once, and clients without an identity don't count`()
        async throws
    {
        let server = try await server()
        let connections = [
            await server.connect(as: "Ann"), await server.connect(as: "Ann"),
            await server.connect(),
        ]
        await server.stop()
        for connection in connections { connection.close() }
        _ = await server.status
        #expect(heard.state == ["Ann came", "Ann left"])
    }

    @Test func `a message that can't be read ends its connection, once`() async throws {
        let server = try await server()
        let connection = await server.connect(as: "Ann")
        await #expect(throws: SyncMessageError.self) { try await connection.send([1, 2, 3]) }
        connection.close()
        _ = await server.connect(as: "Bob")
        #expect(heard.state == ["Ann came", "Ann left", "Bob came"])
    }
}
