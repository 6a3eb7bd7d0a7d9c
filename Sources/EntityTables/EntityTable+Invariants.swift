// SPDX-License-Identifier: MIT

extension EntityTable {
    /// Checks the whole table in debug builds; does nothing in release builds.
    ///
    /// - Complexity: O(*n* log *n*).
    func checkInvariants() {
        #if DEBUG || ONWARD_CHECKS
        tree.checkInvariants()
        if let order {
            precondition(firstDisorder(in: order) == nil, "a sorted table is not in order")
        }
        log.checkInvariants()
        #endif
    }
}

#if DEBUG || ONWARD_CHECKS
extension ChangeLog {
    func checkInvariants() {
        // Both records of a rename belong together.
        precondition(length <= Self.limit + 1, "the newest chain is too long")
        var end = revision
        for chain in [newest, older] {
            var current = chain
            while let segment = current {
                precondition(
                    segment.start + UInt64(segment.changes.count) == end,
                    "a segment was changed after another began behind it")
                end = segment.start
                current = segment.previous
            }
        }
    }
}
#endif
