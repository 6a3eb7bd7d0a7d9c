// SPDX-License-Identifier: MIT
#if All

internal import Onward
internal import OnwardInspection
internal import OnwardJournal
internal import OnwardNavigation

/// What can be asked of a store and done to it: the tools of agents, the verbs of `onward inspect`.
///
/// Each question to a log that has a tool is one of them; a few others are made here. Each has a name
/// and accepts an object; ``request(_:of:)`` turns that into a request.
struct InspectorQuery: Sendable {
    let name: String
    /// The purpose of the query.
    let purpose: String
    /// The fields of its arguments.
    let fields: [QuestionField]
    /// The form of the answer, as a JSON Schema.
    ///
    /// It names the fields that are always there. An answer may have more, and so may its parts.
    let answerSchema: DataValue
    /// Whether it changes what an app does.
    let isCommand: Bool
    /// The request for a store, below its name.
    private let request: @Sendable (DataValue) throws(Misfit) -> InspectorRequest

    private init(
        _ name: String, _ purpose: String, _ fields: [QuestionField] = [], hasStore: Bool = true,
        isCommand: Bool = false, answer: DataValue,
        _ request: @escaping @Sendable (DataValue) throws(Misfit) -> InspectorRequest
    ) {
        (self.name, self.purpose, self.isCommand) = (name, purpose, isCommand)
        self.fields = (hasStore ? [Self.store] : []) + fields
        answerSchema = answer.schema
        self.request = request
    }

    private static let store = QuestionField(
        "store", .text, "The name of the store; the first one unless given.")

    /// Whether it is answered by a store, and not by the list of them or by a package.
    var hasStore: Bool { fields.first == Self.store }

    /// Whether it is answered by running the tests of a package, not by a log.
    var isOfPackage: Bool { self == .makeTest }

    /// A question to a log; nil if it has no tool.
    init?<Question: LogQuestion>(_ type: Question.Type) {
        guard let tool = type.tool else { return nil }
        self.init(
            tool.name, tool.purpose, type.fields, answer: Self.written(type.Answer.self)
        ) { arguments throws(Misfit) in
            var arguments = arguments
            if type.fields.contains(where: { $0.name == "limit" }) {
                let number = arguments["limit"]?.integer(as: Int.self) ?? Self.usual
                arguments["limit"] = .integer(Int64(min(max(number, 1), Self.most)))
            }
            return InspectorRequest(
                .get, String(type.location(of: arguments).description.dropFirst()))
        }
    }

    /// The maximum number of results of one query, and the number if none is given.
    private static let (most, usual) = (200, 50)

    /// What an answer has at least.
    private static func written<Answer: LogAnswer>(_ type: Answer.Type) -> DataValue {
        (try? type.example.written()) ?? [:]
    }

    /// All queries; those that change something stand at the end.
    static let all =
        [stores] + Questions.all.compactMap { InspectorQuery($0) } + [dispatch, jump, makeTest]

    static let stores = InspectorQuery(
        "stores",
        "Lists the stores with the length of their logs, the moment that is shown, and the types of their actions.",
        hasStore: false,
        answer: ["stores": [["name": "", "log": written(LogSummary.self), "actions": [""]]]]
    ) { _ throws(Misfit) in InspectorRequest(.get, "stores") }

    static let dispatch = InspectorQuery(
        "dispatch", "Dispatches an action in the running app.",
        [
            QuestionField(
                "action", .object,
                "The action: its name in the field `type`, such as CartAction/add, and beside it what it carries.",
                isRequired: true)
        ], isCommand: true, answer: written(LogSummary.self)
    ) { arguments throws(Misfit) in
        let action = DataFormat.json.bytes(of: arguments["action"] ?? [:])
        return try command(.dispatch(json: String(decoding: action, as: UTF8.self)))
    }

