// SPDX-License-Identifier: MIT

extension EntityTable {
    /// About how many bytes the table takes; what its rows refer to is not counted.
    package var estimatedBytes: Int {
        // Leaves are three quarters full; the rest is the index and what is above the leaves.
        count * (MemoryLayout<Element>.stride * 4 / 3 + 32)
    }

    /// About how many bytes the table takes beyond those that it shares with an older one, without
    /// what its rows refer to.
    ///
    /// Of the leaves that differ, one in eight is looked at.
    ///
    /// - Complexity: O(*d* log *n*) for *d* leaves that are not shared.
    package func unsharedBytes(since older: EntityTable) -> Int {
        tree.unsharedBytes(since: older.tree)
    }
}

extension RowTree {
    fileprivate func unsharedBytes(since older: Self) -> Int {
        var bytes = index.unsharedBytes(since: older.index)
        nodes.forEachNumberThatMayDiffer(from: older.nodes) { number in
            guard number % 8 == 0, number < nodes.count else { return }
            let rows = nodes[number].rows
            let others = number < older.nodes.count ? older.nodes[number].rows : []
            bytes += 8 * MemoryLayout<RowNode<Element>>.stride
            if !rows.isEmpty, !rows.sharesStorage(with: others) {
                bytes += 8 * (32 + rows.capacity * MemoryLayout<Element>.stride)
            }
        }
        return bytes
    }
}

extension RowIndex {
    fileprivate func unsharedBytes(since older: Self) -> Int {
        var bytes = 0
        buckets.forEachNumberThatMayDiffer(from: older.buckets) { number in
            guard number % 8 == 0, number < buckets.count else { return }
            let bucket = buckets[number]
            let other = number < older.buckets.count ? older.buckets[number] : []
            bytes += 8 * MemoryLayout<Bucket>.stride
            if !bucket.isEmpty, !bucket.sharesStorage(with: other) {
                bytes += 8 * (32 + bucket.capacity * MemoryLayout<Entry>.stride)
            }
        }
        return bytes
    }
}
