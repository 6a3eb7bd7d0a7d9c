// SPDX-License-Identifier: MIT
#if All

package import ArgumentParser
internal import Foundation

/// The command `onward report`: what an app's package makes of reports.
package struct ReportCommand: ParsableCommand {
    package static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "report", abstract: "Makes tests of the reports of an app.",
            subcommands: [MakeTest.self])
    }

    package init() {}

    /// Writes a failing test of each report into the app's test target and runs it.
    ///
    /// Of a folder, of each report in it. What the app promises is in its `onward-report.json`.
    struct MakeTest: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "make-test",
                abstract: "Writes a failing test of a report into the app's package, and runs it.",
                discussion: """
                    The package says in onward-report.json where its tests are and what it promises. The test has the \
                    fewest entries that break the first such promise, and the licence of the target's own files.

                    Exit codes: 0 no report breaks a promise; 1 a test is red; 2 a report or the package can't be \
                    read, or it doesn't build; 64 wrong arguments.
                    """)
        }
        @Argument(help: "The reports, or folders of them.") var reports: [String]
        @Option(help: "The folder of the app's package.") var package = "."
        @Option(
            parsing: .unconditionalSingleValue,
            help: "A further argument for swift test, such as --traits; may be repeated.")
        var testArgument: [String] = []

        func run(_ output: ToolOutput) throws -> Int32 {
            let maker = ReportTestMaker(in: package, arguments: testArgument)
            var codes: [Int32] = []
            for path in try files() {
                let name = URL(fileURLWithPath: path).lastPathComponent
                do {
                    let outcome = try maker.make(path)
                    output.say(outcome.text(of: name))
                    codes.append(outcome.exitCode)
                } catch let problem as LogProblem {
                    output.say(error: "\(name): \(problem.description)")
                    codes.append(problem.exitCode)
                }
            }
            let red = codes.filter { $0 == 1 }.count
            if codes.count > 1 { output.say("\(codes.count) reports, \(red) red") }
            return codes.max() ?? 0
        }

        private func files() throws(LogProblem) -> [String] {
            var files: [String] = []
            for path in reports {
                var isFolder: ObjCBool = false
                guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                    throw LogProblem(exitCode: 2, description: "\(path) is missing.")
                }
                guard isFolder.boolValue else {
                    files.append(path)
                    continue
                }
                let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
                files += names.filter { $0.hasSuffix(".onwardreport") }.sorted().map {
                    "\(path)/\($0)"
                }
            }
            guard !files.isEmpty else {
                throw LogProblem(exitCode: 2, description: "There is no report in the folder.")
            }
            return files
        }
    }
}
#endif
