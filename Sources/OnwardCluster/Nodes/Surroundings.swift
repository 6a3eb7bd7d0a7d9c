// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// What the members of a node share: its clock, what it knows of other nodes, and the way to them.
final class Surroundings: Sendable {
    private struct Contents {
        var neighbours: Neighbours
        var outboxes: [NodeID: Outbox] = [:]
        /// The counts of all stores.
        var figures = ClusterFigures()
        var isOver = false
    }

    let node: NodeID
    let limits: ClusterLimits
    private let transport: any ClusterTransport
    let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    private let contents: Guarded<Contents>

    init(
        _ node: NodeID, _ limits: ClusterLimits, _ transport: any ClusterTransport,
        _ clock: any Clock<Duration>
    ) {
        self.node = node
        self.limits = limits
        self.transport = transport
        self.clock = clock
        stopwatch = Stopwatch(clock)
        contents = Guarded(Contents(neighbours: Neighbours(silence: limits.silence)))
    }

    var now: Duration { stopwatch.elapsed() }
    var neighbours: Neighbours { contents.withValue { $0.neighbours } }
    var figures: ClusterFigures { contents.withValue { $0.figures } }

    /// Counts something.
    func count(_ body: (inout ClusterFigures) -> Void) { contents.withValue { body(&$0.figures) } }

    /// Handles the announcements of all nodes.
    func look(at announcements: [NodeAnnouncement]) {
        let now = now
        contents.withValue { $0.neighbours.look(at: announcements, now: now) }
    }

    /// Sends nothing more.
    func stop() {
        contents.withValue { ($0.isOver, $0.outboxes) = (true, [:]) }
    }

    // MARK: Messages

    func broadcast(_ message: Message, of store: String) {
        let letter = Envelope.Letter(store: store, message: message).value
        for other in neighbours.living where other != node { send(letter, to: other) }
    }

    func send(_ message: Message, of store: String, to node: NodeID) {
        send(Envelope.Letter(store: store, message: message).value, to: node)
    }

    private func send(_ letter: DataValue, to node: NodeID) {
        let mustSend = contents.withValue { contents in
            guard !contents.isOver else { return false }
            return contents.outboxes[node, default: Outbox(limit: limits.waiting)].add(letter)
        }
        if mustSend { Task { await sendAll(to: node) } }
    }

    private func sendAll(to node: NodeID) async {
        while let letters = contents.withValue({ $0.outboxes[node]?.next() }) {
            await transport.send(Envelope.bytes(of: letters, from: self.node), to: node)
        }
    }
}
