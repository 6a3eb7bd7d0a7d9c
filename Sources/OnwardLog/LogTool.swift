// SPDX-License-Identifier: MIT
#if All

internal import ArgumentParser
internal import Onward
internal import OnwardJournal

/// An app's own command, with its types, for the questions about a journal or a report that need
/// reducers; `onward inspect` answers all others.
///
/// ```swift
/// import OnwardLog
///
/// let tool = LogTool(name: "shop log", folding: LogFolding(Shop()) { Scope(\.basket, basket) })
/// exit(await tool.run(Array(CommandLine.arguments.dropFirst(2))))
/// ```
///
/// - `FILE diff V1 V2` shows how the states at two versions differ.
/// - `FILE who PATH` lists the entries that changed what is at a path of the state.
///
/// Its exit codes: 0, all is well; 1, damage was found, or something else went wrong with the
/// journal; 2, the file is missing, is no journal, or has a newer format; 64, the arguments are
/// wrong.
public struct LogTool: Sendable {
    private let name: String
    private let folding: LogFolding
    private let output: ToolOutput

    /// Creates a tool.
    ///
    /// - Parameters:
    ///   - name: The name that it is called by, for its help.
    ///   - folding: The types of the app.
    ///   - write: Receives each line of output, and whether it is an error or progress; by default,
    ///     writes to standard output and standard error.
    public init(
        name: String, folding: LogFolding,
        write: (@Sendable (_ line: String, _ isError: Bool) -> Void)? = nil
    ) {
        self.name = name
        self.folding = folding
        output = ToolOutput(write: write)
    }

    /// Runs the command that the arguments state.
    ///
    /// - Parameter arguments: The arguments after the name, such as `shop.journal who total`.
    /// - Returns: The exit code.
    public func run(_ arguments: [String]) async -> Int32 {
        do {
            let parsed = try LogCommand.parseAsRoot(Self.verbFirst(arguments))
            guard let query = parsed as? any LogQuery else {
                throw CleanExit.helpRequest(LogCommand.self)
            }
            let journal = try await LogFile.read(query.options.file)
            do {
                try await query.run(journal, folding, output)
            } catch {
                await journal.close()
                throw error
            }
            await journal.close()
            return 0
        } catch {
            if let code = LogFile.exitCode(of: error) {
                output.say(error: "\(error)")
                return code
            }
            let code = LogCommand.exitCode(for: error).rawValue
            let text = LogCommand.fullMessage(for: error).replacing("app log", with: name)
            if code == 0 { output.say(text) } else { output.say(error: text) }
            return code
        }
    }

    /// People name the file first, as it stays the same; the parser wants the verb first.
    private static func verbFirst(_ arguments: [String]) -> [String] {
        let verbs = ["diff", "who"]
        guard arguments.count > 1, verbs.contains(arguments[1]), !verbs.contains(arguments[0])
        else { return arguments }
        return [arguments[1], arguments[0]] + arguments.dropFirst(2)
    }
}

/// A verb of the tool.
private protocol LogQuery: ParsableCommand {
    var options: LogCommand.Options { get }
    func run(
        _ journal: any ReadableJournal, _ folding: LogFolding, _ output: ToolOutput
    ) async throws
}

/// The verbs, for the parser.
private struct LogCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "app log", abstract: "Runs the entries of a journal, or of a report.",
            usage: "app log FILE diff V1 V2 | who PATH",
            discussion: """
                FILE is a journal, or a report of a session. For all that needs no reducers, use onward inspect.

                Exit codes: 0 all is well; 1 damage or another error of the journal; 2 the file is missing, no \
                journal, or of a newer format; 64 wrong arguments.
                """,
            subcommands: [Diff.self, Who.self])
    }

    /// What both verbs take.
    struct Options: ParsableArguments {
        @Argument(help: "The journal, or the report.") var file: String
        @Flag(help: "Print JSON, one value a line.") var json = false
    }

    static func text(_ value: DataValue?) -> String {
        value.map { String(decoding: DataFormat.json.bytes(of: $0), as: UTF8.self) } ?? "nothing"
    }

    struct Diff: LogQuery {
        static var configuration: CommandConfiguration {
            CommandConfiguration(abstract: "Says how the states at two versions differ.")
        }
        @OptionGroup var options: Options
        @Argument(help: "The one version.") var before: UInt64
        @Argument(help: "The other version.") var after: UInt64

        func run(
            _ journal: any ReadableJournal, _ folding: LogFolding, _ output: ToolOutput
        ) async throws {
            let old = try await folding.state(journal, before, output.progress)
            let new = try await folding.state(journal, after, output.progress)
            for change in new.changes(from: old) {
                if options.json {
                    output.say([
                        "path": .text("\(change.path)"), "old": change.old ?? .null,
                        "new": change.new ?? .null,
                    ])
                } else {
                    output.say(
                        "\(change.path): \(LogCommand.text(change.old)) → \(LogCommand.text(change.new))"
                    )
                }
            }
        }
    }

    struct Who: LogQuery {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                abstract: "Lists the entries that changed what is at a path of the state.")
        }
        @OptionGroup var options: Options
        @Argument(help: "The path, such as basket.items.0.") var path: String

        func run(
            _ journal: any ReadableJournal, _ folding: LogFolding, _ output: ToolOutput
        ) async throws {
            let first = try await journal.firstVersion()
            let start = try await folding.state(journal, first - 1, { _, _ in })
            let (path, json) = (DataPath(path), options.json)
            let known = Guarded(start.part(at: path))
            try await folding.steps(journal) { entry, state in
                let new = state.part(at: path)
                let old = known.withValue { known in
                    defer { known = new }
                    return known
                }
                guard new != old else { return }
                if json {
                    output.say([
                        "version": .unsigned(entry.version), "name": .text(entry.name),
                        "old": old ?? .null, "new": new ?? .null,
                    ])
                } else {
                    output.say("\(entry.line): \(LogCommand.text(old)) → \(LogCommand.text(new))")
                }
            }
        }
    }
}
#endif
