// SPDX-License-Identifier: MIT

/// A short form of a state that is the same in every run: to record beside a log, and to compare with
/// after a replay.
///
/// It keeps a hash for each part of the state down to a depth, so a difference has a path.
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

    private static func add(
        _ value: DataValue, at path: String, depth: Int, to hashes: inout [String: UInt64]
    ) {
        var hash = FNV64()
        hash.add(DataFormat.cbor.bytes(of: value))
        hashes[path] = hash.value
        guard depth < deepest else { return }
        for (step, part) in value.parts where value.parts.count <= widest {
            add(part, at: path.isEmpty ? step : "\(path).\(step)", depth: depth + 1, to: &hashes)
        }
    }

    /// The path of the first part that differs, as deep as the digests know; nil where none does.
    public func firstDifference(from other: StateDigest) -> String? {
        let paths = Set(hashes.keys).union(other.hashes.keys)
        let different = paths.filter { hashes[$0] != other.hashes[$0] }
        // The deepest of those that lie in one another.
        return different.filter { path in
            !different.contains { $0 != path && (path.isEmpty || $0.hasPrefix(path + ".")) }
        }.min()
    }
}

extension DataValue {
    /// The elements of a list or the fields of an object, each with its step of a path.
    var parts: [(step: String, value: DataValue)] {
        switch self {
        case .list(let values): values.enumerated().map { ("\($0)", $1) }
        case .object(let fields): fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        default: []
        }
    }

    /// The path of the first part in which two values differ, and the parts; nil where they are equal.
    ///
    /// - Complexity: O(size of the values).
    func firstDifference(
        from other: DataValue, at path: String = ""
    ) -> (path: String, DataValue?, DataValue?)? {
        if self == other { return nil }
        let (mine, others) = (parts, other.parts)
        guard !mine.isEmpty, !others.isEmpty, (list == nil) == (other.list == nil) else {
            return (path, self, other)
        }
        let theirs = Dictionary(others.map { ($0.step, $0.value) }) { first, _ in first }
        func inside(_ step: String) -> String { path.isEmpty ? step : "\(path).\(step)" }
        for (step, value) in mine {
            guard let theirs = theirs[step] else { return (inside(step), value, nil) }
            if let found = value.firstDifference(from: theirs, at: inside(step)) { return found }
        }
        let known = Set(mine.map(\.step))
        return others.first { !known.contains($0.step) }.map { (inside($0.step), nil, $0.value) }
    }
}
