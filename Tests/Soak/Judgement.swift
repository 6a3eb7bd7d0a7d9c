// SPDX-License-Identifier: MIT

import Foundation

/// How a history ended.
struct Judgement: Sendable {
    var faults: [String]
    /// How many points the schedule saw; the same again for the same seed.
    var points: Int

    var isGood: Bool { faults.isEmpty }

    /// What its first fault has in common with others: the promise, or how it crashed.
    var kind: String {
        faults.first?.components(separatedBy: ": ").first ?? "good"
    }
}
