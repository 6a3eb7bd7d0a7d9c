// SPDX-License-Identifier: MIT

/// How a client reaches its server.
///
/// A transport may lose messages, double them and deliver them late: both sides expect that.
public protocol SyncTransport: Sendable {
    /// Makes a connection.
    ///
    /// - Throws: Why there is none; the client tries again later. A ``SyncProblem`` shows as
    ///   ``SyncStatus/problem``.
    func connect() async throws -> SyncConnection
}

/// A connection of a client to its server.
public struct SyncConnection: Sendable {
    /// What the server sends; it ends with the connection.
    public let messages: AsyncThrowingStream<[UInt8], any Error>
    private let sending: @Sendable ([UInt8]) async throws -> Void
    private let closing: @Sendable () -> Void

    /// Creates a connection.
    ///
    /// - Parameters:
    ///   - messages: What the server sends.
    ///   - send: Sends a message to the server; called for one message at a time.
    ///   - close: Ends the connection; may be called more than once.
    public init(
        messages: AsyncThrowingStream<[UInt8], any Error>,
        send: @escaping @Sendable ([UInt8]) async throws -> Void,
        close: @escaping @Sendable () -> Void
    ) {
        self.messages = messages
        sending = send
        closing = close
    }

    /// Sends a message to the server.
    ///
    /// - Throws: Why it can't be sent; then the connection is of no use any more.
    public func send(_ message: [UInt8]) async throws { try await sending(message) }

    /// Ends the connection.
    public func close() { closing() }
}
