// SPDX-License-Identifier: MIT
#if All

internal import ArgumentParser
internal import Foundation
internal import OnwardInspection
internal import OnwardInspector
internal import OnwardJournal
internal import OnwardLog

/// `onward inspect`: the inspector's queries, for people and as JSON for scripts.
///
/// Each question that has a tool is a command, ``Ask``; the others stand here, those that only a file answers in
/// ``FileCommands``.
struct Inspect: ParsableCommand {
    private static var commands: [any ParsableCommand.Type] {
        func command<Question: LogQuestion>(_ type: Question.Type) -> (any ParsableCommand.Type)? {
            type.tool == nil ? nil : Ask<Question>.self
        }
        return [Stores.self] + Questions.all.compactMap { command($0) }
            + [Dispatch.self, Jump.self] + FileCommands.all
    }

    static var verbs: Set<String> {
        Set(commands.map { $0.configuration.commandName ?? "\($0)".lowercased() })
    }

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            abstract: "Asks a running inspector, or a file.",
            usage: "onward inspect URL|FILE COMMAND [ARGUMENT ...] [OPTION ...]",
            discussion: """
                URL is that of an inspector's page, FILE a journal, a report, or a file of Redux DevTools.

                Exit codes: 0 all is well; 1 the inspector says no, or the file is damaged; 2 it can't be reached, or \
                the file can't be read; 3 the access token is missing or wrong, or something else writes the file; \
                64 wrong arguments.
                """,
            subcommands: commands)
    }

    /// The options of all verbs.
    struct Options: ParsableArguments {
        @Argument(help: "The address of an inspector, or a file.") var source: String
        @Option(help: "The name of the store; the first one unless given.") var store: String?
        @Option(help: "The access token; that in ONWARD_INSPECTOR_TOKEN unless given.")
        var token: String?
        @Flag(help: "Print the answer of the interface, as JSON.") var json = false

        func ask(_ query: InspectorQuery, _ fields: [String: DataValue] = [:]) async throws
            -> DataValue
        {
            var fields = fields
            if let store { fields["store"] = .text(store) }
            return try await SourceAddress.source(source, token: token).ask(query, .object(fields))
        }

        /// Prints an answer as it is, or as lines for people.
        func print(
            _ answer: DataValue, _ output: ToolOutput, _ lines: (DataValue) throws -> [String]
        ) rethrows -> Int32 {
            if json {
                output.say(answer)
            } else {
                for line in try lines(answer) { output.say(line) }
            }
            return 0
        }
    }
}

/// A question as a command: its fields are the arguments and options.
///
/// The parser finds those by reflection; so they are what reflection of the command shows.
private struct Ask<Question: LogQuestion>: ToolCommand, CustomReflectable {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Question.tool?.command, abstract: Question.tool?.purpose ?? "")
    }

    @OptionGroup private var options: Inspect.Options
    private var fields: [String: DataValue] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        let parsed = try decoder.container(keyedBy: ArgumentKey.self)
        _options = try parsed.decode(
            OptionGroup<Inspect.Options>.self, forKey: ArgumentKey(stringValue: "options"))
        for field in Question.fields { fields[field.name] = try field.value(in: parsed) }
    }

    var customMirror: Mirror {
        Mirror(
            self, children: [("options", _options)] + Question.fields.map { ($0.name, $0.argument) }
        )
    }

    func run(_ output: ToolOutput) async throws -> Int32 {
        guard let query = InspectorQuery(Question.self) else { return 64 }
        return try options.print(await options.ask(query, fields), output) {
            try Question.Answer(written: $0).bounded.lines
        }
    }
}

private struct ArgumentKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension QuestionField {
    /// The field as the parser declares it.
    fileprivate var argument: Any {
        let help = ArgumentHelp(purpose)
        if kind == .truth { return Flag(wrappedValue: false, help: help) }
        if isRequired { return Argument<String>(help: help) }
        return isPositional ? Argument<String?>(help: help) : Option<String?>(help: help)
    }

    /// What was given; nil if nothing was.
    ///
    /// A text that is no number stays one, for which the query has a sentence.
    fileprivate func value(in parsed: KeyedDecodingContainer<ArgumentKey>) throws -> DataValue? {
        let key = ArgumentKey(stringValue: name)
        if kind == .truth {
            return try parsed.decode(Flag<Bool>.self, forKey: key).wrappedValue ? true : nil
        }
        let text =
            try isRequired
            ? parsed.decode(Argument<String>.self, forKey: key).wrappedValue
            : isPositional
                ? parsed.decode(Argument<String?>.self, forKey: key).wrappedValue
                : parsed.decode(Option<String?>.self, forKey: key).wrappedValue
        let isNumber = kind == .integer || kind == .entry
        return text.map { isNumber ? Int64($0).map { .integer($0) } ?? .text($0) : .text($0) }
    }
}

extension Inspect {
    struct Stores: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(commandName: "stores", abstract: "Lists the stores.")
        }
        @OptionGroup var options: Options

        func run(_ output: ToolOutput) async throws -> Int32 {
            try options.print(await options.ask(.stores), output) { answer in
                try (answer["stores"]?.list ?? []).map { store in
                    let log: LogSummary = try (store["log"] ?? [:]).decoded()
                    let place = log.isAtEnd ? "" : ", shows \(log.cursor)"
                    return "\(store["name"]?.text ?? "")  \(log.count) entries\(place)"
                }
            }
        }
    }

    struct Dispatch: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(commandName: "dispatch", abstract: "Dispatches an action.")
        }
        @OptionGroup var options: Options
        @Argument(help: "The action as JSON: its name in the field \"type\".") var action: String

        func run(_ output: ToolOutput) async throws -> Int32 {
            guard let action = try? DataFormat.json.value(of: Array(action.utf8)) else {
                throw InspectorQuery.Misfit(description: "The action is no JSON.")
            }
            return try options.print(
                await options.ask(.dispatch, ["action": action]), output
            ) { try LogSummary(written: $0).lines }
        }
    }

    struct Jump: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "jump", abstract: "Has the app show an earlier moment, or live on.")
        }
        @OptionGroup var options: Options
        @Argument(help: "The id of the entry, 0 for before all, or \"live\".") var entry: String

        func run(_ output: ToolOutput) async throws -> Int32 {
            let id = Int(entry)
            guard entry == "live" || id != nil else {
                throw InspectorQuery.Misfit(description: "\"\(entry)\" is no id and not \"live\".")
            }
            let fields: [String: DataValue] =
                id.map { ["entry": .integer(Int64($0))] } ?? ["live": true]
            return try options.print(await options.ask(.jump, fields), output) {
                try LogSummary(written: $0).lines
            }
        }
    }
}
#endif
