// SPDX-License-Identifier: MIT
#if Inspector

internal import Onward
internal import OnwardJournal
package import OnwardServer

/// The questions and commands of the inspector for programs: JSON over HTTP, below `/api/v1/`.
///
/// A function of a request and the stores. What each answer has is in <doc:InspectorInterface>; an answer that
/// changes its form gets another number in the path.
package struct InspectorInterface: Sendable {
    /// The number in the path, and in each answer.
    package static let schema = 1
    /// The largest file that is taken in.
    static let fileLimit = 64 << 20

    let stores: StoreList

    /// The interface to the stores of an inspector.
    package init(_ inspector: Inspector) { stores = inspector.stores }

    init(stores: StoreList) { self.stores = stores }

    /// Where it is served.
    var endpoint: Endpoint {
        Endpoint("/api/v1/", bodyLimit: Self.fileLimit) { request in answer(request) }
    }

    package func answer(_ request: Endpoint.Request) -> Endpoint.Answer {
        do {
            guard let location = RouteLocation("/" + request.path) else {
                throw InspectorError(.invalid, "The address can't be read.")
            }
            return try answer(request, location.segments, location.query)
        } catch let error as InspectorError {
            return Self.refusal(error)
        } catch {
            return Self.refusal(InspectorError(.invalid, "\(error)"))
        }
    }

    private func answer(
        _ request: Endpoint.Request, _ path: [String], _ query: RouteValues
    ) throws -> Endpoint.Answer {
        if path == ["stores"], request.method == .get { return try Self.json(overview) }
        guard path.count >= 3, path[0] == "stores" else {
            throw InspectorError(.missing, "There is nothing at this address.")
        }
        guard let store = stores[path[1]] else {
            throw InspectorError(.missing, "There is no store \"\(path[1])\".")
        }
        switch (request.method, path[2], path.count) {
        case (.get, "entries", 3):
            return try Self.json(store.log.entries(try Self.entryQuery(query)))
        case (.get, "entries", 4):
            guard let id = Int(path[3]), let entry = store.log.entry(id) else {
                throw InspectorError(.missing, "There is no entry \(path[3]).")
            }
            return try Self.json(entry)
        case (.get, "state", 3): return try state(store.log, query)
        case (.get, "diff", 3): return try differences(store.log, query)
        case (.get, "who", 3):
            var question = try Self.entryQuery(query)
            question.path = DataPath(query["path"] ?? "")
            return try Self.json(store.log.entries(question))
        case (.get, "test", 3): return try test(store.log, query)
        case (.get, "actions", 3): return try Self.json(["actions": store.actionForms])
        case (.get, "activity", 3): return try Self.json(store.activity)
        case (.get, "file", 3):
            return Endpoint.Answer(
                contentType: "application/json", bytes: try store.file(),
                fileName: "\(path[1]).json")
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
            stores: stores.all.map {
                Overview.Store(name: $0.name, log: $0.store.summary, actions: $0.store.actionNames)
            })
    }

    private func state(_ log: any InspectedLog, _ query: RouteValues) throws -> Endpoint.Answer {
        let moment = try Self.moment(query["entry"], log) ?? log.summary.cursor
        let path = DataPath(query["path"] ?? "")
        if query["whole"] == "1" {
            guard let value = log.value(at: moment, path) else { throw Self.noPart(path) }
            return Self.json(
                ["path": .text("\(path)"), "value": value], at: log.knownMoment(upTo: moment))
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
    ) throws -> Endpoint.Answer {
        let new = try Self.moment(query["to"], log) ?? log.summary.cursor
        let old = try Self.moment(query["from"], log) ?? max(new - 1, 0)
        let path = DataPath(query["path"] ?? "")
        let limit = min(max(try Self.number(query, "limit") ?? 1_000, 1), 10_000)
        return try Self.json(["changes": log.changes(from: old, to: new, in: path, limit: limit)])
    }

    private func test(_ log: any InspectedLog, _ query: RouteValues) throws -> Endpoint.Answer {
        let end = try Self.moment(query["to"], log) ?? log.summary.cursor
        let start = try Self.moment(query["from"], log) ?? max(end - 10, 0)
        return try Self.json(["source": try log.testSource(from: start, to: end)])
    }

    // MARK: Reading

    private static func entryQuery(_ values: RouteValues) throws -> EntryQuery {
        var query = EntryQuery()
        query.text = values["text"] ?? ""
        query.types = Set(values.all("type"))
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

    /// A state with the moment that it is of.
    private static func json(_ value: DataValue, at moment: Int?) -> Endpoint.Answer {
        var value = value
        value["moment"] = moment.map { .integer(Int64($0)) }
        return json(value)
    }

    private static func json(_ value: some Encodable) throws -> Endpoint.Answer {
        json(try DataValue(encoding: value))
    }

    private static func json(_ value: DataValue) -> Endpoint.Answer {
        var value = value
        value["schema"] = .integer(Int64(schema))
        return Endpoint.Answer(
            contentType: "application/json", bytes: DataFormat.json.bytes(of: value))
    }

    private static func refusal(_ error: InspectorError) -> Endpoint.Answer {
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
        return Endpoint.Answer(
            status: status, contentType: "application/json",
            bytes: DataFormat.json.bytes(of: value))
    }
}
#endif
