// SPDX-License-Identifier: MIT
#if Server

internal import Onward
public import OnwardServer
internal import ServiceLifecycle

extension Endpoint {
    /// Lets clients over HTTP connect to a server, beside the pages of a `PageServer`.
    ///
    /// ```swift
    /// try await PageServer(page, hosting: .shared(store), endpoints: [.sync(server)]).run()
    /// ```
    ///
    /// A client reaches it with a ``WebTransport``. The checks of the `PageServer` apply.
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
        return Endpoint(path, bodyLimit: WebMessage.length(of: limits.messageBytes)) { request in
            let limit = WebMessage.length(of: limits.messageBytes)
            guard request.method == .post,
                let asked = try? WebMessage.read(WebRequest.self, request.body, limit: limit)
            else { return answer(400) }
            guard let id = asked.connection else {
                guard let who = try? await Admission(identity(asked.token ?? "")) else {
                    return answer(401)
                }
                guard let id = await lines.open(await server.connect(as: who.identity)) else {
                    return answer(503)
                }
                return answer(200, WebAnswer(connection: id))
            }
            guard let message = asked.message else {
                guard let messages = await lines.take(from: id) else { return answer(404) }
                return answer(200, WebAnswer(messages: messages))
            }
            return answer(await lines.send(message, over: id) ? 200 : 404, WebAnswer())
        }
    }

    /// Who was let in: somebody, or anybody.
    private struct Admission {
        let identity: String?
        init(_ identity: String?) { self.identity = identity }
    }

    private static func answer(_ status: Int, _ answer: WebAnswer = WebAnswer()) -> Answer {
        Answer(
            status: status, contentType: "application/json", bytes: WebMessage.bytes(of: answer))
    }
}

/// The connections of clients that ask for messages again and again.
actor ClientLines {
    private struct Line {
        let connection: SyncConnection
        var messages: [[UInt8]] = []
        var waiter: CheckedContinuation<Void, Never>?
        var isOver = false
        /// When the client asked last.
        var asked: Duration
    }

    /// How long a client may wait for something, and be away before its connection ends.
    private static var longestWait: Duration { .seconds(20) }
    private static var longestAbsence: Duration { .seconds(60) }

    private let limits: SyncLimits
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    private var lines: [String: Line] = [:]
    /// Whether a task looks for clients that are gone.
    private var isWatching = false

    init(_ limits: SyncLimits, clock: any Clock<Duration> = ContinuousClock()) {
        self.limits = limits
        self.clock = clock
        stopwatch = Stopwatch(clock)
    }

    /// Takes a connection; returns the text that names it, which nobody can guess, or nil if there are
    /// too many.
    func open(_ connection: SyncConnection) -> String? {
        endAbandoned()
        guard lines.count < limits.sessions else {
            connection.close()
            return nil
        }
        let id = ClientID().description
        lines[id] = Line(connection: connection, asked: stopwatch.elapsed())
        watch()
        Task {
            do { for try await message in connection.messages { arrived(message, at: id) } } catch {
            }
            ended(id)
        }
        return id
    }

    /// Ends connections of clients that have left without a word, as long as there are any.
    private func watch() {
        if isWatching { return }
        isWatching = true
        Task { [weak self, clock] in
            repeat {
                try? await clock.sleep(for: Self.longestAbsence / 2)
            } while await self?.mustGoOn() == true
        }
    }

    private func mustGoOn() -> Bool {
        endAbandoned()
        isWatching = !lines.isEmpty
        return isWatching
    }

    private func endAbandoned() {
        let now = stopwatch.elapsed()
        for (id, line) in lines
        where line.waiter == nil && now - line.asked > Self.longestAbsence {
            line.connection.close()
            lines[id] = nil
        }
    }

    private func arrived(_ message: [UInt8], at id: String) {
        guard let line = lines[id] else { return }
        // A client that takes nothing begins again when it does.
        guard line.messages.count < limits.window + 64 else { return line.connection.close() }
        lines[id]?.messages.append(message)
        wake(id)
    }

    private func ended(_ id: String) {
        lines[id]?.isOver = true
        wake(id)
    }

    private func wake(_ id: String) {
        let waiter = lines[id]?.waiter
        lines[id]?.waiter = nil
        waiter?.resume()
    }

    /// What has come, once there is something or the longest wait is over; nil if the connection is
    /// unknown or over.
    func take(from id: String) async -> [[UInt8]]? {
        guard let line = lines[id] else { return nil }
        wake(id)
        if line.messages.isEmpty, !line.isOver { await wait(at: id) }
        lines[id]?.asked = stopwatch.elapsed()
        guard let line = lines[id] else { return nil }
        if line.messages.isEmpty, line.isOver {
            lines[id] = nil
            return nil
        }
        lines[id]?.messages = []
        return line.messages
    }

    /// Waits for a message, and no longer than the server takes requests.
    private func wait(at id: String) async {
        let timer = Task {
            try? await Task.sleep(for: Self.longestWait)
            wake(id)
        }
        await withGracefulShutdownHandler {
            await withTaskCancellationHandler {
                await withCheckedContinuation { lines[id]?.waiter = $0 }
            } onCancel: {
                timer.cancel()
            }
        } onGracefulShutdown: {
            timer.cancel()
        }
        timer.cancel()
    }

    /// Passes a message on; false if the connection is unknown or over.
    func send(_ message: [UInt8], over id: String) async -> Bool {
        guard let line = lines[id], !line.isOver else { return false }
        do {
            try await line.connection.send(message)
            return true
        } catch {
            return false
        }
    }
}
#endif
