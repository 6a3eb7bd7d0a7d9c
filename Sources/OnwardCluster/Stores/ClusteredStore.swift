// SPDX-License-Identifier: MIT

public import Onward
public import OnwardJournal

/// A store that lives on many nodes: each has a replica, and one of them decides.
///
/// ```swift
/// let node = ClusterNode(NodeID("a"), table: table, transport: transport)
/// let shop = ClusteredStore(of: Shop(), named: "shop", in: journal, on: node) {
///     Scope(\.basket, basket)
/// }
/// let running = Task { await node.run() }
/// switch await shop.propose(BasketAction.add("pear")) {
/// case .accepted: print(shop.store.state.basket)   // has the pear, on this node
/// case let outcome: print(outcome)
/// }
/// ```
///
/// Its state is the fold of one log, which all nodes of the cluster read from a shared journal: one
/// in a database or, for tests, one in memory. What ``store`` shows is acknowledged by the journal,
/// so no failure reverts it.
///
/// A change is **proposed**. The proposal goes to the node that owns the store, passes the
/// middlewares there (at least once, if something goes wrong on the way) and the reducers, and is
/// appended together with everything that the middlewares made of it, as one unit. It is answered
/// once it is acknowledged and this node's replica has it, so everyone finds their own writes, on
/// any node. The same ``RequestID`` again gets the first answer.
///
/// The owner of the store is recorded in the log. If the owner is silent, another node takes over;
/// the former owner is refused at its next append, and discards what isn't acknowledged.
///
/// **Effects** run only at the owner, once their entry is acknowledged; those of a `While` start
/// again at a new owner. What an effect dispatches is proposed, and expires with the owner's term.
/// So what an action starts runs at most once, unless it is ``Durable``, which is restarted until
/// its end is in the log.
///
/// All nodes open the same stores, with the same features. A node with other features keeps showing
/// what there was before, refuses proposals, and reports this in its ``status``.
public final class ClusteredStore<State: Codable & Sendable>: Sendable {
    /// The name of the store in the cluster.
    public let name: String
    private let member: StoreMember<State>
    private let background: BackgroundProposals<State>

    /// Opens a store on a node, which keeps it until the node stops.
    ///
    /// - Parameters:
    ///   - initial: The state before the first entry; the same on every node.
    ///   - name: Identifies the store in the cluster, and must be unique on the node.
    ///   - journal: The store's log, which all nodes can reach.
    ///   - node: This node.
    ///   - options: How the log is written and read.
    ///   - storeOptions: The options of the replica.
    ///   - features: The features of the store; made several times.
    public init(
        of initial: State, named name: String, in journal: some Journal, on node: ClusterNode,
        options: ClusteredStoreOptions = ClusteredStoreOptions(),
        storeOptions: StoreOptions = StoreOptions(),
        @FeatureBuilder<State> _ features: @Sendable () -> [any Part<State>]
    ) {
        let background = BackgroundProposals<State>(limit: node.surroundings.limits.waiting)
        let machines = StoreFeatures(
            initial, options, storeOptions, features, late: { background.propose($0, epoch: nil) })
        let replica = ReplicaStore(
            initial, storeOptions, features, propose: { background.propose($0, epoch: $1) })
        if let mistake = replica.store.recordingMistake { storeOptions.report(mistake) }
        self.name = name
        self.background = background
        member = StoreMember(
            name, machines, replica, in: journal,
            forgetsEntries: options.forgetsEntries, node.surroundings)
        background.serve(member)
        node.add(member)
    }

    /// The store that readers on this node see: pages, subscribers, selections.
    ///
    /// Its state is what was acknowledged. It accepts nothing itself: what is dispatched there is
    /// withheld, and proposed without an answer.
    public var store: Store<State> { member.replica.store }

    /// How the store is doing on this node; may be read from any thread.
    public var status: ClusteredStoreStatus { member.status }

    /// Returns an id for a proposal that may have to be repeated.
    public func newRequest() -> RequestID { RequestID(since: status.version) }

