// SPDX-License-Identifier: MIT
#if Server

import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Testing

/// A TCP connection to a server on this machine, for what a well-behaved client doesn't do.
struct RawConnection {
    private let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// Connects, runs and closes.
    static func with<Value: Sendable>(
        port: Int, send request: String,
        _ body: @Sendable (inout RawReader) async throws -> Value
    ) async throws -> Value {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.socketOption(.so_rcvbuf), value: 65_536)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    // Little is read ahead, so that a reader that doesn't read is noticed soon.
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(
                            backPressureStrategy: .init(lowWatermark: 1, highWatermark: 2)))
                }
            }
        let result = Mutex<Value?>(nil)
        do {
            try await channel.executeThenClose { inbound, outbound in
                if !request.isEmpty { try await outbound.write(ByteBuffer(string: request)) }
                var reader = RawReader(iterator: inbound.makeAsyncIterator())
                let value = try await body(&reader)
                result.withLock { $0 = value }
            }
        } catch let error as ChannelError {
            // The server may be the first to close.
            guard let value = result.withLock({ $0 }) else { throw error }
            return value
        }
        return try #require(result.withLock { $0 })
    }

    /// What comes until the server closes the connection; nothing if it does at once.
    static func rest(port: Int, send request: String) async throws -> String {
        let text = Mutex("")
        do {
            try await with(port: port, send: request) { reader in
                let rest = try await reader.readToEnd()
                text.withLock { $0 = rest }
            }
        } catch is ChannelError {
        } catch is IOError {
        }
        return text.withLock { $0 }
    }

    /// The request for the event stream.
    static func events(after id: String? = nil, query: String = "") -> String {
        let known = id.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        return "GET /events\(query) HTTP/1.1\r\nHost: localhost\r\n\(known)\r\n"
    }
}

/// Reads what a server sends, piece by piece.
struct RawReader {
    private var iterator: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var received = Data()
    /// How much was received so far, in bytes.
    private(set) var count = 0

    init(iterator: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator) {
        self.iterator = iterator
    }

    /// What comes up to and including `end`; what comes until the connection closes if it doesn't.
    mutating func read(until end: String) async throws -> String {
        let end = Data(end.utf8)
        while true {
            if let range = received.range(of: end) {
                let text = String(decoding: received.prefix(upTo: range.upperBound), as: UTF8.self)
                received = Data(received.suffix(from: range.upperBound))
                return text
            }
            guard try await receive() else { return try await readToEnd() }
        }
    }

    /// What comes until the connection closes.
    mutating func readToEnd() async throws -> String {
        while try await receive() {}
        defer { received = Data() }
        return String(decoding: received, as: UTF8.self)
    }

    /// Reads and forgets until `end` was the end of what came.
    mutating func skip(until end: String) async throws {
        let end = Data(end.utf8)
        while received.range(of: end) == nil {
            received = Data(received.suffix(end.count))
            guard try await receive() else { return }
        }
    }

    private mutating func receive() async throws -> Bool {
        guard let buffer = try await iterator.next() else { return false }
        count += buffer.readableBytes
        received.append(contentsOf: buffer.readableBytesView)
        return true
    }
}
#endif
