// SPDX-License-Identifier: MIT

extension EntityTable {
    /// Checks the whole table in debug builds; does nothing in release builds.
    ///
    /// - Complexity: O(*n* log *n*).
    func checkInvariants() {
        #if DEBUG
            tree.checkInvariants()
            if let sorting {
                precondition(firstDisorder(in: sorting) == nil, "a sorted table is not in order")
            }
            log.checkInvariants()
        #endif
    }
}

#if DEBUG
    extension ChangeLog {
        func checkInvariants() {
            precondition(length <= Self.limit, "the newest chain is too long")
            var end = revision
            for chain in [newest, older] {
                var current = chain
                while let segment = current {
                    precondition(
                        segment.start <= end && end <= segment.end,
                        "a segment does not reach up to the one behind it")
                    end = segment.start
                    current = segment.previous
                }
            }
        }
    }

    extension ChangeSegment {
        var end: UInt64 { start + UInt64(changes.count) }
    }
#endif
