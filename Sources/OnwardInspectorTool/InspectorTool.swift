// SPDX-License-Identifier: MIT
#if All

internal import ArgumentParser
internal import Foundation
internal import OnwardInspection
internal import OnwardLog

/// The command `onward`.
package struct InspectorTool: Sendable {
    private let output: ToolOutput

    /// Creates a tool.
    ///
    /// - Parameter write: Writes the output: a line, and whether it is an error; by default to
    ///   standard output and standard error.
    package init(write: (@Sendable (_ line: String, _ isError: Bool) -> Void)? = nil) {
        output = ToolOutput(write: write)
    }

    /// Runs a command.
    ///
    /// - Parameter arguments: The arguments of the program, with the command:
    ///   `inspect http://127.0.0.1:8081 list`.
    /// - Returns: The exit code: 0, success; 1, the inspector refuses, or the file is damaged; 2, it
    ///   can't be reached, or the file can't be read; 3, the access token is missing or wrong, or
    ///   something else writes the file; 64, the arguments are wrong.
    package func run(_ arguments: [String]) async -> Int32 {
        do {
            let parsed = try InspectorCommands.parseAsRoot(Self.verbFirst(arguments))
            guard let command = parsed as? any ToolCommand else {
                // The parser's own commands print their help by throwing an error.
                var help = parsed
                try help.run()
                return 0
            }
            return try await command.run(output)
        } catch let problem as SourceProblem {
            output.say(error: problem.description)
            return problem.exitCode
        } catch let misfit as InspectorQuery.Misfit {
            output.say(error: misfit.description)
            return 64
        } catch {
            if let code = LogFile.exitCode(of: error) {
                output.say(error: "\(error)")
                return code
            }
            let code = InspectorCommands.exitCode(for: error).rawValue
            let text = InspectorCommands.fullMessage(for: error)
            if code == 0 { output.say(text) } else { output.say(error: text) }
            return code
        }
    }

    /// People name the source first, since it stays the same; the parser wants the verb first.
    static func verbFirst(_ arguments: [String]) -> [String] {
        guard arguments.first == "inspect", arguments.count > 2,
            Inspect.verbs.contains(arguments[2]), !Inspect.verbs.contains(arguments[1])
        else { return arguments }
        return ["inspect", arguments[2], arguments[1]] + arguments.dropFirst(3)
    }
}

/// The commands, for the parser.
struct InspectorCommands: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "onward",
            abstract: "Looks into running stores, and into files of their logs.",
            subcommands: [
                Inspect.self, InspectorPage.self, ModelContextCommand.self, ReportCommand.self,
            ])
    }
}

/// `onward mcp`.
struct ModelContextCommand: ToolCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "mcp",
            abstract:
                "Answers a coding agent: a server of the Model Context Protocol on standard input and output."
        )
    }
    @Argument(
        help: "The address of an inspector, or a journal, a report, or a file of Redux DevTools.")
    var source: String
    @Flag(help: "Lets the agent dispatch actions and travel.") var allowDispatch = false
    @Option(
        help:
            "The folder of the app's package, where the agent may make tests of reports and run them."
    ) var package: String?
    @Option(help: "The access token; that in ONWARD_INSPECTOR_TOKEN unless given.") var token:
        String?

    func run(_ output: ToolOutput) async throws -> Int32 {
        let server = ModelContextServer(
            context: ModelContext(
                allowsDispatch: allowDispatch, makesTests: package != nil, subject: source),
            source: try await SourceAddress.source(source, token: token),
            maker: package.map { ReportTestMaker(in: $0) })
        await server.run(from: .standardInput, to: .standardOutput)
        return 0
    }
}
#endif
