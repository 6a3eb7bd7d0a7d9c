// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import OnwardCommand

@Suite("SwiftFiles")
struct SwiftFilesTests {
    /// A folder for one test, removed at its end.
    private final class Folder {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("onward-\(UUID().uuidString)", isDirectory: true)

        init(_ files: [String: Data]) throws {
            for (path, data) in files {
                let file = url.appendingPathComponent(path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try data.write(to: file)
            }
        }

        deinit { try? FileManager.default.removeItem(at: url) }
    }

    @Test func `Reads Swift files in their order, without builds and other people's code`() throws {
        let folder = try Folder([
            "b.swift": Data("b".utf8), "A/a.swift": Data("a".utf8), "A/a.txt": Data(),
            ".build/x.swift": Data(), "Pods/ReSwift/Store.swift": Data(), ".hidden.swift": Data(),
        ])
        let files = try SwiftFiles(below: folder.url.path)
        #expect(files.sources.map(\.path) == ["A/a.swift", "b.swift"])
        #expect(files.omissions == [])
    }

    @Test func `What cannot be read as text, or is too large, is left out and said`() throws {
        let folder = try Folder([
            "bad.swift": Data([0xFF, 0xFE, 0x00]),
            "big.swift": Data(repeating: 32, count: SwiftFiles.sizeLimit + 1),
            "good.swift": Data("let a = 1".utf8),
        ])
        let files = try SwiftFiles(below: folder.url.path)
        #expect(files.sources.map(\.path) == ["good.swift"])
        #expect(
            files.omissions == [
                "bad.swift: cannot be read as UTF-8, left out",
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

    @Test func `A folder that is none is an error that names it`() {
        #expect {
            _ = try SwiftFiles(below: "/nowhere/at/all")
        } throws: { "\($0)" == "/nowhere/at/all is not a folder." }
    }

    @Test func `The report ends with the sums`() throws {
        let folder = try Folder([
            "a.swift": Data("import ReSwift\nextension StateType {}\nclass A: Action {}".utf8)
        ])
        let report = MigrationReport(of: try SwiftFiles(below: folder.url.path))
        #expect(report.lines.count == 3)
        #expect(
            report.lines.last?.hasPrefix("1 Swift files: 1 places differ, 1 to look at.") == true)
    }
}
