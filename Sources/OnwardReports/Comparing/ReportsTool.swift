// SPDX-License-Identifier: MIT

internal import Foundation
public import Onward
public import OnwardJournal

/// An app's command that folds recorded sessions with the app's own types, for example in CI.
///
/// ```swift
/// import OnwardReports
///
/// exit(ReportsTool(now: app).run(Array(CommandLine.arguments.dropFirst())))
/// ```
///
/// - `compare PATH…` folds the reports, or those in folders, and reports which sessions the present
///   reducers lead to other states, where they first do, and in which part of the state; `--json`
///   prints a line for each, for programs.
/// - `text FILE` shows what is in a report, each value with its path.
///
/// Its exit codes: 0, no session differs; 1, some do; 2, a file is missing, or can't be read; 64,
/// the arguments are wrong.
public struct ReportsTool: Sendable {
    private let compare: @Sendable ([(name: String, report: Report)]) -> SessionComparison
    private let write: @Sendable (_ line: String, _ isError: Bool) -> Void

    /// Creates a tool that checks the present features against the hashes in the reports.
    ///
    /// - Parameters:
    ///   - feature: The present features; only their reducers run.
    ///   - migrations: Migrations of what older features recorded to the present schema versions.
    ///   - write: Receives each line of output, and whether it is an error; by default, writes to
    ///     standard output and standard error.
    public init<State: Codable & Sendable>(
        now feature: some Part<State>, migrations: Migrations = Migrations(),
        write: (@Sendable (_ line: String, _ isError: Bool) -> Void)? = nil
    ) {
        compare = { Replay.compare($0, now: feature, migrations: migrations) }
        self.write = write ?? Self.print
    }

    /// Creates a tool that checks the present features against those that recorded, giving exact
    /// entries and paths.
    ///
    /// - Parameters:
    ///   - old: The features that recorded; only their reducers run.
    ///   - feature: The present features; only their reducers run.
    ///   - migrations: Migrations of what older features recorded to the present schema versions.
    ///   - write: Receives the output, as in ``init(now:migrations:write:)``.
    public init<State: Codable & Sendable>(
        recordedBy old: some Part<State>, now feature: some Part<State>,
        migrations: Migrations = Migrations(),
        write: (@Sendable (_ line: String, _ isError: Bool) -> Void)? = nil
    ) {
        compare = {
            Replay.compare($0, recordedBy: old, now: feature, migrations: migrations)
        }
        self.write = write ?? Self.print
    }

    /// Runs the command that the arguments state.
    ///
    /// - Parameter arguments: The arguments after the name, such as `compare Sessions`.
    /// - Returns: The exit code.
    /// - Complexity: O(entries × size of the state), for each session.
    public func run(_ arguments: [String]) -> Int32 {
        let json = arguments.contains("--json")
        let words = arguments.filter { !$0.hasPrefix("--") }
        guard words.count == arguments.count - (json ? 1 : 0), let verb = words.first else {
            return usage(isWanted: ["--help", "-h"].contains(arguments.first))
        }
        let paths = words.dropFirst()
        do {
            switch (verb, paths.count) {
            case ("compare", 1...): return say(compare(try reports(at: paths)), json: json)
            case ("text", 1):
                let report = try Report(contentsOf: paths[paths.startIndex], limit: Self.limit)
                write(String(report.text(lines: .max).dropLast()), false)
                return 0
            case ("help", 0): return usage(isWanted: true)
            default: return usage(isWanted: false)
            }
        } catch {
            write("\(error)", true)
            return 2
        }
    }

    /// The most bytes of a report.
    private static var limit: Int { 256 << 20 }

    private func reports(
        at paths: ArraySlice<String>
    ) throws(ReportError) -> [(name: String, report: Report)] {
        var reports: [(name: String, report: Report)] = []
        for path in paths {
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
                isFolder.boolValue
            {
                reports += try Replay.reports(in: path, limit: Self.limit)
                continue
            }
            let name = URL(fileURLWithPath: path).lastPathComponent
            do {
                reports.append((name, try Report(contentsOf: path, limit: Self.limit)))
            } catch {
                throw ReportError(error.code, "\(name): \(error.description)")
            }
        }
        return reports
    }

    private func say(_ comparison: SessionComparison, json: Bool) -> Int32 {
        if json {
            write(
                Replay.json([
                    "sessions": .integer(Int64(comparison.sessions)),
                    "differ": .integer(Int64(comparison.differences.count)),
                ]), false)
            for difference in comparison.differences {
                write(Replay.json(difference.value), false)
            }
        } else {
            write("\(comparison)", false)
        }
        return comparison.differences.isEmpty ? 0 : 1
    }

    private func usage(isWanted: Bool) -> Int32 {
        write("usage: compare PATH… [--json] | text FILE", !isWanted)
        return isWanted ? 0 : 64
    }

    @Sendable
    private static func print(_ line: String, _ isError: Bool) {
        let handle = isError ? FileHandle.standardError : FileHandle.standardOutput
        try? handle.write(contentsOf: Data("\(line)\n".utf8))
    }
}

extension SessionDifference {
    /// The difference for programs.
    fileprivate var value: DataValue {
        [
            "session": .text(session), "version": .unsigned(version), "action": .text(action),
            "path": .text(path), "reason": .text("\(reason)"),
        ]
    }
}
