// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// Performs the steps of one store's ``Member`` on a node: reads and appends, sends and answers,
/// and shows what is acknowledged.
///
/// Everything happens on the actor, one thing at a time. Only the journal and the network are
/// awaited outside; their results come back as calls.
actor StoreMember<State: Codable & Sendable>: NodeMember {
    private typealias Caller = CheckedContinuation<ProposalOutcome, Never>

    nonisolated let name: String
    nonisolated let features: StoreFeatures<State>
    nonisolated let replica: ReplicaStore<State>
    private let journal: any Journal
    private let forgetsEntries: Bool
    nonisolated let surroundings: Surroundings
    private let current = Guarded(ClusteredStoreStatus())
    /// Whether a tick has been requested that hasn't happened yet.
    private let mustTick = Guarded(false)

    private var member: Member<StoreFeatures<State>>
    private var callers: [EntryID: [Caller]] = [:]
    private var callerCount = 0
    /// When the journal last answered, and whether it has failed since.
    private var answered: Duration
    private var hasFailed = false
    private var isOver = false
    private let work: DurableRunner<State>

    init(
        _ name: String, _ features: StoreFeatures<State>, _ replica: ReplicaStore<State>,
        in journal: any Journal, forgetsEntries: Bool, _ surroundings: Surroundings
    ) {
        self.name = name
        self.features = features
        self.replica = replica
        self.journal = journal
        self.forgetsEntries = forgetsEntries
        self.surroundings = surroundings
        work = DurableRunner(replica.store, clock: surroundings.clock)
        answered = surroundings.now
        var limits = surroundings.limits
        // While one append is in progress, requests gather for the next one.
        limits.pipeline = 1
        member = Member(
            surroundings.node, of: name, features, limits,
            run: UInt64.random(in: .min ... .max))
    }

    nonisolated var fingerprint: FeatureFingerprint { features.fingerprint }
    nonisolated var status: ClusteredStoreStatus { current.withValue { $0 } }

    // MARK: What happens

    nonisolated func tickSoon() {
        let begins = mustTick.withValue { mustTick in
            defer { mustTick = true }
            return !mustTick
        }
        if begins { Task { await tick() } }
    }

    private func tick() {
        mustTick.withValue { $0 = false }
        handle { $0.tick(surroundings.neighbours, now: $1) }
    }

    func receive(_ message: Message, from sender: NodeID) {
        handle { $0.receive(message, from: sender, now: $1) }
    }

    /// Proposes a request; returns its outcome.
    func propose(_ request: Request) async -> ProposalOutcome {
        if isOver { return .refused(.stopped) }
        guard callerCount < 2 * surroundings.limits.waiting else {
            count(.refused(.overloaded))
            return .refused(.overloaded)
        }
        return await withCheckedContinuation { caller in
            callerCount += 1
            callers[request.id, default: []].append(caller)
            guard callers[request.id]?.count == 1 else { return }
            handle { $0.propose(request, surroundings.neighbours, now: $1) }
        }
    }

    func version(of request: RequestID) -> CommitVersion? {
        let finding = member.replica.fold.requests.find(request.id, since: request.since)
        return if case .done(let version) = finding { version } else { nil }
    }

    /// Ends everything, answering everyone who waits.
    func stop() {
        guard !isOver else { return }
        isOver = true
        replica.end()
        work.end()
        let waiting = callers.values.flatMap(\.self)
        (callers, callerCount) = ([:], 0)
        current.withValue { ($0.isOwning, $0.waiting) = (false, 0) }
        for caller in waiting { caller.resume(returning: .refused(.stopped)) }
    }

    // MARK: Steps

    /// Passes what has happened to the machine, and performs what it wants done.
    private func handle(_ event: (inout Member<StoreFeatures<State>>, Duration) -> [Step]) {
        guard !isOver else { return }
        let retries = member.retries
        perform(event(&member, surroundings.now))
        let more = member.retries - retries
        if more > 0 { surroundings.count { $0.retries += more } }
        note()
    }

    private func perform(_ steps: [Step]) {
        for step in steps {
            switch step {
            case .show(let entries): show(entries, in: steps)
            case .showState: showState()
            case .begin(let epoch): replica.begin(epoch)
            case .start: break  // With the entry, when it is shown.
            case .beginWork(let entry, let epoch): beginWork(of: entry, in: epoch)
            case .end:
                replica.end()
                work.end()
                current.withValue { $0.losses += 1 }
                surroundings.count { $0.losses += 1 }
            case .read(let version, let limit): Task { await read(from: version, limit: limit) }
            case .readSnapshot: Task { await readSnapshot() }
            case .append(let entries, let end, let number):
                Task { await append(entries, after: end, number) }
            case .store(let snapshot, let position):
                Task { await store(snapshot, at: position) }
            case .send(let message, let node): surroundings.send(message, of: name, to: node)
            case .broadcast(let message): surroundings.broadcast(message, of: name)
            case .answer(let id, let outcome): answer(id, outcome)
            // Which server answers is up to the journal: it refuses outdated ones.
            case .leaveServer: break
            }
        }
    }

    private func beginWork(of entry: JournalEntry, in epoch: UInt64) {
        let context = DurableContext(id: entry.id, address: entry.address) {
            [weak self] action, address, origin in
            await self?.propose(action, to: address, from: origin, in: epoch) ?? .refused(.stopped)
        }
        work.begin(features.work(of: ActionDraft(entry)), in: epoch, context) { [weak self] in
            await self?.endWork(of: entry.id, in: epoch)
        }
    }

    private func endWork(of id: EntryID, in epoch: UInt64) {
        handle { $0.endWork(of: id, epoch: epoch, now: $1) }
    }

    /// Proposes what the durable work of an epoch reports.
    private func propose(
        _ action: any Action, to address: Address, from origin: ActionOrigin, in epoch: UInt64
    ) async -> ProposalOutcome {
        guard let draft = try? features.draft(of: action, to: address, from: origin) else {
            return .refused(.unreadable)
        }
        return await propose(
            Request(id: EntryID(), base: status.version, epoch: epoch, action: draft))
    }

    private func show(_ entries: [JournalEntry], in steps: [Step]) {
        let starting = Set(
            steps.compactMap { step -> CommitVersion? in
                if case .start(let entry) = step { entry.version } else { nil }
            })
        let decoded = try? features.codec.actions.decode(entries)
        // What was folded can be decoded; a state in place of entries is right in any case.
        guard let decoded, replica.show(decoded, where: starting.contains) else {
            return showState()
        }
    }

    private func showState() {
        replica.show(member.replica.fold.state, at: member.replica.fold.version)
    }

    private func answer(_ id: EntryID, _ outcome: ProposalOutcome) {
        let answered = callers.removeValue(forKey: id) ?? []
        callerCount -= answered.count
        count(outcome)
        for caller in answered { caller.resume(returning: outcome) }
    }

    private func count(_ outcome: ProposalOutcome) {
        current.withValue { status in
            switch outcome {
            case .accepted: status.accepted += 1
            case .refused: status.refused += 1
            case .unanswered: status.unanswered += 1
            case .withheld: break
            }
        }
        surroundings.count { $0.count(outcome) }
    }

    private func note() {
        let replica = member.replica
        let owner = replica.latestOwnership
        current.withValue { status in
            status.isOwning = member.isOwning
            (status.owner, status.epoch) = (owner?.node, owner?.epoch ?? 0)
            status.version = replica.fold.version
            let known = max(replica.acknowledged.version, replica.fold.version)
            status.lag = known - replica.fold.version
            status.waiting = callers.count
            status.retries = member.retries
            status.unended = replica.fold.work.count
            status.foreign = replica.foreign
            if member.isCurrent { status.hasCaughtUp = true }
            status.isJournalAway =
                hasFailed || surroundings.now - answered >= surroundings.limits.patience
            if let failure = replica.failure { status.failure = failure }
        }
    }

    private func note(_ failure: JournalError?) {
        hasFailed = failure != nil
        if failure == nil { answered = surroundings.now }
        current.withValue { $0.failure = failure }
    }

    // MARK: The journal

    private func read(from version: CommitVersion, limit: Int) async {
        do {
            let entries = try await journal.entries(from: version, limit: limit)
            note(nil)
            handle { $0.read(entries, from: version, now: $1) }
        } catch  where error.code == .truncated {
            handle { $0.miss(now: $1) }
        } catch {
            // The machine asks again.
            note(error)
        }
    }

    private func readSnapshot() async {
        do {
            let snapshot = try await journal.snapshot(at: .max)
            answered = surroundings.now
            handle { $0.install(snapshot, now: $1) }
        } catch {
            note(error)
        }
    }

    private func append(
        _ entries: [JournalEntry], after end: JournalPosition, _ number: UInt64
    ) async {
        let outcome: AppendOutcome
        do {
            try await journal.append(entries, after: end)
            note(nil)
            outcome = .acknowledged
        } catch {
            let isRefused = [JournalError.Code.conflict, .invalid, .overflow].contains(error.code)
            if error.code != .conflict { note(error) }
            outcome = isRefused ? .refused : .unknown
        }
        handle { $0.finish(number, outcome, now: $1) }
    }

    private func store(_ snapshot: JournalSnapshot, at position: JournalPosition) async {
        do {
            try await journal.store(snapshot, at: position)
            if forgetsEntries {
                try await journal.truncate(before: snapshot.version, at: position)
            }
        } catch {
            // The next one will do.
            if error.code != .conflict { note(error) }
        }
    }
}