    /// Proposes an action, and returns the outcome within ``ClusterLimits/proposal``.
    ///
    /// - Parameters:
    ///   - action: What happened.
    ///   - instance: The instance that the action is for; nil for all that handle it.
    ///   - request: Identifies the proposal if it may be repeated; nil for a new one.
    ///   - version: For an action that depends on a state someone has seen: no action may have come
    ///     after this version of the log. Otherwise it is refused as
    ///     ``ProposalRefusal/outdated(_:)``, to be reconsidered.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    /// - Returns: The outcome. If accepted, the state of ``store`` includes the action.
    @discardableResult
    public func propose(
        _ action: some Action, to instance: Address? = nil, request: RequestID? = nil,
        ifUnchangedSince version: CommitVersion? = nil, file: String = #fileID,
        line: Int = #line
    ) async -> ProposalOutcome {
        let request = request ?? newRequest()
        guard
            let draft = try? member.features.draft(
                of: action, to: instance ?? .root, from: ActionOrigin(file: file, line: line),
                stamp: ActionAuthor.current.map {
                    EntryStamp(
                        seed: 0, time: Timestamp(nanosecondsSince1970: 0), author: $0)
                })
        else { return .refused(.unreadable) }
        return await member.propose(
            Request(id: request.id, base: request.since, unchangedSince: version, action: draft))
    }
}

extension ClusteredStore {
    /// The version of a request's last entry; nil if this node's replica has none or dropped it.
    public func version(of request: RequestID) async -> CommitVersion? {
        await member.version(of: request)
    }

    /// The log version that a recent version of ``store`` shows; may be called on any thread.
    ///
    /// At the same version of the log, each node shows the same.
    public func logVersion(of version: CommitVersion) -> CommitVersion {
        member.replica.logVersion(of: version)
    }

    /// Identifies nodes that have the same features.
    var fingerprint: FeatureFingerprint { member.fingerprint }

    /// Returns once the replica has caught up.
    ///
    /// - Throws: `.storage` if it takes too long.
    func catchUp() async throws(JournalError) {
        if status.hasCaughtUp { return }
        let end = surroundings.now + surroundings.limits.patience + surroundings.limits.mark
        while !status.hasCaughtUp {
            guard surroundings.now < end,
                (try? await surroundings.clock.sleep(for: .milliseconds(50))) != nil
            else {
                throw JournalError(
                    .storage,
                    """
                    The store "\(name)" hasn't read its log yet: its node doesn't run, or the journal can't be \
                    reached.
                    """)
            }
        }
    }

    /// Returns once the replica has a version, or when that takes too long.
    func reach(_ version: CommitVersion, before deadline: Duration) async {
        while status.version < version, isBefore(deadline) {
            guard (try? await surroundings.clock.sleep(for: .milliseconds(50))) != nil else {
                return
            }
        }
    }

    /// The time by which a proposal made now must be answered.
    var deadline: Duration { surroundings.now + surroundings.limits.proposal }

    func isBefore(_ deadline: Duration) -> Bool { surroundings.now < deadline }

    private var surroundings: Surroundings { member.surroundings }

    /// The member, for code that opens and closes stores.
    var ownMember: some NodeMember { member }

    /// Ends the store on this node, if it has nothing in progress.
    func close() async {
        await member.stop()
        await store.shutdown()
    }
}

/// How the log of a clustered store is written and read.
public struct ClusteredStoreOptions: Sendable {
    /// How payloads and states are written; the same on every node, for the lifetime of the log.
    public var format = DataFormat.cbor
    /// How old entries and snapshots are migrated to the current schema versions.
    public var migrations = Migrations()
    /// A text that the program changes whenever its reducers behave differently: nodes whose
    /// revisions differ don't fold each other's entries.
    public var revision = ""
    /// Whether entries are discarded once a snapshot stands for them.
    public var forgetsEntries = false

    /// Creates options that keep everything, in CBOR.
    public init() {}
}

/// Proposals whose answer nobody awaits: by effects, and by dispatching to a replica.
private final class BackgroundProposals<State: Codable & Sendable>: Sendable {
    private struct Contents {
        weak var member: StoreMember<State>?
        var count = 0
    }

    private let limit: Int
    private let contents = Guarded(Contents())

    init(limit: Int) {
        self.limit = limit
    }

    func serve(_ member: StoreMember<State>) { contents.withValue { $0.member = member } }

    /// Proposes what a gate has kept, unless too many proposals are waiting.
    func propose(_ pending: PendingCommit, epoch: UInt64?) {
        let member = contents.withValue { contents -> StoreMember<State>? in
            guard contents.count < limit, let member = contents.member else { return nil }
            contents.count += 1
            return member
        }
        guard let member else { return }
        let draft = try? member.features.draft(
            of: pending.action, to: pending.address, from: pending.origin)
        guard let draft else { return contents.withValue { $0.count -= 1 } }
        let request = Request(
            id: EntryID(), base: member.status.version, epoch: epoch, action: draft)
        TaskPermit.withNone {
            _ = Task.detached { [self] in
                _ = await member.propose(request)
                contents.withValue { $0.count -= 1 }
            }
        }
    }
}
