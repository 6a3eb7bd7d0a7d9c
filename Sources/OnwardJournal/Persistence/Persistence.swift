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
/// no middleware runs and no effect starts. Then the store is made with that state, which starts
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
    package var journal: any Journal { keeper.journal }
    private let keeper: RecorderKeeper<State>

    /// Restores a store and starts recording it.
    ///
    /// - Parameters:
    ///   - initial: The state before the first entry.
    ///   - journal: Where the log is kept; ``shutdown()`` closes it.
    ///   - options: What is kept and what is reported.
    ///   - storeOptions: The options of the store.
    ///   - features: The features of the store; made twice, for the reducers that restore and for
    ///     the store.
    /// - Throws: ``JournalError/Code/unreadable``, naming an entry and what is missing to read it,
    ///   if a type is gone or a migration is missing; what the journal throws.
    /// - Complexity: O(size of the state + entries after the newest snapshot).
    public init(
        of initial: State, in journal: some Journal,
        options: PersistenceOptions<State> = PersistenceOptions(),
        storeOptions: StoreOptions = StoreOptions(),
        @FeatureBuilder<State> _ features: @Sendable () -> [any Part<State>]
    ) async throws(JournalError) {
        let reducers = Store(replaying: initial, options: storeOptions, features)
        let codec = JournalCodec(
            for: reducers, format: options.format, migrations: options.migrations,
            revision: options.revision, whenUnreadable: options.whenUnreadable)
        let restored = try await Replay.state(
            of: journal, startingWith: initial, by: reducers, codec,
            progress: { options.progress(PersistenceOptions.Progress(version: $0, last: $1)) })
        self.restored = restored
        var state = restored.state
        options.reset(&state, to: initial)
        store = Store(state, options: storeOptions, features)
        keeper = RecorderKeeper(
            store,
            RetainingJournal(
                base: journal,
                fold: options.recorded == nil
                    ? nil : Self.snapshots(of: journal, startingWith: initial, by: reducers, codec),
                retention: options.retention, wallClock: storeOptions.wallClock),
            JournalCodec(
                for: store, format: options.format, migrations: options.migrations,
                revision: options.revision, whenUnreadable: options.whenUnreadable), options)
        // The next restoration runs later entries on the state as it was after the reset.
        let isReset =
            options.resets ? try codec.states.distinguishes(state, restored.state) : false
        try await keeper.begin(
            isReset
                ? .resetting(behind: restored.version) : .restored(behind: restored.version))
    }

    /// Makes snapshots of what the journal leads to, for a store that isn't recorded completely.
    private static func snapshots(
        of journal: some Journal, startingWith initial: State, by reducers: Store<State>,
        _ codec: JournalCodec<State>
    ) -> @Sendable (Version) async throws(JournalError) -> JournalSnapshot {
        { version throws(JournalError) in
            let found = try await Replay.state(
                of: journal, startingWith: initial, by: reducers, codec, at: version)
            return try codec.states.encode(found.state, at: version, by: codec.fingerprint)
        }
    }

    /// How far the recording has come; may be read from any thread.
    public var status: RecordingStatus { keeper.status }

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
    /// - Throws: Why it could not be stored.
    public func flush() async throws(JournalError) { try await keeper.flush() }

    /// Shuts the store down, writes pending entries, and closes the journal.
    ///
    /// - Throws: Why the recording had already ended.
    public func shutdown() async throws(JournalError) {
        await store.shutdown()
        try await keeper.end()
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

/// Keeps a store recorded, starting a new recorder after each one that ended with an error.
private final class RecorderKeeper<State: Codable & Sendable>: Sendable {
    private struct Contents {
        var recorder: JournalRecorder<State>?
        var isResuming = false
        var hasEnded = false
    }

    private weak let store: Store<State>?
    let journal: RetainingJournal
    private let codec: JournalCodec<State>
    private let options: PersistenceOptions<State>
    private let contents = Guarded(Contents())

    init(
        _ store: Store<State>, _ journal: RetainingJournal, _ codec: JournalCodec<State>,
        _ options: PersistenceOptions<State>
    ) {
        self.store = store
        self.journal = journal
        self.codec = codec
        self.options = options
        store.engine.attached(KeptRecorders.self).keep(self)
    }

    var status: RecordingStatus {
        recorder?.status ?? RecordingStatus(version: 0, waiting: 0, failure: nil)
    }

    private var recorder: JournalRecorder<State>? { contents.withValue { $0.recorder } }

    func begin(_ beginning: RecordingBeginning) async throws(JournalError) {
        guard let store else { return }
        var recording = options.recording
        recording.recorded = options.recorded
        let report = recording.report
        recording.report = { [weak self] error in
            report(error)
            self?.resumeIfEnded()
        }
        let recorder = try await JournalRecorder(
            of: store, into: journal, codec, beginning, options: recording)
        contents.withValue { $0.recorder = recorder }
    }

    func flush() async throws(JournalError) {
        try await recorder?.flush()
    }

    func end() async throws(JournalError) {
        contents.withValue { $0.hasEnded = true }
        let failure: JournalError?
        do {
            try await recorder?.stop()
            failure = nil
        } catch {
            failure = error
        }
        await journal.close()
        if let failure { throw failure }
    }

    // MARK: Resuming

    private func resumeIfEnded() {
        guard options.whenFailing == .resume, recorder?.status.failure != nil else { return }
        let starts = contents.withValue { contents in
            if contents.isResuming || contents.hasEnded { return false }
            contents.isResuming = true
            return true
        }
        guard starts else { return }
        Task {
            await resume()
            contents.withValue { $0.isResuming = false }
            // The new recorder may have failed before it could be noticed.
            resumeIfEnded()
        }
    }

    private func resume() async {
        // Writes what can still be written, and reads no more commits.
        try? await recorder?.stop()
        var pause = options.recording.retryPause
        while !contents.withValue({ $0.hasEnded }), store != nil {
            do {
                return try await begin(.resuming)
            } catch {
                guard error.code != .closed else { return }
                try? await options.recording.clock.sleep(for: pause)
                pause = min(pause * 2, max(pause, .seconds(60)))
            }
        }
    }
}
