// SPDX-License-Identifier: MIT
#if All

internal import ArgumentParser
internal import Foundation
internal import Onward
internal import OnwardJournal
internal import OnwardReports
internal import OnwardSQLite

/// A verb of the tool.
protocol LogQuery: ParsableCommand {
    func run(_ context: LogContext) async throws -> Int32
}

/// The verbs, for the parser.
struct LogCommand: ParsableCommand {
    static let verbs: Set<String> = [
        "list", "show", "diff", "who", "text", "export", "import", "verify", "compact", "erase",
    ]

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "onward log", abstract: "Looks into the journal of a store, or a report.",
            usage: "onward log FILE list | show VERSION | diff V1 V2 | who PATH | text | export "
                + "| import | verify | compact | erase TEXT",
            discussion: """
                FILE is a journal, or a report of a session, which can only be read.

                Exit codes: 0 all is well; 1 damage or another error of the journal; 2 the file is missing, no \
                journal, or of a newer format; 3 somebody else writes it; 4 the answer takes the app's own \
                command; 64 wrong arguments.
                """,
            subcommands: [
                List.self, Show.self, Diff.self, Who.self, Text.self, Export.self, Import.self,
                Verify.self, Compact.self, Erase.self,
            ])
    }

    /// What all verbs take.
    struct Options: ParsableArguments {
        @Argument(help: "The journal, or the report.") var file: String
        @Flag(help: "Print JSON, one value a line.") var json = false
    }
}

extension LogCommand {
    struct List: LogQuery {
        static var configuration: CommandConfiguration {
            CommandConfiguration(abstract: "Lists entries.")
        }
        @OptionGroup var options: Options
        @Option(help: "The first version; the first that is kept unless it is given.") var from:
            UInt64?
        @Option(help: "The most entries.") var limit: Int?

        func run(_ context: LogContext) async throws -> Int32 {
            let journal = try await context.read(options.file)
            let first = try await journal.firstVersion()
            var rest = max(limit ?? .max, 0)
            var next = max(from ?? first, 1)
            while rest > 0 {
                let page = try await journal.entries(from: next, limit: min(rest, 256))
                guard let last = page.last else { break }
                for entry in page {
                    if options.json {
                        context.output.say(entry.object(withBytes: false))
                    } else {
                        context.output.say(entry.line)
                    }
                }
                rest -= page.count
                next = last.version + 1
            }
            if rest > 0, let report = (journal as? ReportJournal)?.report {
                sayEnding(of: report, context.output)
            }
            await journal.close()
            return 0
        }

        /// What a report says of its end, besides entries.
        private func sayEnding(of report: Report, _ output: LogOutput) {
            let ending = report.ending
            let missing = report.lastMissing
            if missing > 0 {
                if options.json {
                    output.say(["missing": .integer(Int64(missing))])
                } else {
                    output.say("the \(missing) entries that came last are missing")
                }
            }
            guard let reduced = ending.reduced else { return }
            if options.json {
                output.say([
                    "reduced": .text(reduced.name), "version": .unsigned(reduced.version),
                    "file": .text(reduced.origin.file),
                    "line": .integer(Int64(reduced.origin.line)),
                ])
            } else {
                output.say(
                    "\(reduced.version)  the program ended while it reduced \(reduced.name)  "
                        + "\(reduced.origin)")
            }
        }
    }

    struct Show: LogQuery {
        static var configuration: CommandConfiguration {
            CommandConfiguration(abstract: "Shows all that an entry says.")
        }
        @OptionGroup var options: Options
        @Argument(help: "The version.") var version: UInt64

        func run(_ context: LogContext) async throws -> Int32 {
            let journal = try await context.read(options.file)
            if let snapshot = try await journal.snapshot(at: version),
                snapshot.version == version, version < (try await journal.firstVersion())
            {
                show(snapshot, context.output)
                await journal.close()
                return 0
            }
            guard let entry = try await journal.entries(from: max(version, 1), limit: 1).first,
                entry.version == version
            else {
                let last = try await journal.lastVersion()
                throw LogProblem(
                    exitCode: 1,
                    description:
                        "\(options.file) has no version \(version); its last one is \(last).")
            }
            let object = entry.object(withBytes: false)
            if options.json {
                context.output.say(object)
            } else {
                for (name, value) in (object.fields ?? [:]).sorted(by: { $0.key < $1.key }) {
                    let text = String(decoding: DataFormat.json.bytes(of: value), as: UTF8.self)
                    context.output.say("\(name): \(value.text ?? text)")
                }
                context.output.say("checksum: \(entry.checksum)")
            }
            await journal.close()
            return 0
        }

