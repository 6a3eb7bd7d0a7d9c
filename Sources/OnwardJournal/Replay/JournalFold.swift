// SPDX-License-Identifier: MIT

internal import Onward

/// Computes the states that a journal leads to.
///
/// Problem: an install may show the state of an earlier version again, as each step of a slider
/// does. Computing all of those states would run the same entries over and over, and keeping them
/// would take memory for each.
///
/// Strategy: up to the first install, entries are run as they come. The rest is scanned for
/// installs, whose versions are noted. Read backwards from the end, they show which stretches of
/// the journal lead there, one after the other: only those are run, each once.
struct JournalFold<State: Codable & Sendable> {
    let journal: any ReadableJournal
    let initial: State
    let store: Store<State>
    let codec: JournalCodec<State>
    var whenUnreadable: UnreadableEntryPolicy
    /// Whether the newest snapshot is used, whoever made it; see ``beginning(at:_:)``.
    var trustsSnapshots = false
    /// Notes what is run; nil where nobody would read it.
    var mark: ReplayMark?
    /// Called with the version of each entry that no reducer took, as where its row is gone.
    var onRefusal: @Sendable (CommitVersion) -> Void = { _ in }
    /// Called with the version after which entries are run; set by a store that is restored, which also refuses
    /// what a newer program has written, whatever the policy.
    var begins: (@Sendable (CommitVersion) -> Void)?

    /// A state and what it was computed from.
    struct Found {
        var state: State
        /// Where the computation began; nil for the state before the first entry.
        let snapshot: JournalSnapshot?
        /// Why newer snapshots can't be read.
        var passed: [JournalError]
        /// Whether present reducers may have made the snapshot, and what was found out about it.
        var origin = SnapshotOrigin.same
        /// The first entry after the snapshot.
        var first: CommitVersion { (snapshot?.version ?? 0) + 1 }
    }

    /// An install that was noted.
    private struct Install {
        let version: CommitVersion
        let shown: CommitVersion?
    }

    /// The state at a version that the journal has.
    ///
    /// - Parameters:
    ///   - last: The version.
    ///   - progress: Called with the last entry that was run or scanned.
    /// - Returns: The state.
    /// - Throws: ``JournalError``.
    func state(
        at last: CommitVersion, progress: @Sendable (CommitVersion) -> Void = { _ in }
    ) async throws(JournalError) -> Found {
        let found =
            trustsSnapshots
            ? try await newestState(at: last) : try await beginning(at: last, progress)
        return try await run(found, to: last, progress: progress)
    }

    /// Runs the entries after a state.
    func run(
        _ found: Found, to last: CommitVersion,
        progress: @Sendable (CommitVersion) -> Void = { _ in }
    ) async throws(JournalError) -> Found {
        var found = found
        let start = found.state
        var next = found.first
        begins?(next - 1)
        while next <= last {
            let page = try await page(from: next, to: last, found)
            let end = page[page.count - 1].version
            guard page.contains(where: { $0.kind == .install }) else {
                // In parts, so that slow reducers show progress, too.
                for start in stride(from: 0, to: page.count, by: 128) {
                    let part = page[start..<min(start + 128, page.count)]
                    try run(part, on: &found.state)
                    progress(part[part.endIndex - 1].version)
                }
                next = end + 1
                continue
            }
            let installs = try await installs(from: next, to: last, found, progress)
            found.state = try await state(
                at: last, behind: installs, from: start, known: (next - 1, found.state), found)
            break
        }
        return found
    }

    /// The versions of all installs, and what they refer to.
    private func installs(
        from first: CommitVersion, to last: CommitVersion, _ found: Found,
        _ progress: @Sendable (CommitVersion) -> Void
    ) async throws(JournalError) -> [Install] {
        var installs: [Install] = []
        var next = first
        while next <= last {
            let page = try await page(from: next, to: last, found)
            for entry in page where entry.kind == .install {
                installs.append(
                    Install(version: entry.version, shown: try codec.states.shown(by: entry)))
            }
            next = page[page.count - 1].version + 1
            progress(next - 1)
        }
        return installs
    }

    /// The state at a version, computed from the stretches of the journal that lead there.
    private func state(
        at last: CommitVersion, behind installs: [Install], from start: State,
        known: (version: CommitVersion, state: State), _ found: Found
    ) async throws(JournalError) -> State {
        // Each with its install, or the version that is shown again, and its end; last to first.
        var stretches: [(install: CommitVersion, end: CommitVersion)] = []
        var end = last
        var rest = installs[...]
        var hasState = false
        while let install = rest.last, !hasState {
            rest.removeLast()
            guard install.version <= end else { continue }
            stretches.append((install.version, end))
            if let shown = install.shown { end = shown } else { hasState = true }
        }
        var state = known.state
        if hasState, let first = stretches.last {
            let entry = try await page(from: first.install, to: first.install, found)[0]
            state = try await codec.states.state(of: entry, in: journal)
        } else if end >= known.version {
            try await run(from: known.version + 1, to: end, on: &state, found)
        } else if end + 1 >= found.first {
            state = start
            try await run(from: found.first, to: end, on: &state, found)
        } else {
            var fold = self
            fold.trustsSnapshots = true
            state = try await fold.state(at: end).state
        }
        for stretch in stretches.reversed() {
            try await run(from: stretch.install + 1, to: stretch.end, on: &state, found)
        }
        return state
    }

