// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

extension PageHost {
    /// Streams the page's changes: `GET /events`, server-sent events (HTML Standard § 9.2).
    ///
    /// On a page with routes a reader names its tab, and the URL it is at until the state says where
    /// the tab is.
    ///
    /// A reader says what it has by `Last-Event-ID`, or by `since` in the address. It is sent what it
    /// lacks, then each change, and a beat when nothing changes for a while. Nothing in the store
    /// waits for it: it owns one slot for the newest page.
    ///
    /// A page that isn't this visitor's, or a visitor's that isn't known, is asked to load itself.
    func streamEvents(_ request: Request, _ context: PageContext) async throws -> Response {
        let parameters = request.uri.queryParameters
        let caller = request.caller(
            cookie: cookieName, tag: parameters.get("visit"), in: context)
        guard let visit = try await visitors.openStream(for: caller) else {
            return .events(
                ResponseBody(byteBuffer: EventStream.load(hasCookie: !caller.visitors.isEmpty)))
        }
        let reader: PageReader
        do {
            let tab = parameters.get("tab").flatMap { Post.isID($0) ? $0 : nil }
            reader = try await visit.session.feed.subscribe(
                tab: tab, at: documents.page.location(at: parameters.get("route") ?? "/"),
                for: visit.asker(caller))
        } catch {
            await visitors.closeStream(of: visit, caller)
            throw error
        }
        // Reader and count are given back when the body ends, or when it is dropped unwritten.
        let stream = EventStream(reader) { [visitors] in
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
            })
    }
}

extension Response {
    fileprivate static func events(_ body: ResponseBody) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
    }
}

/// The body of one open stream.
final class EventStream: Sendable {
    let reader: PageReader
    private let onEnd: @Sendable () -> Void

    init(_ reader: PageReader, onEnd: @escaping @Sendable () -> Void) {
        self.reader = reader
        self.onEnd = onEnd
    }

    deinit { onEnd() }

    /// Writes until the reader's pages end; waits while the connection takes no more.
    func write(to writer: inout any ResponseBodyWriter, from known: EventID?) async throws {
        var known = known
        var tabLocation: TabLocation?
        try await writer.write(Self.preamble)
        for await update in reader.pages {
            try await writer.write(update.event(after: known, at: tabLocation) ?? Self.signOfLife)
            known = update.page.id
            tabLocation = update.tabLocation
        }
    }

    /// Notifies the browser to try again after a second when the stream breaks.
    private static let preamble = ByteBuffer(string: "retry: 1000\n\n")
    /// Has the page load itself, and whether its browser keeps cookies.
    static func load(hasCookie: Bool) -> ByteBuffer {
        ByteBuffer(string: "event: load\ndata:\(hasCookie ? "cookie" : "")\n\n")
    }
    private static let signOfLife = ByteBuffer(string: "event: beat\ndata:\n\n")
}
#endif
