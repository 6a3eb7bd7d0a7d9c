// SPDX-License-Identifier: MIT

import Onward

/// A table of a million rows of 32 bytes, to measure what it takes in memory.
public struct LargeTable {
    struct Row: Sendable, Identifiable {
        let id: Int
        var title = ""
        var isDone = false
    }

    /// The number of the rows.
    public static let count = 1_000_000
    private var rows: EntityTable<Row> = []

    /// Builds the table from a sequence, or lets it grow by one row at a time.
    public init(growing: Bool) {
        let all = (0..<Self.count).lazy.map { Row(id: $0) }
        if growing {
            for row in all { rows.append(row) }
        } else {
            rows = (try? EntityTable(all)) ?? []
        }
    }
}
