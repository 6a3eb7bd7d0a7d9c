// SPDX-License-Identifier: MIT
#if All

internal import ArgumentParser
internal import Foundation
internal import OnwardInspection
internal import OnwardInspector
internal import OnwardJournal

/// `onward inspect`: the inspector's queries, for people and as JSON for scripts.
struct Inspect: ParsableCommand {
    static let verbs: Set<String> = [
        "stores", "list", "show", "state", "find", "diff", "who", "test", "actions", "activity",
        "effects", "routes", "dispatch", "jump",
    ]

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            abstract: "Asks a running inspector, or a file.",
            usage:
                "onward inspect URL|FILE stores | list | show ENTRY | state | find TEXT | diff [FROM] [TO] | "
                + "who PATH | test | actions | activity | effects | routes | dispatch JSON | jump ENTRY|live",
            discussion: """
                URL is that of an inspector's page, FILE a journal, a report, or a file of Redux DevTools.

                Exit codes: 0 all is well; 1 the inspector says no; 2 it can't be reached, or the file can't be read; \
                3 the access token is missing or wrong; 64 wrong arguments.
                """,
            subcommands: [
                Stores.self, List.self, Show.self, State.self, Find.self, Diff.self, Who.self,
                Test.self, Actions.self, Activity.self, Effects.self, Routes.self, Dispatch.self,
                Jump.self,
            ])
    }

    /// The options of all verbs.
    struct Options: ParsableArguments {
        @Argument(help: "The address of an inspector, or a file.") var source: String
        @Option(help: "The name of the store; the first one unless given.") var store: String?
        @Option(help: "The access token; that in ONWARD_INSPECTOR_TOKEN unless given.")
        var token: String?
        @Flag(help: "Print the answer of the interface, as JSON.") var json = false

        func ask(_ query: InspectorQuery, _ fields: [String: DataValue?] = [:]) async throws
            -> DataValue
        {
            var arguments = DataValue.object(fields.compactMapValues { $0 })
            if let store { arguments["store"] = .text(store) }
            return try await SourceAddress.source(source, token: token).ask(query, arguments)
        }

        /// Prints an answer as it is, or as lines for people.
        func print(
            _ answer: DataValue, _ output: ToolOutput, _ lines: (DataValue) throws -> [String]
        ) rethrows -> Int32 {
            if json {
                output.say(String(decoding: DataFormat.json.bytes(of: answer), as: UTF8.self))
            } else {
                for line in try lines(answer) { output.say(Lines.printable(line)) }
            }
            return 0
        }
    }

    /// The options of lists of entries.
    struct Filters: ParsableArguments {
        @Option(help: "Only those whose name, payload, instance or file has this text.") var text:
            String?
        @Option(help: "Only those of this name, such as CartAction/add.") var type: String?
        @Option(help: "None of those of this name.") var hide: String?
        @Flag(help: "Only those that changed the state.") var changed = false
        @Option(help: "Only those up to this moment.") var before: Int?
        @Option(help: "Only those after this moment.") var after: Int?
        @Option(help: "The most entries, at most 200; 50 unless given.") var limit: Int?

        var fields: [String: DataValue?] {
            [
                "text": text.map { .text($0) }, "type": type.map { .text($0) },
                "hide": hide.map { .text($0) },
                "changed": changed ? true : nil, "before": before.map { .integer(Int64($0)) },
                "after": after.map { .integer(Int64($0)) },
                "limit": limit.map { .integer(Int64($0)) },
            ]
        }
    }
}

extension Inspect {
    struct Stores: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(abstract: "Lists the stores.")
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

