// SPDX-License-Identifier: MIT
#if All

internal import Onward
internal import OnwardInspection
internal import OnwardJournal

// The Model Context Protocol is JSON-RPC 2.0, here one message per line on standard input and
// output. The client's input is read within limits: this machine decides, ``ModelContextServer``
// acts.

/// The server's side of the Model Context Protocol.
///
/// It has no state: a client of the newest version states in each request which version it speaks,
/// and one of an older version, which begins with a handshake, does so in none.
struct ModelContext: Sendable {
    /// The supported versions of the protocol that begin with a handshake, the newest one first.
    static let versions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
    /// The supported versions without a handshake.
    static let modernVersions = ["2026-07-28"]
    /// The limits of a message.
    static let limits = DataLimits(bytes: 1 << 20, depth: 64, elements: 100_000)

    /// What to do with a message.
    enum Step: Sendable, Hashable {
        /// Nothing: it was a notification, or an answer.
        case none
        /// Write this.
        case answer(DataValue)
        /// Make the query, and write ``ModelContext/answer(to:with:)``.
        case ask(Request, InspectorQuery, DataValue)
    }

    /// What an answer has to know of its request.
    struct Request: Sendable, Hashable {
        let id: DataValue
        /// Whether the client speaks a version without a handshake.
        let isModern: Bool
    }

    /// The result of a query, or what went wrong in a sentence; the client may fix its arguments.
    typealias Outcome = Result<DataValue, SourceProblem>

    let allowsDispatch: Bool
    /// Whether there is a package for tests.
    var makesTests = false
    /// What is queried: an address or a file.
    let subject: String

    /// The tools that a client sees.
    var queries: [InspectorQuery] {
        InspectorQuery.all.filter { query in
            query.isOfPackage ? makesTests : allowsDispatch || !query.isCommand
        }
    }

    // MARK: Messages

    /// Handles a line.
    func receive(_ line: [UInt8]) -> Step {
        let message: DataValue
        do {
            message = try DataFormat.json.value(of: line, limits: Self.limits)
        } catch {
            return .answer(Self.failure(.null, -32_700, "The message can't be read: \(error)"))
        }
        guard message.fields != nil, message["jsonrpc"] == "2.0" else {
            return .answer(
                Self.failure(.null, -32_600, "The message is no request of JSON-RPC 2.0."))
        }
        guard let method = message["method"]?.text else {
            // An answer without a request.
            if message["result"] != nil || message["error"] != nil { return .none }
            return .answer(Self.failure(.null, -32_600, "The field \"method\" is missing."))
        }
        // A notification gets no answer, whatever it contains.
        guard let id = message["id"] else { return .none }
        switch id {
        case .text, .integer, .unsigned, .number: break
        default:
            return .answer(
                Self.failure(.null, -32_600, "The field \"id\" is no text and no number."))
        }
        return answer(method, id, message["params"] ?? [:])
    }

    private func answer(_ method: String, _ id: DataValue, _ parameters: DataValue) -> Step {
        let meta = parameters["_meta"]
        let version = meta?[Self.key("protocolVersion")]
        // Versions without a handshake have no such method, so this is one with.
        let isModern = (version != nil || method == "server/discover") && method != "initialize"
        if isModern, let problem = Self.problem(of: meta, version, id) { return .answer(problem) }
        let request = Request(id: id, isModern: isModern)
        switch method {
        case "initialize":
            return .answer(success(request, welcome(parameters["protocolVersion"]?.text)))
        case "ping" where !isModern: return .answer(success(request, [:]))
        case "server/discover":
            var result: DataValue = [
                "supportedVersions": .list(Self.modernVersions.map { .text($0) }),
                "capabilities": ["tools": [:]], "instructions": .text(instructions),
            ]
            Self.allowCaching(&result)
            return .answer(success(request, result))
        case "tools/list":
            var result: DataValue = ["tools": .list(queries.map(Self.tool))]
            if isModern { Self.allowCaching(&result) }
            return .answer(success(request, result))
        case "tools/call":
            guard let name = parameters["name"]?.text,
                let query = queries.first(where: { $0.name == name })
            else {
                let name = parameters["name"]?.text ?? ""
                return .answer(
                    Self.failure(id, -32_602, "There is no tool \"\(name.prefix(100))\"."))
            }
            return .ask(request, query, parameters["arguments"] ?? [:])
        default:
            return .answer(
                Self.failure(id, -32_601, "There is no method \"\(method.prefix(100))\"."))
        }
    }

