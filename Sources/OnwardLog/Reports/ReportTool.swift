// SPDX-License-Identifier: MIT
#if All

internal import ArgumentParser
internal import Foundation

/// The command `onward report`: what an app's package makes of reports.
///
/// `make-test FILE… --package DIR` writes a failing test of each report into the app's test target
/// and runs it; of a folder, of each report in it. What the app promises is in its
/// `onward-report.json`.
///
/// Its exit codes: 0, no report breaks a promise; 1, a test is red; 2, a report or the package can't
/// be read, or the package doesn't build; 64, the arguments are wrong.
package struct ReportTool: Sendable {
    private let output: LogOutput

    /// Creates a tool; by default it writes to standard output and standard error.
    package init(write: (@Sendable (_ line: String, _ isError: Bool) -> Void)? = nil) {
        output = LogOutput(write: write ?? LogTool.print)
    }

    /// Runs the command that the arguments state.
    ///
    /// - Parameter arguments: The arguments after the name: `make-test problem.onwardreport`.
    /// - Returns: The exit code.
    package func run(_ arguments: [String]) -> Int32 {
        do {
            let parsed = try ReportCommand.parseAsRoot(arguments)
            guard let make = parsed as? ReportCommand.MakeTest else {
                throw CleanExit.helpRequest(ReportCommand.self)
            }
            return try make.run(output)
        } catch let problem as LogProblem {
            output.say(error: problem.description)
            return problem.exitCode
        } catch {
            let code = ReportCommand.exitCode(for: error).rawValue
            let text = ReportCommand.fullMessage(for: error)
            if code == 0 { output.say(text) } else { output.say(error: text) }
            return code
        }
    }
}

/// The verbs, for the parser.
struct ReportCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "onward report", abstract: "Makes tests of the reports of an app.",
            subcommands: [MakeTest.self])
    }

    struct MakeTest: ParsableCommand {
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

        func run(_ output: LogOutput) throws -> Int32 {
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
