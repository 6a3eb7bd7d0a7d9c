// SPDX-License-Identifier: MIT
#if All

import Onward
import OnwardJournal
import Testing

@testable import OnwardInspectorTool

struct ModelContextServerTests {
    private func server(allowsDispatch: Bool = false) async -> (ModelContextServer, Store<Cart>) {
        let shop = await InspectedShop()
        let context = ModelContext(allowsDispatch: allowsDispatch, subject: "a shop")
        return (ModelContextServer(context: context, source: shop.source), shop.store)
    }

    private func call(
        _ server: ModelContextServer, _ tool: String, _ arguments: DataValue
    ) async throws -> (isError: Bool?, text: String) {
        let message: DataValue = [
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": ["name": .text(tool), "arguments": arguments],
        ]
        let answer = await server.answer(.line(DataFormat.json.bytes(of: message)))
        let result = try #require(answer?["result"])
        return (result["isError"]?.bool, result["content"]?.list?.first?["text"]?.text ?? "")
    }

    @Test func `a tool answers with JSON`() async throws {
        let (server, _) = await server()
        let (isError, text) = try await call(server, "who_changed", ["path": "total"])
        #expect(isError == false)
        let value = try DataFormat.json.value(of: Array(text.utf8))
        #expect(value["entries"]?.list?.map { $0["id"] } == [1, 2, 3])
    }

    @Test func `what can't be answered is an error that the agent can read`() async throws {
        let (server, _) = await server()
        for (tool, arguments, sentence) in [
            ("entry", ["id": 99], "There is no entry 99."),
            ("entries", ["store": "other"], "There is no store \"other\"."),
            ("entry", [:], "\"id\" is missing."),
        ] as [(String, DataValue, String)] {
            let answer = try await call(server, tool, arguments)
            #expect(answer.isError == true && answer.text == sentence)
        }
    }

    @Test func `an agent that may dispatch changes the app`() async throws {
        let (server, store) = await server(allowsDispatch: true)
        let action: DataValue = ["type": "CartAction/add", "name": "plum", "price": 1]
        #expect(try await call(server, "dispatch", ["action": action]).isError == false)
        #expect(store.state.items == ["plum"])
        let refused = try await call(server, "dispatch", ["action": ["type": "Nothing"]])
        #expect(refused.isError == true && refused.text.contains("no feature handles"))
    }

    @Test func `lines are cut at their ends, and one that is too long is reported once`() {
        var lines = MessageLines(limit: 4)
        #expect(lines.take("ab".utf8) == [])
        #expect(
            lines.take("c\nabcdef\n\n \r\nx\ny".utf8) == [
                .line(Array("abc".utf8)), .tooLong, .line([0x78]),
            ])
        #expect(lines.end() == [.line([0x79])])
        #expect(lines.end() == [])
    }

    @Test func `a line that is too long is answered with the limit`() async {
        let (server, _) = await server()
        let error = await server.answer(.tooLong)?["error"]
        #expect(error?["code"] == -32_700)
        #expect(error?["message"]?.text?.contains("1048576") == true)
    }
}
#endif
