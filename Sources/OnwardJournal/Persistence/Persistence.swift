// SPDX-License-Identifier: MIT

public import Onward

/// A store that continues where it left off, restored from a journal that keeps its log.
///
/// ```swift
/// let journal = try await SQLiteJournal(at: path)
/// let app = try await Persistence(of: Shop(), in: journal) { Scope(\.basket, basket) }
/// app.store.dispatch(BasketAction.add("pear"))          // returns before it is written
/// try await app.dispatch(BasketAction.add("fig"))       // returns once it is
/// ```
///
/// Restoring loads the newest readable snapshot and runs the entries after it through the reducers;
/// no middleware runs and no effect starts. A snapshot that other reducers made is not mixed with
/// what the present ones do: the entries before it are run again, or, if they are gone,
/// ``ReplayedState/featureChange`` says so. Then the store is made with that state, which starts
/// what its `While` parts require, and its log is recorded from there on.
///
/// If the journal fails, because it is full or the disk has failed, the store continues in memory.
/// The error is reported with the last version that is known to be stored, and awaited dispatches
/// throw it. With ``PersistenceOptions/Failure/resume`` the whole state is stored as one entry as
/// soon as the journal accepts writes again: what was dispatched in the meantime is part of that
/// state, without entries of its own.
public final class Persistence<State: Codable & Sendable>: Sendable {
    /// The store.
    public let store: Store<State>
    /// The state that the store began with, and how it was restored.
    public let restored: ReplayedState<State>
    /// Where the log is kept.
    package let journal: any Journal
    let recorder: JournalRecorder<State>
    private let isSuspended = Guarded(false)

    /// Restores a store and starts recording it.
    ///
    /// - Parameters:
    ///   - initial: The state before the first entry.
    ///   - journal: Where the log is kept; ``shutdown()`` closes it, and so does this where it throws.
    ///   - options: What is kept and what is reported.
    ///   - storeOptions: The options of the store.
    ///   - features: The features of the store; made twice, for the reducers that restore and for
    ///     the store.
    /// - Throws: ``JournalError/Code/unreadable``, naming an entry and what is missing to read it,
    ///   if a type is gone or a migration is missing; ``JournalError/Code/fatal``, naming an entry
    ///   in which two launches in succession ended; ``JournalError/Code/invalid`` for features with
    ///   rows whose ids aren't `Codable`, or with a scope whose key path has no lasting text, as no entry could
    ///   name them; ``JournalError/Code/newer`` for
    ///   what a newer version of the program has written, whatever the policy, and nothing is
    ///   changed; what the journal throws. With ``UnreadableEntryPolicy/quarantine(_:)``, unreadable
    ///   and fatal entries are reported and passed over.
    /// - Complexity: O(size of the state + entries after the newest snapshot).
    public init(
        of initial: State, in journal: some Journal,
        options: PersistenceOptions<State> = PersistenceOptions(),
        storeOptions: StoreOptions = StoreOptions(),
        @FeatureBuilder<State> _ features: @Sendable () -> [any Part<State>]
    ) async throws(JournalError) {
        // A journal that is only let go of is closed some time after the last call of it: who tries again, as with a
        // quarantine, would find it locked by this launch.
        do {
            let reducers = Store(replaying: initial, options: storeOptions, features)
            try reducers.checkNames()
            let codec = JournalCodec(
                for: reducers, format: options.format, migrations: options.migrations,
                revision: options.revision, whenUnreadable: options.whenUnreadable)
            let mark = await ReplayMark(for: journal)
            let progress = RestoringProgress(options.progress)
            let restored = try await Replay.state(
                of: journal, startingWith: initial, by: reducers, codec, marking: mark,
                begins: { progress.begin(after: $0) },
                progress: { progress.note($0, of: $1) })
            mark?.finish()
            self.restored = restored
            var state = restored.state
            options.reset(&state, to: initial)
            store = Store(state, options: storeOptions, features)
            let kept =
                RetainingJournal(
                    base: journal,
                    fold: options.recorded == nil
                        ? nil
                        : Self.snapshots(of: journal, startingWith: initial, by: reducers, codec),
                    retention: options.retention,
                    ages: options.retention.age.map {
                        EntryAges(
                            upTo: $0, storeOptions.wallClock, running: options.recording.clock,
                            report: options.recording.report)
                    })
            self.journal = kept
            // The next restoration runs later entries on the state as it was after the reset.
            let isReset =
                options.resets ? try codec.states.distinguishes(state, restored.state) : false
            let last = restored.version
            let beginning: RecordingBeginning =
                if let change = restored.featureChange, change.outcome == .replayed,
                    change.snapshot > 0
                {
                    .replaying(behind: last)
                } else if isReset {
                    .resetting(behind: last)
                } else {
                    .restored(behind: last)
                }
            var recording = options.recording
            recording.recorded = options.recorded
            recording.resumes = options.whenFailing == .resume
            recorder = try await JournalRecorder(
                of: store, into: kept,
                JournalCodec(
                    for: store, format: options.format, migrations: options.migrations,
                    revision: options.revision, whenUnreadable: options.whenUnreadable),
                beginning, options: recording)
            store.engine.attached(KeptRecorders.self).keep(recorder)
        } catch {
            await journal.close()
            throw error
        }
    }

    /// Makes snapshots of what the journal leads to, for a store that isn't recorded completely.
    private static func snapshots(
        of journal: some Journal, startingWith initial: State, by reducers: Store<State>,
        _ codec: JournalCodec<State>
    ) -> @Sendable (CommitVersion) async throws(JournalError) -> JournalSnapshot {
        { version throws(JournalError) in
            let found = try await Replay.state(
                of: journal, startingWith: initial, by: reducers, codec, at: version,
                trustingSnapshots: true)
            return try codec.states.encode(found.state, at: version, by: codec.fingerprint)
        }
    }

