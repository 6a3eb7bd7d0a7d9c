// SPDX-License-Identifier: MIT

internal import Onward

/// Connects clients to a server of the same program: for tests, previews, and several windows at one
/// store.
///
/// ```swift
/// let transport = MemoryTransport(to: server)
/// transport.isConnected = false       // as on a train
/// ```
public final class MemoryTransport: SyncTransport {
    /// Why there is no connection.
    public struct CutOff: Error {
        /// Creates the error.
        public init() {}
    }

    private struct Contents {
        var isConnected = true
        var open: [SyncConnection] = []
    }

    private let connect: @Sendable () async throws -> SyncConnection
    private let contents = Guarded(Contents())

    /// Creates a transport to a server.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - identity: Who the client is; nil for anybody.
    public convenience init(
        to server: SyncServer<some Codable & Sendable>, as identity: String? = nil
    ) {
        self.init { await server.connect(as: identity) }
    }

    /// Creates a transport that uses a closure to connect, such as one that finds a server that was
    /// started again.
    public init(_ connect: @escaping @Sendable () async throws -> SyncConnection) {
        self.connect = connect
    }

    /// Whether there is a network; without one, connections end and no new ones are made.
    public var isConnected: Bool {
        get { contents.withValue(\.isConnected) }
        set {
            let ended = contents.withValue { contents in
                contents.isConnected = newValue
                guard !newValue else { return [] as [SyncConnection] }
                defer { contents.open = [] }
                return contents.open
            }
            for connection in ended { connection.close() }
        }
    }

    /// Makes a connection.
    ///
    /// - Throws: ``CutOff`` without a network; what the closure throws.
    public func connect() async throws -> SyncConnection {
        guard isConnected else { throw CutOff() }
        let connection = try await connect()
        let isCut = contents.withValue { contents in
            // Connections that have ended are only forgotten here.
            if contents.open.count >= 64 { contents.open.removeFirst() }
            if contents.isConnected { contents.open.append(connection) }
            return !contents.isConnected
        }
        guard isCut else { return connection }
        connection.close()
        throw CutOff()
    }
}
