// SPDX-License-Identifier: MIT

/// Where a value is coded: the keys that lead to it, as a chain, since they are only wanted when
/// something goes wrong.
final class CodingPlace: Sendable {
    private let parent: CodingPlace?
    private let key: any CodingKey

    private init(_ parent: CodingPlace?, _ key: any CodingKey) {
        self.parent = parent
        self.key = key
    }

    /// The place of a key in the object or the list at a place; nil stands for the root.
    static func of(_ key: any CodingKey, in parent: CodingPlace?) -> CodingPlace {
        CodingPlace(parent, key)
    }

    /// The keys from the root on.
    static func path(to place: CodingPlace?) -> [any CodingKey] {
        var keys: [any CodingKey] = []
        var place = place
        while let next = place {
            keys.append(next.key)
            place = next.parent
        }
        return keys.reversed()
    }
}
