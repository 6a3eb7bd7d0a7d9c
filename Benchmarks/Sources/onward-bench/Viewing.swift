// SPDX-License-Identifier: MIT

import Workloads

/// The cost of a view of many rows that is made anew after each change.
enum Viewing {
    /// The time of one change and one view, in words.
    static func fromScratch(repetitions: Int) -> String {
        let view = ViewFromScratch(100_000)
        var rows = 0
        let times = (0..<repetitions).map { _ in
            ContinuousClock().measure { rows = view.next() }.nanoseconds
        }
        let milliseconds = (median(times) / 10_000).rounded() / 100
        return """
            Views: filtering and sorting all of 100,000 rows anew (\(rows) remain) takes \
            \(milliseconds) ms; V1 and V2 do what it does for one changed row.
            """
    }
}
