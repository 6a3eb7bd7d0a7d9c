// SPDX-License-Identifier: MIT

internal import Onward

/// Finds the entries that are old enough to be discarded, whatever the wall clock does.
///
/// Problem: a wall clock may be wrong, for a moment or for days. What is discarded because of that
/// never comes back.
///
/// Strategy: no reading is believed by itself. Entries are in the order in which they were
/// recorded, so one that is dated before an earlier one, or in the future, says nothing about its
/// age. Neither does one that was appended while the wall clock was behind, such as one that stands
/// still, as a clock shows that nobody sets. What looks old is discarded only when it does so again
/// after an hour of running time; a jump of the wall clock begins the hour anew.
final class EntryAges: Sendable {
    private struct Contents {
        var watch = ClockWatch()
        var passes = RetentionPasses()
        /// What was appended while the wall clock was behind.
        var doubtful = DoubtfulVersions()
        /// The date of the newest entry that was appended.
        var newest: Timestamp?
    }

    /// The age from which entries are discarded.
    private let age: Duration
    private let wallClock: @Sendable () -> Timestamp
    /// How long the program has been running.
    private let running: @Sendable () -> Duration
    private let report: @Sendable (JournalError) -> Void
    private let contents = Guarded(Contents())

    init(
        upTo age: Duration, _ wallClock: @escaping @Sendable () -> Timestamp,
        running clock: any Clock<Duration>,
        report: @escaping @Sendable (JournalError) -> Void
    ) {
        self.age = age
        self.wallClock = wallClock
        running = Self.stopwatch(clock)
        self.report = report
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
            let wasBehind = contents.watch.isBehind
            let jump = contents.watch.jump(to: wall, running, settlingIn: age)
            if jump != nil { contents.passes = RetentionPasses() }
            if wasBehind || contents.watch.isBehind { contents.doubtful.add(entries) }
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
    ) -> (Version, Duration)? {
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
    func newestOld(in journal: some Journal) async throws(JournalError) -> Version {
        let (wall, running) = (wallClock(), running())
        let (jump, isDue, doubtful) = contents.withValue { contents in
            let jump = contents.watch.jump(to: wall, running, settlingIn: age)
            if jump != nil { contents.passes = RetentionPasses() }
            return (jump, contents.passes.isDue(at: running), contents.doubtful)
        }
        if let jump { report(.clockJumped(by: jump, before: nil)) }
        guard isDue else { return 0 }
        var scan = AgeScan(age, at: wall)
        var next = try await journal.firstVersion()
        while !scan.isDone {
            let page = try await journal.entries(from: next, limit: 1_024)
            guard let end = page.last else { break }
            for entry in page where !scan.isDone && !doubtful.contains(entry.version) {
                scan.add(entry)
            }
            next = end.version + 1
        }
        let found = scan.newest
        return contents.withValue { $0.passes.agree(on: found, at: running) }
    }
}

/// Compares a wall clock with one that nobody sets: a pure machine.
struct ClockWatch: Sendable {
    static let tolerance = Duration.seconds(60)

    /// Readings of both, since which the wall clock has gone right.
    private var base: (wall: Timestamp, running: Duration)?
    /// The sum of its jumps.
    private var offset = Duration.zero

    /// Whether the wall clock is behind where it would be if it had gone right.
    var isBehind: Bool { offset < .zero - Self.tolerance }

    /// By how much the wall clock has jumped since it went right; nil if it hasn't.
    ///
    /// Once it has gone right for long enough, it is believed whatever it said before.
    mutating func jump(
        to wall: Timestamp, _ running: Duration, settlingIn settling: Duration
    ) -> Duration? {
        guard let base else {
            base = (wall, running)
            return nil
        }
        let jump = (wall - base.wall) - (running - base.running)
        guard jump.magnitude > Self.tolerance else {
            // Then it was wrong before.
            if running - base.running >= settling { offset = .zero }
            return nil
        }
        self.base = (wall, running)
        offset += jump
        return jump
    }
}

/// The versions of entries whose dates say nothing: a pure machine.
struct DoubtfulVersions: Sendable {
    private static let limit = 64
    private var ranges: [ClosedRange<Version>] = []

    func contains(_ version: Version) -> Bool { ranges.contains { $0.contains(version) } }

    /// Adds entries that were appended.
    mutating func add(_ entries: [JournalEntry]) {
        guard let first = entries.first?.version, let last = entries.last?.version, first <= last
        else { return }
        // If there are many, what lies between two is doubtful, too.
        if let end = ranges.last, end.upperBound + 1 == first || ranges.count == Self.limit {
            ranges[ranges.count - 1] = end.lowerBound...max(end.upperBound, last)
        } else {
            ranges.append(first...last)
        }
    }
}

/// What passes over a journal have found, until two of them agree: a pure machine.
struct RetentionPasses: Sendable {
    static let apart = Duration.seconds(3_600)
    /// A pass reads what is old, so there aren't many in between.
    static let spacing = Duration.seconds(300)

    private var first: (limit: Version, at: Duration)?
    private var last: Duration?

    /// Whether a pass is useful.
    func isDue(at running: Duration) -> Bool {
        guard let last else { return true }
        return running - last >= Self.spacing
    }

    /// Notes up to which version a pass has found entries to be old.
    ///
    /// - Returns: Up to which version an earlier pass had found the same, and all in between.
    mutating func agree(on limit: Version, at running: Duration) -> Version {
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
    private(set) var newest: Version = 0
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
    fileprivate static func clockJumped(by jump: Duration, before version: Version?) -> JournalError
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
