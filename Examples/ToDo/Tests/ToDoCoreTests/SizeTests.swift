// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite struct SizeTests {
    @Test func `state, actions, reducer and effects have at most 250 lines of code`() throws {
        let core = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/ToDoCore")
        let files = try FileManager.default.contentsOfDirectory(
            at: core, includingPropertiesForKeys: nil)
        let lines = try files.flatMap {
            try String(contentsOf: $0, encoding: .utf8).split(separator: "\n")
        }
        let code = lines.map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("//") }
        #expect(1...250 ~= code.count)
        #expect(!code.contains { $0.hasSuffix("import Foundation") })
    }
}
