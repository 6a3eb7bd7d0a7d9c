// SPDX-License-Identifier: MIT

package import Onward
package import OnwardJournal

/// One node's part in one store: a pure machine that decides what to read, append, send and answer.
///
/// A member always has a ``Replica``, which is all that readers see, and the ``Proposals`` made at
/// its node. In addition it has one of three roles:
///
/// ```text
///               the owner is silent, and it is this node's turn
///   following ────────────────────────────────────────────────▶ claiming: read to the end, append an Ownership
///       ▲  ▲                                                        │      │ acknowledged
///       │  └──────── refused, unknown, somebody else is owner ──────┘      ▼
///       └───────────────── refused, unknown, overtaken ───────────────── owning: an Owner decides
/// ```
///
/// There is one response to every problem: return to following, read again, claim again. The claim
/// is a barrier: once it is acknowledged, so is everything before it, and the window of requests
/// shows what was done.
package struct Member<Features: ClusterFeatures>: Sendable {
    enum Role: Sendable {
        case following
        case claiming(Claim)
        case owning(Owner<Features>)
    }

    /// A claim under way.
    struct Claim: Sendable {
        let since: Duration
        /// The owner of the store when the claim was decided.
        let before: Ownership?
        /// The append; nil while the log is being read to its end.
        var append: (entry: JournalEntry, number: UInt64)?
    }

    /// A message carries this many bytes of payloads; anything beyond is read from the journal.
    private static var messageSize: Int { 16 << 10 }

    package let node: NodeID
    package let store: String
    let limits: ClusterLimits
    /// What readers see.
    package private(set) var replica: Replica<Features>
    var role = Role.following
    private var proposals = Proposals()
    private var steps: [Step] = []

    /// Makes the ids of ownership entries unique: the run's random number and a count.
    private let run: UInt64
    private var lastID: UInt64 = 0
    private var lastNumber: UInt64 = 0
    /// The time of a request to the journal that it hasn't answered.
    private var readingSince: Duration?
    private var nextLook = Duration.zero
    /// The owner at the last check, the one before, and when the change was noticed.
    private var owner: NodeID?
    private var formerOwner: NodeID?
    private var ownerSince = Duration.zero
    /// Someone has requested the store from this node, and it has no owner.
    private var isWanted = false
    private var snapshotVersion: CommitVersion = 0
    /// How often a request was sent again.
    package private(set) var retries: UInt64 = 0
    /// Whether the journal has been read to its end once.
    private var hasReadAll = false
    /// Whether the last read returned something that isn't yet known to be acknowledged.
    private var mustAsk = false

    /// Creates a member that knows nothing of the log yet.
    ///
    /// - Parameters:
    ///   - node: The node.
    ///   - store: The name of the store.
    ///   - features: Its features.
    ///   - limits: The times and bounds.
    ///   - run: A random number that differs for each run of the program.
    package init(
        _ node: NodeID, of store: String, _ features: Features, _ limits: ClusterLimits, run: UInt64
    ) {
        (self.node, self.store, self.limits, self.run) = (node, store, limits, run)
        replica = Replica(features, window: limits.window)
        steps = [.readSnapshot]
    }

    /// Whether this node decides for the store, as far as it knows.
    package var isOwning: Bool {
        guard case .owning = role else { return false }
        return true
    }

    /// Whether readers are shown everything that the journal had, or all that this node can fold.
    package var isCurrent: Bool {
        if replica.foreign != nil || replica.failure != nil { return true }
        return hasReadAll && replica.ahead.isEmpty && !replica.isBehind
    }

    // MARK: Time

    /// Does what is due; call it a few times a second.
    package mutating func tick(_ neighbours: Neighbours, now: Duration) -> [Step] {
        switch role {
        case .following:
            if mustClaim(neighbours, now) {
                role = .claiming(Claim(since: now, before: replica.latestOwnership))
                look(now)
            } else if mustAsk, let decider = decider(neighbours, now), decider != node {
                steps.append(.send(.ask, to: decider))
                mustAsk = false
            }
        case .claiming(let claim):
            if now - claim.since >= limits.patience { role = .following }
        case .owning:
            let id = nextID()
            let isStuck = withOwner { owner in
                owner.mark(id, now: now)
                return owner.isStuck(now: now)
            }
            if isStuck == true { resign(now) }
        }
        for request in proposals.due(now, every: limits.resend) {
            retries += 1
            forward(request, neighbours, now)
        }
        if let since = readingSince, now - since >= limits.patience { readingSince = nil }
        if now >= nextLook { look(now) }
        return finish(now)
    }

    /// Whether it is this node's turn to own the store.
    private func mustClaim(_ neighbours: Neighbours, _ now: Duration) -> Bool {
        guard let owner = replica.latestOwnership else {
            return isWanted && neighbours.heir(of: store, with: nil, without: nil) == node
        }
        // It was this node, before it restarted or something went wrong.
        if owner.node == node { return neighbours.isAlive(node) }
        return !neighbours.isAlive(owner.node) && heir(neighbours, now) == node
    }

    private func heir(_ neighbours: Neighbours, _ now: Duration) -> NodeID? {
        let resting = now - ownerSince < limits.rest ? formerOwner : nil
        return neighbours.heir(
            of: store, with: replica.latestOwnership?.fingerprint, without: resting)
    }

    // MARK: Requests

    /// Accepts a request of this node; a step answers it.
    package mutating func propose(
        _ request: Request, _ neighbours: Neighbours, now: Duration
    ) -> [Step] {
        if let refusal = refusal(of: request) {
            steps.append(.answer(request.id, .refused(refusal)))
        } else if proposals.add(
            request, until: now + limits.proposal, resendAt: now + limits.resend)
        {
            forward(request, neighbours, now)
        }
        return finish(now)
    }

    private func refusal(of request: Request) -> ProposalRefusal? {
        if let fingerprint = replica.foreign { return .foreign(fingerprint) }
        if replica.failure != nil { return .unreadable }
        return proposals.count < limits.waiting ? nil : .overloaded
    }

    /// Sends a request to the owner or, if there is none, to the node that should become the owner.
    private mutating func forward(
        _ request: Request, _ neighbours: Neighbours, _ now: Duration
    ) {
        if isOwning { return take(request, from: node) }
        let decider = decider(neighbours, now)
        if decider == node {
            isWanted = true
        } else if let decider {
            steps.append(.send(.propose(request), to: decider))
        }
    }

    /// The owner or, if there is none, the node that should become the owner.
    private func decider(_ neighbours: Neighbours, _ now: Duration) -> NodeID? {
        if let owner = replica.latestOwnership?.node, neighbours.isAlive(owner) { return owner }
        return heir(neighbours, now)
    }

    /// Handles a request as the owner.
    private mutating func take(_ request: Request, from node: NodeID) {
        isWanted = !isOwning
        if let outcome = withOwner({ $0.take(request, from: node) }) ?? nil {
            answer(request.id, outcome, to: node)
        }
    }

    private mutating func answer(_ id: EntryID, _ outcome: ProposalOutcome, to node: NodeID) {
        if node == self.node {
            proposals.resolve(id, outcome)
        } else {
            steps.append(.send(.answer(id, outcome), to: node))
        }
    }

    /// Handles a message from another node.
    package mutating func receive(_ message: Message, from sender: NodeID, now: Duration) -> [Step]
    {
        switch message {
        case .propose(let request):
            take(request, from: sender)
        case .answer(let id, let outcome):
            proposals.resolve(id, outcome)
        case .acknowledged(let position, let entries, let before):
            if replica.ahead.count < limits.ahead { replica.take(entries, after: before) }
            replica.acknowledge(position)
            noteOwner(now)
            // What doesn't follow from what there is has to be read.
            if replica.isBehind { look(now) }
        case .ask:
            if let position = withOwner({ $0.acknowledged }) {
                steps.append(.send(.acknowledged(position), to: sender))
            }
        }
        return finish(now)
    }

    // MARK: The journal

    /// Handles entries that were requested.
    package mutating func read(
        _ entries: [JournalEntry], from version: CommitVersion, now: Duration
    ) -> [Step] {
        readingSince = nil
        let end = replica.end
        guard replica.read(entries, from: version) else {
            steps.append(.leaveServer)
            return finish(now)
        }
        noteOwner(now)
        if replica.end == end {
            hasReadAll = true
            mustAsk = !replica.ahead.isEmpty
        }
        if replica.end != end {
            if case .owning = role {} else { look(now) }
        } else if case .claiming(let claim) = role, claim.append == nil {
            appendClaim(claim, now)
        }
        return finish(now)
    }

    /// Handles requested entries that are no longer kept: a snapshot stands for them.
    package mutating func miss(now: Duration) -> [Step] {
        readingSince = now
        steps.append(.readSnapshot)
        return finish(now)
    }

    /// Handles the newest snapshot; nil if there is none.
    package mutating func install(_ snapshot: JournalSnapshot?, now: Duration) -> [Step] {
        readingSince = nil
        if let snapshot {
            let version = replica.fold.version
            replica.install(snapshot)
            snapshotVersion = max(snapshotVersion, snapshot.version)
            noteOwner(now)
            if replica.fold.version > version { look(now) }
        }
        return finish(now)
    }

    /// Reads the journal from the end of what is known, unless that is in progress.
    private mutating func look(_ now: Duration) {
        guard readingSince == nil else { return }
        if replica.ahead.count >= limits.ahead {
            // What nobody has acknowledged for so long is read again.
            steps.append(.readSnapshot)
        } else {
            steps.append(.read(from: max(replica.end.version, 1), limit: limits.page))
        }
        readingSince = now
        nextLook = now + limits.look
    }

    /// Notes who owns the store now; a superseded owner gives up.
    private mutating func noteOwner(_ now: Duration) {
        guard let latest = replica.latestOwnership else { return }
        if latest.node != owner {
            (formerOwner, owner, ownerSince) = (owner, latest.node, now)
        }
        switch role {
        case .owning(let own) where latest.epoch > own.epoch: resign(now)
        case .claiming(let claim)
        where latest != claim.before && latest.node != node && claim.append == nil:
            role = .following
        default: break
        }
    }

    // MARK: Ownership

    /// Appends the claim after the end that was read.
    private mutating func appendClaim(_ claim: Claim, _ now: Duration) {
        let ownership = Ownership(
            node: node, epoch: (replica.latestOwnership?.epoch ?? 0) + 1,
            fingerprint: replica.features.fingerprint, acknowledged: replica.fold.position)
        let entry = ownership.entry(at: replica.end.version + 1, id: nextID())
        lastNumber += 1
        steps.append(.append([entry], after: replica.end, number: lastNumber))
        var claim = claim
        claim.append = (entry, lastNumber)
        role = .claiming(claim)
    }

    /// Handles the outcome of an append.
    package mutating func finish(
        _ number: UInt64, _ outcome: AppendOutcome, now: Duration
    ) -> [Step] {
        switch role {
        case .claiming(let claim):
            guard let (entry, claimed) = claim.append, claimed == number else { break }
            role = .following
            if outcome == .acknowledged { begin(entry, now) } else { look(now) }
        case .owning:
            guard withOwner({ $0.isUnderWay(number) }) == true else { break }
            if outcome == .acknowledged { acknowledge(number, now) } else { resign(now) }
        case .following: break
        }
        return finish(now)
    }

    /// The claim is acknowledged, and so is everything before it.
    private mutating func begin(_ claim: JournalEntry, _ now: Duration) {
        let before = replica.end
        guard replica.read([claim], from: claim.version) else { return }
        replica.acknowledge(claim.position)
        noteOwner(now)
        guard replica.fold.position == claim.position else { return }
        role = .owning(
            Owner(
                node, epoch: claim.epoch, on: replica.fold, replica.features, limits, now: now))
        steps.append(.begin(epoch: claim.epoch))
        for entry in replica.fold.work.entries {
            steps.append(.beginWork(entry, epoch: claim.epoch))
        }
        broadcast([claim], after: before)
        isWanted = false
        proposals.sendAgain(now)
    }

    private mutating func acknowledge(_ number: UInt64, _ now: Duration) {
        guard let before = withOwner({ $0.acknowledged }),
            let (entries, answers) = withOwner({ $0.acknowledge(number) }),
            let first = entries.first, let last = entries.last,
            replica.read(entries, from: first.version)
        else { return resign(now) }
        replica.acknowledge(last.position)
        broadcast(entries, after: before)
        for entry in entries where entry.hasAction { steps.append(.start(entry)) }
        for entry in entries where replica.fold.work.contains(entry.id) {
            steps.append(.beginWork(entry, epoch: entry.epoch))
        }
        for item in answers { answer(item.id, item.outcome, to: item.node) }
        storeSnapshot()
    }

    /// Sends the other nodes what is acknowledged, so that they don't have to read it.
    private mutating func broadcast(_ entries: [JournalEntry], after before: JournalPosition) {
        guard let last = entries.last else { return }
        let size = entries.reduce(0) { $0 + $1.payload.count }
        let isSmall = entries.count <= limits.batch && size <= Self.messageSize
        let message =
            isSmall
            ? Message.acknowledged(last.position, entries: entries, after: before)
            : .acknowledged(last.position)
        steps.append(.broadcast(message))
    }

    /// Stores a snapshot if enough entries have come since the last one.
    private mutating func storeSnapshot() {
        guard replica.fold.version - snapshotVersion >= limits.spacing,
            let snapshot = try? replica.fold.snapshot(replica.features)
        else { return }
        snapshotVersion = snapshot.version
        steps.append(.store(snapshot, at: replica.fold.position))
    }

    /// Discards the owner, with everything that isn't acknowledged.
    private mutating func resign(_ now: Duration) {
        guard case .owning(let owner) = role else { return }
        role = .following
        steps.append(.end(epoch: owner.epoch))
        proposals.sendAgain(now)
        look(now)
    }

    /// Notes that an entry's durable work, which was begun in an epoch, has ended.
    package mutating func endWork(
        of id: EntryID, epoch: UInt64, now: Duration
    ) -> [Step] {
        withOwner { if $0.epoch == epoch { $0.endWork(of: id) } }
        return finish(now)
    }

    private mutating func nextAppend(_ now: Duration) -> Owner<Features>.Append? {
        let (number, id) = (lastNumber + 1, nextID())
        return withOwner { owner in
            owner.markAlong(id, now: now)
            return owner.nextAppend(number, now: now)
        } ?? nil
    }

    /// Changes the owner in place; nil if this node isn't the owner.
    @discardableResult
    private mutating func withOwner<Value>(_ body: (inout Owner<Features>) -> Value) -> Value? {
        guard case .owning(var owner) = role else { return nil }
        role = .following  // so that nobody else holds what is changed
        defer { role = .owning(owner) }
        return body(&owner)
    }

    // MARK: Steps

    private mutating func nextID() -> EntryID {
        lastID += 1
        return EntryID(high: run, low: lastID)
    }

    /// The steps to take, including the appends and answers that have become possible.
    private mutating func finish(_ now: Duration) -> [Step] {
        while let append = nextAppend(now) {
            lastNumber += 1
            steps.append(.append(append.entries, after: append.after, number: append.number))
        }
        if !proposals.isEmpty {
            let answers = proposals.takeAnswers(
                replica.fold.requests, replica.fold.version, now: now)
            for (id, outcome) in answers { steps.append(.answer(id, outcome)) }
        }
        // First, so that whoever gets an answer finds what it wrote.
        if let news = replica.takeNews() { steps.insert(news, at: 0) }
        defer { steps = [] }
        return steps
    }
}
