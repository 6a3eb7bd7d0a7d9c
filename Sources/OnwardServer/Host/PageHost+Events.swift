// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import NIOCore
import Onward
import ServiceLifecycle

extension PageHost {
    /// Streams the page's changes: `GET /events`, server-sent events (HTML Standard § 9.2).
    ///
    /// On a page with routes a reader names its tab, and the URL where the tab is until the state
    /// knows its location.
    ///
    /// A reader reports what it has by `Last-Event-ID`, or by `since` in the address. It is sent
    /// what it lacks, then each change, and a heartbeat if nothing changes for a while. Nothing in
    /// the store waits for it: it owns one slot for the newest page.
    ///
    /// A page of another visitor, or of one that isn't known, is asked to reload.
    func streamEvents(_ request: Request, _ context: PageContext) async throws -> Response {
        try checks.checkOrigin(request)
        let parameters = request.uri.queryParameters
        let caller = caller(of: request, tag: parameters.get("visit"), context)
        guard let visit = try await visitors.openStream(for: caller) else {
            return .events(
                ResponseBody(byteBuffer: EventStream.load(hasCookie: !caller.visitors.isEmpty)))
        }
        let reader: PageReader
        do {
            let tab = parameters.get("tab").flatMap { Post.isID($0) ? $0 : nil }
            reader = try await visit.session.feed.subscribe(
                tab: tab,
                at: documents.page.location(
                    at: parameters.get("route") ?? "/", for: visit.session.own?.value),
                own: visit.session.own, for: visit.asker(caller))
        } catch {
            await visitors.closeStream(of: visit, caller)
            throw error
        }
        // Reader and count are released when the body ends, or when it is dropped unwritten.
        let isPacked = packsPages && request.acceptsGzip
        let stream = EventStream(
            reader, isPacked: isPacked, backlog: backlog, crowd: crowd, cut: context.cutConnection
        ) { [visitors] in
            Task {
                await visit.session.feed.unsubscribe(reader)
                await visitors.closeStream(of: visit, caller)
            }
        }
        let known = (request.headers[.lastEventID] ?? request.uri.queryParameters.get("since"))
            .flatMap(EventID.init)
        return .events(
            ResponseBody { writer in
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    try await withGracefulShutdownHandler {
                        try await stream.write(to: &writer, from: known)
                    } onGracefulShutdown: {
                        stream.reader.end()
                    }
                }
                try await writer.finish(nil)
            }, isPacked: packsPages ? isPacked : nil)
    }
}

extension Response {
    /// A stream; `isPacked` is nil if compression would make no difference.
    fileprivate static func events(_ body: ResponseBody, isPacked: Bool? = nil) -> Response {
        var headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        if isPacked != nil { headers[.vary] = "Accept-Encoding" }
        if isPacked == true { headers[.contentEncoding] = "gzip" }
        return Response(status: .ok, headers: headers, body: body)
    }
}

/// The body of one open stream.
final class EventStream: Sendable {
    let reader: PageReader
    private let isPacked: Bool
    private let backlog: Backlog
    private let crowd: Crowd
    private let cut: @Sendable () -> Void
    private let onEnd: @Sendable () -> Void

    init(
        _ reader: PageReader, isPacked: Bool, backlog: Backlog, crowd: Crowd,
        cut: @escaping @Sendable () -> Void, onEnd: @escaping @Sendable () -> Void
    ) {
        self.reader = reader
        self.isPacked = isPacked
        self.backlog = backlog
        self.crowd = crowd
        self.cut = cut
        self.onEnd = onEnd
        crowd.enter()
    }

    deinit {
        crowd.leave()
        onEnd()
    }

    /// Writes until the reader's pages end; waits while the connection takes no more.
    func write(to writer: inout any ResponseBodyWriter, from known: EventID?) async throws {
        var known = known
        var tabLocation: TabLocation?
        var notice: String?
        let patience = ContinuousClock.now + Self.patience
        let preamble = ByteBuffer(string: Self.retry)
        try await writer.write(isPacked ? Gzip.begin(with: preamble) : preamble)
        // It says at once how many read, as a server that starts again is back with all of them.
        if crowd.isLarge { try await writer.write(signOfLife) }
        for await update in reader.pages {
            if update.notice != notice {
                notice = update.notice
                let event = Self.notice(notice ?? "")
                try await writer.write(isPacked ? Gzip.stored(event) : event)
            }
            // Another server has shown it a newer page, which will soon arrive here.
            if update.page.isBehind(known), ContinuousClock.now < patience {
                try await writer.write(signOfLife)
                continue
            }
            let event = update.event(after: known, at: tabLocation, isPacked: isPacked)
            if event.isEmpty { try await writer.write(signOfLife) }
            for piece in event { try await backlog.write(piece, to: &writer, cut: cut) }
            known = update.page.id
            tabLocation = update.tabLocation
        }
    }

    /// A sign of life; of a crowd it says how large that is.
    private var signOfLife: ByteBuffer {
        let beat = ByteBuffer(
            string: crowd.isLarge ? "event: beat\ndata:\(crowd.size)\n\n" : Self.beat)
        return isPacked ? Gzip.stored(beat) : beat
    }

    /// Makes the browser retry after a second when the stream breaks.
    private static let retry = "retry: 1000\n\n"
    /// Makes the page reload, and states whether its browser keeps cookies.
    static func load(hasCookie: Bool) -> ByteBuffer {
        ByteBuffer(string: "event: load\ndata:\(hasCookie ? "cookie" : "")\n\n")
    }
    /// Makes the page show a sentence until the next one; none if empty.
    private static func notice(_ sentence: String) -> ByteBuffer {
        ByteBuffer(string: "event: notice\ndata:\(sentence.filter { !$0.isNewline })\n\n")
    }
    /// How long a reader keeps what another server has shown it.
    private static let patience = Duration.seconds(10)
    private static let beat = "event: beat\ndata:\n\n"
}

/// How many readers a page has: a page of many returns less eagerly to a server that was gone.
final class Crowd: Sendable {
    private static let large = 200
    private let readers = Guarded(0)

    var size: Int { readers.withValue { $0 } }
    var isLarge: Bool { size > Self.large }

    func enter() { readers.withValue { $0 += 1 } }
    func leave() { readers.withValue { $0 -= 1 } }
}
#endif
