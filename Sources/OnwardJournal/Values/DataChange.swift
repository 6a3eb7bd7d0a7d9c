// SPDX-License-Identifier: MIT

/// A place where two values differ.
package struct DataChange: Sendable, Hashable {
    /// Where it is; for a removed element, where it was.
    package let path: DataPath
    /// The old value; nil if the part is new.
    package let old: DataValue?
    /// The current value; nil if the part was removed.
    package let new: DataValue?
}

extension DataValue {
    /// The part at a path; nil if there is none.
    package func part(at path: DataPath) -> DataValue? {
        var value = self
        for step in path.steps {
            switch value {
            case .object(let fields):
                guard let next = fields[step] else { return nil }
                value = next
            case .list(let values):
                guard let index = Int(step), values.indices.contains(index) else { return nil }
                value = values[index]
            default: return nil
            }
        }
        return value
    }

    /// The places where this value differs from an older one.
    ///
    /// The elements of lists are matched by their field `id`, or else `_id`, if all have a unique
    /// one, and otherwise by position.
    ///
    /// - Parameters:
    ///   - old: The older value.
    ///   - path: Where both are.
    ///   - limit: The maximum number of places.
    /// - Returns: The places; those of an object are sorted by name.
    /// - Complexity: O(size of the values).
    package func changes(
        from old: DataValue, at path: DataPath = DataPath(), limit: Int = 1_000
    ) -> [DataChange] {
        var found: [DataChange] = []
        collectChanges(from: old, at: path, limit, &found)
        return found
    }

    private func collectChanges(
        from old: DataValue, at path: DataPath, _ limit: Int, _ found: inout [DataChange]
    ) {
        guard found.count < limit, self != old else { return }
        switch (old, self) {
        case (.object(let old), .object(let new)) where !old.isEmpty && !new.isEmpty:
            for name in Set(old.keys).union(new.keys).sorted() {
                Self.collectChange(old[name], new[name], path.appending(name), limit, &found)
            }
        case (.list(let old), .list(let new)) where !old.isEmpty && !new.isEmpty:
            if let (oldIDs, newIDs) = Self.identities(old, new) {
                Self.collectChanges(old, oldIDs, new, newIDs, path, limit, &found)
            } else {
                for index in 0..<max(old.count, new.count) {
                    // Not a plain nil, which would be the value null.
                    Self.collectChange(
                        index < old.count ? old[index] : DataValue?.none,
                        index < new.count ? new[index] : DataValue?.none,
                        path.appending("\(index)"), limit, &found)
                }
            }
        default: found.append(DataChange(path: path, old: old, new: self))
        }
    }

    private static func collectChange(
        _ old: DataValue?, _ new: DataValue?, _ path: DataPath, _ limit: Int,
        _ found: inout [DataChange]
    ) {
        guard found.count < limit else { return }
        if let old, let new {
            new.collectChanges(from: old, at: path, limit, &found)
        } else {
            found.append(DataChange(path: path, old: old, new: new))
        }
    }

    /// The changes of elements matched by id; the lists themselves if only their order differs.
    private static func collectChanges(
        _ old: [DataValue], _ oldIDs: [DataValue: Int], _ new: [DataValue],
        _ newIDs: [DataValue: Int], _ path: DataPath, _ limit: Int, _ found: inout [DataChange]
    ) {
        let count = found.count
        for (id, index) in oldIDs.sorted(by: { $0.value < $1.value }) where newIDs[id] == nil {
            collectChange(old[index], nil, path.appending("\(index)"), limit, &found)
        }
        for (id, index) in newIDs.sorted(by: { $0.value < $1.value }) {
            collectChange(
                oldIDs[id].map { old[$0] }, new[index], path.appending("\(index)"), limit, &found)
        }
        if found.count == count {
            found.append(DataChange(path: path, old: .list(old), new: .list(new)))
        }
    }

    /// The positions of the elements of both lists by their ids.
    private static func identities(
        _ old: [DataValue], _ new: [DataValue]
    ) -> ([DataValue: Int], [DataValue: Int])? {
        for name in ["id", "_id"] {
            if let old = positions(of: old, by: name), let new = positions(of: new, by: name) {
                return (old, new)
            }
        }
        return nil
    }

    private static func positions(of list: [DataValue], by name: String) -> [DataValue: Int]? {
        var positions: [DataValue: Int] = [:]
        for (index, element) in list.enumerated() {
            guard let id = element[name], positions.updateValue(index, forKey: id) == nil else {
                return nil
            }
        }
        return positions
    }
}
