// SPDX-License-Identifier: MIT

internal import DequeModule
internal import Onward
internal import OnwardJournal

/// Performs what a ``ClientMachine`` wants: keeps, sends, and has the store show.
actor ClientCore<State: Codable & Sendable> {
    /// What is done in order, one after another: a decision is reported when it is kept.
    private enum Work {
        case keep(KeptRecord)
        case keepState(ClientJournal.Whole)
        case report(ProposalID, SyncOutcome)
        case resume(CheckedContinuation<Void, any Error>)
    }

    /// How many outcomes are remembered for those who ask late.
    private static var outcomeLimit: Int { 1_000 }
    /// How many records are kept before everything is kept anew.
    private static var recordLimit: Int { 4_096 }

    private let store: Store<State>
    private let desk: ClientDesk<State>
    private let token: Subscription
    private let controller: CommitGateController<State>
    private let features: StoreSyncFeatures<State>
    private let options: SyncOptions<State>
    private let messages: MessageCodec
    private let status: Store<SyncStatus>
    private let stopwatch: Stopwatch
    /// What is to be known of this client, but for the number of pending actions.
    private var current = SyncStatus()
    /// What the status says of it.
    private var noted = SyncStatus()
    /// How many of the actions that the status counts as pending were taken over.
    private var counted: Int

    private var machine: ClientMachine<StoreSyncFeatures<State>>
    private var journal: ClientJournal
    private var work: Deque<Work> = []
    private var isWorking = false
    /// Whether the journal belongs to another program by now.
    private var isJournalLost = false

    private var connection: SyncConnection?
    private var outbox: Deque<[UInt8]> = []
    private var isSending = false

    /// Between two attempts to reach the server.
    private var pause: Task<Void, any Error>?
    /// Whether the next pause is left out.
    private var mustRetry = false

    private var mustShow = false
    /// Filled after each change, while anybody holds it.
    private weak var watching: SyncWatch<State>?
    /// The last state that this client has installed.
    private var shownVersion: CommitVersion = 0
    private var isOver = false

    // Who waits for what.
    private var ids: [CommitVersion: ProposalID] = [:]
    private var idOrder: Deque<CommitVersion> = []
    private var outcomes: [ProposalID: SyncOutcome] = [:]
    private var outcomeOrder: Deque<ProposalID> = []
    private var waiters: [ProposalID: [CheckedContinuation<SyncOutcome?, Never>]] = [:]

    init(
        _ store: Store<State>, _ desk: ClientDesk<State>, _ token: Subscription,
        _ controller: CommitGateController<State>, _ features: StoreSyncFeatures<State>,
        _ machine: ClientMachine<StoreSyncFeatures<State>>, _ journal: ClientJournal,
        _ status: Store<SyncStatus>, _ options: SyncOptions<State>
    ) {
        self.store = store
        self.desk = desk
        self.token = token
        self.controller = controller
        self.features = features
        self.machine = machine
        self.journal = journal
        self.status = status
        self.options = options
        messages = MessageCodec(options.limits)
        stopwatch = Stopwatch(store.engine.options.clock)
        counted = machine.pending.count
    }

    private var now: Duration { stopwatch.elapsed() }

    var confirmed: State { machine.confirmed }

    // MARK: What happens

    func begin() {
        desk.whenCommitted { [weak self] in Task { await self?.commit() } }
        commit()
    }

    /// Takes over what was dispatched.
    func commit() {
        if isOver { return }
        take()
        settle()
    }

    func tick() {
        if isOver { return }
        take()
        perform(machine.tick(now: now))
        settle()
        doWork()
    }

    func connected(_ connection: SyncConnection) {
        guard !isOver else { return connection.close() }
        self.connection = connection
        outbox = []
        take()
        perform(machine.connected(now: now))
        settle()
    }

    /// The connection is gone.
    ///
    /// - Returns: Whether the server had answered.
    @discardableResult
    func disconnected() -> Bool {
        let wasOnline = machine.isOnline
        connection?.close()
        (connection, outbox) = (nil, [])
        machine.disconnected()
        settle()
        return wasOnline
    }

    /// Waits before the next attempt to reach the server.
    ///
    /// - Returns: Whether it was cut short by ``retry()``.
    /// - Throws: `CancellationError` in a task that is cancelled.
    func wait(_ length: Duration, on clock: any Clock<Duration>) async throws -> Bool {
        let sleep = Task { try await clock.sleep(for: length) }
        pause = sleep
        if mustRetry { sleep.cancel() }
        await withTaskCancellationHandler {
            _ = await sleep.result
        } onCancel: {
            sleep.cancel()
        }
        (pause, mustRetry) = (nil, false)
        try Task.checkCancellation()
        return sleep.isCancelled
    }

    func retry() {
        if machine.isOnline { return }
        mustRetry = true
        pause?.cancel()
    }

    /// There is no connection, for a reason that is known.
    func failed(_ problem: SyncProblem) {
        machine.failed(problem)
        settle()
    }

    /// A message came; false if it is none, and the connection is of no use.
    func receive(_ bytes: [UInt8]) -> Bool {
        if isOver { return false }
        guard let message = try? messages.downMessage(of: bytes) else {
            machine.receivedUnreadable()
            return false
        }
        take()
        perform(machine.received(message, now: now))
        settle()
        return true
    }

    func stop() async {
        // First nothing more is dispatched, then nothing more comes, so that nothing is written after this. What the
        // desk has let through and isn't committed is asked about again.
        desk.close()
        controller.reevaluate()
        take()
        isOver = true
        disconnected()
        // With a view, an own text may be for what its author doesn't see.
        if features.isPartial { keepState() }
        try? await flush()
        await token.cancelAndWait()
        let waiting = waiters.values.flatMap(\.self)
        waiters = [:]
        for waiter in waiting { waiter.resume(returning: nil) }
    }

    /// Takes over the store's own commits.
    private func take() {
        store.log.deliver(to: token)
        let commits = desk.take()
        counted += commits.entries.count
        for entry in commits.entries {
            do {
                let action = try features.written(entry)
                let (id, steps) = machine.committed(action, now: now)
                remember(id, as: entry.version)
                perform(steps)
            } catch {
                // It can't be proposed: it is taken back.
                let id = ProposalID(client: ClientID(), number: 1)
                remember(id, as: entry.version)
                let refusal = SyncRefusal(.unreadable, error.description)
                perform([.report(id, .refused(refusal)), .show])
            }
        }
        if commits.installed > shownVersion {
            // Another gate has shown something else.
            shownVersion = commits.installed
            mustShow = true
        }
    }

    private func perform(_ steps: [ClientStep]) {
        for step in steps {
            switch step {
            case .keep(let record): work.append(.keep(record))
            case .keepState: keepState()
            case .send(let message): send(message)
            case .show: mustShow = true
            case .report(let id, let outcome): work.append(.report(id, outcome))
            }
        }
    }

    /// Shows, says and does what the last events have led to.
    private func settle() {
        show()
        note()
        doWork()
    }

    // MARK: Showing

    /// Has the store show what is confirmed and pending, unless another gate shows another moment.
    private func show() {
        guard mustShow else { return }
        // What was dispatched meanwhile is announced: then it goes on from what is worked out here.
        for _ in 0..<8 {
            guard store.engine.whole({ $0.gateState }) == .live else { return }
            // First what takes long, so that little is dispatched between the version and the install.
            _ = machine.shownState()
            let (shown, version) = store.log.snapshot
            take()
            var state = machine.shownState()
            for keep in options.localSlices { keep(&state, shown) }
            // As when the server has drawn a time that no reducer uses.
            if Self.areEqual(state, shown) { return hasShown() }
            let origin = ActionOrigin.elsewhere
            let result = controller.install(
                state, replacing: version, resuming: true, file: origin.file, line: origin.line)
            switch result {
            case .refused(.outdated): continue
            case .accepted(let version):
                shownVersion = max(shownVersion, version)
                return hasShown()
            case .refused, .withheld: return
            }
        }
    }

    private func hasShown() {
        mustShow = false
        machine.hasShown()
    }

    /// Whether two states are known to be equal.
    private static func areEqual(_ one: State, _ other: State) -> Bool {
        func compare<Value: Equatable>(_ one: Value) -> Bool { one == other as? Value }
        return (one as? any Equatable).map { compare($0) } ?? false
    }

    private func note() {
        desk.note(pending: machine.pending.count)
        current.isOnline = machine.isOnline
        current.problem = machine.problem
        current.hidden = machine.pending.count { $0.isHidden }
        current.confirmed = machine.version
        watching?.note(current, machine)
        let settled = counted - machine.pending.count
        guard current != noted || settled != 0 else { return }
        (counted, noted) = (machine.pending.count, current)
        status.dispatch(SyncStatusAction.changed(current, settled: settled))
    }

    // MARK: Sending

    private func send(_ message: UpMessage) {
        guard let connection else { return }
        guard let bytes = try? messages.bytes(of: message), outbox.count < 1_024 else {
            return connection.close()
        }
        outbox.append(bytes)
        if !isSending { Task { await sendAll() } }
    }

    private func sendAll() async {
        if isSending { return }
        isSending = true
        defer { isSending = false }
        while let connection {
            guard let bytes = outbox.popFirst() else {
                perform(machine.sent(now: now))
                settle()
                if outbox.isEmpty { return }
                continue
            }
            do { try await connection.send(bytes) } catch { connection.close() }
        }
    }

    // MARK: Keeping

    private func keepState() {
        guard
            let encoded = try? features.codec.states.encode(
                machine.confirmed, at: 0, by: features.codec.fingerprint)
        else {
            current.failure = "The state can't be encoded."
            return
        }
        work.append(
            .keepState(
                ClientJournal.Whole(
                    fingerprint: features.codec.fingerprint, log: machine.log,
                    version: machine.version, schema: encoded.schema, state: encoded.payload,
                    pending: machine.pending.map(\.proposal))))
    }

    /// Returns once everything that was dispatched before is kept.
    func flush() async throws {
        commit()
        try await withCheckedThrowingContinuation { waiter in
            work.append(.resume(waiter))
            doWork()
        }
    }

    private func doWork() {
        guard !isWorking, !work.isEmpty else { return }
        isWorking = true
        Task { await workAll() }
    }

    private func workAll() async {
        defer { isWorking = false }
        while let first = work.first {
            switch first {
            case .report(let id, let outcome):
                work.removeFirst()
                report(id, outcome)
            case .resume(let waiter):
                work.removeFirst()
                waiter.resume()
            case .keep, .keepState:
                if await write() { continue }
                // The next tick tries again.
                return failWaiters()
            }
        }
        if journal.count > Self.recordLimit, !isJournalLost, !isOver {
            keepState()
            if !work.isEmpty { Task { self.doWork() } }
        }
    }

    /// Writes what comes next; false if that isn't possible now.
    private func write() async -> Bool {
        var records: [KeptRecord] = []
        var whole: ClientJournal.Whole?
        var count = 0
        for item in work {
            guard case .keep(let record) = item, records.count < 1_000 else { break }
            records.append(record)
            count += 1
        }
        if count == 0, case .keepState(let first)? = work.first { (whole, count) = (first, 1) }
        guard !isJournalLost else {
            work.removeFirst(count)
            return true
        }
        var writing = journal
        do throws(JournalError) {
            if let whole {
                try await writing.store(whole)
            } else {
                try await writing.append(records)
            }
        } catch {
            current.failure = error.description
            isJournalLost = error.code == .conflict || error.code == .gone
            note()
            return isJournalLost
        }
        // Only this task changes it, and only it removes what is first.
        journal = writing
        work.removeFirst(count)
        if current.failure != nil {
            current.failure = nil
            note()
        }
        return true
    }

    private func failWaiters() {
        var rest: Deque<Work> = []
        for item in work {
            if case .resume(let waiter) = item {
                waiter.resume(throwing: JournalError(.storage, current.failure ?? ""))
            } else {
                rest.append(item)
            }
        }
        work = rest
    }

    // MARK: Parts

    func parts() throws(JournalError) -> SyncedParts<State> {
        commit()
        // While another moment shows, nobody else has decided what is hidden.
        _ = machine.shownState()
        if !mustShow { machine.hasShown() }
        let version = machine.version
        var state = machine.confirmed
        for keep in options.localSlices { keep(&state, store.state) }
        return SyncedParts(
            confirmed: state,
            snapshot: try features.codec.states.encode(
                state, at: version, by: features.codec.fingerprint),
            pending: machine.pending.enumerated().compactMap { index, item in
                // What was written here has an address.
                item.proposal.action.entry(at: version + CommitVersion(index) + 1).map {
                    SyncedParts.Pending(id: item.proposal.id, entry: $0, isHidden: item.isHidden)
                }
            })
    }

    /// What is there for those who hold it, from now on.
    func watch() -> SyncWatch<State> {
        commit()
        if let watching { return watching }
        let watch = SyncWatch(current, machine)
        watching = watch
        return watch
    }

    // MARK: Outcomes

    private func remember(_ id: ProposalID, as version: CommitVersion) {
        ids[version] = id
        idOrder.append(version)
        if idOrder.count - Self.outcomeLimit > options.limits.pending,
            let oldest = idOrder.popFirst()
        {
            ids[oldest] = nil
        }
    }

    private func report(_ id: ProposalID, _ outcome: SyncOutcome) {
        outcomes[id] = outcome
        outcomeOrder.append(id)
        if outcomeOrder.count > Self.outcomeLimit, let oldest = outcomeOrder.popFirst() {
            outcomes[oldest] = nil
        }
        if case .refused(let refusal) = outcome {
            current.refused += 1
            current.lastRefusal = refusal
            note()
        }
        for waiter in waiters.removeValue(forKey: id) ?? [] { waiter.resume(returning: outcome) }
    }

    func outcome(of version: CommitVersion) async -> SyncOutcome? {
        commit()
        guard let id = ids[version], !isOver else { return nil }
        if let outcome = outcomes[id] { return outcome }
        return await withCheckedContinuation { waiter in
            waiters[id, default: []].append(waiter)
        }
    }
}
