// SPDX-License-Identifier: MIT
#if Server

internal import Onward
internal import OnwardInspection
internal import OnwardJournal
internal import OnwardNavigation

/// A query to the log of a remote store.
///
/// Entries are named by their ids, which stay with them.
enum RemoteQuestion: Sendable, Hashable {
    case entries(EntryQuery)
    case entry(Int)
    case state(after: Int, DataPath, from: Int, limit: Int)
    case text(after: Int, DataPath, limit: Int)
    case find(String, after: Int, DataPath, limit: Int)
    case changes(from: Int, to: Int, DataPath, limit: Int)
    case test(from: Int, to: Int)
    case shortestTest(to: Int, DataPath)
    case actions
    case activity
    case effects(EffectQuery)
    /// Only the start and the limit are used.
    case routes(EntryQuery)
    /// A page that the app has.
    case page(String, PageQuestion, entry: Int)

    /// The request to the interface for programs, after the name of the store.
    var request: InspectorRequest {
        let location: RouteLocation
        switch self {
        case .entries(let query):
            var values: RouteValues = [
                "text": query.text.isEmpty ? nil : query.text,
                "changed": query.hidesUnchanged ? "1" : nil, "path": query.path,
                "limit": query.limit,
            ]
            for type in query.types.sorted() { values.append(type, as: "type") }
            for type in query.hiddenTypes.sorted() { values.append(type, as: "hide") }
            switch query.start {
            case .end: break
            case .before(let moment): values.append(moment, as: "before")
            case .after(let moment): values.append(moment, as: "after")
            }
            location = RouteLocation([query.path == nil ? "entries" : "who"], query: values)
        case .entry(let id): location = RouteLocation(["entries", "\(id)"])
        case .state(let id, let path, let first, let limit):
            location = RouteLocation(
                ["state"], query: ["entry": id, "path": path, "from": first, "limit": limit])
        case .text(let id, let path, let limit):
            location = RouteLocation(["state"], query: ["entry": id, "path": path, "raw": limit])
        case .find(let text, let id, let path, let limit):
            location = RouteLocation(
                ["state"], query: ["find": text, "entry": id, "path": path, "limit": limit])
        case .changes(let old, let new, let path, let limit):
            location = RouteLocation(
                ["diff"], query: ["from": old, "to": new, "path": path, "limit": limit])
        case .test(let old, let new):
            location = RouteLocation(["test"], query: ["from": old, "to": new])
        case .shortestTest(let id, let path):
            location = RouteLocation(
                ["test"], query: ["shortest": "1", "poll": "1", "to": id, "path": path])
        case .actions: location = RouteLocation(["actions"])
        case .activity: location = RouteLocation(["activity"])
        case .effects(let query):
            var values: RouteValues = [
                "span": query.span, "entry": query.entry, "before": query.before,
                "origin": query.origin.isEmpty ? nil : query.origin, "limit": query.limit,
            ]
            for origin in query.hiddenOrigins.sorted() { values.append(origin, as: "without") }
            location = RouteLocation(["effects"], query: values)
        case .routes(let query):
            var values: RouteValues = ["limit": query.limit]
            switch query.start {
            case .end: break
            case .before(let moment): values.append(moment, as: "before")
            case .after(let moment): values.append(moment, as: "after")
            }
            location = RouteLocation(["routes"], query: values)
        case .page(let name, let question, let id):
            var values: RouteValues = ["entry": id]
            question.write(to: &values)
            location = RouteLocation(["pages", name], query: values)
        }
        return InspectorRequest(.get, String(location.description.dropFirst()))
    }
}

extension RemoteQuestion {
    /// Whether what is missing is the answer to a search, with a reason.
    fileprivate var isSearch: Bool {
        if case .shortestTest = self { return true }
        return false
    }
}

/// The answer to a query, within bounds.
enum RemoteAnswer: Sendable, Hashable {
    case entries(EntryPage)
    case entry(EntryDetail)
    case state(StateNode)
    case text(String)
    case found([StateNode])
    case changes([StateChange])
    case test(String)
    case search(ShortestTest)
    case actions([ActionForm], names: [String])
    case activity(StoreActivity)
    case effects(EffectPage)
    case page([PageBlock])
    /// There is no such entry or part of the state.
    case none
    /// The app can't answer, or has answered something else.
    case failed(reason: String)

    /// Decodes an answer; one that can't be read, or is too large, becomes a failure.
    init(_ reply: InspectorReply, to question: RemoteQuestion) {
        do {
            let value = try DataFormat.json.value(of: reply.bytes, limits: Self.limits)
            switch reply.status {
            case 200: self = try Self.read(value, question).contained
            case 404 where !question.isSearch: self = .none
            default:
                let reason = value["message"]?.text ?? "The app refuses (status \(reply.status))."
                self = .failed(reason: String(reason.prefix(1_000)))
            }
        } catch {
            self = .failed(reason: "The app's answer can't be read: \(error)")
        }
    }

    /// The limits for reading one answer.
    static let limits = DataLimits(
        bytes: ConnectionLimits.answerBytes, depth: 64, elements: 500_000)

    private static func read(
        _ value: DataValue, _ question: RemoteQuestion
    ) throws -> RemoteAnswer {
        switch question {
        case .entries, .routes: return .entries(try value.decoded())
        case .entry: return .entry(try value.decoded())
        case .state: return .state(try value.decoded())
        case .text: return .text(value["text"]?.text ?? "")
        case .find: return .found(try (value["found"] ?? []).decoded())
        case .changes: return .changes(try (value["changes"] ?? []).decoded())
        case .test: return .test(value["source"]?.text ?? "")
        case .shortestTest:
            switch value["search"]?.text {
            case "found": return .search(.found(try value.decoded()))
            case "searching":
                return .search(
                    .searching(
                        entries: value["entries"]?.integer(as: Int.self) ?? 0,
                        runs: value["runs"]?.integer(as: Int.self) ?? 0))
            default: return .search(.waiting)
            }
        case .actions:
            let known: InspectorInterface.KnownActions = try value.decoded()
            return .actions(known.actions, names: known.names)
        case .activity: return .activity(try value.decoded())
        case .effects: return .effects(try value.decoded())
        case .page: return .page(try (value["blocks"] ?? []).decoded())
        }
    }
}
#endif
