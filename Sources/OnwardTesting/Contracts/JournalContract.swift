// SPDX-License-Identifier: MIT

internal import Onward
public import OnwardJournal

/// What every journal has to do, for testing each backend in one line.
///
/// ```swift
/// @Test func `keeps the contract of journals`() async throws {
///     try await JournalContract.check { MyJournal() }
/// }
/// ```
public enum JournalContract {
    /// A promise that a journal does not keep.
    public struct Violation: Error, CustomStringConvertible {
        /// The promise, what was expected, and what came instead.
        public let description: String
    }

    /// Tests every promise of a `Journal`, each on a new journal.
    ///
    /// - Parameter make: Makes an empty journal; called for each promise.
    /// - Throws: ``Violation`` with the first promise that is not kept, or what `make` throws.
    /// - Complexity: Some hundred calls.
    public static func check(
        _ make: @Sendable () async throws -> some Journal
    ) async throws {
        try await appends(to: make())
        try await refusesOtherVersions(make())
        try await readsPages(of: make())
        try await keepsSnapshots(make())
        try await truncates(make())
        try await refusesStatesOfOtherHistories(make())
        try await follows(make())
        try await acceptsOneOfTwoWriters(make())
        try await erases(make())
        try await keepsWhatStandsForTruncatedEntries(make())
        try await ends(make())
    }

    /// Tests a journal inside a ``FaultInjectingJournal``: nothing may be lost, doubled or torn while
    /// calls are slow or fail with an unknown outcome and another writer appends.
    ///
    /// - Parameters:
    ///   - seeds: One run for each; the number is in the text of a violation.
    ///   - make: Makes an empty journal; called for each run.
    /// - Throws: ``Violation`` with the first promise that is not kept, or what `make` throws.
    /// - Complexity: Some hundred calls for each seed.
    public static func checkDisturbed(
        seeds: Range<UInt64> = 0..<20, _ make: @Sendable () async throws -> some Journal
    ) async throws {
        for seed in seeds {
            let journal = try await make()
            let disturbed = FaultInjectingJournal(
                journal, FaultInjectingJournal.Disturbance(slowness: 2, failures: 30, others: 20),
                seed: seed)
            let reader = Task { await read(disturbed) }
            let written = await write(to: disturbed, behind: journal)
            try await end(journal)
            let entries = try await journal.entries(from: 1, limit: .max)
            let mine = entries.filter { $0.name == "Mine" }.map { Int($0.payload.first ?? 0) }
            try expect(
                mine, Array(0..<written),
                "each acknowledged entry is there once, in order (seed \(seed))")
            try expect(
                entries.map(\.version), (1...CommitVersion(entries.count)).map { $0 },
                "versions follow one another (seed \(seed))")
            try expect(
                await reader.value, entries,
                "a follower gets what the journal has, whatever fails meanwhile (seed \(seed))")
            await journal.close()
        }
    }

    /// Appends pairs of entries, each until it stands in the journal.
    private static func write(
        to disturbed: some Journal, behind journal: some Journal
    ) async -> Int {
        var written = 0
        while written < 60 {
            guard let last = try? await journal.lastPosition() else { continue }
            let pair = (0..<2).map { offset in
                JournalEntry(
                    version: last.version + 1 + CommitVersion(offset), name: "Mine",
                    payload: [UInt8(written + offset)])
            }
            do {
                try await disturbed.append(pair, after: last)
                written += 2
            } catch {
                // A call that failed did all of it, or nothing.
                let found = try? await journal.entries(from: last.version + 1, limit: 2)
                if found == pair { written += 2 }
            }
        }
        return written
    }

    /// Appends the entry that ends a run; a call that failed did all of it, or nothing.
    private static func end(_ journal: some Journal) async throws {
        let last = try await journal.lastPosition()
        let end = JournalEntry(version: last.version + 1, name: "End")
        do {
            try await journal.append([end], after: last)
        } catch {
            guard try await journal.entries(from: last.version + 1, limit: 1) == [end] else {
                throw error
            }
        }
    }

    /// Follows a journal to the entry that ends a run, and continues where a call failed.
    private static func read(_ journal: some Journal) async -> [JournalEntry] {
        var entries: [JournalEntry] = []
        while entries.last?.name != "End" {
            var iterator = journal.follow(from: (entries.last?.version ?? 0) + 1)
                .makeAsyncIterator()
            do {
                while entries.last?.name != "End", let entry = try await iterator.next() {
                    entries.append(entry)
                }
            } catch {
                continue
            }
        }
        return entries
    }

