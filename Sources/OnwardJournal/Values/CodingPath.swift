// SPDX-License-Identifier: MIT

/// The keys that lead to a value that is coded, as a chain, since they are only wanted when
/// something goes wrong.
final class CodingPath: Sendable {
    private let parent: CodingPath?
    private let key: any CodingKey
    /// How many keys lead here.
    let depth: Int
    /// Whether redacted values are encoded as they are.
    let revealsRedacted: Bool

    private init(_ parent: CodingPath?, _ key: any CodingKey) {
        self.parent = parent
        self.key = key
        depth = (parent?.depth ?? 0) + 1
        revealsRedacted = parent?.revealsRedacted ?? false
    }

    /// The root of a value whose redacted parts are encoded as they are.
    private init() {
        parent = nil
        key = PlainKey(stringValue: "")
        depth = 0
        revealsRedacted = true
    }

    /// The root of a value whose redacted parts are encoded as they are.
    static var revealing: CodingPath { CodingPath() }

    /// The path of a key in the object or the list at a path; nil stands for the root.
    static func of(_ key: any CodingKey, in parent: CodingPath?) -> CodingPath {
        CodingPath(parent, key)
    }

    /// The keys from the root on.
    static func keys(to path: CodingPath?) -> [any CodingKey] {
        var keys: [any CodingKey] = []
        var path = path
        while let next = path, next.depth > 0 {
            keys.append(next.key)
            path = next.parent
        }
        return keys.reversed()
    }
}
