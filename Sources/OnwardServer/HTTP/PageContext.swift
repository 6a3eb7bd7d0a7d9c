// SPDX-License-Identifier: MIT
#if Server

import Hummingbird
import NIOCore
import NIOExtras

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
        let end = watch(.departure, task.cancel)
        defer { end() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Calls a closure when the sender leaves, and perhaps when the server is told to stop; returns
    /// what ends that.
    ///
    /// Nothing in it waits: the task of a stream would keep the memory for as long as it is open.
    func watch(
        _ reason: DepartureHandler.Reason, _ onDeparture: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        guard wasActive else { return {} }
        let departure = DepartureHandler(reason, onDeparture)
        let pipeline = channel.pipeline
        pipeline.addHandler(departure, position: .first).whenFailure { _ in onDeparture() }
        return { pipeline.removeHandler(departure).whenFailure { _ in } }
    }

    /// Closes the connection, with whatever is still to be sent; from any thread.
    func cut() { channel.close(promise: nil) }
}

/// Notices that the other side of a connection sends nothing more, as when its program has ended.
final class DepartureHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = ByteBuffer

    /// What it reports.
    enum Reason {
        /// The sender leaves.
        case departure
        /// The sender leaves, or the server is told to stop.
        case departureOrStop
    }

    private let reason: Reason
    private let onDeparture: @Sendable () -> Void

    init(_ reason: Reason, _ onDeparture: @escaping @Sendable () -> Void) {
        self.reason = reason
        self.onDeparture = onDeparture
    }

    func channelInactive(context: ChannelHandlerContext) {
        onDeparture()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { onDeparture() }
        if event is ChannelShouldQuiesceEvent, reason == .departureOrStop { onDeparture() }
        context.fireUserInboundEventTriggered(event)
    }
}
#endif
