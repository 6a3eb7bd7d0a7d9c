// SPDX-License-Identifier: MIT

public import Onward

/// Writes the log of a running store to a journal.
///
/// ```swift
/// let codec = JournalCodec(for: store)
/// let recorder = try await JournalRecorder(of: store, into: journal, codec)
/// store.dispatch(BankAction.deposit(5))     // returns before it is written
/// try await recorder.flush()                // returns after
/// ```
///
/// A dispatch never waits for the journal: a task writes what was committed, in order, each entry
/// once, in batches when entries arrive quickly. The queue between them has a limit; when it is
/// full, or the journal fails permanently, the recording ends with a ``JournalError`` and the store
/// continues. The journal then has the beginning of the log, without a gap. A caller that must not
/// outrun the journal awaits ``flush()``.
///
/// Each commit is an entry: an action that was accepted, or a state that a ``History`` or another
/// gate has installed. So the journal leads to what the store showed, at every version. An
/// installed state is written as a reference to the version whose state it is, if the journal has
/// that; otherwise as a difference from the last state that was written in full, or in full. What a
/// history withholds is no commit, and exists in the history only.
///
/// Recording starts with a snapshot that identifies the recording features, and more are stored now
/// and then. The recorder uses a public extension point of the store, as an observer. Shut down the
/// store first, then ``stop()`` the recorder.
///
/// To replace the features of a store, stop its recorder first, then start a new one whose codec
/// knows the new actions: a codec belongs to the features from which it was made.
public final class JournalRecorder<State: Codable & Sendable>: Sendable {
    private let core: RecordingCore<State>
    private let token: Subscription

    /// Starts recording a store.
    ///
    /// - Parameters:
    ///   - store: The store of a whole app.
    ///   - journal: Where the log is kept.
    ///   - codec: How the log is written.
    ///   - version: The last entry that the store's state includes: the ``ReplayedState/version``
    ///     of the state that the store was made from, or 0.
    ///   - options: Limits, and what happens when something goes wrong.
    /// - Throws: ``JournalError/Code/conflict`` if the journal has another last version; what the
    ///   journal throws.
    public convenience init(
        of store: Store<State>, into journal: some Journal, _ codec: JournalCodec<State>,
        after version: Version = 0, options: RecordingOptions = RecordingOptions()
    ) async throws(JournalError) {
        try await self.init(
            of: store, into: journal, codec, .behind(version), options: options)
    }

    /// Starts recording a store.
    init(
        of store: Store<State>, into journal: some Journal, _ codec: JournalCodec<State>,
        _ beginning: RecordingBeginning, options: RecordingOptions
    ) async throws(JournalError) {
        core = RecordingCore(store, journal, codec, options)
        token = store.log.attach(core)
        do {
            try await core.begin(beginning, of: store.log.snapshot)
        } catch {
            token.cancel()
            throw error
        }
    }

    deinit { token.cancel() }

    /// How far the recording has come; may be read from any thread.
    public var status: RecordingStatus { core.status }

    /// Returns once everything that was committed before the call is in the journal.
    ///
    /// - Throws: Why the recording ended, if it ended before that; ``JournalError/Code/closed`` if
    ///   the calling task is cancelled.
    public func flush() async throws(JournalError) { try await core.flush() }

    /// Writes what was committed, and ends the recording; a second call does nothing.
    ///
    /// - Throws: Why the recording had already ended.
    public func stop() async throws(JournalError) {
        defer { core.end() }
        if core.status.failure?.code == .closed { return }
        try await core.flush()
        await token.cancelAndWait()
        try await core.flush(resting: true)
    }
}

/// The shell around a ``RecordingMachine``.
///
/// The store holds it, so it does not hold the store.
private final class RecordingCore<State: Codable & Sendable>: CommitObserver {
    private weak let store: Store<State>?
    private let journal: any Journal
    private let codec: JournalCodec<State>
    private let options: RecordingOptions
    /// The store's clock.
    private let wallClock: @Sendable () -> Timestamp
    private let machine: Guarded<RecordingMachine>
    /// Used by the writing task, of which there is one at a time.
    private let map = Guarded(VersionMap())
    /// The last state that was written in full; used like the map.
    private let base = Guarded<InstallBase?>(nil)
    /// Where the journal ends, as far as this recorder knows; used like the map.
    private let tail = Guarded(JournalPosition.start)
    /// The first half of the ids in this recording.
    private let run = EntryID().high

