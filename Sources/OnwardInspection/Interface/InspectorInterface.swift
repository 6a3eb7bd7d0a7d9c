// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal
internal import OnwardNavigation

/// The inspector's questions and commands for programs: JSON over HTTP, below `/api/v1/`.
///
/// A function of a request and the stores. The contents of each answer are documented in
/// <doc:InspectorInterface>; if the form of an answer changes, so does the number in the path.
package struct InspectorInterface: Sendable {
    /// The number in the path, and in each answer.
    package static let schema = 1
    /// The largest file that is accepted.
    package static let fileLimit = 64 << 20

    private let stores: StoreList

    /// Creates the interface to stores.
    package init(stores: StoreList) { self.stores = stores }

    /// Answers a request; on failure, with a status of at least 400 and the reason.
    package func answer(_ request: InspectorRequest) async -> InspectorReply {
        // What lives elsewhere is asked there.
        let parts = request.path.split(
            separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        if parts.count == 3, parts[0] == "stores",
            let distant = stores[String(parts[1])] as? any DistantStore
        {
            return await distant.answer(
                InspectorRequest(request.method, String(parts[2]), body: request.body))
        }
        if parts == ["stores"] {
            await withTaskGroup { group in
                for case let distant as any DistantStore in stores.all.map(\.store) {
                    group.addTask { _ = await distant.answer(InspectorRequest(.get, "summary")) }
                }
            }
        }
        return await answerHere(request)
    }

    /// Answers a request from the stores of this process: on a thread for that, within limits, and
    /// not at all if the calling task is cancelled.
    package func answerHere(_ request: InspectorRequest) async -> InspectorReply {
        do {
            guard let location = RouteLocation("/" + request.path) else {
                throw InspectorError(.invalid, "The address can't be read.")
            }
            let (path, query) = (location.segments, location.query)
            if let search = try await search(request, path, query) { return search }
            let isOfFile = path.count == 3 && path[2] == "file"
            let limits = QuestionLimits(
                isOfFile ? QuestionLimits.jobTime : QuestionLimits.questionTime)
            return try await (isOfFile ? stores.jobs : stores.questions).answer(within: limits) {
                () throws(InspectorError) in
                do {
                    return try answer(request, path, query, limits)
                } catch {
                    throw error as? InspectorError ?? InspectorError(.invalid, "\(error)")
                }
            }
        } catch {
            return Self.refusal(error as? InspectorError ?? InspectorError(.invalid, "\(error)"))
        }
    }

    /// The answer of a search; nil for any other question.
    ///
    /// The search goes on for as long as the request waits; with `poll` the answer says how far it is.
    private func search(
        _ request: InspectorRequest, _ path: [String], _ query: RouteValues
    ) async throws -> InspectorReply? {
        guard request.method == .get, path.count == 3, path[0] == "stores", path[2] == "test",
            query["shortest"] == "1", let store = stores[path[1]] as? any OwnStore
        else { return nil }
        let log = store.log
        let end = try Self.moment(query["to"], log) ?? log.summary.cursor
        let part = DataPath(query["path"] ?? "")
        guard query["poll"] == "1" else {
            return try Self.json(await store.shortestTest(to: end, keeping: part))
        }
        switch store.askForShortestTest(to: end, keeping: part) {
        case .none, .waiting: return Self.json(DataValue.object(["search": "waiting"]))
        case .searching(let entries, let runs):
            return Self.json([
                "search": "searching", "entries": .integer(Int64(entries)),
                "runs": .integer(Int64(runs)),
            ])
        case .found(let test):
            var value = try DataValue(encoding: test)
            value["search"] = "found"
            return Self.json(value)
        case .failed(let problem): throw problem
        }
    }

    private func answer(
        _ request: InspectorRequest, _ path: [String], _ query: RouteValues,
        _ limits: QuestionLimits
    ) throws -> InspectorReply {
        if path == ["stores"], request.method == .get { return try Self.json(overview) }
        guard path.count >= 3, path[0] == "stores" else {
            throw InspectorError(.missing, "There is nothing at this address.")
        }
        guard let store = stores[path[1]] else {
            throw InspectorError(.missing, "There is no store \"\(path[1])\".")
        }
        let log = store.log.within(limits)
        switch (request.method, path[2], path.count) {
        case (.get, "entries", 3):
            return try Self.json(log.entries(try Self.entryQuery(query)))
        case (.get, "entries", 4):
            guard let id = Int(path[3]), let entry = log.entry(id) else {
                throw InspectorError(.missing, "There is no entry \(path[3]).")
            }
            return try Self.json(entry)
        case (.get, "state", 3): return try state(log, query)
        case (.get, "diff", 3): return try differences(log, query)
        case (.get, "who", 3):
            var question = try Self.entryQuery(query)
            question.path = DataPath(query["path"] ?? "")
            return try Self.json(log.entries(question))
        case (.get, "test", 3): return try test(log, query)
        case (.get, "actions", 3): return try Self.json(KnownActions(store))
        case (.get, "activity", 3): return try Self.json(store.activity)
        case (.get, "effects", 3):
            var question = EffectQuery()
            question.span = try Self.number(query, "span").map { Int64($0) }
            question.entry = try Self.number(query, "entry")
            question.origin = query["origin"] ?? ""
            question.hiddenOrigins = Set(query.all("without"))
            question.before = try Self.number(query, "before").map { UInt64(max($0, 0)) }
            question.limit = try Self.number(query, "limit") ?? question.limit
            return try Self.json(log.effects(question))
        case (.get, "routes", 3):
            return try Self.json(log.routes(try Self.entryQuery(query)))
        case (.get, "pages", 3):
            return try Self.json(["pages": stores.pages(of: store).map(\.summary)])
        case (.get, "pages", 4): return try page(path[3], of: store, log, query, limits)
        case (.get, "file", 3):
            return InspectorReply(
                bytes: try (store as? any OwnStore)?.file(within: limits) ?? store.file(),
                fileName: "\(path[1]).json")
        case (.get, "summary", 3): return try Self.json(store.summary)
        case (.post, "file", 3):
            try store.load(request.body)
            return try Self.json(store.summary)
        case (.post, "commands", 3):
            try store.perform(try Self.command(request.body))
            return try Self.json(store.summary)
        default: throw InspectorError(.missing, "There is nothing at this address.")
        }
    }

    // MARK: Questions

    /// The actions that can be dispatched.
    package struct KnownActions: Codable {
        package let actions: [ActionForm]
        package let names: [String]

        init(_ store: any InspectedStore) {
            (actions, names) = (store.actionForms, store.actionNames)
        }
    }

    private struct Overview: Encodable {
        struct Store: Encodable {
            let name: String
            let log: LogSummary
            let actions: [String]
        }
        let stores: [Store]
    }

    private var overview: Overview {
        Overview(
            stores: stores.all.map { name, store in
                let log = (store as? any DistantStore)?.newest ?? store.summary
                return Overview.Store(name: name, log: log, actions: store.actionNames)
            })
    }

    private func state(_ log: any InspectedLog, _ query: RouteValues) throws -> InspectorReply {
        let moment = try Self.moment(query["entry"], log) ?? log.summary.cursor
        let path = DataPath(query["path"] ?? "")
        if query["whole"] == "1" {
            guard let value = log.value(at: moment, path) else { throw Self.noPart(path) }
            return Self.json(
                ["path": .text("\(path)"), "value": value], at: log.knownMoment(upTo: moment))
        }
        if let limit = try Self.number(query, "raw") {
            let limit = min(max(limit, 1), 1_000_000)
            guard let text = log.text(at: moment, path, limit: limit) else {
                throw Self.noPart(path)
            }
            return Self.json(["text": .text(text)], at: log.knownMoment(upTo: moment))
        }
        if let text = query["find"] {
            let limit = min(max(try Self.number(query, "limit") ?? 100, 1), 1_000)
            return try Self.json([
                "found": log.find(text, at: moment, in: path, limit: limit)
            ])
        }
        let first = try Self.number(query, "from") ?? 0
        let limit = try Self.number(query, "limit") ?? 100
        guard let part = log.state(at: moment, path, from: first, limit: limit) else {
            throw Self.noPart(path)
        }
        return Self.json(try DataValue(encoding: part), at: log.knownMoment(upTo: moment))
    }

    private func differences(
        _ log: any InspectedLog, _ query: RouteValues
    ) throws -> InspectorReply {
        let new = try Self.moment(query["to"], log) ?? log.summary.cursor
        let old = try Self.moment(query["from"], log) ?? max(new - 1, 0)
        let path = DataPath(query["path"] ?? "")
        let limit = min(max(try Self.number(query, "limit") ?? 1_000, 1), 10_000)
        return try Self.json(["changes": log.changes(from: old, to: new, in: path, limit: limit)])
    }

    private func test(_ log: any InspectedLog, _ query: RouteValues) throws -> InspectorReply {
        let end = try Self.moment(query["to"], log) ?? log.summary.cursor
        if query["shortest"] == "1" {
            // A log without the app's reducers.
            if case .failed(let problem) = log.shortestTest(to: end, keeping: DataPath()) {
                throw problem
            }
        }
        let start = try Self.moment(query["from"], log) ?? max(end - 10, 0)
        return try Self.json(["source": try log.testSource(from: start, to: end)])
    }

    private func page(
        _ name: String, of store: any InspectedStore, _ log: any InspectedLog,
        _ query: RouteValues, _ limits: QuestionLimits
    ) throws -> InspectorReply {
        guard let page = stores.pages(of: store)[name] else {
            throw InspectorError(.missing, "There is no page \"\(name)\".")
        }
        let context = PageContext(log, entry: try Self.number(query, "entry"), within: limits) {
            store.activity
        }
        return try Self.json([
            "blocks": try page.blocks(asking: PageQuestion(in: query).texts, in: context)
        ])
    }

    // MARK: Reading

    private static func entryQuery(_ values: RouteValues) throws -> EntryQuery {
        var query = EntryQuery()
        query.text = values["text"] ?? ""
        query.types = Set(values.all("type"))
        query.hiddenTypes = Set(values.all("hide"))
        query.hidesUnchanged = values["changed"] == "1"
        query.path = values["path"].map { DataPath($0) }
        if let moment = try number(values, "before") { query.start = .before(moment) }
        if let moment = try number(values, "after") { query.start = .after(moment) }
        query.limit = try number(values, "limit") ?? query.limit
        return query
    }

    private static func number(_ values: RouteValues, _ name: String) throws -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Int(text) else {
            throw InspectorError(.invalid, "\"\(name)\" is no whole number.")
        }
        return number
    }

    private static func moment(_ id: String?, _ log: any InspectedLog) throws -> Int? {
        guard let id else { return nil }
        guard let moment = Int(id).flatMap({ log.moment(after: $0) }) else {
            throw InspectorError(.missing, "There is no entry \(id).")
        }
        return moment
    }

    private static func command(_ body: [UInt8]) throws -> InspectorCommand {
        do {
            return try DataFormat.json.value(of: body).decoded()
        } catch {
            throw InspectorError(.invalid, "The command can't be read: \(error)")
        }
    }

    private static func noPart(_ path: DataPath) -> InspectorError {
        InspectorError(.missing, "The state has nothing at \"\(path)\".")
    }

    // MARK: Answering

    /// A state with its moment.
    private static func json(_ value: DataValue, at moment: Int?) -> InspectorReply {
        var value = value
        value["moment"] = moment.map { .integer(Int64($0)) }
        return json(value)
    }

    private static func json(_ value: some Encodable) throws -> InspectorReply {
        json(try DataValue(encoding: value))
    }

    private static func json(_ value: DataValue) -> InspectorReply {
        var value = value
        value["schema"] = .integer(Int64(schema))
        return InspectorReply(
            bytes: DataFormat.json.bytes(of: value))
    }

    package static func refusal(_ error: InspectorError) -> InspectorReply {
        let status =
            switch error.code {
            case .missing: 404
            case .invalid: 400
            case .refused: 409
            }
        let value: DataValue = [
            "schema": .integer(Int64(schema)), "code": .text(error.code.rawValue),
            "message": .text(error.description),
        ]
        return InspectorReply(
            status: status, bytes: DataFormat.json.bytes(of: value))
    }
}
