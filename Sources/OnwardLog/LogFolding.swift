// SPDX-License-Identifier: MIT
#if All

public import Onward
public import OnwardJournal

/// The types of an app, for computing states from its log.
public struct LogFolding: Sendable {
    /// The state at a version.
    let state:
        @Sendable (
            any ReadableJournal, CommitVersion, @Sendable (CommitVersion, CommitVersion) -> Void
        ) async throws(JournalError) -> DataValue
    /// Runs entries from one version to another and hands over the state after each.
    let steps:
        @Sendable (any ReadableJournal, @Sendable (JournalEntry, DataValue) -> Void)
            async throws(JournalError)
            -> Void

    /// Creates the types of a store.
    ///
    /// - Parameters:
    ///   - initial: The state before the first entry.
    ///   - options: The format, migrations and handling of entries that can't be read, as in the
    ///     store.
    ///   - features: The features of the store; only their reducers run.
    public init<State: Codable & Sendable>(
        _ initial: State, options: PersistenceOptions<State> = PersistenceOptions(),
        @FeatureBuilder<State> _ features: @escaping @Sendable () -> [any Part<State>]
    ) {
        @Sendable func make(_ journal: any ReadableJournal) -> (Store<State>, JournalCodec<State>) {
            let store = Store(replaying: initial, options: StoreOptions(), features)
            let codec = JournalCodec(
                for: store, format: journal is ReportJournal ? .cbor : options.format,
                migrations: options.migrations,
                revision: options.revision, whenUnreadable: options.whenUnreadable)
            return (store, codec)
        }
        @Sendable func value(_ state: State, at version: CommitVersion) throws(JournalError)
            -> DataValue
        {
            do {
                return try DataValue(encoding: state)
            } catch {
                throw JournalError(
                    .invalid, version: version,
                    "The state after \(version) can't be encoded: \(error)")
            }
        }
        state = { (journal, version, progress) async throws(JournalError) in
            let (store, codec) = make(journal)
            let found = try await Replay.state(
                of: journal, startingWith: initial, by: store, codec, at: version,
                progress: progress)
            return try value(found.state, at: version)
        }
        steps = { (journal, handle) async throws(JournalError) in
            let (store, codec) = make(journal)
            let first = try await journal.firstVersion()
            let last = try await journal.lastVersion()
            var state = try await Replay.state(
                of: journal, startingWith: initial, by: store, codec, at: first - 1
            ).state
            var kept = ShownStates<State>(
                try await Self.lastUses(in: journal, from: first, to: last, codec))
            kept.keep(state, at: first - 1)
            var next = first
            while next <= last {
                let page = try await journal.entries(from: next, limit: 256)
                guard let end = page.last else { break }
                for entry in page {
                    if entry.kind != .install {
                        let entries = try codec.actions.decode(
                            [entry], whenUnreadable: codec.whenUnreadable)
                        state = store.log.replay(entries, from: state)
                    } else if let shown = try codec.states.shown(by: entry) {
                        if let known = kept.take(shown, by: entry.version) {
                            state = known
                        } else {
                            state = try await Replay.state(
                                of: journal, startingWith: initial, by: store, codec, at: shown
                            ).state
                        }
                    } else {
                        state = try await codec.states.state(of: entry, in: journal)
                    }
                    kept.keep(state, at: entry.version)
                    handle(entry, try value(state, at: entry.version))
                }
                next = end.version + 1
            }
        }
    }

    /// The versions that are shown again, and the last install that does so.
    private static func lastUses(
        in journal: any ReadableJournal, from first: CommitVersion, to last: CommitVersion,
        _ codec: JournalCodec<some Codable & Sendable>
    ) async throws(JournalError) -> [CommitVersion: CommitVersion] {
        var uses: [CommitVersion: CommitVersion] = [:]
        var next = first
        while next <= last {
            let page = try await journal.entries(from: next, limit: 1_024)
            guard let end = page.last else { break }
            for entry in page where entry.kind == .install {
                if let shown = try codec.states.shown(by: entry) { uses[shown] = entry.version }
            }
            next = end.version + 1
        }
        return uses
    }
}

/// The states of versions that are shown again later, for as long as they are; others are
/// recomputed.
private struct ShownStates<State> {
    private static var limit: Int { 256 }

    private let lastUses: [CommitVersion: CommitVersion]
    private var states: [CommitVersion: State] = [:]

    init(_ lastUses: [CommitVersion: CommitVersion]) { self.lastUses = lastUses }

    mutating func keep(_ state: State, at version: CommitVersion) {
        if lastUses[version] != nil, states.count < Self.limit { states[version] = state }
    }

    /// The state of a version, if it is kept.
    mutating func take(_ version: CommitVersion, by install: CommitVersion) -> State? {
        lastUses[version] == install ? states.removeValue(forKey: version) : states[version]
    }
}
#endif
