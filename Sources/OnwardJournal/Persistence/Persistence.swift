// SPDX-License-Identifier: MIT

public import Onward

/// A store that goes on where it was: its log is kept in a journal, and the state restored from it.
///
/// ```swift
/// let journal = try await SQLiteJournal(at: path)
/// let app = try await Persistence(of: Shop(), in: journal) { Scope(\.basket, basket) }
/// app.store.dispatch(BasketAction.add("pear"))          // returns before it is written
/// try await app.dispatch(BasketAction.add("fig"))       // returns once it is
/// ```
///
/// Restoring takes the newest snapshot that can be read and runs the entries behind it by the reducers; no
/// middleware runs and no effect starts. Then the store is made with that state, which starts what its
/// `While` parts say, and its log is recorded from there on.
///
/// When the journal fails, for want of room or of a disk, the store goes on in memory. The error is reported
/// with the last version that is known to be stored; awaited dispatches throw it. With
/// ``PersistenceOptions/Failure/resume`` the whole state is stored as one entry as soon as the journal takes
/// something again: what was dispatched meanwhile is part of that state, without entries of its own.
public final class Persistence<State: Codable & Sendable>: Sendable {
    /// The store.
    public let store: Store<State>
    /// What the store began with.
    public let restored: ReplayedState<State>
    /// Where the log is kept.
    package var journal: any Journal { keeper.journal }
    private let keeper: RecorderKeeper<State>

    /// Restores a store and begins to record it.
    ///
    /// - Parameters:
    ///   - initial: The state before the first entry.
    ///   - journal: Where the log is kept; ``shutdown()`` closes it.
    ///   - options: What is kept, and what is reported.
    ///   - storeOptions: Those of the store.
    ///   - features: Those of the store; made twice, for the reducers that restore and for the store.
    /// - Throws: ``JournalError/Code/unreadable`` that names an entry and what is missing to read it, where a
    ///   type is gone or a migration is missing; what the journal throws.
    /// - Complexity: O(size of the state + entries behind the newest snapshot).
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
        // The next restoration runs what comes now on the state as it was reset.
        let isReset =
            options.resets ? try codec.states.distinguishes(state, restored.state) : false
        try await keeper.begin(
            isReset
                ? .resetting(behind: restored.version) : .restored(behind: restored.version))
    }

    /// Makes the snapshots of a store that isn't recorded as a whole: each is what its journal leads to.
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

    /// How far the recording has come; any thread may ask.
    public var status: RecordingStatus { keeper.status }

    /// Dispatches an action, and returns once the journal has it: it is then as durable as the journal
    /// promises.
    ///
    /// Callers that wait at the same time share a write.
    ///
    /// - Returns: What became of the action; one that was not accepted isn't recorded, and nothing is waited
    ///   for.
    /// - Throws: Why it could not be stored; the store has it all the same.
    @discardableResult
    public func dispatch(
        _ action: some Action, file: String = #fileID, line: Int = #line
    ) async throws(JournalError) -> DispatchResult {
        try await dispatch(action, to: .root, file: file, line: line)
    }

    /// Dispatches an action to an instance named by its address, and returns once it is stored.
    ///
    /// - Throws: Why it could not be stored; the store has it all the same.
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
    /// As the dispatch to an `Address`, where the compiler checks the address: `to: .row(\.trips, id: 1)`.
    ///
    /// - Throws: Why it could not be stored; the store has it all the same.
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

    /// Shuts the store down, writes what waits, and closes the journal.
    ///
    /// - Throws: Why the recording had ended before.
    public func shutdown() async throws(JournalError) {
        await store.shutdown()
        try await keeper.end()
    }
}

/// What records a store for as long as the store is there, whether or not anybody keeps its ``Persistence``.
private final class KeptRecorders: Attachment {
    private let recorders = Guarded<[any Sendable]>([])

    init(in engine: Engine, _ locked: borrowing Locked) {}

    /// It may still have to write what came last.
    func end(in engine: Engine) {}

    func keep(_ recorder: some Sendable) { recorders.withValue { $0.append(recorder) } }
}

/// Has a store recorded, by another recorder after each that ended with an error.
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
        // Writes what can still be written, and reads no commit any more.
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
