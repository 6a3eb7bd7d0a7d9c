// SPDX-License-Identifier: MIT

/// The keys that lead to a value that is coded, as a chain, since they are only wanted when
/// something goes wrong.
final class CodingPath: Sendable {
    private let parent: CodingPath?
    private let key: any CodingKey
    /// How many keys lead here.
    let depth: Int

    private init(_ parent: CodingPath?, _ key: any CodingKey) {
        self.parent = parent
        self.key = key
        depth = (parent?.depth ?? 0) + 1
    }

    /// The path of a key in the object or the list at a path; nil stands for the root.
    static func of(_ key: any CodingKey, in parent: CodingPath?) -> CodingPath {
        CodingPath(parent, key)
    }

    /// The keys from the root on.
    static func keys(to path: CodingPath?) -> [any CodingKey] {
        var keys: [any CodingKey] = []
        var path = path
        while let next = path {
            keys.append(next.key)
            path = next.parent
        }
        return keys.reversed()
    }
}
