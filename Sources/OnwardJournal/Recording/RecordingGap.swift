// SPDX-License-Identifier: MIT

internal import Onward

/// Commits that found the queue of a recorder full: a pure machine.
///
/// Problem: nothing waits for a journal that is slow, and memory has an end. So beyond a bound,
/// commits are only counted. The log still has to lead to what the store shows, and to account for
/// each commit.
///
/// Strategy: when everything that waited is written, the store's state is taken, which includes all
/// of these commits and perhaps some that were not observed yet. Those are counted as well. Then
/// one entry is written with the number and the state, and the commits after it are recorded again.
struct RecordingGap: Sendable {
    typealias KeptState = RecordingMachine.KeptState

    private let first: CommitVersion
    private var count = 1
    /// The last commit that was counted, and its time; not its action, which may end anything when
    /// it goes.
    private var last: CommitVersion
    private var time: Timestamp?
    /// A state that includes them, and its version.
    private var state: (state: KeptState, version: CommitVersion)?

    /// A gap that begins with a commit.
    init(_ version: CommitVersion, _ time: Timestamp?) {
        (first, last, self.time) = (version, version, time)
    }

    /// Counts a commit.
    mutating func add(_ entry: LogEntry) {
        (last, time) = (entry.version, entry.time)
        count += 1
    }

    /// Whether the state is still needed.
    var wantsState: Bool { state == nil }

    /// Adopts the store's state, if it includes all commits that were counted.
    ///
    /// Threads go on committing between the moment at which it was taken and this one.
    ///
    /// - Returns: Whether it does.
    mutating func adopt(_ state: KeptState, at version: CommitVersion) -> Bool {
        guard version >= last else { return false }
        self.state = (state, version)
        return true
    }

    /// What is written in place of the commits.
    ///
    /// - Parameters:
    ///   - observed: The last commit that was observed, even if it isn't one to record.
    ///   - isLast: Whether no more commits are observed: then the rest is counted without looking.
    /// - Returns: nil as long as some of those that the state includes are still to be counted.
    func item(after observed: CommitVersion, isLast: Bool) -> RecordingMachine.Item? {
        guard let (state, version) = state, isLast || observed >= version else { return nil }
        let rest = version > observed ? Int(clamping: version - observed) : 0
        let travel = Travel(replacing: version > 0 ? version - 1 : 0)
        return RecordingMachine.Item(
            entry: LogEntry(version: version, kind: .travel, action: travel, time: time),
            installed: state,
            missing: MissingCommits(count: count + rest, first: first, last: version))
    }

    /// The commits after a version, which a state includes; nil if there are none.
    func after(_ version: CommitVersion) -> RecordingGap? {
        guard version >= first else { return self }
        guard last > version else { return nil }
        var gap = RecordingGap(version + 1, time)
        gap.last = last
        gap.count = min(count, Int(clamping: last - version))
        return gap
    }
}
