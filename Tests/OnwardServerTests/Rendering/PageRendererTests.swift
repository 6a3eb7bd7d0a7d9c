// SPDX-License-Identifier: MIT
#if Server

import Mustache
import NIOCore
import Onward
import Testing

@testable import OnwardServer

@Suite struct `Rendering a page` {
    struct Model: Equatable { let text: CountedText }

    private func renderer(
        _ drawn: Drawings, expects: (@Sendable (Table) -> String)? = nil
    ) throws -> PageRenderer<Table> {
        var library = MustacheLibrary()
        try library.register("{{text}}", named: "text")
        try library.register("{{ticks}}", named: "clock")
        let page = try Page<Table>(
            title: "", templates: library, accepts: [], expects: expects
        ) { table in
            [
                Fragment("text", model: Model(text: CountedText(table.text, drawn))),
                Fragment("clock", model: ["ticks": table.ticks]),
            ]
        }
        return PageRenderer(page, epoch: "e")
    }

    @Test func `a fragment whose model is equal isn't rendered again`() throws {
        let drawn = Drawings()
        var renderer = try renderer(drawn)
        _ = try renderer.render(0)
        _ = try renderer.render(1) { $0.ticks = 1 }
        #expect(drawn.count == 1)
        _ = try renderer.render(2) { $0.text = "new" }
        #expect(drawn.count == 2)
    }

    @Test func `a new token draws all fragments again and sends those that look different`() throws
    {
        let drawn = Drawings()
        var renderer = try renderer(drawn) { "turn \($0.turn)" }
        let before = try renderer.render(0)
        let after = try renderer.render(1) { $0.turn = 2 }
        #expect(drawn.count == 2)
        #expect(after.event(after: before.id) == nil)
    }

    @Test func `readers that keep up share one event`() throws {
        var renderer = try renderer(Drawings())
        let first = try renderer.render(0)
        let second = try renderer.render(1) { $0.ticks = 1 }
        let (left, right) = (second.event(after: first.id), second.event(after: first.id))
        let addresses = [left, right].map { buffer in
            buffer?.withUnsafeReadableBytes { $0.baseAddress }
        }
        #expect(addresses[0] != nil && addresses[0] == addresses[1])
    }

    @Test func `a reader of any earlier version gets what changed since, once`() throws {
        var renderer = try renderer(Drawings())
        let pages = try (0...4).map { version in
            try renderer.render(CommitVersion(version)) { table in
                table.ticks = version
                table.text = version < 2 ? "" : "said"
            }
        }
        let newest = pages[4]
        let sizes = pages.map { page in
            newest.event(after: page.id).map { String(buffer: $0) }?.matches(of: #/data: /#).count
        }
        #expect(sizes == [2, 2, 1, 1, nil])
        #expect(newest.event(after: nil).map { String(buffer: $0) }?.hasPrefix("id: e-4\n") == true)
    }

    @Test(arguments: [
        ("a b", "can't be a fragment's key"), ("\"", "can't be a fragment's key"),
        ("", "can't be a fragment's key"), ("other", "doesn't have"),
    ])
    func `a page that can't be drawn says how to mend it`(key: String, reason: String) throws {
        let page = try Page<Table>(title: "", templates: MustacheLibrary(), accepts: []) { _ in
            [Fragment(key, model: 0)]
        }
        var renderer = PageRenderer(page, epoch: "e")
        let error = try #require(throws: PageError.self) { _ = try renderer.render(0) }
        #expect(error.description.contains(reason) && error.description.contains("To fix this,"))
    }

    @Test func `two fragments of one key, or two actions of one name, are a mistake`() throws {
        var library = MustacheLibrary()
        try library.register("", named: "a")
        let page = try Page<Table>(title: "", templates: library, accepts: []) { _ in
            [Fragment("a", model: 0), Fragment("a", model: 1)]
        }
        var renderer = PageRenderer(page, epoch: "e")
        #expect(throws: PageError(.duplicateFragment, key: "a")) {
            _ = try renderer.render(0)
        }
        #expect(throws: PageError(.duplicateAction, key: "TableAction")) {
            _ = try Page<Table>(
                title: "", templates: library, accepts: [TableAction.self, TableAction.self]
            ) { _ in [] }
        }
    }

    @Test func `two fields of an action with one name are a mistake`() throws {
        enum Chart: Action, Codable { case range(Int, Int, value1: Int) }
        let error = #expect(throws: PageError.self) {
            _ = try Page<Table>(title: "", templates: MustacheLibrary(), accepts: [Chart.self]) {
                _ in
                []
            }
        }
        #expect(error?.code == .fieldClash)
        #expect(error?.key.hasSuffix("Chart/range.value1") == true)
        #expect(error?.description.contains("give the label that has such a name another") == true)
    }
}

extension PageRenderer<Table> {
    /// Renders a new table with one change.
    fileprivate mutating func render(
        _ version: CommitVersion, _ change: (inout Table) -> Void = { _ in }
    ) throws(PageError) -> RenderedPage {
        var table = Table()
        change(&table)
        return try render(table, version: version)
    }
}
#endif
