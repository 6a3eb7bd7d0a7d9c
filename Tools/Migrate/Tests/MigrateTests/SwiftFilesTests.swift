// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import Migrate

@Suite("SwiftFiles")
struct SwiftFilesTests {
    @Test func `Reads Swift files in their order, without builds and other people's code`() throws {
        let folder = try Folder([
            "b.swift": Data("b".utf8), "A/a.swift": Data("a".utf8), "A/a.txt": Data(),
            ".build/x.swift": Data(), "Pods/ReSwift/Store.swift": Data(), ".hidden.swift": Data(),
        ])
        let files = try SwiftFiles(below: folder.url.path)
        #expect(files.sources.map(\.path) == ["A/a.swift", "b.swift"])
        #expect(files.problems == [])
    }

    @Test func `Knows the folders in which headers stand`() throws {
        let folder = try Folder([
            "App/Support/Bridge.h": Data(), "Kit/a.swift": Data(), "Pods/Net/Net.h": Data(),
        ])
        #expect(try SwiftFiles(below: folder.url.path).headerFolders == ["App"])
        let flat = try Folder(["a.swift": Data(), "Bridge.h": Data()])
        #expect(try SwiftFiles(below: flat.url.path).headerFolders == [""])
    }

    @Test func `Files that are no text, or too large, are left out and named`() throws {
        let folder = try Folder([
            "bad.swift": Data([0xFF, 0xFE, 0x00]),
            "big.swift": Data(repeating: 32, count: SwiftFiles.sizeLimit + 1),
            "good.swift": Data("let a = 1".utf8),
        ])
        let files = try SwiftFiles(below: folder.url.path)
        #expect(files.sources.map(\.path) == ["good.swift"])
        #expect(
            files.problems.map(\.text) == [
                "bad.swift: no UTF-8, left out",
                "big.swift: larger than 2000000 bytes, left out",
            ])
    }

    @Test func `Links are not followed`() throws {
        let folder = try Folder(["A/a.swift": Data("a".utf8)])
        try FileManager.default.createSymbolicLink(
            at: folder.url.appendingPathComponent("A/loop"), withDestinationURL: folder.url)
        try FileManager.default.createSymbolicLink(
            at: folder.url.appendingPathComponent("link.swift"),
            withDestinationURL: folder.url.appendingPathComponent("A/a.swift"))
        #expect(try SwiftFiles(below: folder.url.path).sources.map(\.path) == ["A/a.swift"])
    }

    @Test func `A path that is no folder is an error that names it`() {
        #expect {
            _ = try SwiftFiles(below: "/nowhere/at/all")
        } throws: { "\($0)" == "/nowhere/at/all is not a folder." }
    }

    @Test func `A file with a syntax error is named, and checked as far as possible`() throws {
        let folder = try Folder([
            "a.swift": Data("import ReSwift\nclass Mine: Store<Int> {}\nfunc f( {\n".utf8)
        ])
        let report = MigrationReport(of: try SwiftFiles(below: folder.url.path))
        #expect(report.findings.map(\.rule) == ["subclass"])
        #expect(report.problems.map(\.path) == ["a.swift"])
        #expect(report.problems.first?.line == 3)
        #expect(report.problems.first?.message.hasPrefix("syntax error") == true)
    }

    @Test func `A file that is nested too deeply in any way is left out, without a crash`()
        throws
    {
        let count = 100_000
        let folder = try Folder([
            "calls.swift": Data(("let a = b" + String(repeating: ".c()", count: count)).utf8),
            "brackets.swift": Data(
                (String(repeating: "[", count: count) + String(repeating: "]", count: count)).utf8),
            "blocks.swift": Data(String(repeating: "if a {", count: count).utf8),
            "chain.swift": Data(("let a = b" + String(repeating: "\n.c()", count: 2_000)).utf8),
            "quoted.swift": Data(("let a = \"" + String(repeating: "b", count: count) + "\"").utf8),
            "conditions.swift": Data(
                (String(repeating: "#if A\n", count: 8_000)
                    + String(repeating: "#endif\n", count: 8_000)).utf8),
            "long.swift": Data(("let a = 1" + String(repeating: " + 1", count: count)).utf8),
        ])
        let files = try SwiftFiles(below: folder.url.path)
        let reason = "nested too deeply, or in too long lines, to be parsed, left out"
        #expect(
            files.problems.map(\.text) == [
                "blocks.swift: \(reason)", "brackets.swift: \(reason)", "calls.swift: \(reason)",
                "chain.swift: \(reason)", "conditions.swift: \(reason)", "long.swift: \(reason)",
            ])
        #expect(files.sources.map(\.path) == ["quoted.swift"])
    }

    @Test func `Strange bytes in a file crash nothing`() throws {
        let pieces = [
            "{", "}", "(", "\"\"\"", "#if", "func newState(state:", "store.dispatch(",
            "import ReSwift\n", "\r\n", "é", "`", "\\(",
        ]
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let text = (0..<30).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            guard let file = SourceFile(text, path: "a.swift") else { continue }
            let codeBase = CodeBase([file])
            _ = codeBase.findings()
            if file.complaint != nil {
                #expect(Repair(of: file, in: codeBase, dependency: "") == nil)
            }
        }
    }
}
