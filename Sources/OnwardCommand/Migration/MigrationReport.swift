// SPDX-License-Identifier: MIT

/// What `onward migrate --check` prints.
struct MigrationReport {
    let findings: [Finding]
    let omissions: [String]
    let fileCount: Int

    init(of files: SwiftFiles) {
        findings = CodeBase(files.sources).findings()
        omissions = files.omissions
        fileCount = files.sources.count
    }

    /// A line for each finding and each file that was left out, then the sums.
    var lines: [String] {
        let differing = findings.count { $0.certainty == .differs }
        let sums =
            """
            \(fileCount) Swift files: \(differing) places differ, \(findings.count - differing) to \
            look at. MigratingFromReSwift.md explains the names in brackets.
            """
        return findings.map(\.text) + omissions + [sums]
    }
}
