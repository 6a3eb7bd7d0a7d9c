// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// A program's part in a cluster: it announces itself, watches the others, and moves its stores on.
///
/// ```swift
/// let node = ClusterNode(NodeID("a"), table: table, transport: transport)
/// async let running: Void = node.run()
/// …
/// await node.leave()   // others take its stores
/// ```
///
/// Nodes find out about one another by a ``NodeTable``, and talk by a ``ClusterTransport``. Neither has to be
/// reliable: the journals of the stores decide, whatever the nodes believe.
public final class ClusterNode: Sendable {
    private struct Contents {
        var members: [String: any NodeMember] = [:]
        /// Stores that are opened when somebody needs them, by what their names begin with.
        var families: [String: any StoreFamily] = [:]
        var beat: UInt64
        var isAnnouncing = false
        var isLeaving = false
        var isOver = false
    }

    /// Names the node; another name for each running program of the cluster.
    public let id: NodeID
    let surroundings: Surroundings
    private let table: any NodeTable
    private let clock: any Clock<Duration>
    private let contents: Guarded<Contents>

    /// A node that doesn't take part yet: see ``run()``.
    ///
    /// - Parameters:
    ///   - id: Names the node; another name for each running program of the cluster.
    ///   - table: Where nodes announce themselves.
    ///   - transport: Brings messages to other nodes.
    ///   - limits: The times and bounds.
    ///   - clock: The clock for these times; nothing is compared with the clock of another node.
    public init(
        _ id: NodeID, table: some NodeTable, transport: some ClusterTransport,
        limits: ClusterLimits = ClusterLimits(), clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.id = id
        self.table = table
        self.clock = clock
        surroundings = Surroundings(id, limits, transport, clock)
        // Another number than those of an earlier run.
        contents = Guarded(Contents(beat: UInt64.random(in: 0...UInt64.max / 2)))
    }

    // MARK: Running

    /// Takes part until the task is cancelled or the node has left; once.
    ///
    /// Cancelling it is as if the program had died: other nodes take its stores once they miss it. To hand them
    /// over first, call ``leave(within:)``.
    public func run() async {
        var turn = 0
        while !Task.isCancelled, !contents.withValue({ $0.isOver }) {
            if turn.isMultiple(of: 2) { announceSoon() }
            for member in members { member.tickSoon() }
            for family in families { family.tickSoon() }
            turn += 1
            try? await clock.sleep(for: .milliseconds(250))
        }
        await stop()
    }

    /// Hands the node's stores over to others, and ends it.
    ///
    /// - Parameter limit: So long it waits for others to take them; it doesn't where there are none.
    public func leave(within limit: Duration = .seconds(5)) async {
        contents.withValue { $0.isLeaving = true }
        await announce()
        let deadline = surroundings.now + limit
        while surroundings.now < deadline, members.contains(where: \.status.isOwning),
            surroundings.neighbours.living.contains(where: { $0 != id }), !Task.isCancelled
        {
            try? await clock.sleep(for: .milliseconds(50))
        }
        await stop()
    }

    private func stop() async {
        let (members, families) = contents.withValue { contents in
            defer { (contents.members, contents.families) = ([:], [:]) }
            contents.isOver = true
            return (contents.members, contents.families)
        }
        surroundings.stop()
        for member in members.values { await member.stop() }
        for family in families.values { await family.stop() }
    }

    private var families: [any StoreFamily] { contents.withValue { Array($0.families.values) } }
    private var members: [any NodeMember] { contents.withValue { Array($0.members.values) } }

    // MARK: Stores

    /// How each of the node's stores fares, by its name; any thread may ask.
    public var stores: [String: ClusteredStoreStatus] {
        contents.withValue { $0.members }.mapValues(\.status)
    }

    /// The nodes that seem to be there.
    public var livingNodes: [NodeID] {
        surroundings.neighbours.living.sorted { $0.name < $1.name }
    }

    /// How the node fares, in numbers; any thread may ask.
    ///
    /// - Complexity: O(stores that are open).
    public var figures: ClusterFigures {
        var figures = surroundings.figures
        figures.nodes = livingNodes.count
        for status in stores.values {
            figures.stores += 1
            if status.isOwning { figures.owned += 1 }
            if status.isJournalAway { figures.unreachable += 1 }
            figures.lag = max(figures.lag, status.lag)
            figures.waiting += status.waiting
        }
        return figures
    }

    func add(_ member: some NodeMember) {
        let isNew = contents.withValue { contents in
            guard contents.members[member.name] == nil else { return false }
            contents.members[member.name] = member
            return true
        }
        precondition(
            isNew,
            """
            The node "\(id)" has two stores named "\(member.name)". They would take each other's messages. To \
            fix this, open each store once, and give others a name of their own.
            """)
    }

    func remove(_ member: some NodeMember) {
        contents.withValue { $0.members[member.name] = nil }
    }

    func add(_ family: some StoreFamily) {
        let isNew = contents.withValue { contents in
            contents.families.updateValue(family, forKey: family.name) == nil
        }
        precondition(
            isNew,
            """
            The node "\(id)" has two families of stores named "\(family.name)". They would take each other's \
            messages. To fix this, make each once, and give others a name of their own.
            """)
    }

    // MARK: Other nodes

    /// Takes a message that the transport of another node has sent.
    ///
    /// What isn't one is ignored. Whoever may call this can propose to the node's stores: let a transport see to
    /// it that only nodes do.
    public func receive(_ message: [UInt8]) async {
        guard let envelope = Envelope(message) else { return }
        for letter in envelope.letters {
            let (member, family) = contents.withValue { contents in
                let family = letter.store.split(separator: "/", maxSplits: 1).first
                return (
                    contents.members[letter.store],
                    family.flatMap { contents.families[String($0)] }
                )
            }
            if let member {
                await member.receive(letter.message, from: envelope.sender)
            } else if letter.message.isForOwner {
                // Somebody takes this node for the owner.
                family?.openSoon(letter.store, for: letter.message, from: envelope.sender)
            }
        }
    }

    /// Announces the node, unless an announcement is still on its way.
    private func announceSoon() {
        let begins = contents.withValue { contents in
            defer { contents.isAnnouncing = true }
            return !contents.isAnnouncing
        }
        guard begins else { return }
        Task {
            await announce()
            contents.withValue { $0.isAnnouncing = false }
        }
    }

    private func announce() async {
        let members = members
        let (beat, isLeaving) = contents.withValue { contents in
            contents.beat += 1
            return (contents.beat, contents.isLeaving)
        }
        let announcement = NodeAnnouncement(
            node: id, beat: beat,
            features: Set(members.map(\.fingerprint)).union(families.map(\.fingerprint)),
            isLeaving: isLeaving)
        // A table that can't be reached says nothing of anybody.
        guard let all = try? await table.announce(announcement) else { return }
        surroundings.look(at: all)
    }
}

/// A store's part in its node.
protocol NodeMember: Sendable {
    /// Names the store.
    var name: String { get }
    var fingerprint: FeatureFingerprint { get }
    var status: ClusteredStoreStatus { get }

    /// Does what is due, in a moment.
    func tickSoon()
    func receive(_ message: Message, from sender: NodeID) async
    func stop() async
}

/// Stores of one kind, which a node opens when somebody needs them.
protocol StoreFamily: Sendable {
    /// What the names of its stores begin with, before a slash.
    var name: String { get }
    var fingerprint: FeatureFingerprint { get }

    /// Does what is due, in a moment.
    func tickSoon()
    /// Opens a store for a message that came for it.
    func openSoon(_ name: String, for message: Message, from sender: NodeID)
    func stop() async
}
