// SPDX-License-Identifier: MIT
#if Server

import Hummingbird
import NIOCore

/// What belongs to a request besides itself: its sender and its connection.
struct PageContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The sender's address, or that of the nearest proxy if there are any.
    let address: ClientAddress

    /// The sender's connection, for what lasts longer than the rest.
    let connection: SenderConnection

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        address = ClientAddress(source.channel.remoteAddress)
        connection = SenderConnection(source.channel)
    }

    /// Whether the sender has left, so that nobody will get an answer.
    var isGone: Bool { connection.isGone }

    /// Closes the connection, with whatever is still to be sent; from any thread.
    var cutConnection: @Sendable () -> Void { connection.cut }

    /// Does something in a task that is cancelled when the sender leaves.
    ///
    /// - Throws: What `work` throws.
    func whileSenderStays<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await connection.whileSenderStays(work)
    }
}

/// The connection of a request's sender.
struct SenderConnection: Sendable {
    private let channel: any Channel
    /// False only for the channel in a test of the router alone.
    private let wasActive: Bool

    init(_ channel: any Channel) {
        self.channel = channel
        wasActive = channel.isActive
    }

    /// Whether the sender has left, so that nobody will get an answer.
    var isGone: Bool { wasActive && !channel.isActive }

    /// Does something in a task that is cancelled when the sender leaves.
    ///
    /// - Throws: What `work` throws.
    func whileSenderStays<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard wasActive else { return try await work() }
        let task = Task { try await work() }
        return try await whileSenderStays(task.cancel) {
            try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }

    /// Does something, and calls a closure if the sender leaves meanwhile.
    ///
    /// - Throws: What `work` throws.
    func whileSenderStays<Value>(
        _ onDeparture: @escaping @Sendable () -> Void, _ work: () async throws -> Value
    ) async throws -> Value {
        guard wasActive else { return try await work() }
        let departure = DepartureHandler(onDeparture)
        let pipeline = channel.pipeline
        do {
            try await pipeline.addHandler(departure, position: .first).get()
        } catch {
            onDeparture()
        }
        defer { pipeline.removeHandler(departure).whenFailure { _ in } }
        return try await work()
    }

    /// Closes the connection, with whatever is still to be sent; from any thread.
    func cut() { channel.close(promise: nil) }
}

/// Notices that the other side of a connection sends nothing more, as when its program has ended.
private final class DepartureHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let onDeparture: @Sendable () -> Void

    init(_ onDeparture: @escaping @Sendable () -> Void) { self.onDeparture = onDeparture }

    func channelInactive(context: ChannelHandlerContext) {
        onDeparture()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { onDeparture() }
        context.fireUserInboundEventTriggered(event)
    }
}
#endif