    static let jump = InspectorQuery(
        "jump", "Has the running app show an earlier moment; with `live`, the newest one again.",
        [
            QuestionField(
                "entry", .entry,
                "The id of the entry after which the app is shown; 0 for before all."),
            QuestionField(
                "live", .truth, "Whether the newest moment is shown, and the app lives on."),
        ], isCommand: true, answer: written(LogSummary.self)
    ) { arguments throws(Misfit) in
        if arguments["live"]?.bool == true { return try command(.live) }
        guard let entry = arguments["entry"]?.integer(as: Int.self) else {
            throw Misfit(description: "\"entry\" is missing; or give \"live\": true.")
        }
        return try command(.show(entry: entry))
    }

    private static func command(_ command: InspectorCommand) throws(Misfit) -> InspectorRequest {
        do {
            let body = DataFormat.json.bytes(of: try DataValue(encoding: command))
            return InspectorRequest(.post, "commands", body: body)
        } catch {
            throw Misfit(description: "\(error)")
        }
    }

    static let makeTest = InspectorQuery(
        "make_test",
        "Writes a test of a user's report into the app's test target and runs it: the fewest entries that break a promise of the app, so that the test fails until the fault is mended.",
        [
            QuestionField(
                "report", .text,
                "The path of the report; the file that is inspected unless given.")
        ], hasStore: false, answer: ["outcome": "", "text": ""]
    ) { _ throws(Misfit) in
        throw Misfit(description: "A test is made of a report, in the package of an app.")
    }
}

// MARK: - Asking

extension InspectorQuery: Hashable {
    static func == (left: InspectorQuery, right: InspectorQuery) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension InspectorQuery {
    /// Why arguments were rejected.
    struct Misfit: Error, CustomStringConvertible {
        let description: String
    }

    /// Creates the request.
    ///
    /// - Parameters:
    ///   - arguments: An object with the query's ``fields``.
    ///   - store: The name of the store.
    /// - Returns: The request.
    /// - Throws: ``Misfit``, naming the field.
    func request(_ arguments: DataValue, of store: String) throws(Misfit) -> InspectorRequest {
        try check(arguments)
        let request = try request(arguments)
        guard hasStore else { return request }
        let place = String(RouteLocation(["stores", store]).description.dropFirst())
        return InspectorRequest(request.method, "\(place)/\(request.path)", body: request.body)
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
                case .text, .texts: value.text.map { $0.utf8.count <= 1_000 } ?? false
                case .integer, .entry: value.integer(as: Int.self) != nil
                case .truth: value.bool != nil
                case .object: value.fields != nil
                }
            guard isRight else {
                throw Misfit(description: "\"\(field.name)\" is no \(field.kind.noun) that fits.")
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

extension QuestionField.Kind {
    /// The name of the kind in a JSON Schema.
    var noun: String {
        switch self {
        case .text, .texts: "string"
        case .integer, .entry: "integer"
        case .truth: "boolean"
        case .object: "object"
        }
    }
}

extension DataValue {
    /// The JSON Schema of values like this one, which may have more fields.
    fileprivate var schema: DataValue {
        switch self {
        case .null: [:]
        case .bool: ["type": "boolean"]
        case .integer, .unsigned: ["type": "integer"]
        case .number: ["type": "number"]
        case .text, .bytes: ["type": "string"]
        case .list(let elements):
            elements.first.map { ["type": "array", "items": $0.schema] } ?? ["type": "array"]
        case .object(let fields):
            [
                "type": "object", "properties": .object(fields.mapValues(\.schema)),
                "required": .list(fields.keys.sorted().map { .text($0) }),
            ]
        }
    }
}

extension InspectorSource {
    /// Answers a query about a store, by default the first one.
    ///
    /// - Throws: ``SourceProblem``, ``InspectorQuery/Misfit``.
    func ask(_ query: InspectorQuery, _ arguments: DataValue) async throws -> DataValue {
        var store = ""
        if query.hasStore {
            if let name = arguments["store"]?.text {
                store = name
            } else {
                let stores = try await ask(InspectorRequest(.get, "stores"))["stores"]?.list
                guard let first = stores?.first?["name"]?.text else {
                    throw SourceProblem(.refused, "The inspector has no store yet.")
                }
                store = first
            }
        }
        return try await ask(try query.request(arguments, of: store))
    }
}
#endif
