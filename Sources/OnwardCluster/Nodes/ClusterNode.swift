// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// A program's part in a cluster: it announces itself, watches the others, and runs its stores.
///
/// ```swift
/// let node = ClusterNode(NodeID("a"), table: table, transport: transport)
/// async let running: Void = node.run()
/// …
/// await node.leave()   // others take its stores
/// ```
///
/// Nodes find one another through a ``NodeTable``, and communicate by a ``ClusterTransport``.
/// Neither has to be reliable: the journals of the stores decide, whatever the nodes believe.
public final class ClusterNode: Sendable {
    private struct Contents {
        var members: [String: any NodeMember] = [:]
        /// Stores that are opened on demand, by the prefix of their names.
        var families: [String: any StoreFamily] = [:]
        var beat: UInt64
        var isAnnouncing = false
        var isLeaving = false
        var isOver = false
    }

    /// Identifies the node; unique for each running program of the cluster.
    public let id: NodeID
    let surroundings: Surroundings
    private let table: any NodeTable
    private let clock: any Clock<Duration>
    private let contents: Guarded<Contents>

    /// Creates a node that doesn't take part yet: see ``run()``.
    ///
    /// - Parameters:
    ///   - id: Identifies the node; unique for each running program of the cluster.
    ///   - table: Where nodes announce themselves.
    ///   - transport: Delivers messages to other nodes.
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
        // Differs from the numbers of earlier runs.
        contents = Guarded(Contents(beat: UInt64.random(in: 0...UInt64.max / 2)))
    }

    // MARK: Running

    /// Takes part until the task is cancelled or the node has left; call it once.
    ///
    /// Cancelling the task is as if the program had died: other nodes take its stores once they
    /// notice its absence. To hand them over first, call ``leave(within:)``.
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

    /// Hands the node's stores over to others, and ends the node.
    ///
    /// - Parameter limit: How long to wait for others to take them; it doesn't wait if there are
    ///   none.
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

    /// How each of the node's stores is doing, by name; may be read from any thread.
    public var stores: [String: ClusteredStoreStatus] {
        contents.withValue { $0.members }.mapValues(\.status)
    }

    /// The nodes that seem to be alive.
    public var livingNodes: [NodeID] {
        surroundings.neighbours.living.sorted { $0.name < $1.name }
    }

    /// How the node is doing, in numbers; may be read from any thread.
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

    /// Handles a message that the transport of another node has sent.
    ///
    /// Anything that isn't a message is ignored. Whoever can call this can propose to the node's
    /// stores: the transport must make sure that only nodes do.
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
                // Someone takes this node for the owner.
                family?.openSoon(letter.store, for: letter.message, from: envelope.sender)
            }
        }
    }

    /// Announces the node, unless an announcement is already in progress.
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
        // A table that can't be reached reveals nothing about anyone.
        guard let all = try? await table.announce(announcement) else { return }
        surroundings.look(at: all)
    }
}

/// A store's part in its node.
protocol NodeMember: Sendable {
    /// Identifies the store.
    var name: String { get }
    var fingerprint: FeatureFingerprint { get }
    var status: ClusteredStoreStatus { get }

    /// Does what is due, without waiting.
    func tickSoon()
    func receive(_ message: Message, from sender: NodeID) async
    func stop() async
}

/// Stores of one kind, which a node opens on demand.
protocol StoreFamily: Sendable {
    /// The prefix of its stores' names, before a slash.
    var name: String { get }
    var fingerprint: FeatureFingerprint { get }

    /// Does what is due, without waiting.
    func tickSoon()
    /// Opens a store because of a message for it.
    func openSoon(_ name: String, for message: Message, from sender: NodeID)
    func stop() async
}