    // MARK: Versions without a handshake

    private static func key(_ name: String) -> String { "io.modelcontextprotocol/\(name)" }

    /// What is wrong with the fields that each request of such a version has.
    private static func problem(
        of meta: DataValue?, _ version: DataValue?, _ id: DataValue
    ) -> DataValue? {
        let missing = ["protocolVersion", "clientCapabilities"].map(key).filter {
            meta?[$0] == nil
        }
        guard missing.isEmpty else {
            return failure(
                id, -32_602, "The field \"_meta\" lacks \(missing.joined(separator: ", ")).")
        }
        guard let version = version?.text else {
            return failure(id, -32_602, "The version of the protocol is no text.")
        }
        guard !modernVersions.contains(version) else { return nil }
        return failure(
            id, -32_022, "Unsupported protocol version",
            data: [
                "supported": .list(modernVersions.map { .text($0) }),
                "requested": .text(String(version.prefix(100))),
            ])
    }

    /// What is asked and listed stays the same while the process runs; it may name the user's files.
    private static func allowCaching(_ result: inout DataValue) {
        result["ttlMs"] = 60_000
        result["cacheScope"] = "private"
    }

    // MARK: Versions with a handshake

    private func welcome(_ wanted: String?) -> DataValue {
        let version = Self.versions.first { $0 == wanted } ?? Self.versions[0]
        return [
            "protocolVersion": .text(version),
            "capabilities": ["tools": [:]],
            "serverInfo": Self.identity, "instructions": .text(instructions),
        ]
    }

    private static let identity: DataValue = [
        "name": "onward", "title": "Onward inspector", "version": "1",
    ]

    private var instructions: String {
        """
        These tools look into the log of a Swift app that is built on Onward: \(subject). Its state is the fold of its \
        actions. Begin with `stores`; to find a fault, ask `who_changed` for the path of the state that is wrong, then \
        `diff` and `entry` for the entry that made it so: it names the file and line that dispatched the action.\
        \(allowsDispatch ? "" : " Nothing can be changed.")
        """
    }

    // MARK: Tools

    private static func tool(_ query: InspectorQuery) -> DataValue {
        var properties: DataValue = [:]
        for field in query.fields {
            properties[field.name] = [
                "type": .text(field.kind.noun), "description": .text(field.purpose),
            ]
        }
        let required = query.fields.filter(\.isRequired).map { DataValue.text($0.name) }
        return [
            "name": .text(query.name), "description": .text(query.purpose),
            "inputSchema": [
                "type": "object", "properties": properties, "required": .list(required),
                "additionalProperties": false,
            ],
            "outputSchema": query.answerSchema,
            "annotations": ["readOnlyHint": .bool(!query.isCommand && !query.isOfPackage)],
        ]
    }

    /// The answer to write after a query.
    func answer(to request: Request, with outcome: Outcome) -> DataValue {
        switch outcome {
        case .success(let value):
            let text = String(decoding: DataFormat.json.bytes(of: value), as: UTF8.self)
            return success(
                request,
                [
                    "content": [["type": "text", "text": .text(text)]],
                    "structuredContent": value, "isError": false,
                ])
        case .failure(let problem):
            return success(
                request,
                [
                    "content": [["type": "text", "text": .text(problem.description)]],
                    "isError": true,
                ])
        }
    }

    // MARK: JSON-RPC

    private func success(_ request: Request, _ result: DataValue) -> DataValue {
        var result = result
        if request.isModern {
            result["resultType"] = "complete"
            result["_meta"] = [Self.key("serverInfo"): Self.identity]
        }
        return ["jsonrpc": "2.0", "id": request.id, "result": result]
    }

    private static func failure(
        _ id: DataValue, _ code: Int64, _ message: String, data: DataValue? = nil
    ) -> DataValue {
        var error: DataValue = ["code": .integer(code), "message": .text(message)]
        error["data"] = data
        return ["jsonrpc": "2.0", "id": id, "error": error]
    }
}
#endif
