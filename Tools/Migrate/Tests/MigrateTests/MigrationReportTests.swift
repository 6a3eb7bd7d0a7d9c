// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import Migrate

@Suite("MigrationReport")
struct MigrationReportTests {
    private func report() throws -> MigrationReport {
        let text = "import ReSwift\nclass Mine: Store<Int> {}\n  class Load: Action { var a = 1 }\n"
        let folder = try Folder([
            "Sources/A.swift": Data(text.utf8), "bad.swift": Data([0xFF]),
        ])
        return MigrationReport(of: try SwiftFiles(below: folder.url.path))
    }

    @Test
    func `A finding reads like a compiler's, says why and what to write, and doubtful ones say so`()
        throws
    {
        let lines = try report().lines
        #expect(lines[0].hasPrefix("Sources/A.swift:2:7: differs: a subclass of Store"))
        #expect(lines[0].hasSuffix("[subclass]"))
        #expect(lines[1].hasPrefix("    why: The class vouches for its own safety"))
        #expect(lines[2].hasPrefix("    write: Guard its variables"))
        #expect(lines[3].hasPrefix("Sources/A.swift:3:9: look here: an action is a class"))
        #expect(lines.contains("bad.swift: no UTF-8, left out"))
    }

    @Test func `It shows an example for each rule that found something, and ends with the sums`()
        throws
    {
        let lines = try report().lines
        #expect(
            lines.filter { $0.hasSuffix("for example:") } == [
                "[subclass] for example:", "[shared-action] for example:",
            ])
        #expect(lines.contains("    final class AppStore: Store<AppState>, @unchecked Sendable {}"))
        #expect(lines.last?.hasPrefix("1 Swift files: 1 places differ, 1 to look at.") == true)
    }

    @Test func `What a repair leaves is all that a check of its result finds`() throws {
        let manifest = """
            // swift-tools-version:5.3
            import PackageDescription
            let package = Package(
                name: "A",
                dependencies: [.package(url: "https://github.com/ReSwift/ReSwift.git", from: "6.0.0")],
                targets: [.target(name: "A", dependencies: ["ReSwift"])])

            """
        let folder = try Folder([
            "Package.swift": Data(manifest.utf8),
            "Sources/A.swift": Data("import ReSwift\nclass Mine: Store<Int> {}\n".utf8),
            "Podfile": Data("platform :ios, '12.0'\n".utf8),
        ])
        let files = try SwiftFiles(below: folder.url.path)
        let codeBase = CodeBase(files)
        let repairs = files.sources.compactMap {
            Repair(of: $0, in: codeBase, dependency: Manifest.dependency)
        }
        #expect(repairs.map(\.path) == ["Package.swift"])
        let report = MigrationReport(of: files.repaired(by: repairs))
        for repair in repairs { try repair.write(below: folder.url) }
        let checked = MigrationReport(of: try SwiftFiles(below: folder.url.path))
        #expect(report.findings == checked.findings)
        #expect(
            checked.findings.map(\.rule) == ["platforms", "platforms", "subclass"])
        #expect(
            report.remainder.first
                == "Package.swift:3:15: differs: an earlier deployment target than Onward's, as none is named [platforms]"
        )
        #expect(report.remainder.last?.hasPrefix("2 Swift files: 3 places differ") == true)
    }

    @Test func `A finding by way of a function names it`() throws {
        let text = """
            import ReSwift
            class A: StoreSubscriber {
                func newState(state: Int) { go() }
                func go() { store.dispatch(X()) }
            }
            """
        let file = try #require(SourceFile(text, path: "a.swift"))
        #expect(
            CodeBase([file]).findings().map(\.what) == [
                "a subscriber dispatches while it is notified of a state, by go()"
            ])
    }

    @Test func `Programs read the same as JSON`() throws {
        let json = try JSONSerialization.jsonObject(with: Data(try report().json.utf8))
        let object = try #require(json as? [String: Any])
        #expect(object["version"] as? Int == 1)
        #expect(object["files"] as? Int == 1)
        let findings = try #require(object["findings"] as? [[String: Any]])
        #expect(findings.map { $0["rule"] as? String } == ["subclass", "shared-action"])
        #expect(findings[0]["path"] as? String == "Sources/A.swift")
        #expect(findings[0]["line"] as? Int == 2)
        #expect(findings[0]["column"] as? Int == 7)
        #expect(findings[0]["certainty"] as? String == "differs")
        #expect(findings[0]["fixable"] as? Bool == false)
        for key in ["what", "why", "write", "example"] { #expect(findings[0][key] is String) }
        let problems = try #require(object["problems"] as? [[String: Any]])
        #expect(problems.count == 1 && problems[0]["path"] as? String == "bad.swift")
    }

    @Test func `Every rule is explained in the guide, with its example, which is compiled there`()
        throws
    {
        let guide = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../../../Documentation/MigratingFindings.md")
                .standardizedFileURL, encoding: .utf8)
        for rule in Rule.all {
            #expect(guide.contains("## \(rule.name)\n"))
            #expect(guide.contains("```swift\n\(rule.example)\n```\n"), "\(rule.name)")
        }
    }
}
