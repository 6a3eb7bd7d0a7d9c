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
    let journal: any Journal
    let initial: State
    let store: Store<State>
    let codec: JournalCodec<State>
    let whenUnreadable: UnreadableEntryPolicy

    /// A state and what it was computed from.
    struct Found {
        var state: State
        /// Where the computation began; nil for the state before the first entry.
        let snapshot: JournalSnapshot?
        /// Why newer snapshots can't be read.
        let passed: [JournalError]
        /// The first entry after the snapshot.
        var first: Version { (snapshot?.version ?? 0) + 1 }
    }

    /// An install that was noted.
    private struct Install {
        let version: Version
        let shown: Version?
    }

    /// The state at a version that the journal has.
    ///
    /// - Parameters:
    ///   - last: The version.
    ///   - progress: Called with the last entry that was run or scanned.
    /// - Returns: The state.
    /// - Throws: ``JournalError``.
    func state(
        at last: Version, progress: @Sendable (Version) -> Void = { _ in }
    ) async throws(JournalError) -> Found {
        var found = try await newestState(at: last)
        let start = found.state
        var next = found.first
        while next <= last {
            let page = try await page(from: next, to: last, found)
            let end = page[page.count - 1].version
            guard page.contains(where: { $0.kind == .install }) else {
                try run(page, on: &found.state)
                next = end + 1
                progress(end)
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
        from first: Version, to last: Version, _ found: Found,
        _ progress: @Sendable (Version) -> Void
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
        at last: Version, behind installs: [Install], from start: State,
        known: (version: Version, state: State), _ found: Found
    ) async throws(JournalError) -> State {
        // Each with its install, or the version that is shown again, and its end; last to first.
        var stretches: [(install: Version, end: Version)] = []
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
            state = try await self.state(at: end).state
        }
        for stretch in stretches.reversed() {
            try await run(from: stretch.install + 1, to: stretch.end, on: &state, found)
        }
        return state
    }

    // MARK: Running

    private func run(
        from first: Version, to last: Version, on state: inout State, _ found: Found
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
        let decoded = try codec.actions.decode(entries, whenUnreadable: whenUnreadable)
        guard !decoded.isEmpty else { return }
        var unhandled: Set<Version> = []
        state = store.log.replay(decoded, from: state) { entry in
            // A row may be gone; its feature existed when the entry was recorded.
            if !store.handles(type(of: entry.action), at: entry.address) {
                unhandled.insert(entry.version)
            }
        }
        guard !unhandled.isEmpty else { return }
        for entry in entries where unhandled.contains(entry.version) {
            let error = codec.actions.unhandled(entry)
            guard case .quarantine(let report) = whenUnreadable else { throw error }
            report(QuarantinedEntry(entry, because: error, codec.actions.format))
        }
    }

    /// The next entries, at least one.
    private func page(
        from next: Version, to last: Version, _ found: Found
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
    private func newestState(at version: Version) async throws(JournalError) -> Found {
        var passed: [JournalError] = []
        var version = version
        while let snapshot = try await journal.snapshot(at: version) {
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
