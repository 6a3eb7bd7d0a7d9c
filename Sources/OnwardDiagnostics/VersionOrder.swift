// SPDX-License-Identifier: MIT

internal import OnwardCore

/// Puts the reports of overlapping calls in the order of their versions: a pure machine.
///
/// A call knows its version only when it is over. Its report then waits as long as an earlier call
/// is under way, which may have got a smaller version. If more than `limit` reports wait, the first
/// one is released anyway.
struct VersionOrder<Report> {
    private let limit: Int
    private var waiting: [(version: CommitVersion, report: Report)] = []
    /// For each call under way, the newest version that was over when it began: its own will be
    /// larger.
    private var floors: [Int: CommitVersion] = [:]
    private var begun = 0
    private var newest: CommitVersion = 0

    /// How many reports wait.
    var count: Int { waiting.count }

    init(limit: Int) {
        self.limit = limit
    }

    /// Notes that a call begins; returns the number under which it ends.
    mutating func begin() -> Int {
        begun += 1
        floors[begun] = newest
        return begun
    }

    /// Notes what a call reports, if anything, which got a version or none.
    ///
    /// - Complexity: O(calls under way and reports that wait).
    mutating func end(_ call: Int, at version: CommitVersion?, _ report: Report?) {
        floors[call] = nil
        newest = max(newest, version ?? 0)
        guard let report else { return }
        let version = version ?? newest
        let place = waiting.lastIndex { $0.version <= version }.map { $0 + 1 } ?? 0
        waiting.insert((version, report), at: place)
    }

    /// The reports that no longer have to wait for another one, in order.
    mutating func take() -> [Report] {
        let safe = floors.values.min() ?? .max
        let count = max(waiting.prefix { $0.version <= safe }.count, waiting.count - limit)
        defer { waiting.removeFirst(count) }
        return waiting.prefix(count).map(\.report)
    }
}
