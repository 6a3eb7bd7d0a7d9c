// SPDX-License-Identifier: MIT

internal import Onward

/// The keys that lead to a value that is coded, as a chain, since they are only wanted when
/// something goes wrong.
final class CodingPath: Sendable {
    private let parent: CodingPath?
    private let key: any CodingKey
    /// How many keys lead here.
    let depth: Int
    /// Whether redacted values are encoded as they are.
    let revealsRedacted: Bool
    /// Which part of the value here is encoded.
    private let scope: Scope

    private enum Scope {
        case whole, part(DataScope), nothing
    }

    private init(_ parent: CodingPath?, _ key: any CodingKey, _ scope: Scope) {
        self.parent = parent
        self.key = key
        self.scope = scope
        depth = (parent?.depth ?? 0) + 1
        revealsRedacted = parent?.revealsRedacted ?? false
    }

    /// A root.
    private init(revealsRedacted: Bool, _ scope: Scope) {
        parent = nil
        key = PlainKey(stringValue: "")
        depth = 0
        self.revealsRedacted = revealsRedacted
        self.scope = scope
    }

    /// The root of a value whose redacted parts are encoded as they are.
    static var revealing: CodingPath { CodingPath(revealsRedacted: true, .whole) }

    /// The root of a value of which a part is encoded.
    static func within(_ scope: DataScope) -> CodingPath {
        CodingPath(revealsRedacted: false, .part(scope))
    }

    /// The path of a key in the object or the list at a path; nil stands for the root.
    static func of(
        _ key: any CodingKey, in parent: CodingPath?, isElement: Bool = false
    ) -> CodingPath {
        guard let parent, case .part(let scope) = parent.scope else {
            return CodingPath(parent, key, parent?.scope ?? .whole)
        }
        let inside = scope.inside(FieldNames.written(key), isElement: isElement)
        return CodingPath(parent, key, inside.map { .part($0) } ?? .nothing)
    }

    /// Whether the value here is beside what is encoded.
    var isOutside: Bool {
        if case .nothing = scope { true } else { false }
    }

    /// Whether only a part of the value here is encoded.
    var hasScope: Bool {
        if case .whole = scope { false } else { true }
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
