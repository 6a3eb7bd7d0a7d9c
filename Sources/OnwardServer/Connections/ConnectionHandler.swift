// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import NIOCore
import NIOExtras
import NIOHTTPTypes

/// Holds one connection to its deadlines, closing it if what is expected doesn't come in time.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// How much the system may hold for a client that doesn't read, in bytes.
    ///
    /// Otherwise it would be megabytes, and nothing would be known about how fast a client
    /// reads.
    private static let sendBuffer: Int32 = 128 * 1_024

    /// How many bytes are read at a time: a head to begin with, and more if more arrives.
    ///
    /// A connection keeps its read buffer for as long as it is open, even while it is a stream.
    private static let readBuffer = AdaptiveRecvByteBufferAllocator(
        minimum: 64, initial: 1_024, maximum: 65_536)

    private let connections: Connections
    private var deadlines: ConnectionDeadlines
    private var phase = ConnectionDeadlines.Phase.quiet
    private var id: Int?
    private var timer: (task: Scheduled<Void>, at: NIODeadline)?

    init(_ connections: Connections) {
        self.connections = connections
        self.deadlines = ConnectionDeadlines(connections.deadlines, opened: .now())
    }

    func handlerAdded(context: ChannelHandlerContext) {
        // A server doesn't make connections without an HTTP/1 decoder.
        try? RequestHeadHandler.add(to: context.pipeline.syncOperations)
        if context.channel.isActive { open(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        open(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        close()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { close() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: deadlines.readHead(at: .now())
        case .body(let bytes): deadlines.readBody(bytes.readableBytes)
        case .end: deadlines.readEnd(at: .now())
        }
        note(context)
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        let size =
            switch part {
            case .head: 512
            case .body(let bytes): bytes.readableBytes + 16
            case .end: 8
            }
        deadlines.write(size, at: .now())
        let promise = promise ?? context.eventLoop.makePromise()
        promise.futureResult.assumeIsolated().whenSuccess { [self] in
            deadlines.wrote(size, at: .now())
            if case .end = part { deadlines.writeEnd(at: .now()) }
            note(context)
        }
        note(context)
        context.write(data, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            deadlines.stop(at: .now())
            note(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func open(_ context: ChannelHandlerContext) {
        guard id == nil else { return }
        deadlines = ConnectionDeadlines(connections.deadlines, opened: .now())
        context.channel.setOption(.socketOption(.so_sndbuf), value: numericCast(Self.sendBuffer))
            .whenFailure { _ in }
        context.channel.setOption(.recvAllocator, value: Self.readBuffer).whenFailure { _ in }
        id = connections.open(context.channel)
        note(context)
    }

    private func close() {
        timer?.task.cancel()
        timer = nil
        if let id { connections.close(id) }
        id = nil
    }

    /// Reports changes to the table, and sets the timer if it has to fire earlier.
    private func note(_ context: ChannelHandlerContext) {
        guard let id else { return }
        if deadlines.phase != phase {
            phase = deadlines.phase
            connections.change(id, to: phase)
        }
        guard let deadline = deadlines.deadline else { return }
        if let timer {
            guard deadline < timer.at else { return }
            timer.task.cancel()
        }
        let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [self] in
            timer = nil
            guard let deadline = deadlines.deadline else { return }
            if deadline <= .now() { context.close(promise: nil) } else { note(context) }
        }
        timer = (task, deadline)
    }
}

@available(*, unavailable)
extension ConnectionHandler: Sendable {}
#endif
