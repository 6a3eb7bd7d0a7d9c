// SPDX-License-Identifier: MIT

internal import Onward

/// A short form of a state that is the same in every run: record it beside a log, and compare it
/// after a replay.
///
/// It has a hash for each part of the state down to a certain depth, so a difference has a path.
public struct StateDigest: Sendable, Hashable, Codable {
    /// The hashes by path, such as `game.cards`; the empty path stands for the whole state.
    public let hashes: [String: UInt64]

    /// Lists and objects below this depth are hashed whole.
    private static let deepest = 3
    /// Lists and objects with more elements are hashed whole.
    private static let widest = 64

    /// The digest of a state.
    ///
    /// - Throws: What the state's `encode(to:)` throws.
    /// - Complexity: O(size of the state).
    public init(of state: some Encodable) throws {
        self.init(of: try DataValue(encoding: state))
    }

    /// The digest of an encoded state.
    public init(of state: DataValue) {
        var hashes: [String: UInt64] = [:]
        Self.add(state, at: "", depth: 0, to: &hashes)
        self.hashes = hashes
    }

    /// Recreates a digest that was stored.
    package init(hashes: [String: UInt64]) {
        self.hashes = hashes
    }

    private static func add(
        _ value: DataValue, at path: String, depth: Int, to hashes: inout [String: UInt64]
    ) {
        var hash = FNV64()
        hash.add(DataFormat.cbor.bytes(of: value))
        hashes[path] = hash.value
        guard depth < deepest else { return }
        let parts = value.parts
        guard parts.count <= widest else { return }
        for (step, part) in parts {
            add(part, at: path.isEmpty ? step : "\(path).\(step)", depth: depth + 1, to: &hashes)
        }
    }

    /// The path of the first part that differs, as deep as the digests reach; nil if none does.
    ///
    /// - Complexity: O(*n*) in the number of paths.
    public func firstDifference(from other: StateDigest) -> String? {
        differences(from: other).min()
    }

    /// The paths of the parts that differ, as deep as the digests reach.
    ///
    /// - Complexity: O(*n*) in the number of paths.
    package func differences(from other: StateDigest) -> Set<String> {
        let paths = Set(hashes.keys).union(other.hashes.keys)
        let different = paths.filter { hashes[$0] != other.hashes[$0] }
        // A part is more specific than what contains it.
        var containers: Set<Substring> = []
        for path in different where !path.isEmpty {
            containers.insert("")
            for end in path.indices where path[end] == "." { containers.insert(path[..<end]) }
        }
        return different.filter { !containers.contains($0[...]) }
    }
}
