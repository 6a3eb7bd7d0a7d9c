// SPDX-License-Identifier: MIT
#if Server

import NIOCore
import NIOHTTP1

/// Extracts from a head what the later HTTP codec drops: its version, and the host of its target.
///
/// A request is the last one of its connection if it is HTTP/1.0, asks for that, has a body that
/// nobody will read, or asks for another protocol: the decoder reads nothing after it. The answer
/// states this (RFC 9112 § 9.6). An answer to HTTP/1.0 isn't chunked: it ends with the connection
/// (§ 6.3). A target that names a host means that host, whatever the field `Host` contains (§
/// 3.2.2). A client that waits before sending a body is answered that it may (RFC 9110 § 10.1.1).
final class RequestHeadHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The unanswered requests: whether each is of an old version, and whether it is the last one.
    private var requests = CircularBuffer<(isOld: Bool, isLast: Bool)>()

    /// Adds a handler where it belongs: after the decoder of a connection's heads.
    static func add(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        try pipeline.addHandler(RequestHeadHandler(), position: .after(decoder))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else {
            return context.fireChannelRead(data)
        }
        let isLast = Self.isLast(head)
        // After an unanswered request it would end up in the middle of that request's answer.
        if requests.isEmpty, Self.waitsForContinue(head) {
            let head = HTTPResponseHead(version: .http1_1, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        }
        requests.append((head.version.isOld, isLast))
        Self.replaceHost(of: &head)
        if isLast { head.headers.replaceOrAdd(name: "connection", value: "close") }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data), head.status.code >= 200,
            let request = requests.popFirst(), request.isLast
        else {
            return context.write(data, promise: promise)
        }
        if request.isOld { head.version = .http1_0 }
        head.headers.replaceOrAdd(name: "connection", value: "close")
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }

    private static func replaceHost(of head: inout HTTPRequestHead) {
        guard let scheme = head.uri.firstRange(of: "://"), !head.uri.hasPrefix("/"),
            head.headers["host"].count == 1
        else { return }
        let rest = head.uri[scheme.upperBound...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        head.headers.replaceOrAdd(name: "host", value: String(rest[..<end]))
        head.uri = (rest[end...].hasPrefix("/") ? "" : "/") + rest[end...]
    }

    private static func waitsForContinue(_ head: HTTPRequestHead) -> Bool {
        !head.version.isOld && head.method != .GET && head.method != .HEAD
            && head.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
    }

    private static func isLast(_ head: HTTPRequestHead) -> Bool {
        let options = head.headers[canonicalForm: "connection"].map { $0.lowercased() }
        if head.version.isOld || head.method == .CONNECT || options.contains("close")
            || options.contains("upgrade")
        {
            return true
        }
        let lengths = head.headers["content-length"]
        return (head.method == .GET || head.method == .HEAD)
            && (head.headers.contains(name: "transfer-encoding")
                || lengths.contains { $0 != "0" })
    }
}

extension HTTPVersion {
    /// Whether it is older than HTTP/1.1.
    fileprivate var isOld: Bool { (major, minor) < (1, 1) }
}

@available(*, unavailable)
extension RequestHeadHandler: Sendable {}
#endif
