// SPDX-License-Identifier: MIT
#if All

internal import ArgumentParser
internal import Foundation
internal import OnwardInspection
internal import OnwardLog

/// The commands `onward inspect`, `onward inspector` and `onward mcp`.
package struct InspectorTool: Sendable {
    private let write: @Sendable (_ line: String, _ isError: Bool) -> Void

    /// Creates a tool.
    ///
    /// - Parameter write: Writes the output: a line, and whether it is an error; by default to
    ///   standard output and standard error.
    package init(write: (@Sendable (_ line: String, _ isError: Bool) -> Void)? = nil) {
        self.write = write ?? Self.print
    }

    /// Runs a command.
    ///
    /// - Parameter arguments: The arguments of the program, with the command:
    ///   `inspect http://127.0.0.1:8081 list`.
    /// - Returns: The exit code: 0, success; 1, the inspector refuses; 2, it can't be reached, or
    ///   the file can't be read; 3, the access token is missing or wrong; 64, the arguments are
    ///   wrong.
    package func run(_ arguments: [String]) async -> Int32 {
        do {
            let parsed = try InspectorCommands.parseAsRoot(Self.verbFirst(arguments))
            guard let command = parsed as? any ToolCommand else {
                // The parser's own commands print their help by throwing an error.
                var help = parsed
                try help.run()
                return 0
            }
            return try await command.run(ToolOutput(write: write))
        } catch let problem as SourceProblem {
            write(problem.description, true)
            return problem.exitCode
        } catch let misfit as InspectorQuery.Misfit {
            write(misfit.description, true)
            return 64
        } catch {
            let code = InspectorCommands.exitCode(for: error).rawValue
            write(InspectorCommands.fullMessage(for: error), code != 0)
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

    @Sendable
    private static func print(_ line: String, _ isError: Bool) {
        let handle = isError ? FileHandle.standardError : FileHandle.standardOutput
        try? handle.write(contentsOf: Data("\(line)\n".utf8))
    }
}

/// The commands, for the parser.
struct InspectorCommands: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "onward",
            abstract: "Looks into running stores, and into files of their logs.",
            subcommands: [Inspect.self, InspectorPage.self, ModelContextCommand.self])
    }
}

/// A command of the tool.
protocol ToolCommand: ParsableCommand {
    func run(_ output: ToolOutput) async throws -> Int32
}

/// The output of a command.
struct ToolOutput: Sendable {
    let write: @Sendable (_ line: String, _ isError: Bool) -> Void

    func say(_ line: String) { write(line, false) }
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
