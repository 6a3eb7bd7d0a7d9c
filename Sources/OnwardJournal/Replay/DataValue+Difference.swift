// SPDX-License-Identifier: MIT

extension DataValue {
    /// The elements of a list or the fields of an object, each with its step of a path.
    package var parts: [(step: String, value: DataValue)] {
        switch self {
        case .list(let values): values.enumerated().map { ("\($0)", $1) }
        case .object(let fields): fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        default: []
        }
    }

    /// The path of the first part that differs, with both parts; nil if the values are equal.
    ///
    /// - Complexity: O(size of the values).
    package func firstDifference(
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
