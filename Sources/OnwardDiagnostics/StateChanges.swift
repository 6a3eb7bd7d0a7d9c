// SPDX-License-Identifier: MIT

internal import OnwardCore

/// The differences between two values of one type, found by reflection.
///
/// For people reading logs: paths of stored properties with the text before and after. Redacted
/// values are shown as such. Values without children are compared by their text.
struct StateChanges {
    /// Lines such as `game.moves: 3 → 4`.
    private(set) var lines: [String] = []
    /// More differences than that are only counted.
    private static let limit = 20
    private static let deepest = 16
    private var left = 0

    init(from old: Any, to new: Any) {
        compare(old, new, at: "", depth: 0)
        if left > 0 { lines.append("and \(left) more") }
    }

    private mutating func compare(_ old: Any, _ new: Any, at path: String, depth: Int) {
        if old is any RedactedValue || new is any RedactedValue {
            let isSame = (old as? any RedactedValue)?.looksLike(new) ?? false
            if !isSame { note(path, "\(old)", "\(new)") }
            return
        }
        let before = Mirror(reflecting: old)
        let after = Mirror(reflecting: new)
        // Equal sets may have their elements in different orders.
        if before.displayStyle == .set, let old = old as? AnyHashable,
            let new = new as? AnyHashable, old == new
        {
            return
        }
        let isCollection = before.displayStyle == .collection || before.displayStyle == .set
        guard before.children.count == after.children.count, !before.children.isEmpty,
            before.displayStyle == after.displayStyle, depth < Self.deepest,
            before.displayStyle != .enum
                || before.children.first?.label == after.children.first?.label
        else {
            if isCollection, before.children.count != after.children.count {
                note(path, Self.size(of: before), Self.size(of: after))
            } else {
                let (old, new) = (String(describing: old), String(describing: new))
                if old != new { note(path, old, new) }
            }
            return
        }
        for (index, pair) in zip(before.children, after.children).enumerated() {
            // A wrapped property begins with an underscore, a member of a tuple with a dot.
            let label = pair.0.label.map {
                $0.hasPrefix("_") || $0.hasPrefix(".") ? String($0.dropFirst()) : $0
            }
            let isInside = before.displayStyle == .optional
            let step =
                isInside ? "" : label.map { path.isEmpty ? $0 : "." + $0 } ?? "[\(index)]"
            compare(pair.0.value, pair.1.value, at: path + step, depth: depth + 1)
        }
    }

    private mutating func note(_ path: String, _ old: String, _ new: String) {
        guard lines.count < Self.limit else {
            left += 1
            return
        }
        let name = path.isEmpty ? "state" : path
        lines.append("\(name): \(Self.short(old)) → \(Self.short(new))")
    }

    private static func size(of collection: Mirror) -> String {
        let count = collection.children.count
        return count == 1 ? "1 element" : "\(count) elements"
    }

    private static func short(_ text: String) -> String {
        text.count > 60 ? text.prefix(59) + "…" : text
    }
}
