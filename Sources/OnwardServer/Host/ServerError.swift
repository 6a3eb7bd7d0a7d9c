// SPDX-License-Identifier: MIT
#if Server

/// Why a server can't run: an external obstacle, identified so that a program can report it.
public struct ServerError: Error, Hashable, CustomStringConvertible {
    /// The kind of obstacle.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String { case addressInUse, addressUnavailable }
        private let kind: Kind

        /// The name of the code.
        public var description: String { kind.rawValue }

        /// Another program is using this address and port.
        public static let addressInUse = Code(kind: .addressInUse)
        /// The address doesn't belong to this machine, or the port requires a privilege.
        public static let addressUnavailable = Code(kind: .addressUnavailable)
    }

    /// The kind of obstacle.
    public let code: Code
    /// The address that was to be bound.
    public let host: String
    /// The port that was to be bound.
    public let port: Int

    /// A sentence that describes the obstacle.
    public var description: String {
        code == .addressInUse
            ? "Port \(port) of \(host) is in use by another program."
            : "Port \(port) of \(host) can't be bound."
    }
}
#endif
