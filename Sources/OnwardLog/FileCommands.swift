// SPDX-License-Identifier: MIT
#if All

package import ArgumentParser
internal import Foundation
internal import Onward
internal import OnwardJournal
internal import OnwardReports
internal import OnwardSQLite

/// What is done with the file of a log as a whole: subcommands of `onward inspect`.
package enum FileCommands {
    /// The commands, for the parser.
    package static var all: [any ParsableCommand.Type] {
        [Text.self, Verify.self, Export.self, Import.self, Compact.self, Erase.self]
    }

    /// What all of them take.
    struct Options: ParsableArguments {
        @Argument(help: "The journal, or the report.") var file: String
        @Flag(help: "Print JSON, one value a line.") var json = false
    }

    /// Opens a journal to be changed, which has to be there.
    private static func change(_ path: String) async throws -> SQLiteJournal {
        if LogFile.isReport(path) {
            throw LogProblem(
                exitCode: 2, description: "\(path) is a report, which can only be read.")
        }
        _ = try await SQLiteJournal(reading: path).close()
        return try await SQLiteJournal(at: path)
    }
}

extension FileCommands {
    struct Text: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                abstract: "Shows all that is in a report, each value with its path.")
        }
        @OptionGroup var options: Options

        func run(_ output: ToolOutput) async throws -> Int32 {
            let journal = try await LogFile.read(options.file)
            guard let report = (journal as? ReportJournal)?.report else {
                await journal.close()
                throw LogProblem(
                    exitCode: 2,
                    description: "\(options.file) is a journal, no report. Use list and show.")
            }
            let text = report.text(lines: .max)
            if options.json {
                output.say(["text": .text(text)])
            } else {
                for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                {
                    output.say(String(line))
                }
            }
            return 0
        }
    }

    struct Export: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                abstract:
                    "Writes all entries, and the snapshot before the first one, as JSON lines.")
        }
        @OptionGroup var options: Options

        func run(_ output: ToolOutput) async throws -> Int32 {
            let journal = try await LogFile.read(options.file)
            let first = try await journal.firstVersion()
            let last = try await journal.lastVersion()
            let report = (journal as? ReportJournal)?.report
            var header: DataValue = [
                "onward": .integer(Int64(JournalEntry.format)), "first": .unsigned(first),
            ]
            if let report {
                header["report"] = .integer(Int64(Report.format))
                header["app"] = .text(report.app)
                header["system"] = .text(report.system)
            }
            output.say(header)
            if first > 1 || report != nil, let base = try await journal.snapshot(at: last) {
                output.say([
                    "snapshot": .unsigned(base.version), "schema": .integer(Int64(base.schema)),
                    "fingerprint": .unsigned(base.fingerprint.rawValue),
                    "bytes": .text(Data(base.payload).base64EncodedString()),
                ])
            }
            var next = first
            while next <= last {
                let page = try await journal.entries(from: next, limit: 256)
                guard let end = page.last else { break }
                for entry in page { output.say(entry.object) }
                next = end.version + 1
                output.progress(end.version, last)
            }
            await journal.close()
            return 0
        }
    }

    struct Import: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                abstract: "Makes a journal of what was exported from one that wasn't truncated.")
        }
        @OptionGroup var options: Options
        @Argument(help: "The file with what was exported.") var source: String

        func run(_ output: ToolOutput) async throws -> Int32 {
            guard let text = try? String(contentsOf: URL(filePath: source), encoding: .utf8) else {
                throw LogProblem(exitCode: 2, description: "\(source) can't be read.")
            }
            let lines = text.split(separator: "\n").map { Array($0.utf8) }
            func value(_ index: Int) throws -> DataValue {
                do {
                    return try DataFormat.json.value(
                        of: lines[index], limits: DataLimits(bytes: 512 << 20, elements: 50_000_000)
                    )
                } catch {
                    throw LogProblem(
                        exitCode: 2, description: "\(source), line \(index + 1): \(error)")
                }
            }
            let header = lines.isEmpty ? .null : try value(0)
            guard let format = header["onward"]?.integer(as: Int.self) else {
                throw LogProblem(
                    exitCode: 2, description: "\(source) was not exported from a journal.")
            }
            guard format <= JournalEntry.format else {
                throw LogProblem(
                    exitCode: 2,
                    description:
                        "\(source) has format \(format), this program knows \(JournalEntry.format)."
                )
            }
            guard header["report"] == nil else {
                throw LogProblem(
                    exitCode: 2,
                    description: "\(source) comes from a report, and can only be read.")
            }
            guard header["first"] == .integer(1) else {
                throw LogProblem(
                    exitCode: 2,
                    description: "\(source) comes from a truncated journal, and can only be read.")
            }
            let journal = try await SQLiteJournal(at: options.file)
            var end = try await journal.lastPosition()
            guard end == .start else {
                await journal.close()
                throw LogProblem(
                    exitCode: 2,
                    description: "\(options.file) has entries already. Name a new file.")
            }
            for start in stride(from: 1, to: lines.count, by: 1_024) {
                var entries: [JournalEntry] = []
                for index in start..<min(start + 1_024, lines.count) {
                    guard let entry = JournalEntry(try value(index)) else {
                        throw LogProblem(
                            exitCode: 2, description: "\(source), line \(index + 1): no entry.")
                    }
                    entries.append(entry)
                }
                try await journal.append(entries, after: end)
                end = entries.last?.position ?? end
                output.progress(end.version, CommitVersion(lines.count - 1))
            }
            await journal.close()
            output.say(
                options.json ? #"{"imported":\#(end.version)}"# : "\(end.version) entries imported")
            return 0
        }
    }

    struct Verify: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(abstract: "Compares all checksums, and looks for missing entries.")
        }
        @OptionGroup var options: Options

        func run(_ output: ToolOutput) async throws -> Int32 {
            let journal = try await LogFile.read(options.file)
            let first = try await journal.firstVersion()
            let last = try await journal.lastVersion()
            var next = first
            while next <= last {
                let page = try await journal.entries(from: next, limit: 1_024)
                guard let end = page.last else { break }
                next = end.version + 1
                output.progress(end.version, last)
            }
            guard next == last + 1 else {
                throw JournalError(.damaged, version: next, "Entry \(next) is missing.")
            }
            var snapshots = 0
            var version = CommitVersion.max
            while let snapshot = try await journal.snapshot(at: version) {
                snapshots += 1
                guard snapshot.version > 0 else { break }
                version = snapshot.version - 1
            }
            await journal.close()
            let count = last + 1 - first
            if let report = journal as? ReportJournal, let missing = report.missing.first {
                throw LogProblem(
                    exitCode: 1,
                    description: """
                        \(report.missing.count) of \(count) entries are not in the report, first \(missing): \
                        the recorder could not encode them. The others are whole.
                        """)
            }
            output.say(
                options.json
                    ? #"{"entries":\#(count),"first":\#(first),"last":\#(last),"snapshots":\#(snapshots)}"#
                    : "\(count) entries from \(first) to \(last) and \(snapshots) snapshots are whole"
            )
            return 0
        }
    }

    struct Compact: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(abstract: "Makes the file as small as its contents.")
        }
        @OptionGroup var options: Options
        @Flag(help: "Forget the entries that the newest snapshot stands for.") var forget = false

        func run(_ output: ToolOutput) async throws -> Int32 {
            let before = Self.size(of: options.file)
            let journal = try await FileCommands.change(options.file)
            if forget, let newest = try await journal.snapshot(at: .max), newest.version > 0 {
                try await journal.truncate(before: newest.version + 1)
            }
            try await journal.compact()
            await journal.close()
            let after = Self.size(of: options.file)
            output.say(
                options.json
                    ? #"{"before":\#(before),"after":\#(after)}"#
                    : "\(before) bytes before, \(after) now")
            return 0
        }

        static func size(of path: String) -> Int {
            ["", "-wal"].reduce(0) { sum, suffix in
                let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
                return sum + ((attributes?[.size] as? Int) ?? 0)
            }
        }
    }

    struct Erase: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                abstract:
                    "Takes a text out of all payloads, and shows that the file no longer has it.")
        }
        @OptionGroup var options: Options
        @Argument(help: "The text, such as a name or an address.") var text: String
        @Option(help: "What takes its place.") var replacement = ""
        @Flag(help: "Also replaces it within other texts.") var parts = false

        func run(_ output: ToolOutput) async throws -> Int32 {
            guard !text.isEmpty, !replacement.contains(text) else {
                throw LogProblem(
                    exitCode: 64, description: "The text is empty, or stays in its replacement.")
            }
            let journal = try await FileCommands.change(options.file)
            let report: ErasureReport
            do {
                report = try await journal.erase(
                    .replacing(text, with: replacement, in: parts ? .parts : .wholeValues),
                    progress: { output.progress($0, $1) })
            } catch {
                await journal.close()
                throw LogProblem(exitCode: 1, description: error.description)
            }
            await journal.close()
            let isGone = try ["", "-wal", "-mark"].allSatisfy { suffix in
                let url = URL(filePath: options.file + suffix)
                guard FileManager.default.fileExists(atPath: url.path) else { return true }
                return try Data(contentsOf: url, options: .mappedIfSafe).range(of: Data(text.utf8))
                    == nil
            }
            let count = report.versions.count
            let rest =
                report.partial.isEmpty
                ? "" : ", within other texts at \(report.partial.count) versions; see --parts"
            output.say(
                options.json
                    ? #"{"erased":\#(count),"gone":\#(isGone),"partial":\#(report.partial.count)}"#
                    : "erased from \(count) entries; the file \(isGone ? "no longer has" : "still has") the text\(rest)"
            )
            output.say(
                error: "Backups, exports and other replicas of this journal are not reached.")
            return isGone ? 0 : 1
        }
    }
}
#endif
