// SPDX-License-Identifier: MIT
#if Server

/// Why a server can't run: an obstacle outside it, named so that a program can report it.
public struct ServerError: Error, Hashable, CustomStringConvertible {
    /// The kinds of obstacles.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String { case addressInUse, addressUnavailable }
        private let kind: Kind

        /// The name of the code.
        public var description: String { kind.rawValue }

        /// Another program serves at this address and port.
        public static let addressInUse = Code(kind: .addressInUse)
        /// The address doesn't belong to this machine, or the port needs a privilege.
        public static let addressUnavailable = Code(kind: .addressUnavailable)
    }

    /// What stands in the way.
    public let code: Code
    /// The address that was to be bound.
    public let host: String
    /// The port that was to be bound.
    public let port: Int

    /// The obstacle in one sentence.
    public var description: String {
        code == .addressInUse
            ? "Port \(port) of \(host) is in use by another program."
            : "Port \(port) of \(host) can't be bound."
    }
}
#endif
