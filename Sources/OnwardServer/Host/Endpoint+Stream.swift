// SPDX-License-Identifier: MIT
#if Server

internal import NIOCore
internal import Onward

extension Endpoint {
    /// An answer that goes on: what is written to it is sent at once, until it ends.
    ///
    /// ```swift
    /// let stream = Endpoint.Stream(signOfLife: .init(Array(":\n\n".utf8)))
    /// let subscription = store.subscribe(\.price) { _, price in
    ///     stream.write(.init(Array("data: \(price)\n\n".utf8)))
    /// }
    /// return Endpoint.Answer(contentType: "text/event-stream", stream: stream)
    /// ```
    ///
    /// It ends when the program ends it, the reader leaves or doesn't read, or the server stops.
    /// Streams count as ``ServerLimits/streams``; a stream that is one too many is answered with an
    /// error, and ends.
    public final class Stream: Sendable {
        /// Bytes that streams share, however many they are written to.
        public struct Piece: Sendable {
            let bytes: ByteBuffer

            /// Creates a piece of bytes that follow each other.
            public init(_ parts: [UInt8]...) {
                var bytes = ByteBuffer()
                bytes.reserveCapacity(parts.reduce(0) { $0 + $1.count })
                for part in parts { bytes.writeBytes(part) }
                self.bytes = bytes
            }
        }

        private struct Reader {
            var cut: (@Sendable () -> Void)?
            var isTooSlow = false
            var isOver = false
        }

        /// What was written and isn't sent yet.
        let pieces: AsyncStream<ByteBuffer>
        private let outlet: AsyncStream<ByteBuffer>.Continuation
        private let signOfLife: Piece
        private let reader = Guarded(Reader())

        /// Creates a stream, to be returned in an ``Answer``.
        ///
        /// - Parameters:
        ///   - limit: How many pieces may wait for the reader, besides those that the connection has
        ///     taken; a reader that lets more wait is cut off.
        ///   - signOfLife: What is sent every ``ServerOptions/heartbeat``, so that both sides notice
        ///     when the other is gone.
        ///   - onEnd: Called once when the stream ends, from any thread.
        public init(
            limit: Int = 256, signOfLife: Piece, onEnd: @escaping @Sendable () -> Void = {}
        ) {
            (pieces, outlet) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(limit))
            self.signOfLife = signOfLife
            outlet.onTermination = { [reader] _ in
                reader.withValue { $0.isOver = true }
                onEnd()
            }
        }

        /// Whether nothing more is sent.
        public var isOver: Bool { reader.withValue(\.isOver) }

        /// Sends a piece after those before it, from any thread; never waits.
        ///
        /// - Returns: False if the stream has ended.
        @discardableResult
        public func write(_ piece: Piece) -> Bool {
            switch outlet.yield(piece.bytes) {
            case .enqueued: return true
            case .dropped:
                let cut = reader.withValue { reader in
                    reader.isTooSlow = true
                    return reader.cut
                }
                outlet.finish()
                cut?()
                return false
            default: return false
            }
        }

        /// Ends the stream, after what was written before.
        public func end() { outlet.finish() }

        func giveSignOfLife() { write(signOfLife) }

        /// Has a closure cut off the reader when it doesn't read.
        func whenTooSlow(_ cut: @escaping @Sendable () -> Void) {
            let isTooSlow = reader.withValue { reader in
                reader.cut = cut
                return reader.isTooSlow
            }
            if isTooSlow { cut() }
        }
    }
}

extension Endpoint.Stream: Hashable {
    /// Whether both are the same stream.
    public static func == (one: Endpoint.Stream, other: Endpoint.Stream) -> Bool { one === other }

    /// Hashes the stream's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
#endif
