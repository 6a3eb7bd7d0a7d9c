// SPDX-License-Identifier: MIT

internal import DequeModule
internal import Onward
internal import OnwardJournal

/// Performs what a ``ServerMachine`` wants: has the store decide, and sends.
actor ServerCore<State: Codable & Sendable> {
    private struct Client {
        let identity: String?
        let outlet: ClientOutlet
    }

    private let store: Store<State>
    private let rules: ClientRules
    private let keeping: LedgerKeeping
    private let limits: SyncLimits
    private let stopwatch: Stopwatch
    private let view: SyncView<State>?
    /// The last state of which the machine knows what has changed for whom.
    private var viewed: State
    private var viewMemory: SyncView<State>.Memory = [:]
    private let codec: JournalCodec<State>
    private let messages: MessageCodec
    private let commits: CommitQueue<State>
    private let token: Subscription

    private var machine: ServerMachine
    private var clients: [ConnectionID: Client] = [:]
    private var presence: Presence
    private var nextConnection: UInt64 = 1
    /// The state that was encoded last, for the next client as well.
    private var encoded: JournalSnapshot?
    /// What clients with other features get of it.
    private var recent = RecentChanges()
    /// The entries that were sent last, as most clients get the same but for their session.
    private var lastSent: (message: DownMessage, body: [UInt8])?
    /// The last proposal if a migration has made several actions of it.
    private var splitProposal: ProposalID?
    private var counts = SyncServerStatus()
    private var isPublishing = false
    private var keptLedger: CommitVersion = 0
    private var isOver = false

    init(
        _ store: Store<State>, _ rules: ClientRules, _ ledger: Ledger, _ keeping: LedgerKeeping,
        _ options: SyncOptions<State>, _ presence: Presence
    ) {
        self.store = store
        self.rules = rules
        self.keeping = keeping
        self.presence = presence
        limits = options.limits.usable(store.engine.options.report)
        stopwatch = Stopwatch(store.engine.options.clock)
        view = options.view
        codec = JournalCodec(
            for: store, migrations: options.migrations, revision: options.revision)
        messages = MessageCodec(limits)
        commits = CommitQueue(limit: limits.history, needsStates: options.view != nil)
        let (token, snapshot) = store.log.attachWithSnapshot(commits)
        self.token = token
        viewed = snapshot.state
        machine = ServerMachine(
            log: .random(in: 1 ... .max), version: snapshot.version, ledger: ledger,
            fingerprint: codec.fingerprint, limits: limits,
            isPartial: options.view != nil)
    }

    func begin() {
        commits.whenCommitted { [weak self] in Task { await self?.publish() } }
    }

    var status: SyncServerStatus {
        var status = counts
        status.sessions = machine.sessionCount
        status.version = machine.publishedVersion
        status.runs = machine.ledger.count
        return status
    }

    func stop() async {
        isOver = true
        await token.cancelAndWait()
        for id in Array(clients.keys) { close(id) }
        await keepLedger()
    }

    // MARK: Connections

    func connect(as identity: String?) -> SyncConnection {
        let (stream, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream(
            bufferingPolicy: .bufferingOldest(limits.unread))
        let outlet = ClientOutlet {
            if case .enqueued = continuation.yield($0) { true } else { false }
        } end: {
            continuation.finish(throwing: $0)
        }
        let connection = connect(as: identity, to: outlet)
        continuation.onTermination = { _ in connection.close() }
        return SyncConnection(messages: stream) { bytes in
            try await connection.receive(bytes)
        } close: {
            continuation.finish()
        }
    }

    func connect(as identity: String?, to outlet: ClientOutlet) -> ClientConnection {
        guard !isOver else {
            outlet.end(nil)
            return ClientConnection(receive: { _ in }, close: {})
        }
        let id = ConnectionID(nextConnection)
        nextConnection += 1
        clients[id] = Client(identity: identity, outlet: outlet)
        presence.begin(identity)
        return ClientConnection { [weak self] bytes in
            try await self?.receive(bytes, from: id)
        } close: { [weak self] in
            Task { await self?.close(id) }
        }
    }

    private func close(_ id: ConnectionID) {
        guard let client = clients.removeValue(forKey: id) else { return }
        machine.disconnected(id)
        client.outlet.end(nil)
        presence.end(client.identity)
    }

    private func receive(_ bytes: [UInt8], from id: ConnectionID) throws {
        guard let client = clients[id] else { return }
        let message: UpMessage
        do {
            message = try messages.upMessage(of: bytes)
        } catch {
            client.outlet.end(error)
            close(id)
            throw error
        }
        observe()
        perform(
            machine.received(
                message, from: id, as: client.identity, now: stopwatch.elapsed()))
        while let (proposal, connection) = machine.nextToDecide() {
            let decision = decide(proposal, by: clients[connection]?.identity)
            observe()
            switch decision {
            case .accepted: counts.accepted += 1
            case .refused: counts.refused += 1
            case .unavailable: break
            }
            perform(machine.decided(proposal.id, decision))
        }
    }

    // MARK: Deciding

    /// Has the store decide a proposal.
    ///
    /// Where a migration makes several actions of it, each is decided by itself, and one that is accepted
    /// makes it accepted. Their entries can't be sent, as a client would take each for the whole.
    private func decide(_ proposal: Proposal, by identity: String?) -> Decision {
        guard let written = proposal.action.entry(),
            let entries = try? codec.actions.decode(written),
            let line = Int(exactly: proposal.id.number)
        else { return .refused(SyncRefusal(.unreadable, "The server is too old for that.")) }
        for entry in entries {
            guard rules.allow(entry.action, at: entry.address, by: identity) else {
                return .refused(SyncRefusal(.forbidden, "You may not do this."))
            }
        }
        guard
            entries.allSatisfy({ store.handles(type(of: $0.action), at: $0.address) })
        else { return .refused(SyncRefusal(.unreadable)) }
        let origin = ActionOrigin(
            file: ActionOrigin.file(ofClient: proposal.id.client), line: line)
        splitProposal = entries.count > 1 ? proposal.id : nil
        let decisions = entries.map { dispatch($0, from: origin, by: identity) }
        if decisions.contains(.accepted) { return .accepted }
        let isGone = SyncRefusal(.unreadable, "This is no longer done.")
        return decisions.last ?? .refused(isGone)
    }

    private func dispatch(_ entry: LogEntry, from origin: ActionOrigin, by identity: String?)
        -> Decision
    {
        // The ids are those that the client has shown; when it is, and who does it, the server knows.
        let stamp = entry.stamp.map {
            EntryStamp(
                seed: $0.seed, numbers: $0.numbers, time: store.engine.options.wallClock(),
                author: identity)
        }
        let proposed = LogEntry(
            version: 0, action: entry.action, address: entry.address, origin: origin, stamp: stamp)
        let result = ActionAuthor.$current.withValue(identity) {
            store.dispatch(proposed: proposed)
        }
        return switch result {
        case .accepted: .accepted
        case .withheld: .refused(SyncRefusal(.withheld))
        case .refused(.failedCheck(let failure)): .refused(SyncRefusal(failure))
        case .refused(.absent): .refused(SyncRefusal(.absent, "This is no longer there."))
        case .refused(.unhandled): .refused(SyncRefusal(.unreadable))
        case .refused: .unavailable
        }
    }

    // MARK: The log

    /// Takes over what the store has committed.
    private func observe() {
        store.log.deliver(to: token)
        for item in commits.take() {
            let changes = changes(in: item)
            switch item {
            case .entry(let entry, _): machine.committed(logged(entry), changes)
            case .skipped(let count, _):
                // All that they have changed comes with the first of them.
                for number in 0..<count {
                    machine.committed(
                        LoggedEntry(action: nil), number == 0 ? changes : changes.map { _ in [] })
                }
            }
        }
    }

    /// What an item has changed in the view, for whomever.
    private func changes(in item: CommitQueue<State>.Item) -> [ViewChange]? {
        guard let view, let state = item.state else { return nil }
        defer { viewed = state }
        return view.changes(from: viewed, to: state, &viewMemory)
    }

    private func logged(_ entry: LogEntry) -> LoggedEntry {
        guard entry.kind == .action else { return LoggedEntry(action: nil) }
        let proposal = entry.origin.proposal
        let isSplit = proposal != nil && proposal == splitProposal
        let written = isSplit ? nil : try? codec.actions.encode(entry)
        return LoggedEntry(
            action: written.map { SyncAction($0) }, proposal: proposal, time: entry.stamp?.time,
            author: entry.stamp?.author)
    }

    /// Has what was committed kept, then sends it; again if more was committed meanwhile.
    func publish() async {
        if isPublishing || isOver { return }
        isPublishing = true
        defer { isPublishing = false }
        observe()
        while machine.publishedVersion < machine.version, !isOver {
            let version = machine.version
            guard await isKept() else { return }
            perform(machine.published(upTo: version))
            observe()
        }
        if machine.publishedVersion - keptLedger >= CommitVersion(limits.history) {
            await keepLedger()
        }
    }

    /// Waits until what was committed is kept, if anything keeps it.
    private func isKept() async -> Bool {
        do throws(DurabilityError) {
            try await store.flush(.memory)
            counts.failure = nil
            return true
        } catch {
            if error.code == .notKept { return true }
            counts.failure = error.description
            return false
        }
    }

    private func keepLedger() async {
        do {
            let version = try await keeping.lastVersion()
            observe()
            try keeping.write(machine.ledger, at: version)
            keptLedger = machine.publishedVersion
        } catch {
            counts.failure = "\(error)"
        }
    }

    // MARK: Sending

    private func perform(_ steps: [ServerStep]) {
        for step in steps {
            switch step {
            case .send(let message, let id): send(message, to: id)
            case .encodeState(let id, let version): encodeState(for: id, since: version)
            case .end(let id): close(id)
            }
        }
    }

    private func send(_ message: DownMessage, to id: ConnectionID) {
        guard let client = clients[id] else { return }
        guard let bytes = bytes(of: message) else {
            counts.failure = "What a client has to get is larger than SyncLimits.stateBytes."
            if case .failed = message { return }
            return send(.failed(session: message.session, .tooLarge), to: id)
        }
        // A client that doesn't read begins again when it does.
        if !client.outlet.send(bytes) { close(id) }
    }

    private func bytes(of message: DownMessage) -> [UInt8]? {
        guard case .entries = message else { return try? messages.bytes(of: message) }
        let shared = message.inSession(0)
        if let lastSent, lastSent.message == shared {
            return MessageCodec.bytes(of: lastSent.body, in: message.session)
        }
        guard let body = try? messages.body(of: shared) else { return nil }
        lastSent = (shared, body)
        return MessageCodec.bytes(of: body, in: message.session)
    }

    private func encodeState(for id: ConnectionID, since start: CommitVersion?) {
        let (state, version) = store.log.snapshot
        observe()
        if let view {
            let reader = clients[id]?.identity
            guard let changes = view.everything(in: state) else {
                counts.failure = "The view of a client can't be encoded."
                return close(id)
            }
            let visible = changes.compactMap { $0.change(for: reader) }
            perform(machine.encoded(.view(visible), at: version, for: id))
            Task { await publish() }
            return
        }
        if encoded?.version != version {
            encoded = try? codec.states.encode(state, at: version, by: codec.fingerprint)
        }
        guard let encoded else {
            counts.failure = "The state can't be encoded."
            return close(id)
        }
        let changes = start.flatMap { self.changes(since: $0, to: encoded) }
        perform(
            machine.encoded(
                changes ?? .state(encoded.payload, schema: encoded.schema), at: version, for: id))
        Task { await publish() }
    }

    /// What has changed since a version; nil if that isn't known, or is no less than the state.
    private func changes(
        since start: CommitVersion, to encoded: JournalSnapshot
    ) -> EncodedState? {
        guard
            recent.note(encoded.payload, at: encoded.version),
            let changes = recent.changes(since: start),
            changes.reduce(0, { $0 + $1.size }) < encoded.payload.count
        else { return nil }
        return .changes([EncodedParts.change(ofSchema: encoded.schema)] + changes, since: start)
    }
}