    // MARK: Promises

    private static func appends(to journal: some Journal) async throws {
        let promise = "what was appended can be read as it was"
        try expect(try await journal.lastVersion(), 0, promise)
        let entries = [
            JournalEntry(
                version: 1, name: "Shop/add", schema: 3, payload: [0, 255, 7],
                address: Address("left/#7") ?? .root, parent: nil,
                origin: ActionOrigin(file: "App/Main.swift", line: 12),
                time: Timestamp(nanosecondsSince1970: .max)),
            JournalEntry(
                version: 2, id: EntryID(high: .max, low: 1), kind: .ownership, epoch: .max,
                name: "\u{fc}/\u{6c34}", parent: 1),
        ]
        try await journal.append(entries, after: .start)
        try expect(try await journal.entries(from: 1, limit: .max), entries, promise)
        try expect(try await journal.lastPosition(), entries[1].position, promise)
        try await journal.append([], after: entries[1].position)
        try expect(try await journal.lastVersion(), 2, "appending nothing changes nothing")
    }

    private static func refusesOtherVersions(_ journal: some Journal) async throws {
        try await journal.append(some(1...3), after: .start)
        for expected: CommitVersion in [0, 2, 4] {
            let promise = "appending to version \(expected) of 3 is refused with the true version"
            let error = await failure { () throws(JournalError) in
                try await journal.append(
                    some(expected + 1...expected + 1), after: position(expected))
            }
            try expect(error?.code, .conflict, promise)
            try expect(error?.version, 3, promise)
        }
        let other = await failure { () throws(JournalError) in
            try await journal.append(
                some(4...4), after: JournalPosition(version: 3, id: EntryID(high: 9, low: 9)))
        }
        try expect(
            other?.code, .conflict,
            "appending behind an entry with another id of the same version is refused")
        let gap = await failure { () throws(JournalError) in
            try await journal.append(some(4...4) + some(6...6), after: position(3))
        }
        try expect(gap?.code, .invalid, "entries with a gap are refused whole")
        try expect(try await journal.lastVersion(), 3, "a refused call changes nothing")
    }

    private static func readsPages(of journal: some Journal) async throws {
        try await journal.append(some(1...10), after: .start)
        let promise = "a page begins where it was asked for and has no more than the limit"
        try expect(try await journal.entries(from: 4, limit: 3), some(4...6), promise)
        try expect(try await journal.entries(from: 9, limit: 30), some(9...10), promise)
        try expect(try await journal.entries(from: 11, limit: 30), [], promise)
        try expect(try await journal.entries(from: 4_000, limit: 30), [], promise)
        try expect(try await journal.entries(from: 1, limit: 0), [], promise)
    }

    private static func keepsSnapshots(_ journal: some Journal) async throws {
        try await journal.append(some(1...10), after: .start)
        try await journal.store(snapshot(8))
        try await journal.store(snapshot(4))
        let promise = "the newest snapshot at or before a version is found"
        try expect(try await journal.snapshot(at: 3), nil, promise)
        try expect(try await journal.snapshot(at: 4)?.version, 4, promise)
        try expect(try await journal.snapshot(at: 7)?.version, 4, promise)
        try expect(try await journal.snapshot(at: 100), snapshot(8), promise)
        let other = JournalSnapshot(
            version: 8, schema: 2, fingerprint: FeatureFingerprint(rawValue: .max), payload: [9])
        try await journal.store(other)
        try expect(try await journal.snapshot(at: 8), other, "a later snapshot replaces the first")
        let error = await failure { () throws(JournalError) in
            try await journal.store(snapshot(11))
        }
        try expect(error?.code, .invalid, "a snapshot of what is not there is refused")
    }

