// SPDX-License-Identifier: MIT
#if All

internal import Onward
internal import OnwardJournal
internal import OnwardNavigation

/// What can be asked of a store and done to it: the tools of agents, the verbs of `onward inspect`.
///
/// Each has a name and accepts an object; ``question(_:of:)`` turns that into a request.
enum InspectorQuery: String, Sendable, CaseIterable {
    case stores, entries, entry, state
    case findInState = "find_in_state"
    case diff
    case whoChanged = "who_changed"
    case testSource = "test_source"
    case actions, activity, effects, routes, dispatch, jump
    case makeTest = "make_test"

    /// Whether it changes what an app does.
    var isCommand: Bool { self == .dispatch || self == .jump }

    /// Whether it is answered by running the tests of a package, not by a log.
    var isOfPackage: Bool { self == .makeTest }

    /// The purpose of the query.
    var purpose: String {
        switch self {
        case .stores:
            "Lists the stores with the length of their logs, the moment that is shown, and the types of their actions."
        case .entries:
            "Lists the actions that were dispatched, each with its id, time, payload, and the file and line that dispatched it. The newest ones unless `after` or `before` is given; `earlier` and `later` in the answer say where to go on."
        case .entry: "All that is known of one action: its payload, and where it was dispatched."
        case .state:
            "A part of the state after an entry, two levels deep. Go deeper with the paths in the answer."
        case .findInState:
            "The parts of the state after an entry that have a text in their name or value."
        case .diff:
            "Where the states after two entries differ. Without `from`, what one entry changed."
        case .whoChanged:
            "The entries that changed what is at a path of the state, the newest ones, each with the old and the new value."
        case .testSource:
            "The source of a Swift Testing test that runs entries and expects their states."
        case .actions: "The actions that can be dispatched, with their fields."
        case .activity:
            "What the store is doing, and what it costs: effects at work and live subscriptions with the places that made them (leaks show here), time in reducers by type of action, in subscribers and in selectors."
        case .effects:
            "The life-lines of effects: when each began and ended, how, and the entry that started it; with the times of the entries beside them. The newest ones, or with `span` those of so many nanoseconds, around `entry` if it is given."
        case .routes:
            "Where the user was: the entries that changed the route, the newest ones, each with the old and the new route."
        case .dispatch: "Dispatches an action in the running app."
        case .jump: "Has the running app show an earlier moment; with `live`, the newest one again."
        case .makeTest:
            "Writes a test of a user's report into the app's test target and runs it: the fewest entries that break a promise of the app, so that the test fails until the fault is mended."
        }
    }

    /// A field of the arguments.
    struct Field: Sendable {
        enum Kind: String, Sendable { case string, integer, boolean, object }

        let name: String
        let kind: Kind
        let purpose: String
        var isRequired = false
    }

