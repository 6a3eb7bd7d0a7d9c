// SPDX-License-Identifier: MIT
#if All

import OnwardJournal
import Testing

@testable import OnwardInspectorTool

/// The form of the messages; a client that knows the protocol only is in `Tests/CommandTests`.
struct ModelContextTests {
    private let context = ModelContext(allowsDispatch: false, subject: "shop.journal")

    private func answer(_ text: String) -> DataValue? {
        guard case .answer(let answer) = context.receive(Array(text.utf8)) else { return nil }
        return answer
    }

    private func call(_ method: String, _ parameters: String = "{}") -> DataValue? {
        answer(#"{"jsonrpc":"2.0","id":7,"method":"\#(method)","params":\#(parameters)}"#)
    }

    @Test func `a client is welcomed with the version that it asks for, or the newest`() {
        for version in ModelContext.versions {
            let result = call("initialize", #"{"protocolVersion":"\#(version)"}"#)?["result"]
            #expect(result?["protocolVersion"]?.text == version)
        }
        let result = call("initialize", #"{"protocolVersion":"1999-01-01"}"#)?["result"]
        #expect(result?["protocolVersion"]?.text == ModelContext.versions.first)
        #expect(result?["capabilities"] == ["tools": [:]])
        #expect(result?["instructions"]?.text?.contains("shop.journal") == true)
    }

    @Test func `tools that change something are there only where that is allowed`() {
        func names(_ context: ModelContext) -> [String] { context.queries.map(\.name) }
        #expect(!names(context).contains("dispatch") && !names(context).contains("jump"))
        let other = ModelContext(allowsDispatch: true, subject: "")
        #expect(names(other) == names(context) + ["dispatch", "jump"])
        #expect(
            call("tools/call", #"{"name":"dispatch","arguments":{}}"#)?["error"]?["code"] == -32_602
        )
    }

    @Test func `each tool says what it takes`() {
        let tools = call("tools/list")?["result"]?["tools"]?.list ?? []
        #expect(tools.count == context.queries.count)
        for tool in tools {
            #expect(tool["description"]?.text?.isEmpty == false)
            #expect(tool["inputSchema"]?["type"] == "object")
            #expect(tool["annotations"]?["readOnlyHint"] == true)
        }
        let who = tools.first { $0["name"] == "who_changed" }
        #expect(who?["inputSchema"]?["required"] == ["path"])
    }

    @Test func `a call is asked with its arguments`() throws {
        let entry = try #require(context.queries.first { $0.name == "entry" })
        let line =
            #"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"entry","arguments":{"id":3}}}"#
        #expect(
            context.receive(Array(line.utf8))
                == .ask(.init(id: "a", isModern: false), entry, ["id": 3]))
    }

    private func modern(_ method: String, _ fields: String = "", version: String = "2026-07-28")
        -> DataValue?
    {
        call(
            method,
            #"{"_meta":{"io.modelcontextprotocol/protocolVersion":"\#(version)","#
                + #""io.modelcontextprotocol/clientCapabilities":{}}\#(fields)}"#)
    }

    @Test func `a client without a handshake discovers what there is, and may keep it for a while`()
    {
        for method in ["server/discover", "tools/list"] {
            let result = modern(method)?["result"]
            #expect(result?["resultType"] == "complete")
            #expect(result?["ttlMs"] == 60_000 && result?["cacheScope"] == "private")
            #expect(
                result?["_meta"]?["io.modelcontextprotocol/serverInfo"]?["name"] == "onward")
        }
        let found = modern("server/discover")?["result"]
        #expect(found?["supportedVersions"] == ["2026-07-28"])
        #expect(found?["instructions"]?.text?.contains("shop.journal") == true)
        // A client with a handshake gets none of this.
        let result = call("tools/list")?["result"]
        #expect(result?["resultType"] == nil && result?["ttlMs"] == nil)
        #expect(modern("ping")?["error"]?["code"] == -32_601)
    }

    @Test func `a request of an unknown version names those that are spoken`() {
        let error = modern("tools/list", version: "2099-01-01")?["error"]
        #expect(error?["code"] == -32_022)
        #expect(error?["data"]?["supported"] == ["2026-07-28"])
        #expect(error?["data"]?["requested"] == "2099-01-01")
        #expect(call("server/discover")?["error"]?["code"] == -32_602)
        let incomplete = call(
            "tools/list", #"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#)
        #expect(incomplete?["error"]?["code"] == -32_602)
    }

    @Test func `an answer has its value beside the text, in the form that the tool says`() throws {
        let request = ModelContext.Request(id: 1, isModern: true)
        let answer = context.answer(to: request, with: .success(["source": "x"]))["result"]
        #expect(answer?["structuredContent"] == ["source": "x"])
        #expect(answer?["content"]?.list?.first?["text"] == #"{"source":"x"}"#)
        #expect(answer?["resultType"] == "complete")
        let tools = call("tools/list")?["result"]?["tools"]?.list ?? []
        #expect(tools.allSatisfy { $0["outputSchema"]?["type"] == "object" })
    }

    @Test func `notifications and answers get none`() {
        for line in [
            #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            #"{"jsonrpc":"2.0","method":"tools/list"}"#, #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        ] { #expect(context.receive(Array(line.utf8)) == .none) }
    }

    @Test(
        arguments: [
            ("", -32_700), ("nonsense", -32_700), ("[]", -32_600), ("3", -32_600), ("{}", -32_600),
            (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":1}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, -32_601),
            (#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32_602),
            (String(repeating: "[", count: 200_000), -32_700),
            (#"{"jsonrpc":"2.0","x":""# + String(repeating: "x", count: 1 << 20) + "\"}", -32_700),
        ] as [(String, Int)])
    func `what is no request is answered with why`(line: String, code: Int) {
        let error = answer(line)?["error"]
        #expect(error?["code"]?.integer(as: Int.self) == code)
        #expect((error?["message"]?.text?.count ?? 0) < 400)
    }
}
#endif