    init(
        _ store: Store<State>, _ journal: some Journal, _ codec: JournalCodec<State>,
        _ options: RecordingOptions
    ) {
        self.store = store
        self.journal = journal
        self.codec = codec
        self.options = options
        wallClock = store.engine.options.wallClock
        machine = Guarded(
            RecordingMachine(
                queueLimit: options.queueLimit, spacing: options.snapshotSpacing,
                isPartial: options.others == .appendBehindThem || options.recorded != nil))
    }

    var status: RecordingStatus { machine.withValue { $0.status } }

    func begin(
        _ beginning: RecordingBeginning, of snapshot: (state: State, version: Version)
    ) async throws(JournalError) {
        var end = try await journal.lastPosition()
        if let version = beginning.version, end.version != version {
            throw .conflict(expected: JournalPosition(version: version, id: end.id), true: end)
        }
        if let name = beginning.name(ofInstalling: snapshot.version) {
            end = try await install(snapshot.state, as: name, behind: end)
        }
        let last = end.version
        tail.withValue { $0 = end }
        let newest = try await journal.snapshot(at: last)
        if newest?.fingerprint != codec.fingerprint {
            try await journal.store(
                codec.states.encode(snapshot.state, at: last, by: codec.fingerprint))
        }
        let (mustWrite, dropped) = machine.withValue { machine in
            machine.begin(after: snapshot.version, at: last)
        }
        withExtendedLifetime(dropped) {}
        if mustWrite { startWriting() }
    }

    /// Makes the journal lead to a state, whatever it led to before.
    private func install(
        _ state: State, as name: String, behind end: JournalPosition
    ) async throws(JournalError) -> JournalPosition {
        let entry = try codec.states.entry(
            installing: .state(codec.states.value(of: state, at: end.version + 1)),
            as: end.version + 1, id: EntryID(high: run, low: 0), name: name, time: wallClock())
        try await journal.append([entry], after: end)
        return entry.position
    }

    func end() {
        _ = notify { $0.fail(JournalError(.closed, "The recorder was stopped.")) }
    }

    // MARK: Commits

    var needs: ObserverNeeds { .time }

    func observe(_ commit: Commit<State>) {
        if commit.entry.kind == .travel {
            recordTravel(commit)
        } else if let recorded = options.recorded {
            let entry = commit.entry
            guard let action = recorded(entry.action) else {
                return notify { $0.skip(entry.version) }
            }
            record(
                Entry(
                    version: entry.version, action: action, address: entry.address,
                    parent: entry.parent, origin: entry.origin, time: entry.time))
        } else {
            record(commit.entry)
        }
    }

    /// A separate function, since the state's type is looked up whenever it is called.
    @inline(never)
    private func recordTravel(_ commit: Commit<State>) {
        record(commit.entry, installing: commit.after.map(Kept.init))
    }

    private func record(_ entry: Entry, installing installed: RecordingMachine.KeptState? = nil) {
        let step = machine.withValue { $0.take(entry, installed: installed) }
        if step.startsWriting { startWriting() }
        if let failure = step.failure {
            options.report(failure)
            notify { _ in () }
        }
        if step.wantsState { offerState() }
    }

    @inline(never)
    private func offerState() {
        guard let snapshot = store?.log.snapshot else { return }
        let state = Kept(snapshot.state)
        machine.withValue { $0.offer(state, at: snapshot.version) }
    }

    // MARK: Waiting

