// SPDX-License-Identifier: MIT

internal import OnwardJournal

/// Identifies a node: a program that takes part in a cluster.
public struct NodeID: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The name, which must be unique in the cluster.
    public let name: String

    /// Creates the id with a name.
    public init(_ name: String) {
        self.name = name
    }

    /// The name.
    public var description: String { name }

    /// Decodes the name.
    public init(from decoder: any Decoder) throws {
        name = try decoder.singleValueContainer().decode(String.self)
    }

    /// Encodes the name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }

    /// A node's rank for a store: the same on every node, and in another order for another store.
    func rank(for store: String) -> UInt64 {
        var sum = Checksum()
        sum.add(store)
        sum.add(name)
        return sum.value
    }
}