    /// The fields of its arguments.
    var fields: [Field] {
        let store = Field(
            name: "store", kind: .string,
            purpose: "The name of the store; the first one unless given.")
        let path = "A path of the state, such as cart.items.0.name; empty for all of it."
        let limit = Field(
            name: "limit", kind: .integer,
            purpose: "The most results, at most 200; 50 unless given.")
        let entry = Field(
            name: "entry", kind: .integer,
            purpose: "The id of the entry; 0 for the state before all. What is shown unless given.")
        let filters = [
            Field(
                name: "text", kind: .string,
                purpose:
                    "Only those whose name, payload, instance or file has this text, in any case."),
            Field(
                name: "type", kind: .string,
                purpose: "Only those of this name, such as CartAction/add."),
            Field(name: "hide", kind: .string, purpose: "None of those of this name."),
            Field(name: "changed", kind: .boolean, purpose: "Only those that changed the state."),
            Field(
                name: "before", kind: .integer,
                purpose: "Only those up to this moment: 0 is before all, n after the nth entry."),
            Field(name: "after", kind: .integer, purpose: "Only those after this moment."),
        ]
        switch self {
        case .stores: return []
        case .entries: return [store] + filters + [limit]
        case .entry:
            return [
                store,
                Field(
                    name: "id", kind: .integer, purpose: "The id of the entry.", isRequired: true),
            ]
        case .state:
            return [
                store, entry, Field(name: "path", kind: .string, purpose: path),
                Field(
                    name: "from", kind: .integer,
                    purpose: "The first element of a list, or field, that is wanted."), limit,
            ]
        case .findInState:
            return [
                store, Field(name: "text", kind: .string, purpose: "The text.", isRequired: true),
                entry,
                Field(name: "path", kind: .string, purpose: path), limit,
            ]
        case .diff:
            return [
                store,
                Field(
                    name: "from", kind: .integer,
                    purpose: "The id of the earlier entry; the one before `to` unless given."),
                Field(
                    name: "to", kind: .integer,
                    purpose: "The id of the later entry; the one that is shown unless given."),
                Field(name: "path", kind: .string, purpose: path), limit,
            ]
        case .whoChanged:
            return [store, Field(name: "path", kind: .string, purpose: path, isRequired: true)]
                + filters + [limit]
        case .testSource:
            return [
                store,
                Field(
                    name: "from", kind: .integer,
                    purpose: "The id of the entry before the first one; ten back unless given."),
                Field(
                    name: "to", kind: .integer,
                    purpose: "The id of the last entry; the one that is shown unless given."),
            ]
        case .actions, .activity: return [store]
        case .effects:
            return [
                store,
                Field(
                    name: "span", kind: .integer,
                    purpose: "The nanoseconds that are wanted; as many as it takes unless given."),
                Field(
                    name: "entry", kind: .integer,
                    purpose:
                        "The id of the entry around which they lie; the newest ones unless given."),
                Field(
                    name: "origin", kind: .string,
                    purpose: "Only those of this place in the source, such as Shop/Cart.swift:12."),
                Field(
                    name: "without", kind: .string,
                    purpose: "None of those of this place in the source."),
                Field(
                    name: "before", kind: .integer,
                    purpose: "Only those before this number, `earlier` of a page."),
                limit,
            ]
        case .routes:
            return [
                store,
                Field(
                    name: "before", kind: .integer,
                    purpose:
                        "Only those up to this moment: 0 is before all, n after the nth entry."),
                Field(name: "after", kind: .integer, purpose: "Only those after this moment."),
                limit,
            ]
        case .makeTest:
            return [
                Field(
                    name: "report", kind: .string,
                    purpose: "The path of the report; the file that is inspected unless given.")
            ]
        case .dispatch:
            return [
                store,
                Field(
                    name: "action", kind: .object,
                    purpose:
                        "The action: its name in the field `type`, such as CartAction/add, and beside it what it carries.",
                    isRequired: true),
            ]
        case .jump:
            return [
                store,
                Field(
                    name: "entry", kind: .integer,
                    purpose: "The id of the entry after which the app is shown; 0 for before all."),
                Field(
                    name: "live", kind: .boolean,
                    purpose: "Whether the newest moment is shown, and the app lives on."),
            ]
        }
    }

    /// Why arguments were rejected.
    struct Misfit: Error, CustomStringConvertible {
        let description: String
    }

    /// The maximum number of results of one query, and the number if none is given.
    private static let (most, usual) = (200, 50)

