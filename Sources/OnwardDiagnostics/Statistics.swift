// SPDX-License-Identifier: MIT

public import OnwardCore

/// A commit observer that counts how often each type of action came, and measures how long its
/// reducers took in total and at worst.
///
/// ```swift
/// let statistics = Statistics<AppState>()
/// let token = store.log.attach(statistics)
/// print(statistics.figures["GameAction"]?.count ?? 0)
/// ```
public final class Statistics<State: Sendable>: CommitObserver {
    /// The figures for one type of action.
    public struct Figures: Sendable, Hashable {
        /// The number of commits.
        public internal(set) var count = 0
        /// The total time that their reducers took.
        public internal(set) var total = Duration.zero
        /// The longest time that the reducers of one commit took.
        public internal(set) var worst = Duration.zero
    }

    private let table = Guarded<[String: Figures]>([:])

    /// Creates statistics without figures.
    public init() {}

    /// What the statistics need: the duration.
    public var needs: ObserverNeeds { .duration }

    /// The figures by the name of the action type.
    ///
    /// May be read from any thread.
    public var figures: [String: Figures] { table.withValue { $0 } }

    /// Counts a commit; an installed state counts for no action.
    public func observe(_ commit: Commit<State>) {
        guard commit.entry.kind == .action else { return }
        let duration = commit.entry.duration ?? .zero
        let name = commit.entry.action.entryName
        table.withValue { table in
            table[name, default: Figures()].count += 1
            table[name, default: Figures()].total += duration
            table[name, default: Figures()].worst = max(table[name]?.worst ?? .zero, duration)
        }
    }
}
