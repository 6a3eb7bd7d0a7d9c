// SPDX-License-Identifier: MIT

internal import Onward

/// Finds the entries that are old enough to be discarded, whatever the wall clock does.
///
/// Problem: a wall clock may be wrong, for a moment or for days. What is discarded because of that
/// never comes back.
///
/// Strategy: no reading is believed by itself. Entries are in the order in which they were
/// recorded, so one that is dated before an earlier one, or in the future, says nothing about its
/// age. What this program has appended is no older than the time it has been running since, as a
/// clock shows that nobody sets. What looks old is discarded only when it does so again after an
/// hour of running time; a jump of the wall clock begins the hour anew.
final class EntryAges: Sendable {
    private struct Contents {
        var watch = ClockWatch()
        var passes = RetentionPasses()
        var appended: AppendedVersions
        /// The date of the newest entry that was appended.
        var newest: Timestamp?
    }

    /// The age from which entries are discarded.
    private let age: Duration
    private let wallClock: @Sendable () -> Timestamp
    /// How long the program has been running.
    private let running: @Sendable () -> Duration
    private let report: @Sendable (JournalError) -> Void
    private let contents: Guarded<Contents>

    init(
        upTo age: Duration, _ wallClock: @escaping @Sendable () -> Timestamp,
        running clock: any Clock<Duration>,
        report: @escaping @Sendable (JournalError) -> Void
    ) {
        self.age = age
        self.wallClock = wallClock
        running = Self.stopwatch(clock)
        self.report = report
        contents = Guarded(Contents(appended: AppendedVersions(upTo: age)))
    }

    private static func stopwatch(
        _ clock: some Clock<Duration>
    ) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// Looks at the dates of entries that were appended just now.
    func note(_ entries: [JournalEntry]) {
        let (wall, running) = (wallClock(), running())
        let jump = contents.withValue { contents in
            contents.appended.add(entries, at: running)
            let jump = contents.watch.jump(to: wall, running)
            if jump != nil { contents.passes = RetentionPasses() }
            return jump
        }
        if let jump {
            report(.clockJumped(by: jump, before: entries.first?.version))
        } else if let (version, step) = oddDate(in: entries, at: wall) {
            report(.clockJumped(by: step, before: version))
        }
        contents.withValue { $0.newest = entries.last?.time ?? $0.newest }
    }

    /// The first entry whose date doesn't fit, and by how much.
    private func oddDate(
        in entries: [JournalEntry], at wall: Timestamp
    ) -> (CommitVersion, Duration)? {
        var before = contents.withValue { $0.newest }
        for entry in entries {
            guard let time = entry.time else { continue }
            if time - wall > ClockWatch.tolerance { return (entry.version, time - wall) }
            if let before, before - time > ClockWatch.tolerance {
                return (entry.version, time - before)
            }
            before = time
        }
        return nil
    }

    /// The newest version that two passes found to be older than the age; 0 if there is none.
    func newestOld(in journal: some ReadableJournal) async throws(JournalError) -> CommitVersion {
        let (wall, running) = (wallClock(), running())
        let (jump, isDue, limit) = contents.withValue { contents in
            let jump = contents.watch.jump(to: wall, running)
            if jump != nil { contents.passes = RetentionPasses() }
            return (
                jump, contents.passes.isDue(at: running), contents.appended.newestOld(at: running)
            )
        }
        if let jump { report(.clockJumped(by: jump, before: nil)) }
        guard isDue else { return 0 }
        var scan = AgeScan(age, at: wall)
        var next = try await journal.firstVersion()
        while !scan.isDone {
            let page = try await journal.entries(from: next, limit: 1_024)
            guard let end = page.last else { break }
            for entry in page where !scan.isDone { scan.add(entry) }
            next = end.version + 1
        }
        let found = min(scan.newest, limit)
        return contents.withValue { $0.passes.agree(on: found, at: running) }
    }
}

/// Compares a wall clock with one that nobody sets: a pure machine.
struct ClockWatch: Sendable {
    static let tolerance = Duration.seconds(60)

    /// Readings of both, since which the wall clock has gone right.
    private var base: (wall: Timestamp, running: Duration)?

