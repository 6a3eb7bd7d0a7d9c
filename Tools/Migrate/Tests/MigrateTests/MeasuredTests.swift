// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import Migrate

/// How much of what is difficult in the apps of `CodeBases` is found.
///
/// They are written in the style of old apps; a comment in the line of each difficulty names the rule
/// that should find it.
@Suite("Measured")
struct MeasuredTests {
    /// Where a rule finds something, or should.
    private struct Spot: Hashable, CustomStringConvertible {
        let path: String
        let line: Int
        let rule: String

        var description: String { "\(path):\(line) [\(rule)]" }
    }

    /// What was planted, and what was found.
    private struct Figures {
        var planted: Set<Spot> = []
        var found: Set<Spot> = []

        var hits: Int { planted.intersection(found).count }
        var wrong: Set<Spot> { found.subtracting(planted) }
        var missed: Set<Spot> { planted.subtracting(found) }
    }

    /// Code bases that were not looked at while rules were made.
    static let heldBack = ["Weather", "Bank", "Recipes"]
    static let others = ["Counter", "GitHubBrowser", "Tracker", "Shop", "Chat", "Notes", "Player"]
    /// Full of what is taken for a difficulty too easily.
    static let misleading = ["ReSwift-Planner", "Wallet", "Reader", "Radio"]

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("CodeBases").standardizedFileURL

    private func figures(of names: [String]) throws -> Figures {
        var figures = Figures()
        for name in names {
            let files = try SwiftFiles(below: Self.folder.appendingPathComponent(name).path)
            #expect(files.problems == [])
            let texts =
                files.sources.map { ($0.path, $0.text) }
                + files.buildFiles.map { ($0.path, $0.text) }
            for (path, text) in texts {
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                for (index, line) in lines.enumerated() {
                    guard let mark = line.firstMatch(of: /(?:\/\/|#) difficulty: ([\w, -]+)$/)
                    else {
                        continue
                    }
                    for rule in mark.1.split(separator: ", ") {
                        figures.planted.insert(
                            Spot(path: "\(name)/\(path)", line: index + 1, rule: String(rule)))
                    }
                }
            }
            for finding in MigrationReport(of: files).findings {
                figures.found.insert(
                    Spot(path: "\(name)/\(finding.path)", line: finding.line, rule: finding.rule))
            }
        }
        return figures
    }

    @Test
    func `At least 90 % of what was planted is found, and at most 5 % of the findings are wrong`()
        throws
    {
        let all = try figures(of: Self.others + Self.misleading + Self.heldBack)
        #expect(all.planted.count >= 40)
        #expect(all.hits * 100 >= all.planted.count * 90, "missed: \(all.missed)")
        #expect(all.wrong.count * 100 <= all.found.count * 5, "wrong: \(all.wrong)")
        // What the guide says.
        #expect(
            all.planted.count == 126 && all.hits == 126 && all.wrong.isEmpty,
            "\(all.missed) \(all.wrong)")
    }

    @Test func `The same holds for the code bases held back while the rules were made`() throws {
        let held = try figures(of: Self.heldBack)
        #expect(held.hits * 100 >= held.planted.count * 90, "missed: \(held.missed)")
        #expect(held.wrong.count * 100 <= held.found.count * 5, "wrong: \(held.wrong)")
    }

    @Test func `Every rule is planted somewhere, and every difficulty has a rule`() throws {
        let planted = Set(
            try figures(of: Self.others + Self.misleading + Self.heldBack).planted.map(\.rule))
        let rules = Set(Rule.all.map(\.name))
        #expect(planted.subtracting(rules) == [])
        #expect(rules.subtracting(planted) == [])
    }
}
