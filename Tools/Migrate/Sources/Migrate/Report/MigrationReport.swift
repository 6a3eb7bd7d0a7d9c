// SPDX-License-Identifier: MIT

internal import Foundation

/// What `onward-migrate --check` prints.
struct MigrationReport: Encodable {
    /// The version of the form in which ``json`` is written.
    var version = 1
    let files: Int
    let findings: [Finding]
    /// What could not be read, or not as a whole; the rest is checked.
    let problems: [Problem]

    init(of files: SwiftFiles) {
        self.files = files.sources.count
        let codeBase = CodeBase(files)
        let isConcerned = files.sources.contains(where: \.importsCompatibleModule)
        findings =
            (codeBase.findings() + (isConcerned ? files.buildFiles : []).flatMap(\.findings))
            .sorted()
        problems = files.problems + codeBase.takenNames
    }

    /// The findings, the problems, an example for each rule that found something, then the sums.
    var lines: [String] {
        findings.flatMap(\.lines) + problems.map(\.text) + examples + ["", sums]
    }

    /// The same without the examples: what `--fix` says that remains.
    var remainder: [String] { findings.flatMap(\.lines) + problems.map(\.text) + ["", sums] }

    private var examples: [String] {
        let found = Set(findings.map(\.rule))
        return Rule.all.filter { found.contains($0.name) }.flatMap { rule in
            ["", "[\(rule.name)] for example:"]
                + rule.example.split(separator: "\n", omittingEmptySubsequences: false).map {
                    "    \($0)"
                }
        }
    }

    private var sums: String {
        let differing = findings.count { $0.certainty == .differs }
        return """
            \(files) Swift files: \(differing) places differ, \(findings.count - differing) to look \
            at. MigratingFindings.md explains the names in brackets.
            """
    }

    /// The same for programs; the guide describes its form.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
