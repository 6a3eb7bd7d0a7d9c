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
            guard var location = RouteLocation("/" + request.path) else {
                throw InspectorError(.invalid, "The address can't be read.")
            }
            let path = location.segments
            if path == ["stores"], request.method == .get {
                return try await reply { _ in Self.json(try DataValue(encoding: overview)) }
            }
            guard path.count >= 3, path[0] == "stores" else { throw Self.nothing }
            guard let store = stores[path[1]] else {
                throw InspectorError(.missing, "There is no store \"\(path[1])\".")
            }
            location.segments.removeFirst(2)
            switch (request.method, location.segments) {
            case (.get, ["file"]):
                return try await reply(within: QuestionLimits.jobTime, on: stores.jobs) { limits in
                    InspectorReply(
                        bytes: try (store as? any OwnStore)?.file(within: limits) ?? store.file(),
                        fileName: "\(path[1]).json")
                }
            case (.post, ["file"]):
                return try await reply(within: QuestionLimits.jobTime, on: stores.jobs) { _ in
                    try store.load(request.body)
                    return Self.json(try store.summary.written())
                }
            case (.post, ["commands"]):
                return try await reply { _ in
                    try store.perform(try Self.command(request.body))
                    return Self.json(try store.summary.written())
                }
            case (.get, _):
                guard let question = try Questions.question(at: location) else {
                    throw Self.nothing
                }
                return try await reply(to: question, store)
            default: throw Self.nothing
            }
        } catch {
            return Self.refusal(Self.problem(error))
        }
    }

    /// Answers a question: by a search, which goes on for as long as the request waits, or at once.
    private func reply(
        to question: some LogQuestion, _ store: any InspectedStore
    ) async throws -> InspectorReply {
        if let question = question as? any SearchQuestion, let store = store as? any OwnStore {
            return Self.json(try await question.search(in: store).written())
        }
        return try await reply { limits in
            let asked = AskedStore(
                store: store, log: store.log.within(limits), pages: stores.pages(of: store),
                limits: limits)
            return Self.json(try question.answer(from: asked).written())
        }
    }

    private func reply(
        within time: Duration = QuestionLimits.questionTime, on thread: QuestionThread? = nil,
        _ work: @escaping @Sendable (QuestionLimits) throws -> InspectorReply
    ) async throws -> InspectorReply {
        let limits = QuestionLimits(time)
        return try await (thread ?? stores.questions).answer(within: limits) {
            () throws(InspectorError) in
            do { return try work(limits) } catch { throw Self.problem(error) }
        }
    }

    // MARK: Stores

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

    private static func command(_ body: [UInt8]) throws -> InspectorCommand {
        do {
            return try DataFormat.json.value(of: body).decoded()
        } catch {
            throw InspectorError(.invalid, "The command can't be read: \(error)")
        }
    }

    private static var nothing: InspectorError {
        InspectorError(.missing, "There is nothing at this address.")
    }

    private static func problem(_ error: any Error) -> InspectorError {
        error as? InspectorError ?? InspectorError(.invalid, "\(error)")
    }

    // MARK: Answering

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
