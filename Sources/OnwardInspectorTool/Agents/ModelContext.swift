// SPDX-License-Identifier: MIT
#if CommandLineTool && Inspector

internal import Onward
internal import OnwardJournal

// The Model Context Protocol is JSON-RPC 2.0, here one message per line on standard input and
// output. The client's input is read within limits: this machine decides, ``ModelContextServer``
// acts.

/// The server's side of a session of the Model Context Protocol.
struct ModelContext: Sendable {
    /// The supported versions of the protocol, the newest one first.
    static let versions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
    /// The limits of a message.
    static let limits = DataLimits(bytes: 1 << 20, depth: 64, elements: 100_000)

    /// What to do with a message.
    enum Step: Sendable, Hashable {
        /// Nothing: it was a notification, or an answer.
        case none
        /// Write this.
        case answer(DataValue)
        /// Make the query, and write ``ModelContext/answer(to:with:)``.
        case ask(id: DataValue, InspectorQuery, DataValue)
    }

    /// The result of a query, or what went wrong in a sentence; the client may fix its arguments.
    typealias Outcome = Result<DataValue, SourceProblem>

    let allowsDispatch: Bool
    /// What is queried: an address or a file.
    let subject: String

    /// The tools that a client sees.
    var queries: [InspectorQuery] {
        InspectorQuery.allCases.filter { allowsDispatch || !$0.isCommand }
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
        switch method {
        case "initialize":
            return .answer(Self.success(id, welcome(parameters["protocolVersion"]?.text)))
        case "ping": return .answer(Self.success(id, [:]))
        case "tools/list":
            return .answer(Self.success(id, ["tools": .list(queries.map(Self.tool))]))
        case "tools/call":
            guard let name = parameters["name"]?.text,
                let query = queries.first(where: { $0.rawValue == name })
            else {
                let name = parameters["name"]?.text ?? ""
                return .answer(
                    Self.failure(id, -32_602, "There is no tool \"\(name.prefix(100))\"."))
            }
            return .ask(id: id, query, parameters["arguments"] ?? [:])
        default:
            return .answer(
                Self.failure(id, -32_601, "There is no method \"\(method.prefix(100))\"."))
        }
    }

    private func welcome(_ wanted: String?) -> DataValue {
        let version = Self.versions.first { $0 == wanted } ?? Self.versions[0]
        return [
            "protocolVersion": .text(version),
            "capabilities": ["tools": [:]],
            "serverInfo": ["name": "onward", "title": "Onward inspector", "version": "1"],
            "instructions": .text(
                """
                These tools look into the log of a Swift app that is built on Onward: \(subject). Its state is the fold \
                of its actions. Begin with `stores`; to find a fault, ask `who_changed` for the path of the state that is \
                wrong, then `diff` and `entry` for the entry that made it so: it names the file and line that dispatched \
                the action.\(allowsDispatch ? "" : " Nothing can be changed.")
                """),
        ]
    }

    // MARK: Tools

    private static func tool(_ query: InspectorQuery) -> DataValue {
        var properties: DataValue = [:]
        for field in query.fields {
            properties[field.name] = [
                "type": .text(field.kind.rawValue), "description": .text(field.purpose),
            ]
        }
        let required = query.fields.filter(\.isRequired).map { DataValue.text($0.name) }
        return [
            "name": .text(query.rawValue), "description": .text(query.purpose),
            "inputSchema": [
                "type": "object", "properties": properties, "required": .list(required),
                "additionalProperties": false,
            ],
            "annotations": ["readOnlyHint": .bool(!query.isCommand)],
        ]
    }

    /// The answer to write after a query.
    static func answer(to id: DataValue, with outcome: Outcome) -> DataValue {
        switch outcome {
        case .success(let value):
            let text = String(decoding: DataFormat.json.bytes(of: value), as: UTF8.self)
            return success(
                id,
                [
                    "content": [["type": "text", "text": .text(text)]], "isError": false,
                ])
        case .failure(let problem):
            return success(
                id,
                [
                    "content": [["type": "text", "text": .text(problem.description)]],
                    "isError": true,
                ])
        }
    }

    // MARK: JSON-RPC

    private static func success(_ id: DataValue, _ result: DataValue) -> DataValue {
        ["jsonrpc": "2.0", "id": id, "result": result]
    }

    private static func failure(_ id: DataValue, _ code: Int64, _ message: String) -> DataValue {
        [
            "jsonrpc": "2.0", "id": id,
            "error": ["code": .integer(code), "message": .text(message)],
        ]
    }
}
#endif
