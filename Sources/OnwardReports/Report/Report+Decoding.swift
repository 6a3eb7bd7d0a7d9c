// SPDX-License-Identifier: MIT

internal import Onward
public import OnwardJournal

/// A state that a recording has in the middle, as an action that a fold runs like any other.
///
/// It stands where a history installed a state, and where commits are missing.
struct Reinstalled<State: Sendable>: Action {
    static var actionName: String { "Onward.Reinstalled" }

    let state: State
    /// The commits that led to it; nil where a gate installed it.
    let missing: MissingCommits?
    let entryName: String
    /// See `JournalEntry.isWrittenByRecorder`.
    let isWrittenByRecorder: Bool
}

extension Store where State: Codable {
    /// A store with a feature that only folds: none of its effects starts.
    ///
    /// It also runs what ``Report/decoded(by:_:)`` makes of installed states.
    static func folding(_ feature: some Part<State>, from state: State) -> Store {
        Store(replaying: state, options: StoreOptions()) {
            feature
            Reduce { (state: inout State, entry: Reinstalled<State>) in state = entry.state }
        }
    }
}

extension JournalEntry {
    /// The entry of missing commits, with the state after the last of them.
    init(_ missing: MissingCommits, _ state: JournalSnapshot, _ time: Timestamp?) {
        let value = try? DataFormat.cbor.value(of: state.payload, limits: StateLimits.values)
        self.init(
            version: missing.last, id: EntryID(high: 0, low: missing.last), kind: .install,
            name: MissingCommits.entryName, schema: state.schema,
            payload: DataFormat.cbor.bytes(
                of: ["missing": missing.value, "state": value ?? .null]), time: time)
    }

    /// Whether an install was written as a journal has it, not as a session has a travel: as an
    /// object with the state.
    package var isWrittenByRecorder: Bool { kind == .install && name.hasPrefix("Recording/") }

    /// The state that an install of a report has, as a snapshot; nil where it can't be read.
    fileprivate func installed(by fingerprint: FeatureFingerprint) -> JournalSnapshot? {
        var state = payload
        if isWrittenByRecorder {
            guard let value = try? DataFormat.cbor.value(of: payload, limits: StateLimits.values),
                let inner = value["state"]
            else { return nil }
            state = DataFormat.cbor.bytes(of: inner)
        }
        return JournalSnapshot(
            version: version, schema: schema, fingerprint: fingerprint, payload: state)
    }
}

extension Report {
    /// The commits that came too fast to be kept, in order: each is an entry with the state after
    /// them.
    ///
    /// - Complexity: O(size of the entries that stand for them).
    public var gaps: [MissingCommits] { entries.compactMap(\.missing) }

    /// The state before the first entry, and the entries, decoded by features.
    ///
    /// - Parameters:
    ///   - store: A store with the features, as ``Store/folding(_:from:)`` makes it; its own state
    ///     is not touched.
    ///   - migrations: Migrations of what older features recorded to the present schema versions.
    /// - Returns: The state, and the entries in order; a state that was installed is a
    ///   ``Reinstalled``.
    /// - Throws: ``ReportError/Code/unreadable``, which names the entry but nothing of its payload.
    /// - Complexity: O(size of the report).
    func decoded<State: Codable & Sendable>(
        by store: Store<State>, _ migrations: Migrations = Migrations()
    ) throws(ReportError) -> (start: State, entries: [LogEntry]) {
        let states = StateCodec<State>(migrations: migrations)
        let state = try states.start(of: self)
        let actions = ActionCodec(for: store.log.actions, migrations: migrations)
        var decoded: [LogEntry] = []
        decoded.reserveCapacity(entries.count)
        for entry in entries { decoded += try self.decoded(entry, actions, states) }
        return (state, decoded)
    }

    /// One of its entries; several where a migration makes several of it, none where nothing is
    /// left to fold.
    func decoded<State>(
        _ entry: JournalEntry, _ actions: ActionCodec, _ states: StateCodec<State>
    ) throws(ReportError) -> [LogEntry] {
        do {
            if entry.hasAction { return try actions.decode(entry) }
            guard entry.kind == .install else { return [] }
            guard let snapshot = entry.installed(by: fingerprint) else {
                throw JournalError(.unreadable, "The state can't be read.")
            }
            let installed = Reinstalled(
                state: try states.decode(snapshot), missing: entry.missing, entryName: entry.name,
                isWrittenByRecorder: entry.isWrittenByRecorder)
            return [
                LogEntry(
                    version: entry.version, action: installed, parent: entry.parent,
                    origin: entry.origin, time: entry.time)
            ]
        } catch {
            throw ReportError(
                .unreadable,
                """
                Entry \(entry.version), \(entry.name), can't be decoded by these features. Open the report \
                with the features that recorded it (\(fingerprint)), or give the migrations.
                """)
        }
    }
}

extension StateCodec {
    /// The state that a report begins with.
    func start(of report: Report) throws(ReportError) -> State {
        do {
            return try decode(report.start)
        } catch {
            throw ReportError(
                .unreadable,
                """
                The state at version \(report.start.version) is no \(State.self) of this program. Open the \
                report with the features that recorded it (\(report.fingerprint)), or give the migrations. \
                \(error)
                """)
        }
    }
}

/// A part of a log in which nothing is missing: a state, and the entries after it.
struct Stretch<State: Sendable> {
    let start: State
    var entries: [LogEntry] = []

    /// The parts of a log that ``Report/decoded(by:_:)`` returned, in order.
    static func all(_ start: State, _ entries: [LogEntry]) -> [Stretch] {
        var stretches = [Stretch(start: start)]
        for entry in entries {
            if let installed = entry.action as? Reinstalled<State> {
                stretches.append(Stretch(start: installed.state))
            } else {
                stretches[stretches.count - 1].entries.append(entry)
            }
        }
        return stretches
    }
}
