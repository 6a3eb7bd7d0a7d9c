// SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix

/// An open event stream, read as the bytes that come over the wire.
struct EventStream {
    /// Everything received so far, headers included.
    private(set) var received = ""
    private var chunks: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator

    /// Opens the stream of a page at `port` for the time of `body`.
    static func open<Result: Sendable>(
        port: Int, path: String, _ body: @Sendable (inout EventStream) async throws -> Result
    ) async throws -> Result {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            let head = [
                "GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Accept: text/event-stream",
            ]
            let request = head.map { $0 + "\r\n" }.joined() + "\r\n"
            try await outbound.write(ByteBuffer(string: request))
            var stream = EventStream(chunks: inbound.makeAsyncIterator())
            return try await body(&stream)
        }
    }

    private init(chunks: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator) {
        self.chunks = chunks
    }

    /// Reads on until `text` has come; the test's time limit ends a wait in vain.
    mutating func read(until text: String) async throws {
        while !received.contains(text), let chunk = try await chunks.next() {
            received += String(buffer: chunk)
        }
    }
}