    // MARK: Running

    private func run(
        from first: CommitVersion, to last: CommitVersion, on state: inout State, _ found: Found
    ) async throws(JournalError) {
        var next = first
        while next <= last {
            let page = try await page(from: next, to: last, found)
            try run(page, on: &state)
            next = page[page.count - 1].version + 1
        }
    }

    private func run(
        _ entries: some Sequence<JournalEntry>, on state: inout State
    ) throws(JournalError) {
        if begins != nil, let newer = entries.first(where: codec.actions.isNewer) {
            throw codec.actions.newer(newer)
        }
        var refused: [CommitVersion: RowKey?] = [:]
        if let mark {
            let entries = try left(of: entries, by: mark)
            try mark.noting { note throws(JournalError) in
                // Each is noted when it is taken out of the sequence: before it is decoded, and before it is run.
                let noted = entries.lazy.map { entry in
                    note?.begin(entry.version)
                    return entry
                }
                let decoded = try codec.actions.decode(noted, whenUnreadable: whenUnreadable)
                let run = decoded.lazy.map { entry in
                    note?.begin(entry.version)
                    return entry
                }
                refused = reduce(run, on: &state)
            }
        } else {
            let decoded = try codec.actions.decode(entries, whenUnreadable: whenUnreadable)
            refused = reduce(decoded, on: &state)
        }
        guard !refused.isEmpty else { return }
        for entry in entries {
            guard let sharedRow = refused[entry.version] else { continue }
            let error =
                sharedRow.map { codec.actions.ambiguous(entry, $0) }
                ?? codec.actions.unhandled(entry)
            guard case .quarantine(let report) = whenUnreadable else { throw error }
            report(QuarantinedEntry(entry, because: error, codec.actions.format))
        }
    }

    /// The entries but for those that aren't run.
    private func left(
        of entries: some Sequence<JournalEntry>, by mark: ReplayMark
    ) throws(JournalError) -> [JournalEntry] {
        var left: [JournalEntry] = []
        for entry in entries {
            guard mark.passes(entry) else {
                left.append(entry)
                continue
            }
            guard case .quarantine(let report) = whenUnreadable else { throw .fatal(entry) }
            report(QuarantinedEntry(entry, because: .fatal(entry), codec.actions.format))
        }
        return left
    }

    /// Runs entries.
    ///
    /// - Returns: The versions of those that no feature handles, and of those with an ambiguous row,
    ///   with that row.
    private func reduce(
        _ entries: some Sequence<LogEntry>, on state: inout State
    ) -> [CommitVersion: RowKey?] {
        var refused: [CommitVersion: RowKey?] = [:]
        state = store.log.replay(entries, from: state) { entry, sharedRow in
            onRefusal(entry.version)
            // A row may be gone; its feature existed when the entry was recorded.
            if sharedRow != nil || !store.handles(type(of: entry.action), at: entry.address) {
                refused[entry.version] = .some(sharedRow)
            }
        }
        return refused
    }

    /// The next entries, at least one.
    private func page(
        from next: CommitVersion, to last: CommitVersion, _ found: Found
    ) async throws(JournalError) -> [JournalEntry] {
        let page: [JournalEntry]
        do {
            page = try await journal.entries(from: next, limit: Int(min(last - next + 1, 1_024)))
        } catch  where error.code == .truncated {
            throw found.passed.first ?? error
        }
        guard let end = page.last, end.version >= next, end.version <= last else {
            throw JournalError(
                .storage, version: next,
                "The journal says that its last version is \(last), but has no entry \(next).")
        }
        return page
    }

    /// The newest snapshot that can be read and its state, and why newer ones can't be.
    func newestState(at version: CommitVersion) async throws(JournalError) -> Found {
        var passed: [JournalError] = []
        var version = version
        while let snapshot = try await journal.snapshot(at: version) {
            if begins != nil, snapshot.schema > schemaVersion(of: State.self) {
                throw codec.states.newer(snapshot)
            }
            do {
                return Found(
                    state: try codec.states.decode(snapshot), snapshot: snapshot, passed: passed)
            } catch {
                passed.append(error)
            }
            // A journal that does not go further back would loop forever.
            guard snapshot.version > 0, snapshot.version <= version else { break }
            version = snapshot.version - 1
        }
        return Found(state: initial, snapshot: nil, passed: passed)
    }
}