    // `isResting` also waits for the writer to end; no more commits arrive then.
    func flush(resting isResting: Bool = false) async throws(JournalError) {
        let target = isResting ? nil : store?.version
        let id = machine.withValue { $0.nextWaiter() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let early = machine.withValue { machine in
                    let waiter = RecordingMachine.Waiter(
                        target: target ?? machine.observed, wantsRest: isResting,
                        continuation: continuation)
                    return machine.wait(waiter, id)
                }
                if let early { continuation.resume(returning: early) }
            }
        } onCancel: {
            machine.withValue { $0.cancelWaiter(id) }?.continuation
                .resume(returning: RecordingMachine.wasCancelled)
        }
        machine.withValue { $0.forgetWaiter(id) }
        if let outcome { throw outcome }
    }

    /// Changes the machine, and resumes the tasks that no longer have to wait.
    private func notify<Result>(_ change: (inout RecordingMachine) -> Result) -> Result {
        let (result, ready) = machine.withValue { machine in
            (change(&machine), machine.takeWaiters())
        }
        for (waiter, outcome) in ready { waiter.continuation.resume(returning: outcome) }
        return result
    }

    // MARK: Writing

    private func startWriting() {
        Task { await write() }
    }

    private func write() async {
        var batch: [RecordingMachine.Item] = []
        while notify({ $0.nextBatch(&batch) }) {
            do {
                try await append(batch)
            } catch {
                _ = notify { $0.fail(error) }
                options.report(error)
                return
            }
            batch.removeAll(keepingCapacity: true)
            await storeSnapshot()
        }
    }

    /// Writes entries, up to the first one that can't be written.
    private func append(_ batch: [RecordingMachine.Item]) async throws(JournalError) {
        var entries: [JournalEntry] = []
        entries.reserveCapacity(batch.count)
        var map = map.withValue { $0 }
        var failure: JournalError?
        let position = machine.withValue { $0.position }
        for (offset, item) in batch.enumerated() {
            let version = position + 1 + Version(offset)
            map.note(item.entry.version, at: version)
            do {
                entries.append(try encode(item, as: version, map))
            } catch {
                failure = error
                break
            }
        }
        if !entries.isEmpty {
            try await append(entries, of: batch.map(\.entry.version), map, after: position)
        }
        if let failure { throw failure }
    }

    private func encode(
        _ item: RecordingMachine.Item, as version: Version, _ map: VersionMap
    ) throws(JournalError) -> JournalEntry {
        let entry = item.entry
        let (id, parent) = (
            EntryID(high: run, low: entry.version), entry.parent.flatMap(map.place)
        )
        guard let travel = entry.action as? Travel, entry.kind == .travel else {
            return try codec.actions.encode(entry, as: version, parent: parent, id: id)
        }
        return try codec.states.entry(
            installing: try installed(item, by: travel, as: version, map), as: version, id: id,
            name: travel.wireName, parent: parent, origin: entry.origin, time: entry.time)
    }

    /// Decides how an installed state is written.
    private func installed(
        _ item: RecordingMachine.Item, by travel: Travel, as version: Version,
        _ map: VersionMap
    ) throws(JournalError) -> InstalledState {
        guard let state = (item.installed as? Kept<State>)?.state else {
            guard let shown = travel.shown, let place = place(ofState: shown, map) else {
                throw JournalError(
                    .invalid, version: version,
                    "The state that commit \(item.entry.version) has installed is not known.")
            }
            return .shown(place)
        }
        let value = try codec.states.value(of: state, at: version)
        let isShared = options.others == .appendBehindThem
        if !isShared, let base = base.withValue({ $0 }), base.commit > item.floor,
            let installed = base.installing(value)
        {
            return installed
        }
        base.withValue {
            $0 = InstallBase(commit: item.entry.version, place: version, state: value)
        }
        return .state(value)
    }

    /// Where the journal has the state of one of the store's versions.
    private func place(ofState shown: Version, _ map: VersionMap) -> Version? {
        let (start, position) = machine.withValue { ($0.start, $0.startPosition) }
        return shown == start ? position : map.place(of: shown)
    }

    private func append(
        _ entries: [JournalEntry], of batch: [Version], _ map: VersionMap, after position: Version
    ) async throws(JournalError) {
        var map = map
        let shift = try await append(entries, after: position)
        if shift > 0 {
            map = self.map.withValue { $0 }
            for (version, written) in zip(batch, entries) {
                map.note(version, at: written.version + shift)
            }
        }
        self.map.withValue { $0 = map }
        let end = position + Version(entries.count) + shift
        let last = entries.count - 1
        notify { $0.finish(batch[last], at: end, isEnd: last == batch.count - 1) }
    }

    /// Appends entries, after those of others if necessary.
    ///
    /// - Returns: How many entries of others came in between.
    private func append(
        _ wanted: [JournalEntry], after position: Version
    ) async throws(JournalError) -> Version {
        var entries = wanted
        var shift: Version = 0
        var tries = 0
        var pause = options.retryPause
        while true {
            do {
                try await journal.append(entries, after: tail.withValue { $0 })
                if let last = entries.last { tail.withValue { $0 = last.position } }
                return shift
            } catch {
                switch error.code {
                case .conflict where tries > 0:
                    // An earlier attempt that seemed to fail may have succeeded.
                    guard let found = await found(entries.count, after: position + shift) else {
                        guard tries < options.retries else { throw error }
                        tries += 1
                        try? await options.clock.sleep(for: pause)
                        continue
                    }
                    if found == entries {
                        if let last = entries.last { tail.withValue { $0 = last.position } }
                        return shift
                    }
                    fallthrough
                case .conflict:
                    guard options.others == .appendBehindThem else { throw error }
                    guard let end = try? await journal.lastPosition() else {
                        guard tries < options.retries else { throw error }
                        tries += 1
                        try? await options.clock.sleep(for: pause)
                        continue
                    }
                    guard end.version > position + shift,
                        end.version <= .max - Version(wanted.count)
                    else { throw error }
                    let last = end.version
                    tail.withValue { $0 = end }
                    options.report(error)
                    _ = machine.withValue { $0.noteOthers() }
                    shift = last - position
                    entries = wanted.map { $0.moved(by: shift, ifAfter: position) }
                case .storage where tries < options.retries:
                    options.report(error)
                    tries += 1
                    try? await options.clock.sleep(for: pause)
                    pause = min(pause * 2, max(pause, .seconds(60)))
                default: throw error
                }
            }
        }
    }

    /// The entries after a position; nil if they cannot be read.
    private func found(_ count: Int, after position: Version) async -> [JournalEntry]? {
        try? await journal.entries(from: position + 1, limit: count)
    }

    private func storeSnapshot() async {
        guard let next = machine.withValue({ $0.takeState() }),
            let state = (next.state as? Kept<State>)?.state,
            let place = map.withValue({ $0.last(upTo: next.version) })
        else { return }
        do {
            try await journal.store(
                codec.states.encode(state, at: place, by: codec.fingerprint))
        } catch {
            // The log is complete without it, and a later one will do.
            options.report(error)
        }
    }
}

/// A state that the machine keeps without knowing its type.
private final class Kept<State: Sendable>: Sendable {
    let state: State

    init(_ state: State) { self.state = state }
}

/// The state from which others are written as differences.
private struct InstallBase: Sendable {
    /// The commit that installed it, and its place in the journal.
    let commit: Version
    let place: Version
    let state: DataValue
    private let size: Int

    init(commit: Version, place: Version, state: DataValue) {
        self.commit = commit
        self.place = place
        self.state = state
        size = state.size
    }

    /// Another state as a difference, unless too much differs for that to be useful.
    func installing(_ other: DataValue) -> InstalledState? {
        guard let difference = DataDifference(from: state, to: other) else { return .shown(place) }
        guard difference.size < size / 2 else { return nil }
        return .difference(difference, base: place)
    }
}

extension JournalEntry {
    /// The entry at its later position, with its parent moved too if that is among those that move.
    fileprivate func moved(by shift: Version, ifAfter position: Version) -> JournalEntry {
        moved(
            to: version + shift, parent: parent.map { $0 > position ? $0 + shift : $0 })
    }
}