    struct List: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(abstract: "Lists entries.")
        }
        @OptionGroup var options: Options
        @OptionGroup var filters: Filters

        func run(_ output: ToolOutput) async throws -> Int32 {
            try options.print(await options.ask(.entries, filters.fields), output, Lines.entries)
        }
    }

    struct Show: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(abstract: "Shows all that an entry says.")
        }
        @OptionGroup var options: Options
        @Argument(help: "The id of the entry.") var entry: Int

        func run(_ output: ToolOutput) async throws -> Int32 {
            let answer = try await options.ask(.entry, ["id": .integer(Int64(entry))])
            return try options.print(answer, output) { answer in
                let detail: EntryDetail = try answer.decoded()
                return [Lines.entry(detail.line)] + Lines.node(detail.payload)
            }
        }
    }

    struct State: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(abstract: "Shows a part of the state.")
        }
        @OptionGroup var options: Options
        @Option(help: "The id of the entry after which; what is shown unless given.") var entry:
            Int?
        @Option(help: "The path of the part, such as cart.items.0.") var path: String?
        @Option(help: "The first element or field.") var from: Int?
        @Option(help: "The most elements or fields, at most 200; 50 unless given.") var limit: Int?

        func run(_ output: ToolOutput) async throws -> Int32 {
            let answer = try await options.ask(
                .state,
                [
                    "entry": entry.map { .integer(Int64($0)) }, "path": path.map { .text($0) },
                    "from": from.map { .integer(Int64($0)) },
                    "limit": limit.map { .integer(Int64($0)) },
                ])
            return try options.print(answer, output) { Lines.node(try $0.decoded()) }
        }
    }

    struct Find: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(abstract: "Lists the parts of the state that have a text.")
        }
        @OptionGroup var options: Options
        @Argument(help: "The text.") var text: String
        @Option(help: "The id of the entry after which; what is shown unless given.") var entry:
            Int?

        func run(_ output: ToolOutput) async throws -> Int32 {
            let answer = try await options.ask(
                .findInState, ["text": .text(text), "entry": entry.map { .integer(Int64($0)) }])
            return try options.print(answer, output) { answer in
                let found: [StateNode] = try (answer["found"] ?? []).decoded()
                return found.map { "\($0.path): \($0.text)" }
            }
        }
    }

    struct Diff: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(abstract: "Says how the states after two entries differ.")
        }
        @OptionGroup var options: Options
        @Argument(help: "The id of the earlier entry; the one before the other unless given.")
        var from: Int?
        @Argument(help: "The id of the later entry; the one that is shown unless given.")
        var to: Int?
        @Option(help: "The path of the part that is compared.") var path: String?

        func run(_ output: ToolOutput) async throws -> Int32 {
            let answer = try await options.ask(
                .diff,
                [
                    "from": from.map { .integer(Int64($0)) }, "to": to.map { .integer(Int64($0)) },
                    "path": path.map { .text($0) },
                ])
            return try options.print(answer, output) { answer in
                let changes: [StateChange] = try (answer["changes"] ?? []).decoded()
                return changes.map(Lines.change)
            }
        }
    }

    struct Who: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(abstract: "Lists the entries that changed a part of the state.")
        }
        @OptionGroup var options: Options
        @Argument(help: "The path of the part, such as cart.items.0.") var path: String
        @OptionGroup var filters: Filters

        func run(_ output: ToolOutput) async throws -> Int32 {
            let fields = filters.fields.merging(["path": .text(path)]) { $1 }
            return try options.print(
                await options.ask(.whoChanged, fields), output, Lines.entries)
        }
    }

    struct Test: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(abstract: "Writes the source of a test that runs entries.")
        }
        @OptionGroup var options: Options
        @Option(help: "The id of the entry before the first one.") var from: Int?
        @Option(help: "The id of the last one.") var to: Int?

        func run(_ output: ToolOutput) async throws -> Int32 {
            let answer = try await options.ask(
                .testSource,
                [
                    "from": from.map { .integer(Int64($0)) }, "to": to.map { .integer(Int64($0)) },
                ])
            return options.print(answer, output) { [$0["source"]?.text ?? ""] }
        }
    }

    struct Actions: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(abstract: "Lists the actions that can be dispatched.")
        }
        @OptionGroup var options: Options

        func run(_ output: ToolOutput) async throws -> Int32 {
            try options.print(await options.ask(.actions), output) { answer in
                let forms: [ActionForm] = try (answer["actions"] ?? []).decoded()
                return forms.map { form in
                    let fields = form.fields.map {
                        "\($0.name): \($0.kind.rawValue)\($0.isOptional ? "?" : "")"
                    }
                    return "\(form.name)(\(fields.joined(separator: ", ")))"
                }
            }
        }
    }

    struct Activity: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(abstract: "Says what the store is doing, and what actions cost.")
        }
        @OptionGroup var options: Options

        func run(_ output: ToolOutput) async throws -> Int32 {
            try options.print(await options.ask(.activity), output) { answer in
                let activity: StoreActivity = try answer.decoded()
                return activity.effects.map { "\($0.phase)  \($0.description)" }
                    + activity.subscribers.map { subscriber in
                        let place =
                            subscriber.origin.isEmpty ? "the library" : subscriber.origin
                        let since =
                            subscriber.version == 0
                            ? "the beginning" : "version \(subscriber.version)"
                        return "\(subscriber.count) subscribed at \(place) since \(since), "
                            + "\(subscriber.calls) calls  \(subscriber.total) ns, at most \(subscriber.worst) ns"
                    }
                    + activity.earlier.map { earlier in
                        let value = earlier.value.isEmpty ? "" : ", of \(earlier.value)"
                        return
                            "\(earlier.count) subscribed before the store was attached\(value)"
                    }
                    + activity.costs.map {
                        "\($0.count) × \($0.name)  \($0.total) ns, at most \($0.worst) ns"
                    }
                    + activity.selectors.map { selector in
                        let time = selector.total.map { "  \($0) ns" } ?? ""
                        return
                            "\(selector.evaluations) computed, \(selector.hits) at hand  \(selector.description)\(time)"
                    }
            }
        }
    }

    struct Effects: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(abstract: "Lists when effects began and ended.")
        }
        @OptionGroup var options: Options
        @Option(help: "The nanoseconds that are looked at; as many as it takes unless given.")
        var span: Int?
        @Option(help: "The id of the entry around which they lie.") var entry: Int?
        @Option(help: "Only those of this place in the source, such as Shop/Cart.swift:12.")
        var origin: String?
        @Option(help: "None of those of this place in the source.") var without: String?
        @Option(help: "Only those before this number, `earlier` of a page.") var before: Int?
        @Option(help: "The most effects, at most 200; 50 unless given.") var limit: Int?

        func run(_ output: ToolOutput) async throws -> Int32 {
            let answer = try await options.ask(
                .effects,
                [
                    "span": span.map { .integer(Int64($0)) },
                    "entry": entry.map { .integer(Int64($0)) },
                    "origin": origin.map { .text($0) }, "without": without.map { .text($0) },
                    "before": before.map { .integer(Int64($0)) },
                    "limit": limit.map { .integer(Int64($0)) },
                ])
            return try options.print(answer, output) { answer in
                let page: EffectPage = try answer.decoded()
                return page.effects.map { effect in
                    let time = effect.end.map { "\($0 - effect.start) ns  " } ?? ""
                    let error = effect.error.map { ": \($0)" } ?? ""
                    return "+\(effect.start - page.start) ns  \(effect.phase)\(error)  \(time)"
                        + effect.description
                }
            }
        }
    }

    struct Routes: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(abstract: "Lists the entries that changed the route.")
        }
        @OptionGroup var options: Options
        @Option(help: "Only those up to this moment.") var before: Int?
        @Option(help: "Only those after this moment.") var after: Int?
        @Option(help: "The most entries, at most 200; 50 unless given.") var limit: Int?

        func run(_ output: ToolOutput) async throws -> Int32 {
            let answer = try await options.ask(
                .routes,
                [
                    "before": before.map { .integer(Int64($0)) },
                    "after": after.map { .integer(Int64($0)) },
                    "limit": limit.map { .integer(Int64($0)) },
                ])
            return try options.print(answer, output, Lines.entries)
        }
    }

    struct Dispatch: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(abstract: "Dispatches an action.")
        }
        @OptionGroup var options: Options
        @Argument(help: "The action as JSON: its name in the field \"type\".") var action: String

        func run(_ output: ToolOutput) async throws -> Int32 {
            guard let action = try? DataFormat.json.value(of: Array(action.utf8)) else {
                throw InspectorQuery.Misfit(description: "The action is no JSON.")
            }
            return try options.print(
                await options.ask(.dispatch, ["action": action]), output, Lines.summary)
        }
    }

    struct Jump: ToolCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(abstract: "Has the app show an earlier moment, or live on.")
        }
        @OptionGroup var options: Options
        @Argument(help: "The id of the entry, 0 for before all, or \"live\".") var entry: String

        func run(_ output: ToolOutput) async throws -> Int32 {
            let id = Int(entry)
            guard entry == "live" || id != nil else {
                throw InspectorQuery.Misfit(description: "\"\(entry)\" is no id and not \"live\".")
            }
            let fields: [String: DataValue?] = [
                "live": id == nil ? true : nil, "entry": id.map { .integer(Int64($0)) },
            ]
            return try options.print(await options.ask(.jump, fields), output, Lines.summary)
        }
    }
}

