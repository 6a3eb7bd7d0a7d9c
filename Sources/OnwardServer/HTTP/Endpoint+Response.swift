// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

extension Endpoint {
    /// Registers its routes, which are among those of a host.
    func register(in router: Router<PageContext>, of host: PageHost<some Sendable>) {
        router.get(RouterPath(path + "**")) { request, context in
            // An answer may take long to find, and a foreign site can make browsers send any GET.
            if let entrance = try host.checks.entrance(to: request) { return entrance }
            return try await Self.inOwnTask {
                try await respond(to: request, .get, body: [], context, of: host)
            }
        }
        router.post(RouterPath(path + "**")) { request, context in
            try await Self.inOwnTask { try await respond(toPost: request, context, of: host) }
        }
    }

    /// Finds an answer in a task of its own.
    ///
    /// A connection's task lasts as long as its stream, and keeps the memory of its deepest call: that of
    /// `async let` is 2 KiB.
    private static func inOwnTask(
        _ respond: @escaping @Sendable () async throws -> Response
    ) async throws -> Response {
        let task = Task { try await respond() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func respond(
        toPost request: Hummingbird.Request, _ context: PageContext,
        of host: PageHost<some Sendable>
    ) async throws -> Response {
        try host.checks.checkOrigin(request)
        let type = request.headers[.contentType]?.lowercased().split(separator: ";").first
        guard type == contentType[...] else { throw Rejection.badContentType }
        let body = try await host.checks.collect(request, limit: bodyLimit)
        return try await respond(to: request, .post, body: body, context, of: host)
    }

    private func respond(
        to request: Hummingbird.Request, _ method: Request.Method, body: [UInt8],
        _ context: PageContext, of host: PageHost<some Sendable>
    ) async throws -> Response {
        let rest = String(request.url.dropFirst(path.count))
        let answer: Answer
        do {
            answer = try await context.whileSenderStays {
                try await self.answer(Request(method, rest, body: body))
            }
        } catch is CancellationError {
            return Response(status: .requestTimeout)
        }
        var headers: HTTPFields = [.contentType: answer.contentType]
        if let stream = answer.stream {
            let address = host.caller(of: request, tag: nil, context).address
            headers[.cacheControl] = "no-store"
            return Response(
                status: .ok, headers: headers,
                body: try await host.body(of: stream, from: address, context.connection))
        }
        if let name = answer.fileName {
            headers[.contentDisposition] = "attachment; filename=\"\(Self.plain(name))\""
        }
        return Response(
            status: .init(code: answer.status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.bytes)))
    }

    /// The part of a name that is allowed in a header.
    private static func plain(_ name: String) -> String {
        String(name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) })
    }
}

extension PageHost {
    /// What an endpoint's stream sends, until either side ends it.
    ///
    /// - Throws: ``Rejection`` if there are too many streams.
    fileprivate func body(
        of stream: Endpoint.Stream, from address: ClientAddress, _ connection: SenderConnection
    ) async throws(Rejection) -> ResponseBody {
        do throws(Rejection) {
            try await visitors.open(stream, from: address)
        } catch {
            stream.end()
            throw error
        }
        stream.whenTooSlow(connection.cut)
        let open = OpenStream(stream) { [visitors] in
            Task { await visitors.close(stream, from: address) }
        }
        return ResponseBody { [backlog] writer in
            let endWatch = connection.watch(.departureOrStop, open.stream.end)
            defer { endWatch() }
            if Task.isShuttingDownGracefully { open.stream.end() }
            for await piece in open.stream.pieces {
                try await backlog.write(piece, to: &writer, cut: connection.cut)
            }
            try await writer.finish(nil)
        }
    }
}

/// A stream of an endpoint that counts as open until its body ends, or is dropped unwritten.
private final class OpenStream: Sendable {
    let stream: Endpoint.Stream
    private let onEnd: @Sendable () -> Void

    init(_ stream: Endpoint.Stream, onEnd: @escaping @Sendable () -> Void) {
        self.stream = stream
        self.onEnd = onEnd
    }

    deinit {
        stream.end()
        onEnd()
    }
}
#endif
