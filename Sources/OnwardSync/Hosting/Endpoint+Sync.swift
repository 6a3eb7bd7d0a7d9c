// SPDX-License-Identifier: MIT
#if Server

internal import Onward
public import OnwardServer

extension Endpoint {
    /// Lets clients over HTTP connect to a server, beside the pages of a `PageServer`.
    ///
    /// ```swift
    /// try await PageServer(page, hosting: .shared(store), endpoints: [.sync(server)]).run()
    /// ```
    ///
    /// A client reaches it with a ``WebTransport``, and gets its messages as an answer that goes on: one
    /// of the server's open streams. The checks and limits of the `PageServer` apply. A proxy in between
    /// must pass on what comes at once, and keep a connection open that is silent for `heartbeat`.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - path: The path at which it is served, beginning and ending with `/`.
    ///   - limits: Those of the server.
    ///   - identity: Finds out who a client is from its token, which may be empty: the author of what
    ///     it proposes, nil for anybody. An error refuses the client.
    /// - Returns: The endpoint.
    public static func sync<State>(
        _ server: SyncServer<State>, at path: String = "/sync/", limits: SyncLimits = SyncLimits(),
        identity: @escaping @Sendable (_ token: String) async throws -> String? = { _ in nil }
    ) -> Endpoint {
        let limits = limits.usable()
        let lines = ClientLines(limits)
        return Endpoint(
            path, accepting: WebRequest.contentType,
            bodyLimit: WebRequest.idLength + limits.messageBytes
        ) { request in
            guard request.method == .post else { return answer(405) }
            switch WebRequest.Path(rawValue: request.path) {
            case .stream:
                guard let token = String(validating: request.body, as: UTF8.self),
                    let who = try? await Admission(identity(token))
                else { return answer(401) }
                guard let stream = await lines.open(to: server, as: who.identity) else {
                    return answer(503)
                }
                return Answer(contentType: WebRequest.contentType, stream: stream)
            case .message:
                guard let (id, message) = WebRequest.parts(of: request.body) else {
                    return answer(400)
                }
                return answer(await lines.send(message, over: id) ? 200 : 404)
            case .end:
                guard let (id, _) = WebRequest.parts(of: request.body) else { return answer(400) }
                lines.end(id)
                return answer(200)
            case nil: return answer(404)
            }
        }
    }

    /// Who was let in: somebody, or anybody.
    private struct Admission {
        let identity: String?
        init(_ identity: String?) { self.identity = identity }
    }

    private static func answer(_ status: Int) -> Answer {
        Answer(status: status, contentType: WebRequest.contentType, bytes: [])
    }
}

/// The connections of clients over HTTP, by the texts that name them.
private final class ClientLines: Sendable {
    private struct Line {
        let stream: Endpoint.Stream
        let connection: ClientConnection
    }

    private let limits: SyncLimits
    private let signOfLife = Endpoint.Stream.Piece(WebFrames.signOfLife)
    private let lines = Guarded<[ClientID: Line]>([:])

    init(_ limits: SyncLimits) {
        self.limits = limits
    }

    /// Connects a client; nil if there are too many.
    ///
    /// Its first message is the text that names the connection, which nobody can guess.
    func open(
        to server: SyncServer<some Codable & Sendable>, as identity: String?
    ) async -> Endpoint.Stream? {
        guard lines.withValue({ $0.count }) < limits.sessions else { return nil }
        let id = ClientID()
        let stream = Endpoint.Stream(limit: limits.unread, signOfLife: signOfLife) { [weak self] in
            self?.lines.withValue { $0.removeValue(forKey: id) }?.connection.close()
        }
        let name = Array(id.description.utf8)
        stream.write(.init(WebFrames.head(of: name), name))
        let connection = await server.connect(
            as: identity,
            to: ClientOutlet {
                stream.write(.init(WebFrames.head(of: $0), $0))
            } end: { _ in
                stream.end()
            })
        lines.withValue { $0[id] = Line(stream: stream, connection: connection) }
        // The server may have stopped meanwhile.
        if stream.isOver { lines.withValue { $0.removeValue(forKey: id) }?.connection.close() }
        return stream
    }

    /// Passes a message on; false if the connection is unknown or over.
    func send(_ message: [UInt8], over id: ClientID) async -> Bool {
        guard let line = lines.withValue({ $0[id] }) else { return false }
        do {
            try await line.connection.receive(message)
            return true
        } catch {
            return false
        }
    }

    /// Ends a connection, as its client wants.
    func end(_ id: ClientID) { lines.withValue { $0[id] }?.stream.end() }
}
#endif