/// The output for people.
private enum Lines {
    /// A line that does nothing to a terminal, whatever names a file contains.
    static func printable(_ line: String) -> String {
        String(
            String.UnicodeScalarView(
                line.unicodeScalars.map { scalar in
                    let isControl = scalar.properties.generalCategory == .control
                    return isControl && scalar != "\n" ? "\u{FFFD}" : scalar
                }))
    }

    static func entries(_ answer: DataValue) throws -> [String] {
        let page: EntryPage = try answer.decoded()
        return page.entries.map(entry)
    }

    static func entry(_ line: EntryLine) -> String {
        var text = "\(line.id)  \(line.name)"
        if !line.address.isEmpty { text += " @\(line.address)" }
        if !line.preview.isEmpty { text += "  \(line.preview)" }
        if let change = line.change {
            text += "  \(value(change.old)) → \(value(change.new))"
            if let since = line.since { text += " (or an entry after \(since))" }
        }
        if line.isSkipped { text += "  (skipped)" }
        if !line.file.isEmpty {
            text += "  \(line.file)" + (line.line > 0 ? ":\(line.line)" : "")
        }
        if let page = line.page { text += "  from the page \(page)" }
        return text
    }

    static func node(_ node: StateNode) -> [String] {
        if node.parts.isEmpty { return node.text.isEmpty ? [] : ["\(path(node)): \(node.text)"] }
        return node.parts.flatMap { part in
            part.parts.isEmpty ? ["\(path(part)): \(part.text)"] : Lines.node(part)
        }
    }

    private static func path(_ node: StateNode) -> String {
        node.path.isEmpty ? "the whole" : "\(node.path)"
    }

    static func change(_ change: StateChange) -> String {
        let path = change.path.isEmpty ? "the state" : "\(change.path)"
        return "\(path): \(value(change.old)) → \(value(change.new))"
    }

    static func summary(_ answer: DataValue) throws -> [String] {
        let log: LogSummary = try answer.decoded()
        return ["\(log.count) entries, shows \(log.cursor)"]
    }

    private static func value(_ text: String) -> String { text.isEmpty ? "nothing" : text }
}
#endif
