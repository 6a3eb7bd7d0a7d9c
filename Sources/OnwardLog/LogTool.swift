// SPDX-License-Identifier: MIT
#if All

internal import ArgumentParser
internal import Foundation
internal import Onward
internal import OnwardJournal
internal import OnwardReports
internal import OnwardSQLite

/// The command that inspects journals and session reports: `onward log`, or an app's own with its
/// types.
///
/// ```swift
/// import OnwardLog
///
/// let tool = LogTool(name: "shop log", folding: LogFolding(Shop()) { Scope(\.basket, basket) })
/// exit(await tool.run(Array(CommandLine.arguments.dropFirst(2))))
/// ```
///
/// Its exit codes: 0, all is well; 1, damage was found, or something else went wrong with the
/// journal; 2, the file is missing, is no journal, or has a newer format; 3, something else is
/// writing it; 4, the answer requires the types of the app; 64, the arguments are wrong.
public struct LogTool: Sendable {
    private let name: String
    private let folding: LogFolding?
    private let output: LogOutput

    /// Creates a tool.
    ///
    /// - Parameters:
    ///   - name: The name that it is called by, for its help.
    ///   - folding: The types of the app, for the verbs that need a state.
    ///   - write: Receives each line of output, and whether it is an error or progress; by default,
    ///     writes to standard output and standard error.
    public init(
        name: String, folding: LogFolding? = nil,
        write: (@Sendable (_ line: String, _ isError: Bool) -> Void)? = nil
    ) {
        self.name = name
        self.folding = folding
        output = LogOutput(write: write ?? Self.print)
    }

    /// Runs the command that the arguments state.
    ///
    /// - Parameter arguments: The arguments after the name, such as `shop.journal list --limit 10`.
    /// - Returns: The exit code.
    public func run(_ arguments: [String]) async -> Int32 {
        do {
            let parsed = try LogCommand.parseAsRoot(Self.verbFirst(arguments))
            guard let query = parsed as? any LogQuery else {
                throw CleanExit.helpRequest(LogCommand.self)
            }
            return try await query.run(LogContext(folding: folding, output: output, name: name))
        } catch {
            if let code = LogFile.exitCode(of: error) {
                output.say(error: "\(error)")
                return code
            }
            let code = LogCommand.exitCode(for: error).rawValue
            let text = LogCommand.fullMessage(for: error)
                .replacing("onward log", with: name)
            if code == 0 { output.say(text) } else { output.say(error: text) }
            return code
        }
    }

    /// People name the file first, as it stays the same; the parser wants the verb first.
    static func verbFirst(_ arguments: [String]) -> [String] {
        guard arguments.count > 1, LogCommand.verbs.contains(arguments[1]),
            !LogCommand.verbs.contains(arguments[0])
        else { return arguments }
        return [arguments[1], arguments[0]] + arguments.dropFirst(2)
    }

    @Sendable
    static func print(_ line: String, _ isError: Bool) {
        let handle = isError ? FileHandle.standardError : FileHandle.standardOutput
        try? handle.write(contentsOf: Data("\(line)\n".utf8))
    }
}

/// Something that isn't the journal's fault.
struct LogProblem: Error, CustomStringConvertible {
    let exitCode: Int32
    let description: String
}

/// Where lines go.
struct LogOutput: Sendable {
    let write: @Sendable (_ line: String, _ isError: Bool) -> Void

    func say(_ line: String) { write(line, false) }
    func say(error line: String) { write(line, true) }
    func say(_ value: DataValue) {
        say(String(decoding: DataFormat.json.bytes(of: value), as: UTF8.self))
    }

    /// Reports the progress of long work now and then.
    func progress(_ version: CommitVersion, _ last: CommitVersion) {
        guard last >= 20_000, version % 20_480 < 1_024 else { return }
        say(error: "\(version) of \(last)")
    }
}

/// What a verb has besides its arguments.
struct LogContext: Sendable {
    let folding: LogFolding?
    let output: LogOutput
    let name: String

    /// A journal or a report, to be read.
    func read(_ path: String) async throws -> any ReadableJournal { try await LogFile.read(path) }

    /// A journal to be changed, which has to be there.
    func change(_ path: String) async throws -> SQLiteJournal {
        if LogFile.isReport(path) {
            throw LogProblem(
                exitCode: 2, description: "\(path) is a report, which can only be read.")
        }
        _ = try await SQLiteJournal(reading: path).close()
        return try await SQLiteJournal(at: path)
    }

    /// The types of the app.
    ///
    /// - Throws: Where they aren't known.
    func requireFolding(_ verb: String) throws -> LogFolding {
        guard let folding else {
            throw LogProblem(
                exitCode: 4,
                description: """
                    \(verb) needs the reducers of the app, which \(name) doesn't have. Use the app's own \
                    command, which is three lines: see LogTool in the documentation of OnwardLog.
                    """)
        }
        return folding
    }
}
#endif
