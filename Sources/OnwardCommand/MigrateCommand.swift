// SPDX-License-Identifier: MIT

#if CommandLineTool
internal import ArgumentParser

/// `onward migrate --check DIR`.
struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Says what changes for an app that leaves ReSwift or ReduxSwift.",
        discussion: """
            Lists, for the modules of the same names that come with Onward, what will behave \
            differently and where. It reads text, not types: places of which it cannot be sure are \
            marked "look here". Nothing is changed.

            Ends with status 0 if nothing differs for certain, 1 if something does.
            """)

    @Flag(help: "Only list; what there is so far.")
    var check = false

    @Argument(help: "The folder of the app's sources.")
    var folder: String

    mutating func validate() throws {
        guard check else {
            throw ValidationError(
                "This command cannot change code, only list: onward migrate --check \(folder)")
        }
    }

    func run() throws {
        let files: SwiftFiles
        do {
            files = try SwiftFiles(below: folder)
        } catch {
            throw ValidationError(error.description)
        }
        let report = MigrationReport(of: files)
        for line in report.lines { print(line) }
        if report.findings.contains(where: { $0.certainty == .differs }) { throw ExitCode(1) }
    }
}
#endif
