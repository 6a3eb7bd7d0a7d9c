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
/// once, in batches when entries arrive quickly. If the journal fails permanently, the recording
/// ends with a ``JournalError`` and the store continues; the journal then has the beginning of the
/// log.
///
/// What waits between them is bounded in bytes (``RecordingOptions/waitingBytes``), and no thread
/// waits for the journal. Commits beyond the bound have no entries of their own: when the rest is
/// written, one entry says how many are missing, with the state after them (``MissingCommits``). A
/// caller that must not outrun the journal awaits ``flush()``.
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
    /// - Throws: ``JournalError/Code/conflict`` if the journal has another last version;
    ///   ``JournalError/Code/invalid`` for features with rows whose ids aren't `Codable`, as no
    ///   entry could name them; what the journal throws.
    public convenience init(
        of store: Store<State>, into journal: some Journal, _ codec: JournalCodec<State>,
        after version: CommitVersion = 0, options: RecordingOptions = RecordingOptions()
    ) async throws(JournalError) {
        try await self.init(
            of: store, into: journal, codec, .behind(version), options: options)
    }

    /// Starts recording a store.
    init(
        of store: Store<State>, into journal: some Journal, _ codec: JournalCodec<State>,
        _ beginning: RecordingBeginning, options: RecordingOptions
    ) async throws(JournalError) {
        try store.checkNames()
        core = RecordingCore(store, journal, codec, options)
        token = store.log.attach(core)
        do {
            try await core.begin(beginning, of: store.log.snapshot)
            store.log.attach(keeper: core)
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
    public func flush() async throws(JournalError) { try await core.flush(resting: false) }

    /// The same, and nothing is left to do: a snapshot, and what a journal does when it gets one.
    func rest() async throws(JournalError) { try await core.flush(resting: true) }

    /// Writes what was committed, and ends the recording; a second call does nothing.
    ///
    /// Cancelling the task doesn't end it, as what wasn't written yet would be lost.
    ///
    /// - Throws: Why the recording had already ended.
    public func stop() async throws(JournalError) {
        guard core.beginStopping() else { return }
        defer { core.end() }
        // What fails is tried again below, when no more commits come.
        try? await core.flush(resting: false, isCancellable: false)
        await token.cancelAndWait()
        core.endObserving()
        try await core.flush(resting: true, isCancellable: false)
    }
}

/// The shell around a ``RecordingMachine``.
///
/// The store holds it, so it does not hold the store.
private final class RecordingCore<State: Codable & Sendable>: CommitObserver, CommitKeeper {
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
    private let sizes = ActionSizes()
    /// The store, while commits are missing whose state is still to be written.
    private let owner = Guarded<Store<State>?>(nil)
    /// The first half of the ids in this recording, another one whenever it resumes; used like the map.
    private let run = Guarded(EntryID().high)
    private let pause = RecordingPause()

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
                limit: options.waitingBytes, spacing: options.snapshotSpacing,
                isPartial: options.others == .appendBehindThem || options.recorded != nil,
                course: RecordingCourse(
                    retries: options.retries, firstPause: options.retryPause,
                    yields: options.others == .appendBehindThem, resumes: options.resumes)))
    }

    var status: RecordingStatus { machine.withValue { $0.status } }

    var durability: Durability { journal.durability }
    var keepsEverything: Bool { options.recorded == nil }
    func flush() async throws { try await flush(resting: false) }

    func begin(
        _ beginning: RecordingBeginning, of snapshot: (state: State, version: CommitVersion)
    ) async throws(JournalError) {
        let end = try await journal.lastPosition()
        if let version = beginning.version, end.version != version {
            throw .conflict(expected: JournalPosition(version: version, id: end.id), true: end)
        }
        try await begin(beginning, of: snapshot, behind: end)
    }

    private func begin(
        _ beginning: RecordingBeginning, of snapshot: (state: State, version: CommitVersion),
        behind start: JournalPosition, storing stored: CommitVersion = 0
    ) async throws(JournalError) {
        var end = start
        if let name = beginning.name(ofInstalling: snapshot.version) {
            let missing = machine.withValue { $0.missing(upTo: snapshot.version, stored: stored) }
            end = try await install(snapshot.state, missing, as: name, behind: end)
        }
        let last = end.version
        tail.withValue { $0 = end }
        let newest = try await journal.snapshot(at: last)
        if newest?.fingerprint != codec.fingerprint || beginning.needsSnapshot {
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
        _ state: State, _ missing: MissingCommits?, as name: String, behind end: JournalPosition
    ) async throws(JournalError) -> JournalPosition {
        let value = try codec.states.value(of: state, at: end.version + 1)
        let entry = try codec.states.entry(
            installing: .state(value, missing: missing),
            as: end.version + 1, id: EntryID(high: run.withValue { $0 }, low: 0), name: name,
            time: wallClock())
        try await journal.append([entry], after: end)
        return entry.position
    }

    /// Installs the whole state after a failure, whatever the journal has.
    private func resume() async throws(JournalError) {
        guard let store else { throw JournalError(.closed, "The store is gone.") }
        let end = try await journal.lastPosition()
        let stored = try await commitsOfOurs(upTo: end)
        tail.withValue { $0 = end }
        run.withValue { $0 = EntryID().high }
        map.withValue { $0 = VersionMap() }
        base.withValue { $0 = nil }
        try await begin(.resuming, of: store.log.snapshot, behind: end, storing: stored)
    }

    /// The last commit in an entry that a call has stored although it seemed to fail.
    ///
    /// - Throws: ``JournalError/Code/conflict`` if anybody else has appended since the last call that succeeded, where
    ///   that ends a recording.
    private func commitsOfOurs(upTo end: JournalPosition) async throws(JournalError)
        -> CommitVersion
    {
        let known = tail.withValue { $0 }
        guard options.others == .stopForThem, end != known else { return 0 }
        let run = run.withValue { $0 }
        var (next, commit) = (known.version + 1, CommitVersion(0))
        while next <= end.version {
            let page = try await journal.entries(from: next, limit: 1_024)
            guard let last = page.last, page.allSatisfy({ $0.id.high == run }) else { break }
            next = last.version + 1
            for entry in page { commit = max(commit, entry.id.low, entry.missing?.last ?? 0) }
        }
        guard next == end.version + 1, end.version > known.version else {
            throw .conflict(expected: known, true: end)
        }
        return commit
    }

    /// Begins to end; false where that was done.
    func beginStopping() -> Bool { machine.withValue { $0.stop() } }

    func end() {
        store?.engine.attached(CommitKeepers.self).remove(self)
        _ = notify { $0.end() }
        owner.withValue { $0 = nil }
        pause.end(.max)
    }

    // MARK: Commits

    var needs: ObserverNeeds { .time }

    func observe(_ commit: Commit<State>) {
        if commit.entry.kind == .travel {
            recordTravel(commit)
        } else if let recorded = options.recorded {
            let entry = commit.entry
            guard let action = recorded(entry.action) else {
                if notify({ $0.skip(entry.version) }) { startWriting() }
                return
            }
            record(
                LogEntry(
                    version: entry.version, action: action, address: entry.address,
                    parent: entry.parent, origin: entry.origin, time: entry.time,
                    stamp: entry.stamp))
        } else {
            record(commit.entry)
        }
    }

    /// A separate function, since the state's type is looked up whenever it is called.
    @inline(never)
    private func recordTravel(_ commit: Commit<State>) {
        let bytes = commit.after.map { MemoryEstimate.bytes(of: $0, since: nil) }
        record(commit.entry, installing: commit.after.map(Kept.init), bytes: bytes)
    }

    private func record(
        _ entry: LogEntry, installing installed: RecordingMachine.KeptState? = nil,
        bytes: Int? = nil
    ) {
        let bytes = bytes ?? sizes.bytes(of: entry.action)
        let step = machine.withValue { $0.take(entry, installed: installed, bytes: bytes) }
        if let overflow = step.overflow { noteOverflow(overflow) }
        if step.startsWriting { startWriting() }
        if step.wantsState { offerState() }
    }

    @inline(never)
    private func noteOverflow(_ error: JournalError) {
        let store = store
        owner.withValue { $0 = store }
        options.report(error)
    }

    @inline(never)
    private func offerState() {
        guard let snapshot = store?.log.snapshot else { return }
        let state = Kept(snapshot.state)
        machine.withValue { $0.offer(state, at: snapshot.version) }
    }

    // MARK: Waiting

    // `isResting` also waits for the writer to end; no more commits arrive then.
    func flush(
        resting isResting: Bool, isCancellable: Bool = true
    ) async throws(JournalError) {
        let target = isResting ? nil : store?.version
        let id = machine.withValue { $0.nextWaiter() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (early, demand) = machine.withValue { machine in
                    let waiter = RecordingMachine.Waiter(
                        target: target ?? machine.observed, wantsRest: isResting,
                        continuation: continuation)
                    return machine.wait(waiter, id)
                }
                if let early { continuation.resume(returning: early) }
                switch demand {
                case .nothing: break
                case .start: startWriting()
                case .endPause(let number): pause.end(number)
                }
            }
        } onCancel: {
            guard isCancellable else { return }
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

    func endObserving() {
        if notify({ $0.endObserving() }) { startWriting() }
    }

    private func startWriting() {
        Task { await write() }
    }

    /// What the writing task has in hand.
    private struct Work {
        var batch: [RecordingMachine.Item] = []
        /// The entries of the batch, up to the first one that can't be encoded.
        var wanted: [JournalEntry] = []
        /// The same, where they are to be appended.
        var entries: [JournalEntry] = []
        /// Why the rest of the batch can't be written.
        var failure: JournalError?
        var map = VersionMap()
        /// Where the journal ended before.
        var position: CommitVersion = 0
        /// How many entries of others came in between.
        var shift: CommitVersion = 0
    }

    private func write() async {
        var work = Work()
        while true {
            switch notify({ $0.next(&work.batch) }) {
            case .batch:
                encode(&work)
                if work.entries.isEmpty, let failure = work.failure { handle(.failed(failure)) }
            case .state: offerStateForGap()
            case .step(let step): await perform(step, &work)
            case .nothing: return
            }
        }
    }

    private func perform(_ step: RecordingCourse.Step, _ work: inout Work) async {
        do throws(JournalError) {
            switch step {
            case .append:
                try await journal.append(work.entries, after: tail.withValue { $0 })
                await finish(&work, .appended)
            case .look:
                // An earlier attempt that seemed to fail may have succeeded.
                let found = try await journal.entries(
                    from: work.position + work.shift + 1, limit: work.entries.count)
                guard found == work.entries else { return handle(.found(false)) }
                await finish(&work, .found(true))
            case .findEnd:
                let end = try await journal.lastPosition()
                handle(.foundEnd(isFurther: move(&work, behind: end)))
            case .install:
                work.batch.removeAll(keepingCapacity: true)
                try await resume()
                handle(.installed)
            case .pause(let number, let length):
                if await pause.wait(number, length, options.clock) { handle(.paused) }
            }
        } catch {
            // Conflicts are reported where they end the recording, or others are let before.
            let isReported = step == .append && error.code != .conflict
            if isReported { options.report(error) }
            handle(.failed(error), isReported: isReported)
        }
    }

    /// Changes the machine after a step: whoever waits for it is resumed after the report.
    private func handle(_ event: RecordingCourse.Event, isReported: Bool = false) {
        let (result, ready) = machine.withValue { machine in
            (machine.handle(event), machine.takeWaiters())
        }
        if let failure = result.failure {
            owner.withValue { $0 = nil }
            if !isReported { options.report(failure) }
        }
        for (waiter, outcome) in ready { waiter.continuation.resume(returning: outcome) }
    }

    /// Takes the store's state in place of the commits that have no entries.
    private func offerStateForGap() {
        let held = owner.withValue { owner in
            defer { owner = nil }
            return owner
        }
        guard let store = held ?? store else {
            let error = JournalError(
                .overflow, version: machine.withValue { $0.position },
                "The store is gone, and with it the state after commits that have no entries.")
            return handle(.failed(error))
        }
        // Other threads may commit in between; then the state is taken again, while the store is held.
        while true {
            let snapshot = store.log.snapshot
            let state = Kept(snapshot.state)
            if machine.withValue({ $0.offerForGap(state, at: snapshot.version) }) { return }
        }
    }

    /// Encodes entries, up to the first one that can't be written.
    private func encode(_ work: inout Work) {
        work.entries.removeAll(keepingCapacity: true)
        work.entries.reserveCapacity(work.batch.count)
        work.map = map.withValue { $0 }
        work.position = machine.withValue { $0.position }
        (work.failure, work.shift) = (nil, 0)
        for (offset, item) in work.batch.enumerated() {
            let version = work.position + 1 + CommitVersion(offset)
            work.map.note(item.entry.version, at: version)
            do throws(JournalError) {
                work.entries.append(try encode(item, as: version, work.map))
            } catch {
                work.failure = error
                break
            }
        }
        work.wanted = work.entries
    }

    private func encode(
        _ item: RecordingMachine.Item, as version: CommitVersion, _ map: VersionMap
    ) throws(JournalError) -> JournalEntry {
        let entry = item.entry
        let (id, parent) = (
            EntryID(high: run.withValue { $0 }, low: entry.version),
            entry.parent.flatMap(map.place)
        )
        guard let travel = entry.action as? Travel, entry.kind == .travel else {
            try ActionCodec.check(entry.address, of: version)
            return try codec.actions.encode(entry, as: version, parent: parent, id: id)
        }
        let name = item.missing == nil ? travel.wireName : MissingCommits.entryName
        return try codec.states.entry(
            installing: try installed(item, by: travel, as: version, map), as: version, id: id,
            name: name, parent: parent, origin: entry.origin, time: entry.time)
    }

    /// Decides how an installed state is written.
    private func installed(
        _ item: RecordingMachine.Item, by travel: Travel, as version: CommitVersion,
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
        if !isShared, item.missing == nil, let base = base.withValue({ $0 }),
            base.commit > item.floor,
            let installed = base.installing(value)
        {
            return installed
        }
        base.withValue {
            $0 = InstallBase(commit: item.entry.version, place: version, state: value)
        }
        return .state(value, missing: item.missing)
    }

    /// Where the journal has the state of one of the store's versions.
    private func place(ofState shown: CommitVersion, _ map: VersionMap) -> CommitVersion? {
        let (start, position) = machine.withValue { ($0.start, $0.startPosition) }
        return shown == start ? position : map.place(of: shown)
    }

    /// Notes that entries are in the journal.
    private func finish(_ work: inout Work, _ event: RecordingCourse.Event) async {
        if let last = work.entries.last { tail.withValue { $0 = last.position } }
        if work.shift > 0 {
            work.map = map.withValue { $0 }
            for (item, entry) in zip(work.batch, work.entries) {
                work.map.note(item.entry.version, at: entry.version)
            }
        }
        map.withValue { $0 = work.map }
        let end = work.position + CommitVersion(work.entries.count) + work.shift
        let last = work.entries.count - 1
        let isEnd = last == work.batch.count - 1
        let version = work.batch[last].entry.version
        work.batch.removeAll(keepingCapacity: true)
        machine.withValue { $0.finish(version, at: end, isEnd: isEnd) }
        handle(event)
        if let failure = work.failure {
            handle(.failed(failure))
        } else {
            await storeSnapshot()
        }
    }

    /// Places entries behind those of others.
    ///
    /// - Returns: false where there are none of others, or no versions left.
    private func move(_ work: inout Work, behind end: JournalPosition) -> Bool {
        let (position, last) = (work.position, end.version)
        guard last > position + work.shift, last <= .max - CommitVersion(work.wanted.count) else {
            return false
        }
        options.report(.conflict(expected: tail.withValue { $0 }, true: end))
        tail.withValue { $0 = end }
        _ = machine.withValue { $0.noteOthers() }
        let shift = last - position
        work.shift = shift
        work.entries = work.wanted.map { $0.moved(by: shift, ifAfter: position) }
        return true
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
    let commit: CommitVersion
    let place: CommitVersion
    let state: DataValue
    private let size: Int

    init(commit: CommitVersion, place: CommitVersion, state: DataValue) {
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
    fileprivate func moved(by shift: CommitVersion, ifAfter position: CommitVersion) -> JournalEntry
    {
        moved(
            to: version + shift, parent: parent.map { $0 > position ? $0 + shift : $0 })
    }
}

extension Store {
    /// Throws if the store's features have scopes or rows that a log can't name.
    func checkNames() throws(JournalError) {
        guard let mistake = recordingMistake else { return }
        throw JournalError(.invalid, mistake.description)
    }
}