        /// The state before the first entry, each value with its path.
        private func show(_ snapshot: JournalSnapshot, _ output: LogOutput) {
            let state = snapshot.value
            if options.json {
                return output.say([
                    "snapshot": .unsigned(snapshot.version),
                    "schema": .integer(Int64(snapshot.schema)),
                    "fingerprint": .unsigned(snapshot.fingerprint.rawValue),
                    "state": state ?? .null,
                ])
            }
            guard let state else {
                return output.say("\(snapshot.payload.count) bytes in a format of the app's own")
            }
            func say(_ value: DataValue, _ path: String) {
                if value.parts.isEmpty { return output.say("\(path): \(Diff.text(value))") }
                for (step, part) in value.parts {
                    say(part, path.isEmpty ? step : "\(path).\(step)")
                }
            }
            say(state, "")
        }
    }

    struct Diff: LogQuery {
        static var configuration: CommandConfiguration {
            CommandConfiguration(abstract: "Says how the states at two versions differ.")
        }
        @OptionGroup var options: Options
        @Argument(help: "The one version.") var before: UInt64
        @Argument(help: "The other version.") var after: UInt64

        func run(_ context: LogContext) async throws -> Int32 {
            let journal = try await context.read(options.file)
            if context.folding == nil,
                let changes = (journal as? ReportJournal)?.changes(from: before, to: after)
            {
                Self.say(changes, context.output, json: options.json)
                return 0
            }
            let folding = try context.requireFolding("diff")
            let old = try await folding.state(journal, before, context.output.progress)
            let new = try await folding.state(journal, after, context.output.progress)
            for change in new.changes(from: old) {
                if options.json {
                    context.output.say([
                        "path": .text("\(change.path)"), "old": change.old ?? .null,
                        "new": change.new ?? .null,
                    ])
                } else {
                    context.output.say(
                        "\(change.path): \(Self.text(change.old)) → \(Self.text(change.new))")
                }
            }
            await journal.close()
            return 0
        }

        /// What the digests of a report say.
        static func say(
            _ changes: [ReportJournal.Change], _ output: LogOutput, json: Bool
        ) {
            for change in changes {
                if json {
                    output.say([
                        "path": .text(change.path), "after": .unsigned(change.before),
                        "upTo": .unsigned(change.after),
                    ])
                } else {
                    output.say(
                        "\(change.path.isEmpty ? "the state" : change.path): changed after "
                            + "\(change.before), up to \(change.after)")
                }
            }
            output.say(
                error: "By the digests in the report. The app's own command shows each value, "
                    + "after each entry.")
        }

        static func text(_ value: DataValue?) -> String {
            value.map { String(decoding: DataFormat.json.bytes(of: $0), as: UTF8.self) }
                ?? "nothing"
        }
    }