    /// How far the recording has come; may be read from any thread.
    public var status: RecordingStatus { recorder.status }

    /// Dispatches an action, and returns once the journal has it: from then on it is as durable as
    /// the journal promises.
    ///
    /// Callers that wait at the same time share one write.
    ///
    /// - Returns: What became of the action; one that was not accepted isn't recorded, so there is
    ///   nothing to wait for.
    /// - Throws: Why it could not be stored; the store has it nevertheless.
    @discardableResult
    public func dispatch(
        _ action: some Action, file: String = #fileID, line: Int = #line
    ) async throws(JournalError) -> DispatchResult {
        try await dispatch(action, to: .root, file: file, line: line)
    }

    /// Dispatches an action to an instance named by its address, and returns once it is stored.
    ///
    /// - Throws: Why it could not be stored; the store has it nevertheless.
    @discardableResult
    public func dispatch(
        _ action: some Action, to instance: Address, file: String = #fileID, line: Int = #line
    ) async throws(JournalError) -> DispatchResult {
        let result = store.dispatch(action, to: instance, file: file, line: line)
        if result.version != nil { try await flush() }
        return result
    }

    /// Dispatches an action to an instance, and returns once it is stored.
    ///
    /// Like the dispatch to an `Address`, but the compiler checks the address:
    /// `to: .row(\.trips, id: 1)`.
    ///
    /// - Throws: Why it could not be stored; the store has it nevertheless.
    @discardableResult
    public func dispatch(
        _ action: some Action, to path: AddressPath<State>, file: String = #fileID,
        line: Int = #line
    ) async throws(JournalError) -> DispatchResult {
        try await dispatch(action, to: path.address, file: file, line: line)
    }

    /// Returns once the journal has everything that was dispatched before the call.
    ///
    /// If the journal has failed, it is tried at once, whatever pause the recording is in; with
    /// ``PersistenceOptions/Failure/resume``, that stores the whole state.
    ///
    /// - Throws: Why it could not be stored, from an attempt that began after the call.
    public func flush() async throws(JournalError) { try await recorder.flush() }

    /// Writes what waits, and lets go of the journal's locks, before the system suspends the app.
    ///
    /// The store goes on in memory; what is dispatched is written after ``resume()``. Until then,
    /// ``flush()`` and awaited dispatches wait. A second call does nothing.
    ///
    /// - Throws: Why something could not be stored; the locks are let go of nevertheless.
    public func suspend() async throws(JournalError) {
        let wasSuspended = isSuspended.withValue { isSuspended in
            defer { isSuspended = true }
            return isSuspended
        }
        // What waits now would wait for the journal.
        if wasSuspended { return }
        var failure: JournalError?
        do {
            try await flush()
        } catch {
            failure = error
        }
        await journal.suspend()
        if let failure { throw failure }
    }

    /// Takes up the journal's locks again, and writes what was dispatched meanwhile.
    ///
    /// If another program has written meanwhile, recording ends with
    /// ``JournalError/Code/conflict``, unless ``RecordingOptions/Others/appendBehindThem`` is
    /// chosen: what it has written stays as it is.
    ///
    /// - Throws: ``JournalError/Code/locked`` if another program writes the journal by now, and
    ///   what else opening it throws. Then it stays suspended, and this may be called again: until
    ///   it returns, or ``shutdown()`` gives up, ``flush()`` and awaited dispatches wait, so tell
    ///   people what it threw.
    public func resume() async throws(JournalError) {
        try await journal.resume()
        isSuspended.withValue { $0 = false }
    }

    /// Shuts the store down, writes pending entries, and closes the journal.
    ///
    /// If the journal has failed, it is tried once more, as by ``flush()``. Cancelling the task
    /// doesn't end it.
    ///
    /// - Throws: Why something could not be stored.
    public func shutdown() async throws(JournalError) {
        await store.shutdown()
        var failure: JournalError?
        if isSuspended.withValue({ $0 }) {
            do {
                try await resume()
            } catch {
                failure = error
                // The calls that wait end.
                await journal.close()
            }
        }
        do {
            try await recorder.stop()
        } catch {
            failure = failure ?? error
        }
        await journal.close()
        if let failure { throw failure }
    }
}

/// Reports how far a restoration has come, forwards only.
private final class RestoringProgress<State: Codable & Sendable>: Sendable {
    private let report: @Sendable (PersistenceOptions<State>.Progress) -> Void
    private let place = Guarded<(start: CommitVersion?, version: CommitVersion)>((nil, 0))

    init(_ report: @escaping @Sendable (PersistenceOptions<State>.Progress) -> Void) {
        self.report = report
    }

    func begin(after version: CommitVersion) {
        place.withValue { $0.start = min($0.start ?? version, version) }
    }

    func note(_ version: CommitVersion, of last: CommitVersion) {
        let start = place.withValue { place -> CommitVersion? in
            // Entries are run again where a snapshot was made by other reducers.
            guard version > place.version else { return nil }
            place.version = version
            return place.start ?? 0
        }
        guard let start else { return }
        report(PersistenceOptions.Progress(start: start, version: version, last: last))
    }
}

/// Records a store for as long as the store exists, whether or not its ``Persistence`` does.
private final class KeptRecorders: Attachment {
    private let recorders = Guarded<[any Sendable]>([])

    init(in engine: Engine, _ locked: borrowing Locked) {}

    /// It may still have to write the last entries.
    func end(in engine: Engine) {}

    func keep(_ recorder: some Sendable) { recorders.withValue { $0.append(recorder) } }
}