    private static func truncates(_ journal: some Journal) async throws {
        try await journal.append(some(1...10), after: .start)
        let early = await failure { () throws(JournalError) in
            try await journal.truncate(before: 5)
        }
        try expect(early?.code, .invalid, "nothing is forgotten that no snapshot covers")
        try await journal.store(snapshot(2))
        try await journal.store(snapshot(6))
        try await journal.truncate(before: 5)
        let error = await failure { () throws(JournalError) in
            _ = try await journal.entries(from: 4, limit: 1)
        }
        try expect(error?.code, .truncated, "what was forgotten is not read as nothing")
        try expect(error?.version, 5, "the error names the first version that is kept")
        try expect(
            try await journal.entries(from: 5, limit: .max), some(5...10), "what was kept stays")
        try expect(try await journal.snapshot(at: 10)?.version, 6, "the newest snapshot stays")
        try await journal.append(some(11...11), after: position(10))
        try expect(try await journal.lastVersion(), 11, "versions go on after truncating")
        try await journal.truncate(before: 3)
        try expect(
            try await journal.entries(from: 5, limit: 1), some(5...5),
            "truncating again before the same place does nothing")
    }

    private static func refusesStatesOfOtherHistories(_ journal: some Journal) async throws {
        try await journal.append(some(1...10), after: .start)
        let promise = "a snapshot is kept behind an entry that the journal has"
        try await journal.store(snapshot(6), at: position(6))
        try expect(try await journal.snapshot(at: 10), snapshot(6), promise)
        let strangers = [
            JournalPosition(version: 8, id: EntryID(high: 9, low: 9)),
            JournalPosition(version: 11, id: position(11).id),
        ]
        for stranger in strangers {
            let stored = await failure { () throws(JournalError) in
                try await journal.store(snapshot(8), at: stranger)
            }
            try expect(stored?.code, .conflict, "a snapshot behind another entry is refused")
            let truncated = await failure { () throws(JournalError) in
                try await journal.truncate(before: 5, at: stranger)
            }
            try expect(truncated?.code, .conflict, "truncating behind another entry is refused")
        }
        try expect(try await journal.snapshot(at: 10), snapshot(6), "a refused one isn't kept")
        try expect(
            try await journal.entries(from: 1, limit: 1), some(1...1), "and nothing is forgotten")
        try await journal.truncate(before: 6, at: position(6))
        try expect(
            try await journal.entries(from: 6, limit: 1), some(6...6),
            "entries are forgotten behind an entry that the journal has")
        let late = await failure { () throws(JournalError) in
            try await journal.store(snapshot(4), at: position(4))
        }
        try expect(late?.code, .conflict, "a snapshot behind an entry that is forgotten is refused")
    }

    private static func follows(_ journal: some Journal) async throws {
        try await journal.append(some(1...3), after: .start)
        let reader = Task {
            var versions: [CommitVersion] = []
            for try await entry in journal.follow(from: 2) { versions.append(entry.version) }
            return versions
        }
        for version: CommitVersion in 4...40 {
            try await journal.append(some(version...version), after: position(version - 1))
        }
        let waiting = Task { try await journal.wait(after: 40) }
        let cancelled = Task {
            var count = 0
            for try await _ in journal.follow(from: 41) { count += 1 }
            return count
        }
        cancelled.cancel()
        try expect(try await cancelled.value, 0, "a cancelled reader ends")
        try await journal.append(some(41...41), after: position(40))
        try await waiting.value
        var last = journal.follow(from: 41).makeAsyncIterator()
        try expect(try await last.next()?.version, 41, "a reader gets what is there at once")
        await journal.close()
        let versions = try await reader.value
        try expect(
            versions, Array(2...(versions.last ?? 0)), "a follower gets each entry once, in order")
    }

