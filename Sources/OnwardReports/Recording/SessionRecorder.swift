// SPDX-License-Identifier: MIT

internal import Foundation
public import Onward
internal import OnwardJournal

/// Keeps the last minutes of a session on disk, so that a report has them even after the program
/// was killed.
///
/// ```swift
/// let recorder = try SessionRecorder(store, at: folder, keeping: .minutes(10))
/// if let last = recorder.previous, last.ending.reduced != nil {   // the program died in a reducer
///     offer(try last.report(in: app))
/// }
/// ```
///
/// The dispatching thread only puts the entry aside. A task encodes and writes it, 50 ms later
/// unless the options say otherwise, so a program that is killed loses what it committed in the
/// last 100 ms; a report says how many entries are missing. Even then it is known which action was
/// being reduced, because the store writes its name, its origin and its version into a
/// memory-mapped file before the reducers run. What the system has accepted survives the program,
/// but not a power failure of the machine.
///
/// The recording is a ring of segments. Each begins with the state, which is encoded outside the
/// main actor every few minutes. Meanwhile the state is held, so arrays that a reducer changes
/// during that time are copied once.
///
/// A folder belongs to one program at a time. It also has the session of the program that ran
/// before.
public final class SessionRecorder<State: Codable & Sendable>: Sendable {
    private let core: SessionCore<State>
    private let token: Subscription
    private let store: StoreLog<State>
    private let folder: SessionFolder

    /// The session of the program that ran before; nil if there is none that can be read.
    public let previous: RecordedSession?

    /// Creates a recorder, and begins to record a store.
    ///
    /// - Parameters:
    ///   - store: The store of a whole app.
    ///   - path: The folder, which is created; only the user's own account may read what is
    ///     written.
    ///   - limits: How much is kept.
    ///   - alarm: The digest of the state that is written now and then; see ``RollingDigest``.
    ///   - options: The name of the app, and what the recorder takes from its surroundings.
    /// - Throws: ``ReportError/Code/unwritable``.
    /// - Complexity: O(size of what the previous program has left).
    public init(
        _ store: Store<State>, at path: String, keeping limits: SessionLimits = .minutes(10),
        alarm: RollingDigest<State>? = nil, options: SessionOptions = SessionOptions()
    ) throws(ReportError) {
        previous = SessionFolder.sessions(in: path).first.flatMap(RecordedSession.init)
        folder = try SessionFolder(in: path)
        let codec = JournalCodec(for: store, revision: options.revision)
        core = SessionCore(store, folder, codec, limits, alarm, options)
        self.store = store.log
        let (token, snapshot) = store.log.attachWithSnapshot(core)
        self.token = token
        if let file = folder.mark {
            store.log.mark(file.mark)
            if options.keepsFatalPayload {
                core.note(store.log.attach(gate: PayloadGate<State>(file, codec.actions)))
            }
        }
        core.begin(from: snapshot)
    }

    deinit {
        store.mark(nil)
        token.cancel()
        core.end()
    }

    /// Waits until everything committed before the call is on disk.
    ///
    /// - Complexity: O(waiting entries).
    public func flush() async {
        store.deliver(to: token)
        await core.flush()
    }

    /// Returns the session so far.
    ///
    /// - Throws: ``ReportError/Code/unwritable`` if nothing could be written.
    /// - Complexity: O(size of the recording).
    public func session() async throws(ReportError) -> RecordedSession {
        await flush()
        guard let session = RecordedSession(folder.path) else {
            throw ReportError(
                .unwritable,
                "\(folder.path) has no session: is the disk full, or was the folder removed?")
        }
        return session
    }

    /// Writes what was committed, and ends the recording.
    ///
    /// - Complexity: O(waiting entries).
    public func stop() async {
        await flush()
        store.mark(nil)
        await token.cancelAndWait()
        await core.flush()
        core.end()
    }
}

/// Keeps the payload of each action before it is reduced.
private struct PayloadGate<State: Sendable>: CommitGate {
    let file: MarkFile
    let codec: ActionCodec

    init(_ file: MarkFile, _ codec: ActionCodec) {
        self.file = file
        self.codec = codec
    }

    func accepts(_ pending: PendingCommit) -> Bool {
        if let record = try? codec.record(of: pending.action) {
            file.note(
                type(of: pending.action).actionName,
                DataFormat.cbor.bytes(of: [.text(record.name), record.payload]))
        }
        return true
    }
}

/// The observer: puts entries aside for the writer.
///
/// The store holds it, so it does not hold the store.
final class SessionCore<State: Codable & Sendable>: CommitObserver {
    private let writer: SessionWriter<State>
    private let options: SessionOptions
    private let pending: Guarded<PendingEntries>
    /// The state before the first entry, encoded in a task and held until then.
    private let start = Guarded<(state: State, version: CommitVersion)?>(nil)
    /// The states that were installed, by the versions of their entries.
    private let installed = Guarded<[CommitVersion: State]>([:])
    private let gate = Guarded<CommitGateController<State>?>(nil)