    /// By how much the wall clock has jumped since it went right; nil if it hasn't.
    mutating func jump(to wall: Timestamp, _ running: Duration) -> Duration? {
        guard let base else {
            base = (wall, running)
            return nil
        }
        let jump = (wall - base.wall) - (running - base.running)
        guard jump.magnitude > Self.tolerance else { return nil }
        self.base = (wall, running)
        return jump
    }
}

/// How old the versions are that a program has appended itself, by how long it has been running: a pure machine.
struct AppendedVersions: Sendable {
    /// Versions that were appended at about the same time, the newest of them last.
    private struct Group {
        let start: Duration
        var end: Duration
        var version: CommitVersion
    }

    private static let most = 32

    private let age: Duration
    private var first: CommitVersion?
    private var groups: [Group] = []
    /// The newest version of the groups that are old enough, and forgotten.
    private var old: CommitVersion?

    init(upTo age: Duration) { self.age = age }

    /// Notes entries that were appended.
    mutating func add(_ entries: [JournalEntry], at running: Duration) {
        guard let start = entries.first?.version, let version = entries.last?.version else {
            return
        }
        if first == nil { first = start }
        forget(before: running - age)
        if let last = groups.indices.last, running - groups[last].start < age / Self.most {
            groups[last].end = running
            groups[last].version = version
        } else {
            groups.append(Group(start: running, end: running, version: version))
        }
    }

    /// The newest version that may be old enough; earlier programs have appended what is before the first one.
    mutating func newestOld(at running: Duration) -> CommitVersion {
        forget(before: running - age)
        return old ?? first.map { $0 - 1 } ?? .max
    }

    private mutating func forget(before end: Duration) {
        let young = groups.firstIndex { $0.end > end } ?? groups.endIndex
        guard young > 0 else { return }
        old = groups[young - 1].version
        groups.removeFirst(young)
    }
}

/// What passes over a journal have found, until two of them agree: a pure machine.
struct RetentionPasses: Sendable {
    static let apart = Duration.seconds(3_600)
    /// A pass reads what is old, so there aren't many in between.
    static let spacing = Duration.seconds(300)

    private var first: (limit: CommitVersion, at: Duration)?
    private var last: Duration?

    /// Whether a pass is useful.
    func isDue(at running: Duration) -> Bool {
        guard let last else { return true }
        return running - last >= Self.spacing
    }

    /// Notes up to which version a pass has found entries to be old.
    ///
    /// - Returns: Up to which version an earlier pass had found the same, and all in between.
    mutating func agree(on limit: CommitVersion, at running: Duration) -> CommitVersion {
        last = running
        guard let first else {
            first = (limit, running)
            return 0
        }
        let agreed = min(first.limit, limit)
        guard running - first.at >= Self.apart else {
            self.first = (agreed, first.at)
            return 0
        }
        self.first = (limit, running)
        return agreed
    }
}

/// Looks for the newest entry with a believable date before a moment: a pure machine.
struct AgeScan: Sendable {
    /// Before it, nobody recorded; a clock that was never set says such a date.
    private static let firstDate = Timestamp(nanosecondsSince1970: 1_000_000_000_000_000_000)

    private let end: Timestamp
    private let now: Timestamp
    /// The newest believable date so far.
    private var reached: Timestamp?
    /// The newest entry before one that is old: so is all that was recorded before it.
    ///
    /// That one is kept, so that its date can be compared with later ones.
    private(set) var newest: CommitVersion = 0
    /// Whether an entry was found that isn't old; no later one is.
    private(set) var isDone = false

    init(_ age: Duration, at now: Timestamp) {
        self.now = now
        end = now - age
        if now > Self.firstDate { reached = Self.firstDate }
    }

    mutating func add(_ entry: JournalEntry) {
        guard let time = entry.time, time - now <= ClockWatch.tolerance,
            reached.map({ time >= $0 }) ?? true
        else { return }
        reached = time
        if time < end { newest = entry.version - 1 } else { isDone = true }
    }
}

extension Duration {
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}

extension JournalError {
    fileprivate static func clockJumped(by jump: Duration, before version: CommitVersion?)
        -> JournalError
    {
        let (seconds, way) = (jump.components.seconds.magnitude, jump < .zero ? "back" : "ahead")
        let place = version.map { " before version \($0)" } ?? ""
        return JournalError(
            .clock, version: version,
            """
            The wall clock went \(way) by \(seconds) s\(place). Which of its readings are wrong can't be \
            known, so nothing is discarded by its age until it has gone right for an hour.
            """)
    }
}