    /// Creates the request.
    ///
    /// - Parameters:
    ///   - arguments: An object with the query's ``fields``.
    ///   - store: The name of the store.
    /// - Returns: The request.
    /// - Throws: ``Misfit``, naming the field.
    func question(_ arguments: DataValue, of store: String) throws(Misfit) -> InspectorQuestion {
        try check(arguments)
        let path = ["stores", store]
        var query: RouteValues = [:]
        func take(_ name: String, as parameter: String? = nil) {
            switch arguments[name] {
            case nil, .null?: break
            case .text(let text)?: query.append(text, as: parameter ?? name)
            case .bool(let bool)?: if bool { query.append("1", as: parameter ?? name) }
            case let value?:
                if let number = value.integer(as: Int.self) {
                    query.append(number, as: parameter ?? name)
                }
            }
        }
        let number = arguments["limit"]?.integer(as: Int.self) ?? Self.usual
        let limit = min(max(number, 1), Self.most)
        switch self {
        case .stores: return InspectorQuestion(["stores"])
        case .entries, .whoChanged:
            for name in ["text", "type", "hide", "changed", "before", "after", "path"] {
                take(name)
            }
            query.append(limit, as: "limit")
            return InspectorQuestion(path + [self == .entries ? "entries" : "who"], query)
        case .entry:
            let id = arguments["id"]?.integer(as: Int.self) ?? 0
            return InspectorQuestion(path + ["entries", "\(id)"])
        case .state, .findInState:
            take("entry")
            take("path")
            if self == .state { take("from") } else { take("text", as: "find") }
            query.append(limit, as: "limit")
            return InspectorQuestion(path + ["state"], query)
        case .diff, .testSource:
            for name in ["from", "to", "path"] { take(name) }
            if self == .diff { query.append(limit, as: "limit") }
            return InspectorQuestion(path + [self == .diff ? "diff" : "test"], query)
        case .actions: return InspectorQuestion(path + ["actions"])
        case .activity: return InspectorQuestion(path + ["activity"])
        case .effects, .routes:
            for name in ["span", "entry", "origin", "without", "before", "after"] { take(name) }
            query.append(limit, as: "limit")
            return InspectorQuestion(path + [rawValue], query)
        case .makeTest:
            throw Misfit(description: "A test is made of a report, in the package of an app.")
        case .dispatch:
            let action = DataFormat.json.bytes(of: arguments["action"] ?? [:])
            return InspectorQuestion(
                path + ["commands"],
                body: [
                    "command": "dispatch", "json": .text(String(decoding: action, as: UTF8.self)),
                ])
        case .jump:
            if arguments["live"]?.bool == true {
                return InspectorQuestion(path + ["commands"], body: ["command": "live"])
            }
            guard let entry = arguments["entry"]?.integer(as: Int.self) else {
                throw Misfit(description: "\"entry\" is missing; or give \"live\": true.")
            }
            return InspectorQuestion(
                path + ["commands"], body: ["command": "show", "entry": .integer(Int64(entry))])
        }
    }

    private func check(_ arguments: DataValue) throws(Misfit) {
        guard let given = arguments.fields else {
            throw Misfit(description: "The arguments are no object.")
        }
        for field in fields {
            guard let value = given[field.name], value != .null else {
                if field.isRequired { throw Misfit(description: "\"\(field.name)\" is missing.") }
                continue
            }
            let isRight =
                switch field.kind {
                case .string: value.text.map { $0.utf8.count <= 1_000 } ?? false
                case .integer: value.integer(as: Int.self) != nil
                case .boolean: value.bool != nil
                case .object: value.fields != nil
                }
            guard isRight else {
                throw Misfit(
                    description: "\"\(field.name)\" is no \(field.kind.rawValue) that fits.")
            }
        }
        let known = Set(fields.map(\.name))
        if let other = given.keys.sorted().first(where: { !known.contains($0) }) {
            throw Misfit(
                description:
                    "There is no field \"\(other.prefix(100))\". There are: \(known.sorted().joined(separator: ", "))."
            )
        }
    }
}

extension InspectorSource {
    /// Answers a query about a store, by default the first one.
    ///
    /// - Throws: ``SourceProblem``, ``InspectorQuery/Misfit``.
    func ask(_ query: InspectorQuery, _ arguments: DataValue) async throws -> DataValue {
        var store = ""
        if query != .stores {
            if let name = arguments["store"]?.text {
                store = name
            } else {
                let stores = try await ask(InspectorQuestion(["stores"]))["stores"]?.list
                guard let first = stores?.first?["name"]?.text else {
                    throw SourceProblem(.refused, "The inspector has no store yet.")
                }
                store = first
            }
        }
        return try await ask(try query.question(arguments, of: store))
    }
}
#endif