    init(
        _ store: Store<State>, _ folder: SessionFolder, _ codec: JournalCodec<State>,
        _ limits: SessionLimits, _ alarm: RollingDigest<State>?, _ options: SessionOptions
    ) {
        self.options = options
        pending = Guarded(PendingEntries(limit: options.queueLimit))
        writer = SessionWriter(store, folder, codec, limits, alarm, options)
    }

    /// Keeps the gate until the end.
    func note(_ controller: CommitGateController<State>) { gate.withValue { $0 = controller } }

    func begin(from snapshot: (state: State, version: CommitVersion)) {
        // Some entries may have come already and woken the writer.
        start.withValue { $0 = snapshot }
        if pending.withValue({ $0.wake() }) { run() }
    }

    func end() {
        pending.withValue { $0.end() }
        let controller = gate.withValue { gate in
            defer { gate = nil }
            return gate
        }
        controller?.detach()
    }

    var needs: ObserverNeeds { .time }

    func observe(_ commit: Commit<State>) {
        if commit.entry.kind == .travel { return observeTravel(commit) }
        if pending.withValue({ $0.add(commit.entry).startsTask }) { run() }
    }

    private func observeTravel(_ commit: Commit<State>) {
        guard let state = commit.after else { return }
        // There before the entry is, as a task may be writing.
        installed.withValue { $0[commit.entry.version] = state }
        let step = pending.withValue { $0.add(commit.entry, weight: 100) }
        if !step.isAdded { installed.withValue { $0[commit.entry.version] = nil } }
        if step.startsTask { run() }
    }

    private func run() {
        Task.detached(priority: .utility) { await self.writeUntilIdle() }
    }

    /// Writes as long as entries come, and a little longer, as starting a task costs the
    /// dispatching thread more than the rest.
    private func writeUntilIdle() async {
        repeat {
            var idle = 0
            while idle < 20 {
                try? await options.clock.sleep(for: options.delay)
                idle = await drain() ? 0 : idle + 1
            }
        } while pending.withValue({ $0.mustStayAwake() })
    }

    func flush() async { _ = await drain() }

    /// Writes what waits; whether there was anything.
    private func drain() async -> Bool {
        await writer.write { spare in
            let (entries, hasGap) = self.pending.withValue { $0.take(storingIn: spare) }
            let start = self.start.withValue { start in
                defer { start = nil }
                return start
            }
            return .init(
                start: start, entries: entries, installed: self.states(of: entries), hasGap: hasGap)
        }
    }

    /// The states that entries have installed; those of entries that were dropped go.
    private func states(of entries: [LogEntry]) -> [CommitVersion: State] {
        guard let last = entries.last?.version else { return [:] }
        return installed.withValue { installed in
            guard !installed.isEmpty else { return [:] }
            defer { installed = installed.filter { $0.key > last } }
            return installed.filter { $0.key <= last }
        }
    }
}

/// The entries that wait to be written, and whether somebody is going to write them: a pure
/// machine.
///
/// It isn't generic over a state, so that the compiler knows its layout, because each dispatch adds
/// to it. Storage is reused, because new memory costs more than what is put into it.
struct PendingEntries {
    private var entries: [LogEntry] = []
    /// How much waits, in entries.
    private var weight = 0
    /// Whether more entries came than may wait; from then on none is added until these were taken.
    private var hasGap = false
    /// Whether a task is writing, or will look again soon.
    private var isAwake = false
    private var isEnded = false
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Adds an entry, unless the queue is full: what waits was there first.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - weight: How many entries it counts as.
    /// - Returns: Whether it was added, and whether a task has to be started.
    mutating func add(_ entry: LogEntry, weight: Int = 1) -> (isAdded: Bool, startsTask: Bool) {
        if !hasGap, self.weight >= limit { hasGap = true }
        if !hasGap {
            entries.append(entry)
            self.weight += weight
        }
        return (!hasGap, wake())
    }

    /// Whether a task has to be started, as there is none.
    mutating func wake() -> Bool {
        defer { isAwake = true }
        return !isAwake
    }

    /// Takes out what waits.
    ///
    /// - Parameter spare: An empty array, whose storage is used from now on.
    /// - Returns: The entries, and whether others came after them that were not added.
    mutating func take(storingIn spare: [LogEntry]) -> (entries: [LogEntry], hasGap: Bool) {
        defer { (entries, weight, hasGap) = (spare, 0, false) }
        return (entries, hasGap)
    }

    /// Whether the task that found nothing continues because something has come; otherwise it ends.
    mutating func mustStayAwake() -> Bool {
        isAwake = (hasGap || !entries.isEmpty) && !isEnded
        return isAwake
    }

    /// Nothing is written any more.
    mutating func end() { isEnded = true }
}
