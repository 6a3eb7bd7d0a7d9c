// SPDX-License-Identifier: MIT

/// Something to measure, and the least that could do the same.
public struct Workload: Sendable {
    /// The name in the table of the design, such as "W1".
    public let name: String
    /// What one operation does.
    public let summary: String
    /// The budget in words, for the table.
    public let budget: String
    /// The number of operations after which a run is where it began; it is measured in multiples.
    public let period: Int
    /// Prepares a run; the returned closure performs a number of operations.
    public let prepare: @Sendable () -> (Int) -> Void
    /// The same for the limit; nil where there is none.
    public let prepareLimit: (@Sendable () -> (Int) -> Void)?

    init(
        _ name: String, _ summary: String, budget: String, period: Int = 10_000,
        limit: (@Sendable () -> (Int) -> Void)? = nil,
        _ prepare: @escaping @Sendable () -> (Int) -> Void
    ) {
        self.name = name
        self.summary = summary
        self.budget = budget
        self.period = period
        self.prepare = prepare
        prepareLimit = limit
    }
}

extension Workload {
    /// All workloads, in the order of the table.
    public static let all: [Workload] =
        onMainActor + [
            counter, counterFromMain, otherSubscribers, rowOfArray, rowOfTable,
            rowOfMillion("T1"), rowOfMillion("T1-main", from: .mainActor),
            tableOfMillion,
            watchedRows(1_000, "W4-1k"), watchedRows(10_000, "W4"), watchedRows(100_000, "W4-100k"),
            lastOfTwentySlices, subscribeAndCancel, subscribeToRows, tenMiddlewares,
            observedCommits,
            readState, readUntracked, readTracked, readTrackedRow, observedChange, formerlyObserved,
            observedElsewhere,
            view(1_000, .visit, "V1-1k"), view(100_000, .visit, "V1"),
            view(1_000, .rank, "V2-1k"), view(100_000, .rank, "V2"),
            view(100_000, .visit, isNotified: true, "V3"),
            view(100_000, .rank, isNotified: true, "V4"),
        ] + notification + effects + effectsOfRows + folds + reSwift + reduxSwift
}
