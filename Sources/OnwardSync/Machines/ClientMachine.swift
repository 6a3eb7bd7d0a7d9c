// SPDX-License-Identifier: MIT

package import DequeModule
package import Onward
package import OnwardJournal

/// Decides what a client shows, keeps and sends.
///
/// Problem: an action has to show at once, without a network, and yet the server decides, perhaps
/// much later, on a state that others have changed; messages are lost, late and doubled; either side
/// ends at any time.
///
/// Strategy: the client knows a confirmed state, which is that of the server's log at a version, and
/// its own pending actions in order. What it shows is always the second folded over the first, with
/// the same checks and reducers that the server has: pending actions are decided again, never
/// merged. Entries count only if they continue the version, so late and doubled ones change nothing;
/// a proposal has a number, which the log decides once, however often it is sent.
///
/// A value: it has no clock, and calls nobody but the features.
package struct ClientMachine<Features: SyncFeatures>: Sendable {
    /// An action that the server has not decided, as far as is known.
    package struct Pending: Sendable {
        package let proposal: Proposal
        /// Nil if this program can't read it: an earlier one has left it.
        let action: Features.ReadAction?
        /// Whether a check here refuses it on what is confirmed now: it doesn't show.
        package fileprivate(set) var isHidden = false
        /// Whether no server can know it.
        fileprivate(set) var isNew = true
        /// Whether it was sent in this session.
        fileprivate(set) var isSent = false
    }

    private enum Phase { case offline, greeting, online }

    private let features: Features
    private let limits: SyncLimits
    private let fingerprint: FeatureFingerprint
    /// This run of the client.
    private let client: ClientID
    private var nextNumber: UInt64 = 1

    /// What the client shows before anything came, and of what it may not see.
    private let initial: Features.State
    /// The log that the confirmed state is from; nil before there was any.
    package private(set) var log: UInt64?
    /// The version of that log.
    package private(set) var version: CommitVersion = 0
    /// The state of the log at that version.
    package private(set) var confirmed: Features.State
    /// What is pending, in the order in which it was dispatched.
    package private(set) var pending: Deque<Pending> = []
    /// The state after the first pending ones, until the store shows what was asked for; nil if it has to
    /// be worked out from the confirmed one.
    private var folded: (state: Features.State, count: Int)?
    /// Why this client can't get in step, although the server answers.
    package private(set) var problem: SyncProblem?

    private var phase = Phase.offline
    private var session: UInt64
    /// The log of the session; nil until the server has said it.
    private var sessionLog: UInt64?
    /// Whether only a whole state is of use.
    private var needsState = false
    /// Whether a message is on its way to the transport: what is dispatched meanwhile goes with the next one,
    /// as a slow network takes long for each.
    private var isSending = false
    /// How many entries came since the server was told how far this client is.
    private var unnoted = 0
    private var lastSent = Duration.zero
    private var lastHeard = Duration.zero
    private var pause: (since: Duration, length: Duration)?

    /// Creates the machine of a client that has nothing yet.
    ///
    /// - Parameters:
    ///   - state: What it shows before anything came: the state of a server before its first entry.
    ///   - features: The features.
    ///   - fingerprint: That of the features; a server with another one sends no entries.
    ///   - client: The id of this run.
    ///   - session: A random number, from which sessions are numbered.
    ///   - limits: The limits.
    package init(
        _ state: Features.State, _ features: Features, fingerprint: FeatureFingerprint,
        client: ClientID, session: UInt64, limits: SyncLimits
    ) {
        self.features = features
        self.limits = limits
        self.fingerprint = fingerprint
        self.client = client
        self.session = session
        initial = state
        confirmed = state
    }

    /// Whether the server answers.
    package var isOnline: Bool { phase == .online }

    /// The state that the client shows: what is confirmed, then what is pending.
    ///
    /// - Complexity: O(pending actions), each as much as its checks and reducers. Until ``hasShown()``,
    ///   only what was dispatched since the last time is decided: so a client that is dispatched to all
    ///   the time comes to an end.
    package mutating func shownState() -> Features.State {
        var (state, count) = folded.take() ?? (confirmed, 0)
        while count < pending.count {
            let isShown = pending[count].action.map { features.decide($0, on: &state) }
            pending[count].isHidden = isShown != true
            count += 1
        }
        folded = (state, count)
        return state
    }

    /// The store shows the state that was asked for: it isn't kept here as well, as the store would have
    /// to copy what it changes next.
    package mutating func hasShown() { folded = nil }

    // MARK: Restoring

    /// Takes up what an earlier run has kept: a whole state.
    package mutating func restore(
        _ state: Features.State, log: UInt64?, version: CommitVersion, pending proposals: [Proposal]
    ) {
        (confirmed, self.log, self.version) = (state, log, version)
        (pending, folded) = ([], nil)
        for proposal in proposals { restore(proposal) }
    }

    /// Takes up the next record that an earlier run has kept.
    package mutating func restore(_ record: KeptRecord) {
        switch record {
        case .proposed(let proposal): restore(proposal)
        case .dropped(let ids):
            pending.removeAll { ids.contains($0.proposal.id) }
            folded = nil
        case .entries(let log, let from, let items):
            guard log == self.log, from == version + 1 else { return }
            _ = apply(items)
        case .changes(let log, let from, let version, let changes, let decided):
            guard log == self.log, from <= self.version, version > self.version,
                features.apply(changes, to: &confirmed)
            else { return }
            self.version = version
            _ = settle(decided)
        }
    }

    private mutating func restore(_ proposal: Proposal) {
        var item = Pending(proposal: proposal, action: features.read(proposal.action))
        item.isNew = false
        pending.append(item)
    }

    /// Has the next session ask for a whole state: what is kept was folded by other features.
    package mutating func distrust() { log = nil }

    // MARK: The store

    /// An action was dispatched here and shows already.
    ///
    /// - Returns: The id under which it is proposed, and what to do.
    package mutating func committed(
        _ action: SyncAction, now: Duration
    ) -> (ProposalID, [ClientStep]) {
        let id = ProposalID(client: client, number: nextNumber)
        nextNumber += 1
        let proposal = Proposal(id: id, action: action)
        guard action.size <= limits.actionBytes else {
            let refusal = SyncRefusal(.tooLarge, "This is too large to be sent.")
            return (id, [.report(id, .refused(refusal)), .show])
        }
        let new = Pending(proposal: proposal, action: features.read(action))
        let steps = replaceLast(by: new)
        pending.append(new)
        // First what comes, then what goes: the end of this may not be kept.
        return (id, [.keep(.proposed(proposal))] + steps + sendNew(now))
    }

    /// Takes back what was dispatched last, if nobody knows it and a new action stands for it as well.
    private mutating func replaceLast(by new: Pending) -> [ClientStep] {
        guard let last = pending.last, last.isNew, let old = last.action, let action = new.action,
            features.replaces(action, old)
        else { return [] }
        pending.removeLast()
        folded = nil
        let id = last.proposal.id
        return [.keep(.dropped([id])), .report(id, .replaced), .show]
    }

    // MARK: The connection

    /// A connection was made.
    package mutating func connected(now: Duration) -> [ClientStep] { greet(now) }

    /// The connection is gone.
    package mutating func disconnected() {
        phase = .offline
        sessionLog = nil
        isSending = false
    }

    /// The transport has taken all that was sent.
    package mutating func sent(now: Duration) -> [ClientStep] {
        isSending = false
        return sendNew(now)
    }

    /// There is no connection, for a reason that the person at the device may have to know.
    package mutating func failed(_ problem: SyncProblem) { self.problem = problem }

    /// Time has passed.
    package mutating func tick(now: Duration) -> [ClientStep] {
        guard phase != .offline else { return [] }
        let isSilent = elapsed(since: &lastSent, now) >= limits.patience
        if phase == .greeting || needsState { return isSilent ? greet(now) : [] }
        if let pause, pause.since <= now, now - pause.since < pause.length { return [] }
        pause = nil
        let isWaiting = pending.first?.isSent == true
        if isWaiting, isSilent { return sendAgain(now) }
        let isQuiet =
            elapsed(since: &lastHeard, now) >= limits.heartbeat
            && elapsed(since: &lastSent, now) >= limits.heartbeat
        if isQuiet { return sendAgain(now) }
        return sendNew(now)
    }

    /// The time since a moment; none if the clock was set back meanwhile.
    private func elapsed(since moment: inout Duration, _ now: Duration) -> Duration {
        if now < moment { moment = now }
        return now - moment
    }

    private mutating func greet(_ now: Duration) -> [ClientStep] {
        session &+= 1
        (phase, sessionLog, pause, unnoted) = (.greeting, nil, nil, 0)
        (lastSent, isSending) = (now, true)
        for index in pending.indices { pending[index].isSent = false }
        return [
            .send(
                .hello(
                    session: session, fingerprint: fingerprint, log: needsState ? nil : log,
                    version: version, runs: runs))
        ]
    }

    /// The runs of which something is pending, and this one, of which more comes.
    private var runs: [PendingRun] {
        var runs: [PendingRun] = []
        for item in pending {
            let id = item.proposal.id
            if let last = runs.indices.last, runs[last].client == id.client {
                runs[last].last = id.number
            } else {
                runs.append(PendingRun(client: id.client, first: id.number, last: id.number))
            }
        }
        if let last = runs.indices.last, runs[last].client == client {
            runs[last].last = .max
        } else {
            runs.append(PendingRun(client: client, first: nextNumber, last: .max))
        }
        return runs
    }

    // MARK: Sending

    /// Sends what was not sent in this session.
    private mutating func sendNew(_ now: Duration) -> [ClientStep] {
        guard phase == .online, pause == nil, !isSending,
            let first = pending.firstIndex(where: { !$0.isSent })
        else { return [] }
        return send(from: first, again: false, now)
    }

    /// Sends everything that is pending once more, as far as one message goes, and has the server send
    /// what may be lost.
    private mutating func sendAgain(_ now: Duration) -> [ClientStep] {
        for index in pending.indices { pending[index].isSent = false }
        let steps = send(from: 0, again: true, now)
        return steps.isEmpty ? [propose([], after: nil, again: true, now)] : steps
    }

    private mutating func send(from first: Int, again: Bool, _ now: Duration) -> [ClientStep] {
        var proposals: [Proposal] = []
        var bytes = 0
        var index = first
        while index < pending.count, proposals.count < limits.proposalsPerMessage,
            mayBeSent(index)
        {
            let proposal = pending[index].proposal
            bytes += proposal.action.size
            if !proposals.isEmpty, bytes > limits.messageBytes / 2 { break }
            proposals.append(proposal)
            (pending[index].isSent, pending[index].isNew) = (true, false)
            index += 1
        }
        if proposals.isEmpty { return [] }
        let after = first > 0 ? pending[first - 1].proposal.id : nil
        return [propose(proposals, after: after, again: again, now)]
    }

    /// Whether the server's log would still say what became of the first ones that are pending, if it
    /// decides this one as well.
    private func mayBeSent(_ index: Int) -> Bool {
        guard index < limits.proposalsPerMessage else { return false }
        let id = pending[index].proposal.id
        let first = pending.first { $0.proposal.id.client == id.client }
        return id.number - (first?.proposal.id.number ?? id.number) < 64
    }

    private mutating func propose(
        _ proposals: [Proposal], after: ProposalID?, again: Bool, _ now: Duration
    ) -> ClientStep {
        (lastSent, isSending) = (now, true)
        unnoted = 0
        return .send(
            .propose(
                session: session, log: sessionLog ?? 0, base: version, after: after, again: again,
                proposals: proposals))
    }

    // MARK: Receiving

    /// A message came.
    package mutating func received(_ message: DownMessage, now: Duration) -> [ClientStep] {
        guard phase != .offline, message.session == session else { return [] }
        // From the server that has welcomed this client, or from none.
        if let sessionLog, let log = message.log, log != sessionLog { return [] }
        lastHeard = now
        switch message {
        case .welcome(_, let log, let version):
            guard phase == .greeting else { return [] }
            (phase, sessionLog) = (.online, log)
            if problem == .tooManySessions || problem == .notAdmitted { problem = nil }
            if log != self.log || version < self.version { needsState = true }
            return sendNew(now)
        case .snapshot(_, let log, let version, let schema, let state, let decided):
            return take(state, schema: schema, log, version, decided, now)
        case .entries(_, _, let from, let items): return take(items, from: from, now)
        case .changes(_, let log, let from, let version, let changes, let decided):
            return take(changes, log, from: from, to: version, decided, now)
        case .refused(_, _, let client, let refused): return take(refused, of: client, now)
        case .busy(_, _, let milliseconds):
            let length = min(milliseconds, 60_000)
            pause = (now, .milliseconds(length))
            for index in pending.indices { pending[index].isSent = false }
            return []
        case .unknown: return greet(now)
        case .failed(_, let problem):
            self.problem = problem
            return []
        }
    }

    /// A message came that can't be read.
    package mutating func receivedUnreadable() { problem = .unreadable }

    /// Takes a whole state of the log.
    private mutating func take(
        _ bytes: [UInt8], schema: Int, _ log: UInt64, _ version: CommitVersion,
        _ decided: [DecidedRun],
        _ now: Duration
    ) -> [ClientStep] {
        guard phase == .online, log == sessionLog, needsState || version > self.version
        else { return [] }
        guard let state = features.state(of: bytes, schema: schema) else {
            // What is pending stays so until a program that can read it is told what became of it.
            problem = .unreadable
            return []
        }
        (confirmed, self.log, self.version, needsState) = (state, log, version, false)
        return [.keepState] + settle(decided) + [.show] + sendNew(now)
    }

    /// Takes what has changed in the view of this client, or the whole view.
    private mutating func take(
        _ changes: [SyncChange], _ log: UInt64, from start: CommitVersion?,
        to version: CommitVersion,
        _ decided: [DecidedRun], _ now: Duration
    ) -> [ClientStep] {
        guard phase == .online, log == sessionLog else { return [] }
        if let start {
            guard !needsState else { return [] }
            // What is missing comes again when this client says how far it is.
            guard start <= self.version else {
                return elapsed(since: &lastSent, now) >= limits.patience ? sendAgain(now) : []
            }
        }
        guard version > self.version || start == nil && needsState else { return [] }
        var state = start == nil ? initial : confirmed
        guard features.apply(changes, to: &state) else {
            // The next tick asks for the whole view.
            needsState = true
            return []
        }
        unnoted += start == nil ? 0 : Int(clamping: version - self.version)
        (confirmed, self.log, self.version, needsState) = (state, log, version, false)
        let wasHidden = pending.contains(where: \.isHidden)
        let settled = settle(decided)
        // What may no longer be seen must not stay on the disk either, nor what was dispatched to it.
        let mustForget =
            !features.isPartial || start == nil || changes.contains { $0.value == nil }
            || settled.contains { wasHidden || $0.isRefusal }
        var steps: [ClientStep] = [
            mustForget
                ? .keepState
                : .keep(
                    .changes(
                        log: log, from: start ?? 0, version: version, changes, decided: decided))
        ]
        steps += settled
        if start == nil || !changes.isEmpty || !settled.isEmpty { steps.append(.show) }
        let more = sendNew(now)
        if more.isEmpty, unnoted >= limits.window / 2 {
            return steps + [propose([], after: nil, again: false, now)]
        }
        return steps + more
    }

    /// Drops what a state includes, and what is refused as it doesn't.
    private mutating func settle(_ decided: [DecidedRun]) -> [ClientStep] {
        let runs = Dictionary(decided.map { ($0.client, $0) }) { $1 }
        func isAccepted(_ id: ProposalID) -> Bool? { runs[id.client]?.accepts(id.number) }
        // What comes before something decided is decided as well.
        let end = pending.lastIndex { isAccepted($0.proposal.id) != nil }.map { $0 + 1 } ?? 0
        var steps: [ClientStep] = []
        for item in pending.prefix(end) {
            let id = item.proposal.id
            steps.append(.report(id, isAccepted(id) == true ? .confirmed : .refused(nil)))
        }
        pending.removeFirst(end)
        folded = nil
        noteStep(settling: end)
        return steps
    }

    /// This client has got further: a problem that it had is over, if it is none of what it proposes.
    private mutating func noteStep(settling count: Int) {
        if problem != .tooManyRuns || count > 0 { problem = nil }
    }

    /// Takes entries of the log.
    private mutating func take(
        _ items: [LoggedItem], from first: CommitVersion, _ now: Duration
    ) -> [ClientStep] {
        guard phase == .online, !needsState, log == sessionLog else { return [] }
        // What is missing comes again when this client says how far it is.
        guard first <= version + 1 else {
            return elapsed(since: &lastSent, now) >= limits.patience ? sendAgain(now) : []
        }
        let known = Int(min(version + 1 - first, CommitVersion(items.count)))
        let new = Array(items.dropFirst(known))
        if new.isEmpty { return [] }
        let start = version + 1
        guard let (settled, changes) = apply(new) else {
            // It can't be folded here.
            needsState = true
            return greet(now)
        }
        var steps: [ClientStep] = [
            .keep(.entries(log: log ?? 0, from: start, items: new))
        ]
        steps += settled.map { .report($0.id, $0.outcome) }
        if changes { steps.append(.show) }
        unnoted += new.count
        let more = sendNew(now)
        if more.isEmpty, unnoted >= limits.window / 2 {
            return steps + [propose([], after: nil, again: false, now)]
        }
        return steps + more
    }

    /// Takes what the server has refused.
    private mutating func take(
        _ refused: [RefusedProposal], of client: ClientID, _ now: Duration
    ) -> [ClientStep] {
        guard phase == .online else { return [] }
        var ids: [ProposalID] = []
        var steps: [ClientStep] = []
        var changes = false
        for refused in refused {
            let id = ProposalID(client: client, number: refused.number)
            guard let index = pending.firstIndex(where: { $0.proposal.id == id }) else { continue }
            changes = changes || !pending[index].isHidden
            pending.remove(at: index)
            folded = nil
            ids.append(id)
            steps.append(.report(id, .refused(refused.reason)))
        }
        if ids.isEmpty { return [] }
        if changes { steps.append(.show) }
        if problem == .tooManyRuns { problem = nil }
        // With a view, it may have been for something that may no longer be seen.
        return [features.isPartial ? .keepState : .keep(.dropped(ids))] + steps + sendNew(now)
    }

    // MARK: Folding

    private typealias Settled = (id: ProposalID, outcome: SyncOutcome)

    /// Folds entries that continue the version into the confirmed state; all or none.
    ///
    /// - Returns: What they decide, and whether the client shows another state now; nil if one can't be
    ///   folded.
    private mutating func apply(_ items: [LoggedItem]) -> (settled: [Settled], changes: Bool)? {
        var state = confirmed
        var done: [Settled] = []
        var changes = false
        // Those before it are decided.
        var first = pending.startIndex
        for item in items {
            switch item {
            case .other(let action):
                guard let action = features.read(action) else { return nil }
                features.reduce(action, into: &state)
                changes = true
            case .own(let id, let time, let author):
                guard let index = pending[first...].firstIndex(where: { $0.proposal.id == id }),
                    let action = pending[index].action
                else { return nil }
                // The server decides in order: those before it are not in the log.
                for skipped in first..<index {
                    done.append((pending[skipped].proposal.id, .refused(nil)))
                }
                // It shows already, unless it was hidden, or came behind something that did.
                let isAsShown =
                    index == first && !pending[index].isHidden && !features.dependsOnStamp(action)
                changes = changes || !isAsShown
                features.reduce(
                    features.confirmed(action, time: time, author: author), into: &state)
                done.append((id, .confirmed))
                first = index + 1
            }
        }
        confirmed = state
        version += CommitVersion(items.count)
        pending.removeFirst(first)
        if changes || folded?.count ?? 0 < first { folded = nil }
        folded?.count -= first
        noteStep(settling: first)
        return (done, changes)
    }
}
