// SPDX-License-Identifier: MIT

internal import OnwardJournal

/// Names a node: a program that takes part in a cluster.
public struct NodeID: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The name, which no other node of the cluster has.
    public let name: String

    /// The id with a name.
    public init(_ name: String) {
        self.name = name
    }

    /// The name.
    public var description: String { name }

    /// Reads the name.
    public init(from decoder: any Decoder) throws {
        name = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes the name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }

    /// How far in front a node stands for a store: the same on every node, and another order for another store.
    func rank(for store: String) -> UInt64 {
        var sum = Checksum()
        sum.add(store)
        sum.add(name)
        return sum.value
    }
}
