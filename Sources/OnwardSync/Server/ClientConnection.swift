// SPDX-License-Identifier: MIT

/// Where a server's messages to a client go.
///
/// Both are called on the server's actor, and must not wait.
struct ClientOutlet: Sendable {
    /// Sends a message; false if the client doesn't read any more, and has to begin again.
    let send: @Sendable (_ message: [UInt8]) -> Bool
    /// Nothing follows.
    let end: @Sendable ((any Error)?) -> Void

    init(
        send: @escaping @Sendable (_ message: [UInt8]) -> Bool,
        end: @escaping @Sendable ((any Error)?) -> Void
    ) {
        self.send = send
        self.end = end
    }
}

/// What a client's connection brings to a server.
struct ClientConnection: Sendable {
    /// Takes a message of the client.
    let receive: @Sendable (_ message: [UInt8]) async throws -> Void
    /// The client is gone.
    let close: @Sendable () -> Void
}
