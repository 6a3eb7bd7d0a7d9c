// SPDX-License-Identifier: MIT

internal import DequeModule
package import Onward
package import OnwardJournal

/// Decides what a server has its store do, and what it sends to clients.
///
/// Each proposal is decided once: by its number, of which the log itself says which were accepted.
/// Nothing is sent before it is kept (``published(upTo:)``), so that a client never has what its
/// server may lose.
package struct ServerMachine: Sendable {
    private struct Session: Sendable {
        enum Phase: Sendable, Hashable {
            /// It has everything up to `sent`, and gets what comes after.
            case live
            /// A state is being encoded for it.
            case encoding
            /// It gets this state as soon as that is kept.
            case holding(version: CommitVersion, EncodedState)
        }

        let number: UInt64
        /// The log as this client knows it.
        let log: UInt64
        /// Whose view it gets, if it doesn't get everything.
        let reader: String?
        /// Whether it folds entries as this server does.
        let takesEntries: Bool
        /// Whether it can read what has changed in a state that it has; if not, it gets whole ones.
        let takesChanges: Bool
        var phase = Phase.live
        /// What it was sent, and what it is known to have.
        var sent: CommitVersion
        var noted: CommitVersion
        /// The version that it has with its last message; up to `sent` its view stayed the same.
        var told: CommitVersion
        /// Whether it waits for an answer, whatever there is to send.
        var isAsking = false
        /// What it has proposed, or will, without knowing the outcome.
        let runs: [ClientID: ClosedRange<UInt64>]
    }

    /// What a connection may still ask for: as much as in a second, which comes back within one.
    private struct Allowance: Sendable {
        var left: Double
        var seen: Duration
    }

    private struct Logged: Sendable {
        let entry: LoggedEntry
        /// What was decided of its run before it.
        let before: DecidedRun?
        /// What it has done to what clients see; nil if that can't be sent.
        let changes: ReaderChanges?
    }

    package let log: UInt64
    private let fingerprint: FeatureFingerprint
    private let limits: SyncLimits
    /// Whether clients get what they may see, not everything.
    private let isPartial: Bool

    /// The last entry that was committed, and the last one that is kept.
    package private(set) var version: CommitVersion
    package private(set) var publishedVersion: CommitVersion
    /// The last entries.
    private var history: Deque<Logged> = []
    /// What the log has decided.
    package private(set) var ledger: Ledger

    /// The last number of each run that is decided or waits for it: also of what was refused, which is
    /// not in the log.
    private var ends: [ClientID: UInt64] = [:]
    /// What was accepted and whose entry hasn't come yet.
    private var unlogged: Set<ProposalID> = []
    /// The last refusals of the last runs that had any.
    private var refusals: [ClientID: [RefusedProposal]] = [:]
    private var refusalOrder: Deque<ClientID> = []
    private var waiting: Deque<(proposal: Proposal, connection: ConnectionID)> = []
    private var sessions: [ConnectionID: Session] = [:]
    private var allowances: [ConnectionID: Allowance] = [:]

    /// Creates the machine of a server whose log goes on from a version.
    package init(
        log: UInt64, version: CommitVersion, ledger: Ledger, fingerprint: FeatureFingerprint,
        limits: SyncLimits, isPartial: Bool = false
    ) {
        self.isPartial = isPartial
        self.log = log
        self.version = version
        publishedVersion = version
        self.ledger = ledger
        self.fingerprint = fingerprint
        self.limits = limits
    }

    /// The number of sessions.
    package var sessionCount: Int { sessions.count }

    /// The version before the first entry that is still there.
    private var floor: CommitVersion { version - CommitVersion(history.count) }

    // MARK: Receiving

    /// The log as a reader knows it: a device that another person used has nothing of that person's.
    package func log(of reader: String?) -> UInt64 {
        guard isPartial, let reader else { return log }
        // It has to be the same as long as this server runs, and for nobody else.
        return log ^ FNV64.hash(of: reader)
    }

    /// A client has sent a message.
    package mutating func received(
        _ message: UpMessage, from connection: ConnectionID, as reader: String? = nil, now: Duration
    ) -> [ServerStep] {
        let isAllowed = allows(message, from: connection, now)
        switch message {
        case .hello(let session, let fingerprint, let log, let version, let runs):
            guard isAllowed else { return [.end(connection)] }
            return greet(connection, reader, session, fingerprint, log, version, runs)
        case .propose(let session, let log, let base, let after, let again, let proposals):
            return take(
                proposals, after: after, connection, session, log, base: base, again: again,
                isAllowed)
        }
    }

    /// Whether a connection may ask for so much now.
    private mutating func allows(
        _ message: UpMessage, from connection: ConnectionID, _ now: Duration
    ) -> Bool {
        let most = Double(limits.proposalsPerSecond)
        // What may have a whole state or many entries sent.
        let largeCost = most / 8
        let cost =
            switch message {
            case .hello: largeCost
            case .propose(_, _, _, _, let again, let proposals):
                max(1, Double(proposals.count)) + (again ? largeCost : 0)
            }
        var allowance = allowances[connection] ?? Allowance(left: most, seen: now)
        let back = max(now - allowance.seen, .zero) / .seconds(1) * most
        allowance.left = min(most, allowance.left + back)
        allowance.seen = now
        let isAllowed = allowance.left >= min(cost, most)
        if isAllowed { allowance.left -= min(cost, most) }
        allowances[connection] = allowance
        return isAllowed
    }

    /// A connection has ended; what came through it is decided nevertheless.
    package mutating func disconnected(_ connection: ConnectionID) {
        sessions[connection] = nil
        allowances[connection] = nil
    }

    private mutating func greet(
        _ connection: ConnectionID, _ reader: String?, _ number: UInt64,
        _ fingerprint: FeatureFingerprint,
        _ log: UInt64?, _ version: CommitVersion, _ runs: [PendingRun]
    ) -> [ServerStep] {
        guard sessions[connection] != nil || sessions.count < limits.sessions else {
            let failed = DownMessage.failed(session: number, .tooManySessions)
            return [.send(failed, to: connection), .end(connection)]
        }
        // A late one would forget what was proposed since.
        if let present = sessions[connection], number <= present.number { return [] }
        let ownLog = self.log(of: reader)
        // A log is always that of one fingerprint, so others have states of it, or what was changed in them.
        let goesOn = log == ownLog && version >= floor && version <= publishedVersion
        let start = goesOn ? version : 0
        let ranges = runs.filter { $0.first <= $0.last }.map { ($0.client, $0.first...$0.last) }
        var session = Session(
            number: number, log: ownLog, reader: reader,
            takesEntries: fingerprint == self.fingerprint,
            takesChanges: log != nil || sessions[connection] == nil, sent: start, noted: start,
            told: start,
            runs: Dictionary(ranges) { first, _ in first })
        // Clients propose in order: what is before something in the log was decided, and refused if it
        // isn't there itself. That may have been said by a server that has ended since.
        let last = runs.lastIndex { $0.first <= ledger[$0.client]?.number ?? 0 } ?? 0
        for run in runs[..<last] { ends[run.client] = max(ends[run.client] ?? 0, run.last) }
        if !goesOn { session.phase = .encoding }
        sessions[connection] = session
        let welcome = DownMessage.welcome(
            session: number, log: ownLog, version: publishedVersion)
        let refused = runs.compactMap { run -> ServerStep? in
            let known = refusals[run.client]?.filter { run.first...run.last ~= $0.number } ?? []
            return known.isEmpty ? nil : send(known, of: run.client, to: connection)
        }
        return [.send(welcome, to: connection)] + refused
            + (goesOn ? flush(connection) : [.encodeState(for: connection)])
    }

    private mutating func take(
        _ proposals: [Proposal], after: ProposalID?, _ connection: ConnectionID,
        _ number: UInt64, _ log: UInt64, base: CommitVersion, again: Bool, _ isAllowed: Bool
    ) -> [ServerStep] {
        let again = again && isAllowed
        // What was meant for this server before it started again must not be decided now.
        guard var session = sessions[connection], session.number == number, session.log == log
        else {
            return [.send(.unknown(session: number), to: connection)]
        }
        // Late messages may have set back what it was sent.
        if session.phase == .live, base <= publishedVersion {
            session.noted = max(session.noted, base)
            session.sent = again ? base : max(session.sent, base)
            session.told = again ? base : max(session.told, base)
            session.isAsking = session.isAsking || again
        }
        sessions[connection] = session
        var steps: [ServerStep] = []
        if !isAllowed {
            steps += busy(connection)
        } else if isDecided(after) {
            steps += queue(proposals, connection)
        }
        return steps + flush(connection)
    }

    /// Whether a proposal is decided, or will be before what comes now.
    private func isDecided(_ id: ProposalID?) -> Bool {
        guard let id else { return true }
        return id.number <= end(of: id.client)
    }

    private func end(of client: ClientID) -> UInt64 {
        max(ends[client] ?? 0, ledger[client]?.number ?? 0)
    }

    private mutating func queue(
        _ proposals: [Proposal], _ connection: ConnectionID
    ) -> [ServerStep] {
        var steps: [ServerStep] = []
        for proposal in proposals {
            let (client, number) = (proposal.id.client, proposal.id.number)
            guard sessions[connection]?.runs[client]?.contains(number) == true else { return steps }
            guard number > end(of: client) else {
                if let refused = refusal(of: proposal.id) {
                    steps.append(send([refused], of: client, to: connection))
                }
                continue
            }
            let isKnown = ends[client] != nil || ledger[client] != nil
            guard isKnown || max(ends.count, ledger.count) < limits.runs else {
                let session = sessions[connection]?.number ?? 0
                steps.append(.send(.failed(session: session, .tooManyRuns), to: connection))
                return steps + busy(connection)
            }
            guard waiting.count < limits.sessions + limits.proposalsPerMessage else {
                return steps + busy(connection)
            }
            ends[client] = number
            waiting.append((proposal, connection))
        }
        return steps
    }

    private func busy(_ connection: ConnectionID) -> [ServerStep] {
        guard let session = sessions[connection] else { return [] }
        return [
            .send(
                .busy(session: session.number, log: session.log, milliseconds: 1_000),
                to: connection)
        ]
    }

    // MARK: Deciding

    /// The next proposal that the store has to decide; call ``decided(_:_:)`` before asking again.
    package func nextToDecide() -> (proposal: Proposal, connection: ConnectionID)? {
        waiting.first
    }

    /// The store has decided the first proposal that waited.
    package mutating func decided(_ id: ProposalID, _ decision: Decision) -> [ServerStep] {
        guard let (proposal, connection) = waiting.first, proposal.id == id else { return [] }
        switch decision {
        case .accepted:
            waiting.removeFirst()
            // Unless its entry came first.
            if id.number > ledger[id.client]?.number ?? 0 { unlogged.insert(id) }
            return []
        case .refused(let reason):
            waiting.removeFirst()
            let refused = RefusedProposal(number: id.number, reason: reason)
            remember(refused, of: id.client)
            return [send([refused], of: id.client, to: connection)]
        case .unavailable:
            let connections = Set(waiting.map(\.connection))
            giveUp()
            return connections.flatMap { busy($0) }
        }
    }

    private mutating func remember(_ refused: RefusedProposal, of client: ClientID) {
        if refusals[client] == nil { refusalOrder.append(client) }
        var known = refusals[client] ?? []
        known.append(refused)
        if known.count > limits.refusals { known.removeFirst() }
        refusals[client] = known
        if refusalOrder.count > limits.sessions, let oldest = refusalOrder.popFirst() {
            refusals[oldest] = nil
        }
    }

    /// What to answer to a proposal that is decided; nil where the entries of the log will.
    private func refusal(of id: ProposalID) -> RefusedProposal? {
        if let known = refusals[id.client]?.first(where: { $0.number == id.number }) {
            return known
        }
        // A copy of the client that isn't told of later numbers wouldn't find out from their entries.
        if ledger[id.client]?.accepts(id.number) == false {
            return RefusedProposal(number: id.number, reason: nil)
        }
        let isOpen =
            id.number <= ledger[id.client]?.number ?? 0 || unlogged.contains(id)
            || waiting.contains { $0.proposal.id == id }
        return isOpen ? nil : RefusedProposal(number: id.number, reason: nil)
    }

    /// Forgets what waits for a decision: it comes again, and with it whatever comes after it.
    private mutating func giveUp() {
        for item in waiting {
            let id = item.proposal.id
            ends[id.client] = min(ends[id.client] ?? 0, id.number - 1)
        }
        waiting = []
    }

    private func send(
        _ refused: [RefusedProposal], of client: ClientID, to connection: ConnectionID
    ) -> ServerStep {
        let session = sessions[connection]
        return .send(
            .refused(
                session: session?.number ?? 0, log: session?.log ?? log, client: client, refused),
            to: connection)
    }

    // MARK: The log

    /// The store has committed the next entry.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - changes: What it has done to what clients may see; nil if that can't be sent.
    package mutating func committed(_ entry: LoggedEntry, _ changes: [ViewChange]? = nil) {
        var before: DecidedRun?
        if let id = entry.proposal {
            before = ledger.note(id)
            unlogged.remove(id)
        }
        version += 1
        history.append(
            Logged(entry: entry, before: before, changes: changes.map { ReaderChanges($0) }))
        if history.count > limits.history { history.removeFirst() }
    }

    /// Everything up to a version is kept; now clients may have it.
    package mutating func published(upTo version: CommitVersion) -> [ServerStep] {
        let version = min(version, self.version)
        guard version > publishedVersion else { return [] }
        publishedVersion = version
        // In the order in which they connected.
        return sessions.keys.sorted { $0.number < $1.number }.flatMap { flush($0) }
    }

    /// The state of a version was encoded for a connection.
    package mutating func encoded(
        _ state: EncodedState, at version: CommitVersion, for connection: ConnectionID
    ) -> [ServerStep] {
        guard sessions[connection]?.phase == .encoding else { return [] }
        // What was decided up to there is no longer known.
        guard version >= floor, version <= self.version else {
            return [.encodeState(for: connection)]
        }
        sessions[connection]?.phase = .holding(version: version, state)
        return flush(connection)
    }

    /// Sends a session what it may have by now.
    private mutating func flush(_ connection: ConnectionID) -> [ServerStep] {
        guard var session = sessions[connection] else { return [] }
        var steps: [ServerStep] = []
        if case .holding(let version, let whole) = session.phase {
            guard version <= publishedVersion else { return [] }
            guard version >= floor else {
                sessions[connection]?.phase = .encoding
                return [.encodeState(for: connection)]
            }
            let runs = session.runs.keys.compactMap { decided(of: $0, at: version) }
            session.phase = .live
            (session.sent, session.noted, session.told) = (version, version, version)
            session.isAsking = false
            steps.append(.send(message(of: whole, at: version, runs, for: session), to: connection))
        }
        guard session.phase == .live else { return [] }
        if isPartial {
            steps += flushChanges(of: &session, connection)
            sessions[connection] = session
            return steps
        }
        while session.sent < publishedVersion,
            session.sent < session.noted + CommitVersion(limits.window)
        {
            guard session.takesEntries else {
                // Differing reducers would fold entries differently, and nobody would know.
                session.phase = .encoding
                let start = session.takesChanges ? session.sent : nil
                steps.append(.encodeState(for: connection, since: start))
                break
            }
            guard session.sent >= floor, let items = nextItems(after: session.sent, for: session)
            else {
                session.phase = .encoding
                steps.append(.encodeState(for: connection))
                break
            }
            steps.append(
                .send(
                    .entries(
                        session: session.number, log: log, from: session.sent + 1, items: items),
                    to: connection))
            session.sent += CommitVersion(items.count)
            session.isAsking = false
        }
        if session.isAsking, session.phase == .live {
            steps.append(
                .send(
                    .entries(
                        session: session.number, log: log, from: session.sent + 1, items: []),
                    to: connection))
            session.isAsking = false
        }
        sessions[connection] = session
        return steps
    }

    private func message(
        of whole: EncodedState, at version: CommitVersion, _ decided: [DecidedRun],
        for session: Session
    ) -> DownMessage {
        switch whole {
        case .state(let state, let schema):
            .snapshot(
                session: session.number, log: session.log, version: version, schema: schema,
                state: state, decided: decided)
        case .changes(let changes, let since):
            .changes(
                session: session.number, log: session.log, from: since, version: version, changes,
                decided: decided)
        case .view(let changes):
            .changes(
                session: session.number, log: session.log, from: nil, version: version, changes,
                decided: decided)
        }
    }

    /// Sends a session what has changed in its view.
    private func flushChanges(
        of session: inout Session, _ connection: ConnectionID
    ) -> [ServerStep] {
        var steps: [ServerStep] = []
        func send(_ changes: [SyncChange], to version: CommitVersion) {
            let runs = session.runs.keys.compactMap { decided(of: $0, at: version) }
            steps.append(
                .send(
                    .changes(
                        session: session.number, log: session.log, from: session.told,
                        version: version, changes, decided: runs), to: connection))
            (session.told, session.isAsking) = (version, false)
        }
        while session.sent < publishedVersion,
            session.told < session.noted + CommitVersion(limits.window)
        {
            guard session.sent >= floor,
                let (changes, version, isOfUse) = nextChanges(after: session.sent, for: session)
            else {
                session.phase = .encoding
                return steps + [.encodeState(for: connection)]
            }
            if isOfUse { send(changes, to: version) }
            session.sent = version
        }
        guard session.isAsking else { return steps }
        // What was decided up to there is no longer known.
        guard session.sent >= floor else {
            session.phase = .encoding
            return steps + [.encodeState(for: connection)]
        }
        send([], to: session.sent)
        return steps
    }

    /// What has changed for a session up to some version, and whether it needs to know; nil if that can't
    /// be sent.
    private func nextChanges(
        after sent: CommitVersion, for session: Session
    ) -> (changes: [SyncChange], version: CommitVersion, isOfUse: Bool)? {
        var merged = MergedChangesOfView()
        var (version, isOfUse) = (sent, false)
        let count = min(publishedVersion - sent, CommitVersion(limits.entriesPerMessage))
        let first = Int(sent - floor)
        for logged in history[first..<first + Int(count)] {
            guard let changes = logged.changes?[session.reader] else {
                return version == sent ? nil : (merged.changes, version, isOfUse)
            }
            let id = logged.entry.proposal
            let isOwn = id.map { session.runs[$0.client]?.contains($0.number) == true } ?? false
            for change in changes { merged.add(change) }
            isOfUse = isOfUse || isOwn || !changes.isEmpty
            version += 1
            if merged.size > limits.messageBytes { break }
        }
        return (merged.changes, version, isOfUse)
    }

    /// What was decided of a run up to a version.
    private func decided(of client: ClientID, at version: CommitVersion) -> DecidedRun? {
        let later = history.dropFirst(Int(version - floor))
        if let next = later.first(where: { $0.entry.proposal?.client == client }) {
            return next.before
        }
        return ledger[client]
    }

    /// The next entries for a session; nil if one of them can't be sent.
    private func nextItems(after sent: CommitVersion, for session: Session) -> [LoggedItem]? {
        var items: [LoggedItem] = []
        var bytes = 0
        let count = min(publishedVersion - sent, CommitVersion(limits.entriesPerMessage))
        let first = Int(sent - floor)
        for logged in history[first..<first + Int(count)] {
            let entry = logged.entry
            guard let action = entry.action else { return items.isEmpty ? nil : items }
            if let id = entry.proposal, session.runs[id.client]?.contains(id.number) == true {
                items.append(.own(id, time: entry.time, author: entry.author))
                continue
            }
            bytes += action.size
            if !items.isEmpty, bytes > limits.messageBytes { break }
            items.append(.other(action))
        }
        return items
    }
}