    struct Who: LogQuery {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                abstract: "Lists the entries that changed what is at a path of the state.")
        }
        @OptionGroup var options: Options
        @Argument(help: "The path, such as basket.items.0.") var path: String

        func run(_ context: LogContext) async throws -> Int32 {
            let journal = try await context.read(options.file)
            if context.folding == nil, let changes = (journal as? ReportJournal)?.changes(at: path)
            {
                Diff.say(changes, context.output, json: options.json)
                return 0
            }
            let folding = try context.requireFolding("who")
            let first = try await journal.firstVersion()
            let start = try await folding.state(journal, first - 1, { _, _ in })
            let (path, options) = (DataPath(path), options)
            let known = Guarded(start.part(at: path))
            try await folding.steps(journal) { entry, state in
                let new = state.part(at: path)
                let old = known.withValue { known in
                    defer { known = new }
                    return known
                }
                guard new != old else { return }
                if options.json {
                    context.output.say([
                        "version": .unsigned(entry.version), "name": .text(entry.name),
                        "old": old ?? .null, "new": new ?? .null,
                    ])
                } else {
                    context.output.say("\(entry.line): \(Diff.text(old)) → \(Diff.text(new))")
                }
            }
            await journal.close()
            return 0
        }
    }

    struct Text: LogQuery {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                abstract: "Shows all that is in a report, each value with its path.")
        }
        @OptionGroup var options: Options

        func run(_ context: LogContext) async throws -> Int32 {
            let journal = try await context.read(options.file)
            guard let report = (journal as? ReportJournal)?.report else {
                await journal.close()
                throw LogProblem(
                    exitCode: 2,
                    description: "\(options.file) is a journal, no report. Use list and show.")
            }
            let text = report.text(lines: .max)
            if options.json {
                context.output.say(["text": .text(text)])
            } else {
                for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                {
                    context.output.say(String(line))
                }
            }
            return 0
        }
    }

    struct Export: LogQuery {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                abstract:
                    "Writes all entries, and the snapshot before the first one, as JSON lines.")
        }
        @OptionGroup var options: Options

        func run(_ context: LogContext) async throws -> Int32 {
            let journal = try await context.read(options.file)
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
            context.output.say(header)
            if first > 1 || report != nil, let base = try await journal.snapshot(at: last) {
                context.output.say([
                    "snapshot": .unsigned(base.version), "schema": .integer(Int64(base.schema)),
                    "fingerprint": .unsigned(base.fingerprint.rawValue),
                    "bytes": .text(Data(base.payload).base64EncodedString()),
                ])
            }
            var next = first
            while next <= last {
                let page = try await journal.entries(from: next, limit: 256)
                guard let end = page.last else { break }
                for entry in page { context.output.say(entry.object(withBytes: true)) }
                next = end.version + 1
                context.output.progress(end.version, last)
            }
            await journal.close()
            return 0
        }
    }

    struct Import: LogQuery {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                abstract: "Makes a journal of what was exported from one that wasn't truncated.")
        }
        @OptionGroup var options: Options
        @Argument(help: "The file with what was exported.") var source: String

        func run(_ context: LogContext) async throws -> Int32 {
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
                context.output.progress(end.version, CommitVersion(lines.count - 1))
            }
            await journal.close()
            context.output.say(
                options.json ? #"{"imported":\#(end.version)}"# : "\(end.version) entries imported")
            return 0
        }
    }

    struct Verify: LogQuery {
        static var configuration: CommandConfiguration {
            CommandConfiguration(abstract: "Compares all checksums, and looks for missing entries.")
        }
        @OptionGroup var options: Options

        func run(_ context: LogContext) async throws -> Int32 {
            let journal = try await context.read(options.file)
            let first = try await journal.firstVersion()
            let last = try await journal.lastVersion()
            var next = first
            while next <= last {
                let page = try await journal.entries(from: next, limit: 1_024)
                guard let end = page.last else { break }
                next = end.version + 1
                context.output.progress(end.version, last)
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
            context.output.say(
                options.json
                    ? #"{"entries":\#(count),"first":\#(first),"last":\#(last),"snapshots":\#(snapshots)}"#
                    : "\(count) entries from \(first) to \(last) and \(snapshots) snapshots are whole"
            )
            return 0
        }
    }

    struct Compact: LogQuery {
        static var configuration: CommandConfiguration {
            CommandConfiguration(abstract: "Makes the file as small as its contents.")
        }
        @OptionGroup var options: Options
        @Flag(help: "Forget the entries that the newest snapshot stands for.") var forget = false

        func run(_ context: LogContext) async throws -> Int32 {
            let before = Self.size(of: options.file)
            let journal = try await context.change(options.file)
            if forget, let newest = try await journal.snapshot(at: .max), newest.version > 0 {
                try await journal.truncate(before: newest.version + 1)
            }
            try await journal.compact()
            await journal.close()
            let after = Self.size(of: options.file)
            context.output.say(
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

    struct Erase: LogQuery {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                abstract:
                    "Takes a text out of all payloads, and shows that the file no longer has it.")
        }
        @OptionGroup var options: Options
        @Argument(help: "The text, such as a name or an address.") var text: String
        @Option(help: "What takes its place.") var replacement = ""
        @Flag(help: "Also replaces it within other texts.") var parts = false

        func run(_ context: LogContext) async throws -> Int32 {
            guard !text.isEmpty, !replacement.contains(text) else {
                throw LogProblem(
                    exitCode: 64, description: "The text is empty, or stays in its replacement.")
            }
            let journal = try await context.change(options.file)
            let output = context.output
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
