// SPDX-License-Identifier: MIT

internal import ArgumentParser
internal import Foundation

/// The command: `onward-migrate --check DIR` and `onward-migrate --fix DIR`.
@main
struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "onward-migrate",
        abstract: "Says what changes for an app that leaves ReSwift or ReduxSwift.",
        discussion: """
            --check lists, for the modules of the same names that come with Onward, what will behave \
            differently and where, why it matters and what to write. It parses, but knows the types \
            of the app's own declarations only: places of which it cannot be sure are marked "look \
            here". Ends with status 0 if nothing differs for certain, 1 if something does.

            --fix mends what is mechanical, in imports and manifests. It prints what it would change, \
            as a patch, and changes nothing unless it is told to --write. Then it lists what remains: \
            on standard error if it prints a patch.
            """)

    enum Mode: String, EnumerableFlag { case check, fix }

    @Flag(help: "Whether to list, or to mend.")
    var mode: Mode

    @Flag(help: "Prints the list as JSON.")
    var json = false

    @Flag(help: "Writes the files that --fix mends.")
    var write = false

    @Option(help: "What takes the place of the originals in a manifest.")
    var dependency = Manifest.dependency

    @Argument(help: "The folder of the app's sources.")
    var folder: String

    func validate() throws {
        if json, mode == .fix { throw ValidationError("--json goes with --check.") }
        if write, mode == .check { throw ValidationError("--write goes with --fix.") }
    }

    func run() throws {
        let files: SwiftFiles
        do {
            files = try SwiftFiles(below: folder)
        } catch {
            throw ValidationError(error.description)
        }
        switch mode {
        case .check: try check(files)
        case .fix: try fix(files)
        }
    }

    private func check(_ files: SwiftFiles) throws {
        let report = MigrationReport(of: files)
        if json {
            print(try report.json)
        } else {
            for line in report.lines { print(line) }
        }
        if report.findings.contains(where: { $0.certainty == .differs }) { throw ExitCode(1) }
    }

    private func fix(_ files: SwiftFiles) throws {
        let codeBase = CodeBase(files)
        let repairs = files.sources.compactMap {
            Repair(of: $0, in: codeBase, dependency: dependency)
        }
        var failures: [String] = []
        var made: [Repair] = []
        for repair in repairs {
            guard write else {
                print(repair.difference, terminator: "")
                made.append(repair)
                continue
            }
            do {
                try repair.write(below: URL(fileURLWithPath: folder, isDirectory: true))
                made.append(repair)
                print("\(repair.path): mended")
            } catch {
                failures.append("\(error)")
            }
        }
        let remainder = MigrationReport(of: files.repaired(by: made)).remainder
        if write { for line in remainder { print(line) } }
        for line in failures + (write ? [] : remainder) {
            // Where standard error leads nowhere, there is no one to tell.
            try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
        }
        if !failures.isEmpty { throw ExitCode(1) }
    }
}