    private static func acceptsOneOfTwoWriters(_ journal: some Journal) async throws {
        let accepted = await withTaskGroup(of: Int.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    var accepted = 0
                    for _ in 0..<50 {
                        guard let last = try? await journal.lastPosition() else { continue }
                        let entry = JournalEntry(version: last.version + 1, name: "W\(writer)")
                        if (try? await journal.append([entry], after: last)) != nil {
                            accepted += 1
                        }
                    }
                    return accepted
                }
            }
            return await group.reduce(0, +)
        }
        let entries = try await journal.entries(from: 1, limit: .max)
        let promise = "of writers who saw the same end one is accepted, and its entry stays"
        try expect(entries.count, accepted, promise)
        try expect(entries.map(\.version), entries.indices.map { CommitVersion($0 + 1) }, promise)
    }

    private static func erases(_ journal: some Journal) async throws {
        try await journal.append(some(1...10), after: .start)
        for version: CommitVersion in [2, 4, 8] { try await journal.store(snapshot(version)) }
        let gone = JournalEntry(version: 4, id: position(4).id, kind: .erased, name: "")
        let redacted = JournalEntry(
            version: 6, id: position(6).id, kind: .erased, name: "Entry", payload: [0])
        let refused = [
            ("of another id", JournalEntry(version: 4, kind: .erased, name: "")),
            ("of another kind", JournalEntry(version: 4, id: position(4).id, name: "")),
            ("that isn't there", JournalEntry(version: 11, kind: .erased, name: "")),
        ]
        for (what, entry) in refused {
            let error = await failure { () throws(JournalError) in
                try await journal.erase([gone, entry], [])
            }
            try expect(error?.code, .invalid, "erasing by an entry \(what) is refused")
        }
        try expect(
            try await journal.entries(from: 1, limit: .max), some(1...10),
            "an erasure that is refused erases nothing")
        let anew = JournalSnapshot(
            version: 8, fingerprint: FeatureFingerprint(rawValue: 1), payload: [0])
        try await journal.erase([gone, redacted], [anew])
        try expect(
            try await journal.entries(from: 1, limit: .max),
            some(1...3) + [gone] + some(5...5) + [redacted] + some(7...10),
            "an erased entry keeps its version, and the others stay as they were")
        try expect(try await journal.snapshot(at: 10), anew, "a snapshot given anew is kept")
        try expect(
            try await journal.snapshot(at: 7), snapshot(2),
            "a snapshot that includes what was erased is dropped")
        try await journal.append(some(11...11), after: position(10))
        try await journal.erase([gone], [anew])
        try expect(try await journal.lastVersion(), 11, "erasing again does nothing")
    }

    private static func keepsWhatStandsForTruncatedEntries(_ journal: some Journal) async throws {
        try await journal.append(some(1...10), after: .start)
        try await journal.store(snapshot(8))
        try await journal.truncate(before: 6)
        let gone = JournalEntry(version: 7, id: position(7).id, kind: .erased, name: "")
        let error = await failure { () throws(JournalError) in
            try await journal.erase([gone], [])
        }
        let promise = "an erasure doesn't drop the last snapshot that stands for truncated entries"
        try expect(error?.code, .invalid, promise)
        try expect(try await journal.snapshot(at: 10), snapshot(8), promise)
        try expect(try await journal.entries(from: 7, limit: 1), some(7...7), promise)
    }

    private static func ends(_ journal: some Journal) async throws {
        let waiting = Task { () -> JournalError? in
            await failure { () throws(JournalError) in try await journal.wait(after: 0) }
        }
        let reader = Task { try await journal.follow().makeAsyncIterator().nextOnce() }
        await journal.close()
        await journal.close()
        try expect(await waiting.value?.code, .closed, "closing ends the waits")
        try expect(try await reader.value, nil, "closing ends the readers")
        let late = await failure { () throws(JournalError) in
            try await journal.append(some(1...1), after: .start)
        }
        try expect(late?.code, .closed, "a closed journal takes nothing")
    }

    // MARK: Means

    private static func some(_ versions: ClosedRange<CommitVersion>) -> [JournalEntry] {
        versions.map {
            JournalEntry(
                version: $0, id: EntryID(high: 0, low: $0), name: "Entry",
                payload: [UInt8($0 & 0xFF)])
        }
    }

    /// Behind the entry that `some` makes for a version.
    private static func position(_ version: CommitVersion) -> JournalPosition {
        JournalPosition(version: version, id: EntryID(high: 0, low: version))
    }

    private static func snapshot(_ version: CommitVersion) -> JournalSnapshot {
        JournalSnapshot(
            version: version, fingerprint: FeatureFingerprint(rawValue: 1),
            payload: [UInt8(version)])
    }

    private static func failure(
        _ call: () async throws(JournalError) -> Void
    ) async -> JournalError? {
        do {
            try await call()
            return nil
        } catch {
            return error
        }
    }

    private static func expect<Value: Equatable>(
        _ value: Value, _ expected: Value, _ promise: String
    ) throws {
        guard value != expected else { return }
        throw Violation(
            description:
                "The promise \"\(promise)\" is not kept: expected \(expected), got \(value).")
    }
}

extension JournalFollower.Iterator {
    /// The next entry of an iterator that is used once.
    fileprivate func nextOnce() async throws -> JournalEntry? {
        var iterator = self
        return try await iterator.next()
    }
}
