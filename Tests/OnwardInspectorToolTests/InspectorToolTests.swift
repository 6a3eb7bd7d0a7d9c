// SPDX-License-Identifier: MIT
#if All

import OnwardJournal
import Testing

@testable import OnwardInspectorTool

struct InspectorToolTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// What a tool says.
    private func run(_ arguments: String...) async -> (
        code: Int32, output: [String], errors: [String]
    ) {
        let (code, said) = await onward(arguments)
        return (code, said.output, said.errors)
    }

    @Test func `a file is asked as a running inspector is`() async throws {
        let file = try await folder.devTools()
        #expect(await run("inspect", file, "stores").output == ["shop  3 entries, shows 2"])
        let list = await run("inspect", file, "list", "--text", "pear")
        #expect(list.code == 0)
        #expect(
            list.output.first?.hasPrefix(#"1  CartAction/add  {name: "pear", price: 3}"#) == true)
        let who = await run("inspect", file, "who", "total", "--limit", "1").output
        #expect(who.first?.contains("7 → 0") == true)
        #expect(
            await run("inspect", file, "diff", "1", "2", "--path", "total").output == [
                "total: 3 → 7"
            ])
        let state = await run("inspect", file, "state", "--entry", "1")
        #expect(state.output == [#"items.0: "pear""#, "total: 3"])
        #expect(
            await run("inspect", file, "find", "fig").output == [#"items.1: "Ada's <b>fig</b>""#])
        let shown = await run("inspect", file, "show", "3").output
        #expect(shown.first?.hasPrefix("3  CartAction/clear") == true)
    }

    @Test func `names in a file do nothing to a terminal`() async throws {
        let file = try folder.write(
            #"{"payload": "[{\"type\":\"A\\u001b[2J\"}]", "preloadedState": "{\"\\u0007\":1}"}"#
                .utf8,
            to: "hostile.json")
        #expect(await run("inspect", file, "list").output == ["1  A\u{FFFD}[2J"])
        #expect(await run("inspect", file, "state").output == ["\u{FFFD}: 1"])
    }

    @Test func `with --json the answer of the interface is printed`() async throws {
        let output = await run("inspect", try await folder.devTools(), "diff", "1", "2", "--json")
            .output
        let value = try DataFormat.json.value(of: Array((output.first ?? "").utf8))
        #expect(value["schema"] == 1)
        #expect(value["changes"]?.list?.count == 2)
    }

    @Test func `exit codes say what went wrong`() async throws {
        let file = try await folder.devTools()
        let missing = await run("inspect", file, "show", "9")
        #expect(missing.code == 1 && missing.errors == ["There is no entry 9."])
        #expect(await run("inspect", file, "dispatch", #"{"type":"A"}"#).code == 1)
        #expect(await run("inspect", "/no/file", "list").code == 2)
        #expect(await run("inspect", "http://127.0.0.1:1", "list").code == 2)
        #expect(await run("inspect", "http://", "list").code == 2)
        #expect(await run("inspect", file, "jump", "later").code == 64)
        #expect(await run("inspect", file, "dispatch", "{").code == 64)
        #expect(await run("inspect", file, "explode").code == 64)
        #expect(await run("mcp").code == 64)
        #expect(await run("inspector", "/no/file").code == 2)
        #expect(await run("inspector", "--host", "127.0.0.1", "--code", "short").code == 64)
        #expect(await run("report", "make-test", "/no/file").code == 2)
        #expect(await run("report", "make-test").code == 64)
        let make = await run("report", "make-test", "--help")
        #expect(make.code == 0 && make.output.joined().contains("--package"))
        let help = await run("inspect", "--help")
        #expect(help.code == 0 && help.output.joined().contains("Exit codes: 0 all is well"))
        #expect(help.output.joined().contains("verify"))
    }

    @Test func `an answer that is none of an inspector is refused`() {
        func problem(_ text: String, _ status: Int = 200) -> SourceProblem? {
            #expect(throws: SourceProblem.self) {
                try InspectorAnswer.value(of: Array(text.utf8), status: status)
            }
        }
        #expect(problem("<html>")?.code == .unreachable)
        #expect(problem("{}")?.code == .unreachable)
        #expect(problem(String(repeating: "[", count: 1_000))?.code == .unreachable)
        #expect(problem(#"{"schema": 2}"#)?.description.contains("version 2") == true)
        #expect(problem("", 401)?.code == .noAccess)
        #expect(problem(#"{"schema": 1, "message": "No."}"#, 404)?.description == "No.")
    }
}
#endif
