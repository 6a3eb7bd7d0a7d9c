// SPDX-License-Identifier: MIT

internal import Onward
package import OnwardJournal

/// Decides for a store during one epoch: handles requests in turn, and has their entries appended.
///
/// Each request runs on the tip, which includes what isn't acknowledged yet, and its entries are
/// appended together. Several appends may be in progress, each after the end of the previous one.
///
/// Nothing here handles failures. When an append is refused, or nobody knows its outcome, the whole
/// owner is discarded. The node reads the log again, claims the store in a new epoch, and finds in
/// the window of requests which were done.
package struct Owner<Features: ClusterFeatures>: Sendable {
    /// Who waits for the outcome of a request, and what must be acknowledged before it is final.
    private struct Waiting {
        let version: CommitVersion
        let id: EntryID
        let node: NodeID
        let outcome: ProposalOutcome
    }

    /// Entries that are appended together.
    package struct Append: Sendable {
        package let number: UInt64
        package let entries: [JournalEntry]
        package let after: JournalPosition
        package let since: Duration
        var end: JournalPosition { entries.last?.position ?? after }
    }

    /// An answer to a node.
    package struct Answer: Sendable {
        package let id: EntryID
        package let node: NodeID
        package let outcome: ProposalOutcome
    }

    package let node: NodeID
    package let epoch: UInt64
    private let features: Features
    private let limits: ClusterLimits
    /// The log with everything that has been decided.
    private var tip: Fold<Features>
    /// What was decided but hasn't been sent, one element per request.
    private var queue: [[JournalEntry]] = []
    /// What is in progress, in order.
    private var underWay: [Append] = []
    private var waiting: [Waiting] = []
    /// Up to where appends are acknowledged.
    package private(set) var acknowledged: JournalPosition
    /// The end of what was sent.
    private var sent: JournalPosition
    /// When the log was last marked, and whether that mark is incomplete by now.
    private var marked: Duration
    private var mustMark = true
    /// The durable work that has ended since then.
    private var ended: [EntryID] = []
    /// The tip includes a part of a request that the features can't fold.
    private var isBroken = false

    /// Starts with a log whose last entry is the acknowledged claim.
    package init(
        _ node: NodeID, epoch: UInt64, on fold: Fold<Features>, _ features: Features,
        _ limits: ClusterLimits,
        now: Duration
    ) {
        (self.node, self.epoch, self.features, self.limits) = (node, epoch, features, limits)
        tip = fold
        (acknowledged, sent, marked) = (fold.position, fold.position, now)
    }

    // MARK: Requests

    /// Handles a request.
    ///
    /// - Returns: Its outcome, if known at once; otherwise ``acknowledge(_:)`` reports it later.
    package mutating func take(_ request: Request, from node: NodeID) -> ProposalOutcome? {
        if let epoch = request.epoch, epoch != self.epoch { return .refused(.expired) }
        switch tip.requests.find(request.id, since: request.base) {
        case .forgotten:
            return .refused(.forgotten)
        case .done(let version) where version <= acknowledged.version:
            return .accepted(version)
        case .done(let version):
            return wait(for: version, request.id, node, .accepted(version))
        case .new:
            if let since = request.unchangedSince, let last = tip.requests.newest, last > since {
                // As with withheld actions: reported once it is safe.
                return wait(for: last, request.id, node, .refused(.outdated(last)))
            }
            guard queue.count < limits.waiting else { return .refused(.overloaded) }
            return decide(request, from: node)
        }
    }

    private mutating func decide(_ request: Request, from node: NodeID) -> ProposalOutcome? {
        let (drafts, failure): ([ActionDraft], FailedProposal?)
        do {
            (drafts, failure) = try features.decision(about: request.action, on: tip.state)
        } catch {
            return .refused(.unreadable)
        }
        guard tip.work.count < limits.waiting || !drafts.contains(where: features.beginsWork)
        else { return .refused(.overloaded) }
        var entries: [JournalEntry] = []
        for (index, draft) in drafts.enumerated() {
            let id = request.id.entry(in: epoch, beforeLast: drafts.count - 1 - index)
            let entry = JournalEntry(
                version: tip.version + 1, id: id, epoch: epoch, name: draft.name,
                schema: draft.schema, payload: draft.payload, address: draft.address,
                origin: draft.origin)
            do {
                try tip.apply(entry, features)
            } catch {
                isBroken = true
                return .refused(.unreadable)
            }
            entries.append(entry)
        }
        // Letting nothing through may depend on entries that can be lost: wait until they are safe.
        guard !entries.isEmpty else {
            return wait(
                for: tip.version, request.id, node,
                failure.map { .refused(.failedCheck($0)) } ?? .withheld)
        }
        queue.append(entries)
        return wait(for: tip.version, request.id, node, .accepted(tip.version))
    }

    private mutating func wait(
        for version: CommitVersion, _ id: EntryID, _ node: NodeID, _ outcome: ProposalOutcome
    ) -> ProposalOutcome? {
        if version <= acknowledged.version { return outcome }
        if waiting.contains(where: { $0.id == id && $0.node == node }) { return nil }
        guard waiting.count < 2 * limits.waiting else { return .refused(.overloaded) }
        waiting.append(Waiting(version: version, id: id, node: node, outcome: outcome))
        return nil
    }

    // MARK: Appends

    /// What to append next; nil while enough is in progress, or if nothing is left.
    package mutating func nextAppend(_ number: UInt64, now: Duration) -> Append? {
        guard underWay.count < limits.pipeline, !queue.isEmpty else { return nil }
        var entries: [JournalEntry] = []
        var count = 0
        for request in queue {
            guard entries.isEmpty || entries.count + request.count <= limits.batch else { break }
            entries += request
            count += 1
        }
        queue.removeFirst(count)
        let append = Append(number: number, entries: entries, after: sent, since: now)
        sent = append.end
        underWay.append(append)
        return append
    }

    /// Whether this is one of the appends in progress.
    package func isUnderWay(_ number: UInt64) -> Bool {
        underWay.contains { $0.number == number }
    }

    /// Notes that an append is acknowledged, and so is everything before it.
    ///
    /// - Returns: The entries that are acknowledged now, and the outcomes of requests.
    package mutating func acknowledge(_ number: UInt64) -> (
        entries: [JournalEntry], answers: [Answer]
    ) {
        guard let index = underWay.firstIndex(where: { $0.number == number }) else {
            return ([], [])
        }
        let entries = underWay[...index].flatMap(\.entries)
        acknowledged = underWay[index].end
        underWay.removeFirst(index + 1)
        if entries.contains(where: { $0.kind != .ownership }) { mustMark = true }
        let ready = waiting.filter { $0.version <= acknowledged.version }
        waiting.removeAll { $0.version <= acknowledged.version }
        return (entries, ready.map { Answer(id: $0.id, node: $0.node, outcome: $0.outcome) })
    }

    /// Whether the owner is of no use: an append has taken too long to know its outcome.
    package func isStuck(now: Duration) -> Bool {
        if isBroken { return true }
        guard let first = underWay.first else { return false }
        return now - first.since >= limits.patience
    }

    /// Notes that durable work has ended, which the next mark will state.
    package mutating func endWork(of id: EntryID) {
        if tip.work.contains(id), !ended.contains(id) { ended.append(id) }
    }

    /// Marks acknowledgements, if that was a while ago, and the durable work that has ended.
    package mutating func mark(_ id: EntryID, now: Duration) {
        guard !ended.isEmpty || mustMark && now - marked >= limits.mark else { return }
        append(markWith: id, now)
    }

    /// Adds a mark that is due soon to the next append, since a separate one costs a commit.
    package mutating func markAlong(_ id: EntryID, now: Duration) {
        guard underWay.count < limits.pipeline, !queue.isEmpty, mustMark,
            now - marked >= limits.mark / 2
        else { return }
        append(markWith: id, now)
    }

    private mutating func append(markWith id: EntryID, _ now: Duration) {
        guard queue.count < limits.waiting else { return }
        let mark = Ownership(
            node: node, epoch: epoch, fingerprint: features.fingerprint,
            acknowledged: acknowledged, ended: ended)
        let entry = mark.entry(at: tip.version + 1, id: id)
        do { try tip.apply(entry, features) } catch { return }
        queue.append([entry])
        (mustMark, marked, ended) = (false, now, [])
    }
}
