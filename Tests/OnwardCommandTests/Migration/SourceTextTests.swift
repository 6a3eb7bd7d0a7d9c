// SPDX-License-Identifier: MIT

import Testing

@testable import OnwardCommand

@Suite("SourceText")
struct SourceTextTests {
    private func code(_ text: String) -> String { SourceText(text, path: "").code }

    @Test func `Comments are blanked out, also nested ones`() {
        #expect(code("a // b\nc") == "a     \nc")
        #expect(code("a /* b /* c */ d */ e") == "a                   e")
        #expect(code("/* a\nb */c") == "    \n    c")
    }

    @Test func `String literals are blanked out, with what is escaped in them`() {
        #expect(code(#"f("a{b") {"#) == "f(     ) {")
        #expect(code(#"f("a\"b") x"#) == "f(      ) x")
        #expect(code("f(\"\"\"\na {\n\"\"\") x") == "f(   \n   \n   ) x")
    }

    @Test func `Raw string literals end at their own marks`() {
        #expect(code(##"f(#"a"b\"#) {"##).hasSuffix(") {"))
        #expect(code("#if A\n#endif") == "#if A\n#endif")
    }

    @Test func `A literal that does not end swallows its line only`() {
        #expect(code("let a = \"b\nlet c = 1").hasSuffix("\nlet c = 1"))
    }

    @Test func `A block is found with the blocks in it, and one that does not end goes to the end`()
    {
        let source = SourceText("func f() { if a { b } else { c } } d", path: "")
        let block = source.block(after: source.code.startIndex)
        #expect(block.map { String(source.code[$0]) } == "{ if a { b } else { c } }")
        let open = SourceText("func f() { if a {", path: "")
        #expect(open.block(after: open.code.startIndex).map { String(open.code[$0]) } == "{ if a {")
        #expect(SourceText("a } {", path: "").block(after: "".startIndex) == nil)
    }
}
